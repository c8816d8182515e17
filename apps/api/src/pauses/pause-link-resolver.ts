import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { actorContext } from '#libs/platform/database/actor-context';
import { idPattern } from '#libs/platform/ids/ids';
import { closedReasons } from '#libs/runs/pauses/answers';
import { Links } from '#libs/runs/pauses/links';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import { actingIn } from '../http/actor-context.ts';
import { pageHeaders } from '../http/html.ts';
import { routeConfigOf } from '../http/route-config.ts';
import type { PauseParams } from './pauses.shapes.ts';
import { isNote, type Note, notePage } from './resume-page.html.ts';

/** The query of a link. `as` names its receiver. */
export interface Link {
  token?: unknown;
  as?: unknown;
}

/** A pause, and the receiver of its link if the link names one. */
export interface Asked {
  point: PausePoint;
  as?: string;
}

/** The result of a link: a pause, with a reason when it takes no answer; or the reason why the link is invalid. */
export type Sight =
  | (Asked & { refusal?: { code: string; message: string } })
  | { note: Note; point?: PausePoint };

/** Finds the pauses of links. */
@Injectable()
export class PauseLinkResolver {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
    private readonly attempts: RefusedAttempts,
  ) {}

  /** A wrong link gets the same answer whether its ids exist or not. */
  async look(params: PauseParams, { token, as }: Link): Promise<Sight> {
    const { workflowId, executionId, contextId } = params;
    const ids = [workflowId, executionId, contextId];
    if (typeof token !== 'string' || !ids.every((id) => idPattern.test(id))) return { note: 'badLink' };
    // No link has an empty `as`. It is refused, because its signature would equal that of a link without `as`.
    if (as !== undefined && (typeof as !== 'string' || as === '')) return { note: 'badLink' };
    const point = await this.pauses.linked(params);
    const opened = point
      ? this.links.opens({ workspaceId: point.workspaceId, workflowId, executionId, contextId }, token, as)
      : 'no';
    if (point && opened === 'no') await this.refused('link.refused', point, 'BAD_LINK');
    if (!point || opened === 'no') return { note: 'badLink' };
    // A link expires with its pause. When the pause has expired too, the page says that instead.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { note: 'oldLink' };
    if (as !== undefined && (await this.pauses.hasLeft(point, as))) {
      await this.refused('link.refused', point, 'FORMER_MEMBER');
      return { note: 'oldLink' };
    }
    const refusal = closedReasons[point.resumeStatus];
    // A link can be forwarded, so it does not identify its reader.
    if (!refusal && point.asking?.approvals?.requireSignIn) return { note: 'SIGN_IN_REQUIRED', point };
    return { point, as, refusal };
  }

  /** Notes an attempt with a changed link, or with an answer that the link does not allow. */
  refused(
    action: 'link.refused' | 'answer.refused',
    { workspaceId, executionId }: PausePoint,
    code: string,
  ): Promise<void> {
    return this.attempts.noteAttempt(workspaceId, {
      action,
      resourceType: 'execution',
      resourceId: executionId,
      about: { code },
    });
  }
}

/** Checks the link before files are read, so that nobody without an open link can fill the disk. */
export function validateLinkBeforeBody(server: FastifyInstance, sights: PauseLinkResolver): void {
  const look = async (request: FastifyRequest, reply: FastifyReply) => {
    const [params, link] = [request.params as PauseParams, request.query as Link];
    const sight = await actorContext.run(actingIn(request), () => sights.look(params, link));
    const code = 'note' in sight ? sight.note : (sight.refusal?.code ?? '');
    if (code === '') return;
    const status = 'note' in sight ? 403 : 409;
    // Unread bytes of the body must not be taken for the next request.
    void reply.status(status).headers(pageHeaders).header('connection', 'close');
    return reply.send(notePage(isNote(code) ? code : 'PAUSE_CLOSED'));
  };
  server.addHook('onRequest', (request, reply, next) => {
    const { takesForms, takesUploads } = routeConfigOf(request);
    const isForm = takesForms && takesUploads && isMultipart(request.headers['content-type']);
    return isForm ? look(request, reply) : next();
  });
}

function isMultipart(contentType = ''): boolean {
  return contentType.trim().toLowerCase().startsWith('multipart/');
}
