import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { actorContext } from '#libs/platform/database/actor-context';
import { idPattern } from '#libs/platform/ids/ids';
import { closedReasons } from '#libs/runs/pauses/answers';
import { type LinkNames, Links } from '#libs/runs/pauses/links';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import { Callers } from '#libs/workspace/auth/callers';
import { actingIn } from '../http/actor-context.ts';
import { pageHeaders } from '../http/html.ts';
import { getRouteFlags } from '../http/route-config.ts';
import { findHolder } from './caller-links.ts';
import type { PauseParams } from './pauses.dto.ts';
import { isLinkProblem, type LinkProblem, problemPage } from './resume-page.html.ts';

/** The query of a link. `as` names its receiver, `by` the key or session with which it ends. */
export interface LinkQuery {
  token?: unknown;
  as?: unknown;
  by?: unknown;
}

/** A pause, and the receiver of its link if the link names one. */
export interface ResolvedPause {
  point: PausePoint;
  as?: string;
}

/** The result of a link: a pause, with a reason when it takes no answer; or the reason why the link is invalid. */
export type LinkState =
  | (ResolvedPause & { refusal?: { code: string; message: string } })
  | { problem: LinkProblem; point?: PausePoint };

/** Finds the pauses of links. */
@Injectable()
export class PauseLinkResolver {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
    private readonly callers: Callers,
    private readonly attempts: RefusedAttempts,
  ) {}

  /** Returns the state of a link. A wrong link gets the same answer whether its ids exist or not. */
  async resolveLink(params: PauseParams, { token, as, by }: LinkQuery): Promise<LinkState> {
    const { workflowId, executionId, contextId } = params;
    const ids = [workflowId, executionId, contextId];
    if (typeof token !== 'string' || !ids.every((id) => idPattern.test(id))) return { problem: 'badLink' };
    // No link has an empty name. It is refused, because its signature would equal that of a link without the name.
    if (!isName(as) || !isName(by)) return { problem: 'badLink' };
    const point = await this.pauses.linked(params);
    const opened = point
      ? this.links.opens({ workspaceId: point.workspaceId, workflowId, executionId, contextId }, token, {
          as,
          by,
        })
      : 'no';
    if (point && opened === 'no') await this.recordRefusal('link.refused', point, 'BAD_LINK');
    if (!point || opened === 'no') return { problem: 'badLink' };
    // A link expires with its pause. When the pause has expired too, the page says that instead.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { problem: 'oldLink' };
    const ended = await this.findEndReason(point, { as, by });
    if (ended !== null) {
      await this.recordRefusal('link.refused', point, ended);
      return { problem: 'oldLink' };
    }
    const refusal = closedReasons[point.resumeStatus];
    // A link can be forwarded, so it does not identify its reader.
    if (!refusal && point.asking?.approvals?.requireSignIn) return { problem: 'SIGN_IN_REQUIRED', point };
    return { point, as, refusal };
  }

  /** Returns why the receiver or the holder of a link has lost it; null for a link that holds. */
  private async findEndReason(point: PausePoint, { as, by }: LinkNames): Promise<string | null> {
    const { workspaceId } = point;
    if (as !== undefined && (await this.pauses.hasLeft(point, as))) return 'FORMER_MEMBER';
    if (as !== undefined && (await this.callers.awaitsProvider(workspaceId, as)))
      return 'SIGN_IN_BY_PROVIDER';
    if (by === undefined) return null;
    const holder = await findHolder(this.callers, by, workspaceId);
    return holder?.mayAnswerIn(workspaceId) ? null : 'CREDENTIAL_ENDED';
  }

  /** Records an attempt with a changed link, or with an answer that the link does not allow. */
  recordRefusal(
    action: 'link.refused' | 'answer.refused',
    { workspaceId, executionId }: PausePoint,
    code: string,
  ): Promise<void> {
    return this.attempts.recordAttempt(workspaceId, {
      action,
      resourceType: 'execution',
      resourceId: executionId,
      about: { code },
    });
  }
}

/** Checks the link before files are read, so that nobody without an open link can fill the disk. */
export function validateLinkBeforeBody(server: FastifyInstance, links: PauseLinkResolver): void {
  const checkLink = async (request: FastifyRequest, reply: FastifyReply) => {
    const [params, link] = [request.params as PauseParams, request.query as LinkQuery];
    const state = await actorContext.run(actingIn(request), () => links.resolveLink(params, link));
    const code = 'problem' in state ? state.problem : (state.refusal?.code ?? '');
    if (code === '') return;
    const status = 'problem' in state ? 403 : 409;
    // Unread bytes of the body must not be taken for the next request.
    void reply.status(status).headers(pageHeaders).header('connection', 'close');
    return reply.send(problemPage(isLinkProblem(code) ? code : 'PAUSE_CLOSED'));
  };
  server.addHook('onRequest', (request, reply, next) => {
    const { takesForms, takesUploads, isForm } = getRouteFlags(request);
    const isAnswer = takesForms && takesUploads && !isForm && isMultipart(request.headers['content-type']);
    return isAnswer ? checkLink(request, reply) : next();
  });
}

function isName(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value !== '');
}

function isMultipart(contentType = ''): boolean {
  return contentType.trim().toLowerCase().startsWith('multipart/');
}
