import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAnswers } from '#libs/definition/answers';
import { canonicalJson } from '#libs/definition/canonical';
import type { JsonObject } from '#libs/definition/values';
import { Conflict, Invalid } from '#libs/faults/faults';
import { idPattern, newId } from '#libs/ids/ids';
import { Answers, refusals } from '#libs/pauses/answers';
import { Links } from '#libs/pauses/links';
import type { PausePoint } from '#libs/pauses/pause.entity';
import { Pauses } from '#libs/pauses/pauses';
import { Settings } from '#libs/settings/settings';
import { Public } from '../http/caller.guard.ts';
import { formOfBody, type Form } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { answersOf, defaultsOf } from './form-answers.ts';
import type { ResumeParams } from './pauses.controller.ts';
import { donePage, isNote, type Note, notePage, questionPage } from './resume-page.html.ts';

/** What a link shows: a pause, and why it takes no answer if it does not; or why the link shows none. */
type Sight = { point: PausePoint; refusal?: { code: string; message: string } } | { note: Note };

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
    @Param() params: ResumeParams,
    @Query('token') token: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const sight = await this.look(params, token);
    if ('note' in sight) return told(reply, 403, sight.note);
    const code = sight.refusal?.code ?? '';
    if (isNote(code)) return told(reply, 409, code);
    return questionPage({ point: sight.point, given: defaultsOf(sight.point.form) });
  }

  @Post()
  @Public()
  @IsPage({ takesForms: true })
  @HttpCode(200)
  async answer(
    @Param() params: ResumeParams,
    @Query('token') token: unknown,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    if (this.isFromElsewhere(request)) return told(reply, 403, 'elsewhere');
    const sight = await this.look(params, token);
    const form = formOfBody(body);
    if ('note' in sight) return told(reply, 403, sight.note);
    const { point, refusal } = sight;
    try {
      if (refusal) throw new Conflict(refusal.message, refusal.code);
      return donePage(point.form, await this.accept(point, params.workflowId, form));
    } catch (error) {
      if (error instanceof Conflict && isNote(error.code)) {
        const given = await this.givenBefore(point, params.workflowId, form);
        return given ? donePage(point.form, given) : told(reply, 409, error.code);
      }
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      return questionPage({ point, given: form, details: error.details });
    }
  }

  /** A wrong link is answered alike whether its ids name something or not. */
  private async look(params: ResumeParams, token: unknown): Promise<Sight> {
    const { workflowId, executionId, contextId } = params;
    const ids = [workflowId, executionId, contextId];
    if (typeof token !== 'string' || !ids.every((id) => idPattern.test(id))) return { note: 'badLink' };
    const point = await this.pauses.linked(params);
    const opened = point
      ? this.links.opens({ workspaceId: point.workspaceId, workflowId, executionId, contextId }, token)
      : 'no';
    if (!point || opened === 'no') return { note: 'badLink' };
    // A link ends with its pause; only that the pause ended too is told to who comes late.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { note: 'oldLink' };
    return { point, refusal: refusals[point.resumeStatus] };
  }

  /** Commits the answer and tells the run; answers what was taken for it. */
  private async accept(point: PausePoint, workflowId: string, form: Form): Promise<JsonObject> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { input, details } = answersOf(point.form, form);
    if (details.length > 0) throw new Invalid([...details, ...checkAnswers(point.form, input).details]);
    const actor = actorOf(point);
    const place = { workspaceId, workflowId, executionId, contextId };
    const entry = await this.answers.accept({ ...place, entryId: newId('res'), input, actor, mode: 'async' });
    await this.answers.send(entry);
    const refused = (await this.answers.settled(workspaceId, entry, 0))?.status === 'failed';
    if (refused) throw new Conflict('The answer came too late.', 'PAUSE_CLOSED');
    return checkAnswers(point.form, input).answers;
  }

  /** The same answer twice is one answer: of two clicks the browser shows what the second one got. */
  private async givenBefore(point: PausePoint, workflowId: string, form: Form): Promise<JsonObject | null> {
    const { input, details } = answersOf(point.form, form);
    const { answers, details: more } = checkAnswers(point.form, input);
    if (details.length + more.length > 0) return null;
    const { entries } = await this.pauses.get(point.workspaceId, workflowId, point.rootId);
    const actor = canonicalJson(actorOf(point));
    const entry = entries.findLast(
      (one) => one.contextId === point.contextId && canonicalJson(one.actor) === actor,
    );
    const isSame =
      entry && entry.status !== 'failed' && canonicalJson(entry.resumeInput) === canonicalJson(answers);
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

/** Who answers by a link is known by nothing but the link. */
function actorOf({ contextId }: PausePoint): JsonObject {
  return { kind: 'link', id: contextId };
}

function told(reply: FastifyReply, status: number, note: Note): string {
  void reply.status(status);
  return notePage(note);
}
