import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAnswers } from '#libs/definition/answers';
import { Conflict, Invalid } from '#libs/faults/faults';
import { idPattern, newId } from '#libs/ids/ids';
import { Answers, refusals } from '#libs/pauses/answers';
import { Links } from '#libs/pauses/links';
import type { PausePoint } from '#libs/pauses/pause.entity';
import { Pauses } from '#libs/pauses/pauses';
import { Settings } from '#libs/settings/settings';
import { Public } from '../http/caller.guard.ts';
import { formOfBody, TakesForms, type Form } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { answersOf, defaultsOf } from './form-answers.ts';
import type { ResumeParams } from './pauses.controller.ts';
import { isNote, type Note, notePage, questionPage } from './resume-page.html.ts';

/** What a person may be shown: the question, or a note that stands in its place. */
type Sight = { point: PausePoint } | { status: number; note: Note };

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
  async show(
    @Param() params: ResumeParams,
    @Query('token') token: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const sight = await this.look(params, token);
    if ('note' in sight) return told(reply, sight.status, sight.note);
    return questionPage(sight.point, defaultsOf(sight.point.form));
  }

  @Post()
  @Public()
  @TakesForms()
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
    if ('note' in sight) return told(reply, sight.status, sight.note);
    const form = formOfBody(body);
    try {
      await this.accept(sight.point, params.workflowId, form);
      return notePage('done');
    } catch (error) {
      if (error instanceof Conflict && isNote(error.code)) return told(reply, 409, error.code);
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      return questionPage(sight.point, form, error.details);
    }
  }

  /** A wrong link is answered alike whether its ids name something or not. */
  private async look(params: ResumeParams, token: unknown): Promise<Sight> {
    const { workflowId, executionId, contextId } = params;
    const ids = [workflowId, executionId, contextId];
    if (typeof token !== 'string' || !ids.every((id) => idPattern.test(id)))
      return { status: 403, note: 'badLink' };
    const point = await this.pauses.linked(params);
    const opened = point
      ? this.links.opens({ workspaceId: point.workspaceId, workflowId, executionId, contextId }, token)
      : 'no';
    if (!point || opened === 'no') return { status: 403, note: 'badLink' };
    // A link ends with its pause; only that the pause ended too is told to who comes late.
    if (opened === 'expired' && point.resumeStatus !== 'expired') return { status: 403, note: 'oldLink' };
    const code = refusals[point.resumeStatus]?.code ?? '';
    return isNote(code) ? { status: 409, note: code } : { point };
  }

  private async accept(point: PausePoint, workflowId: string, form: Form): Promise<void> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { input, details } = answersOf(point.form, form);
    if (details.length > 0) throw new Invalid([...details, ...checkAnswers(point.form, input).details]);
    const actor = { kind: 'link', id: contextId };
    const place = { workspaceId, workflowId, executionId, contextId };
    const entry = await this.answers.accept({ ...place, entryId: newId('res'), input, actor, mode: 'async' });
    await this.answers.send(entry);
    const refused = (await this.answers.settled(workspaceId, entry, 0))?.status === 'failed';
    if (refused) throw new Conflict('The answer came too late.', 'PAUSE_CLOSED');
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

function told(reply: FastifyReply, status: number, note: Note): string {
  void reply.status(status);
  return notePage(note);
}
