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

/** The query of a link; `as` names the person to whom it was sent. */
interface Link {
  token?: unknown;
  as?: unknown;
}

/** A pause, and the person who opened it when the link names one. */
interface Asked {
  point: PausePoint;
  as?: string;
}

/** What a link opens: a pause, with the reason when it takes no answer; or the reason why it opens nothing. */
type Sight = (Asked & { refusal?: { code: string; message: string } }) | { note: Note };

/**
 * The page behind `resumeLinks.uiUrl`. The token in the link is the permission, for one pause only. GET never changes
 * anything, because mail scanners open every link.
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
    return pausePage({ ...sight, given, state: await this.stateOf(sight.point) });
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
        const given = await this.givenBefore({ point, as }, read);
        return given ? donePage(point, given) : told(reply, 409, error.code);
      }
      if (error instanceof Denied && isNote(error.code)) return told(reply, 403, error.code);
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      const state = await this.stateOf(point);
      return pausePage({ point, as, state, given: form, details: error.details });
    }
  }

  /** Finds the pause of a link. A wrong link gets the same answer whether its ids exist or not. */
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
    // A link expires with its pause. Where the pause expired too, the page says that instead.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { note: 'oldLink' };
    return { point, as, refusal: closedReasons[point.resumeStatus] };
  }

  /** Commits the answers, which checks them, and tells the run; gives the answers that were committed. */
  private async accept({ point, as }: Asked, workflowId: string, read: ReadAnswers): Promise<JsonObject> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { answers, details } = read;
    // A field that is not JSON stops the commit; the other fields are checked here so that all faults show at once.
    if (details.length > 0) throw new Invalid([...details, ...checkAnswers(point.form, answers).details]);
    const actor = actorOf({ point, as });
    const place = { workspaceId, workflowId, executionId, contextId };
    const answer = { ...place, entryId: newId('res'), answers, actor, who: as, mode: 'async' as const };
    const entry = await this.answers.accept(answer);
    await this.answers.send(entry);
    const refused = (await this.answers.settled(workspaceId, entry, 0))?.status === 'failed';
    if (refused) throw new Conflict('The answer came too late: the pause is closed.', 'PAUSE_CLOSED');
    return objectOf(entry.answers);
  }

  /** The votes so far on a request that several people may have to answer. */
  private async stateOf(point: PausePoint) {
    if (!point.asking?.approvals) return [];
    return stateLines(point.asking.approvals, await this.pauses.entriesOf(point));
  }

  /** The answers, if the same link gave the same ones before: a browser shows the reply to the second of two clicks. */
  private async givenBefore({ point, as }: Asked, read: ReadAnswers): Promise<JsonObject | null> {
    if (read.details.length > 0) return null;
    // Committed answers are complete and fit the form, so answers that do not fit cannot equal them.
    const { answers } = checkAnswers(point.form, read.answers);
    const actor = canonicalJson(actorOf({ point, as }));
    const entries = await this.pauses.entriesOf(point);
    const entry = entries.findLast((one) => canonicalJson(one.actor) === actor);
    const isSame =
      entry && entry.status !== 'failed' && canonicalJson(entry.answers) === canonicalJson(answers);
    return isSame ? answers : null;
  }

  /**
   * Whether the headers of the browser say that another site sent this form. Without `Sec-Fetch-Site` (plain http, old
   * browsers) our own page sends the origin `null`, because its referrer policy hides the origin too.
   */
  private isFromElsewhere({ headers }: FastifyRequest): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin';
    const { origin = 'null' } = headers;
    return origin !== 'null' && origin !== new URL(this.settings.publicUrl).origin;
  }
}

/** The actor of an answer by link: the person to whom it was sent, or the pause when it was sent to nobody. */
function actorOf({ point, as }: Asked): JsonObject {
  return { kind: 'link', id: as ?? point.contextId };
}

function told(reply: FastifyReply, status: number, note: Note): string {
  void reply.status(status);
  return notePage(note);
}
