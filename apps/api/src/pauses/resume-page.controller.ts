import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAnswers } from '#libs/definition/answers';
import { canonicalJson } from '#libs/definition/canonical';
import { type JsonObject, objectOf } from '#libs/definition/values';
import { Conflict, Denied, Invalid } from '#libs/faults/faults';
import { idPattern, newId } from '#libs/ids/ids';
import { Answers, closedReasons } from '#libs/pauses/answers';
import { Links } from '#libs/pauses/links';
import type { PausePoint } from '#libs/pauses/pause.entity';
import { Pauses } from '#libs/pauses/pauses';
import { Settings } from '#libs/settings/settings';
import { Public } from '../http/caller.guard.ts';
import { formOfBody } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { answersOf, defaultsOf, type ReadAnswers } from './form-answers.ts';
import type { PauseParams } from './pauses.shapes.ts';
import { stateLines } from './request-state.ts';
import { donePage, isNote, type Note, notePage, pausePage } from './resume-page.html.ts';

/** `as` names the person whose link it is. */
interface Link {
  token?: unknown;
  as?: unknown;
}

/** A pause as one person sees it, if the link says who that is. */
interface Asked {
  point: PausePoint;
  as?: string;
}

/** What a link shows: a pause, and why it takes no answer if it does not; or why the link shows none. */
type Sight = (Asked & { refusal?: { code: string; message: string } }) | { note: Note };

/**
 * The page behind `resumeLinks.uiUrl`. Its token is the authority, good for one pause. Reading shows and never acts:
 * scanners of mail follow every link.
 */
@ApiExcludeController()
@Controller('resume/:workflowId/:executionId/:contextId')
export class ResumePageController {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: Links,
    private readonly answers: Answers,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public()
  @IsPage()
  async show(
    @Param() params: PauseParams,
    @Query() link: Link,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const sight = await this.look(params, link);
    if ('note' in sight) return told(reply, 403, sight.note);
    const code = sight.refusal?.code ?? '';
    if (isNote(code)) return told(reply, 409, code);
    const given = defaultsOf(sight.point.form);
    return pausePage({ ...sight, given, state: await this.stateOf(sight.point, params.workflowId) });
  }

  @Post()
  @Public()
  @IsPage({ takesForms: true })
  @HttpCode(200)
  async answer(
    @Param() params: PauseParams,
    @Query() link: Link,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    if (this.isFromElsewhere(request)) return told(reply, 403, 'elsewhere');
    const sight = await this.look(params, link);
    const form = formOfBody(body);
    if ('note' in sight) return told(reply, 403, sight.note);
    const { point, as, refusal } = sight;
    const read = answersOf(point.form, form);
    try {
      if (refusal) throw new Conflict(refusal.message, refusal.code);
      return donePage(point, await this.accept({ point, as }, params.workflowId, read));
    } catch (error) {
      if (error instanceof Conflict && isNote(error.code)) {
        const given = await this.givenBefore({ point, as }, params.workflowId, read);
        return given ? donePage(point, given) : told(reply, 409, error.code);
      }
      if (error instanceof Denied && isNote(error.code)) return told(reply, 403, error.code);
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      const state = await this.stateOf(point, params.workflowId);
      return pausePage({ point, as, state, given: form, details: error.details });
    }
  }

  /** A wrong link is answered alike whether its ids name something or not. */
  private async look(params: PauseParams, { token, as }: Link): Promise<Sight> {
    const { workflowId, executionId, contextId } = params;
    const ids = [workflowId, executionId, contextId];
    if (typeof token !== 'string' || !ids.every((id) => idPattern.test(id))) return { note: 'badLink' };
    if (as !== undefined && typeof as !== 'string') return { note: 'badLink' };
    const point = await this.pauses.linked(params);
    const opened = point
      ? this.links.opens({ workspaceId: point.workspaceId, workflowId, executionId, contextId }, token, as)
      : 'no';
    if (!point || opened === 'no') return { note: 'badLink' };
    // A link ends with its pause; only that the pause ended too is told to who comes late.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { note: 'oldLink' };
    return { point, as, refusal: closedReasons[point.resumeStatus] };
  }

  /** Commits the answers, which checks them, and tells the run; gives the answers that were committed. */
  private async accept({ point, as }: Asked, workflowId: string, read: ReadAnswers): Promise<JsonObject> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { answers, details } = read;
    // What is no JSON cannot be committed, but the person is to see every fault at once.
    if (details.length > 0) throw new Invalid([...details, ...checkAnswers(point.form, answers).details]);
    const actor = actorOf({ point, as });
    const place = { workspaceId, workflowId, executionId, contextId };
    const answer = { ...place, entryId: newId('res'), answers, actor, who: as, mode: 'async' as const };
    const entry = await this.answers.accept(answer);
    await this.answers.send(entry);
    const refused = (await this.answers.settled(workspaceId, entry, 0))?.status === 'failed';
    if (refused) throw new Conflict('The answer came too late.', 'PAUSE_CLOSED');
    return objectOf(entry.answers);
  }

  /** How far a request has come that several people may have to answer. */
  private async stateOf({ workspaceId, rootId, contextId, asking }: PausePoint, workflowId: string) {
    if (!asking?.approvals) return [];
    const { entries } = await this.pauses.get(workspaceId, workflowId, rootId);
    return stateLines(
      asking.approvals,
      entries.filter((entry) => entry.contextId === contextId),
    );
  }

  /** The same answer twice is one answer: of two clicks the browser shows what the second one got. */
  private async givenBefore(
    { point, as }: Asked,
    workflowId: string,
    read: ReadAnswers,
  ): Promise<JsonObject | null> {
    if (read.details.length > 0) return null;
    // What was committed is complete and fits the form, so nothing that does not can be the same.
    const { answers } = checkAnswers(point.form, read.answers);
    const { entries } = await this.pauses.get(point.workspaceId, workflowId, point.rootId);
    const actor = canonicalJson(actorOf({ point, as }));
    const entry = entries.findLast(
      (one) => one.contextId === point.contextId && canonicalJson(one.actor) === actor,
    );
    const isSame =
      entry && entry.status !== 'failed' && canonicalJson(entry.answers) === canonicalJson(answers);
    return isSame ? answers : null;
  }

  /**
   * Whether a browser says that another site sent this. Without `Sec-Fetch-Site` (plain http, old browsers) the origin
   * of our own page is `null`, because its referrer policy hides that too.
   */
  private isFromElsewhere({ headers }: FastifyRequest): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin';
    const { origin = 'null' } = headers;
    return origin !== 'null' && origin !== new URL(this.settings.publicUrl).origin;
  }
}

/** Who answers by a link is whoever it was sent to; of one that was sent to nobody nothing is known. */
function actorOf({ point, as }: Asked): JsonObject {
  return { kind: 'link', id: as ?? point.contextId };
}

function told(reply: FastifyReply, status: number, note: Note): string {
  void reply.status(status);
  return notePage(note);
}
