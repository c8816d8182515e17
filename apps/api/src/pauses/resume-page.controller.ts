import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAnswers } from '#libs/language/definition/answers';
import { canonicalJson } from '#libs/platform/json/canonical';
import { type JsonObject, objectOf } from '#libs/platform/json/json';
import { Conflict, Denied, Invalid } from '#libs/platform/errors/errors';
import { Files } from '#libs/platform/files/files';
import { newId } from '#libs/platform/ids/ids';
import type { Answer } from '#libs/runs/pauses/answers';
import { consolePath } from '#libs/runs/pauses/links';
import type { PausePoint } from '#libs/runs/pauses/pause.entity';
import { Pauses } from '#libs/runs/pauses/pauses';
import { Settings } from '#libs/platform/settings/settings';
import { Public } from '../http/route-decorators.ts';
import { formOfBody } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { isFormFromElsewhere } from '../http/same-origin.ts';
import { Upload, type UploadedFile } from '../http/upload-body.ts';
import {
  buildAnswerFiles,
  repeatFileFaults,
  getFormFiles,
  listRepeatedFiles,
  buildPlaceholders,
} from './answer-files.ts';
import { parseAnswers, buildDefaults, type ReadAnswers } from './form-answers.ts';
import { type ResolvedPause, type LinkQuery, PauseLinkResolver } from './pause-link-resolver.ts';
import type { PauseParams } from './pauses.dto.ts';
import { Resume } from './resume.ts';
import { stateLines } from './request-state.ts';
import { donePage, isLinkProblem, type LinkProblem, problemPage, pausePage } from './resume-page.html.ts';
import { RawBody, RawQuery } from '../http/raw-input.ts';

/** The answers of a posted page, and its files by field. */
interface Posted extends ReadAnswers {
  files: ReadonlyMap<string, UploadedFile>;
}

/**
 * The page behind `resumeLinks.uiUrl`. The token in the link is the permission, for one pause only. GET never changes
 * anything, because mail scanners open every link.
 */
@ApiExcludeController()
@Controller('resume/:workflowId/:executionId/:contextId')
export class ResumePageController {
  constructor(
    private readonly pauses: Pauses,
    private readonly links: PauseLinkResolver,
    private readonly resume: Resume,
    private readonly files: Files,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public()
  @IsPage()
  async show(
    @Param() params: PauseParams,
    @RawQuery() link: LinkQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const linkState = await this.links.resolveLink(params, link);
    if ('problem' in linkState) return showRefusedLink(reply, linkState);
    const code = linkState.refusal?.code ?? '';
    if (isLinkProblem(code)) return showProblem(reply, 409, code);
    const values = buildDefaults(linkState.point.form);
    return pausePage({ ...linkState, values, state: await this.readVotes(linkState.point) });
  }

  @Post()
  @Public()
  @IsPage({ takesForms: true, takesUploads: true })
  @HttpCode(200)
  async answer(
    @Param() params: PauseParams,
    @RawQuery() link: LinkQuery,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    if (isFormFromElsewhere(request, this.settings.publicUrl)) return showProblem(reply, 403, 'elsewhere');
    const linkState = await this.links.resolveLink(params, link);
    const form = body instanceof Upload ? body.form : formOfBody(body);
    if ('problem' in linkState) return showRefusedLink(reply, linkState);
    const { point, as, refusal } = linkState;
    const files = getFormFiles(point.form, body);
    const read = parseAnswers(point.form, form);
    Object.assign(read.answers, buildPlaceholders(files));
    read.details.push(...listRepeatedFiles(point.form, body));
    try {
      if (refusal) throw new Conflict(refusal.message, refusal.code);
      return donePage(point, await this.accept({ point, as }, params.workflowId, { ...read, files }));
    } catch (error) {
      if (error instanceof Conflict && isLinkProblem(error.code)) {
        const answers = await this.findEarlierAnswers({ point, as }, read);
        return answers ? donePage(point, answers) : showProblem(reply, 409, error.code);
      }
      if (error instanceof Denied) await this.links.recordRefusal('answer.refused', point, error.code);
      if (error instanceof Denied && isLinkProblem(error.code)) return showProblem(reply, 403, error.code);
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      const state = await this.readVotes(point);
      return pausePage({ point, as, state, values: form, details: error.details });
    }
  }

  /** Checks and commits the answers, and tells the run. Returns the committed answers. */
  private async accept({ point, as }: ResolvedPause, workflowId: string, read: Posted): Promise<JsonObject> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { answers, details, files } = read;
    // A field that is not JSON stops the commit. The other fields are checked here, so that all faults show at once.
    const faults = [...details, ...checkAnswers(point.form, answers).details];
    if (faults.length > 0) throw new Invalid([...faults, ...repeatFileFaults(files)]);
    const run = { workspaceId, workflowId, executionId };
    const answerFiles = buildAnswerFiles(this.settings.publicUrl, run, [...files.values()]);
    for (const [i, name] of [...files.keys()].entries()) answers[name] = { ...answerFiles.views[i] };
    const actor = toActor({ point, as });
    const pause = { ...run, contextId };
    const submission = { ...pause, entryId: newId('res'), answers, actor, who: as, mode: 'async' as const };
    const store: Answer['store'] = (tx) =>
      this.files.keepWithin(tx, workspaceId, executionId, answerFiles.files);
    const answer = { ...submission, ...(files.size > 0 ? { store } : {}) };
    const { entry, sent } = await this.resume.acceptAndSend(answer);
    await sent;
    const refused = await this.resume.isRefused(entry);
    if (refused) throw new Conflict('The answer came too late: the pause is closed.', 'PAUSE_CLOSED');
    return objectOf(entry.answers);
  }

  /** The votes so far on a request that several people may have to answer. */
  private async readVotes(point: PausePoint) {
    if (!point.asking?.approvals) return [];
    return stateLines(
      point.asking.approvals,
      await this.pauses.readEntries(point.workspaceId, [point.contextId]),
    );
  }

  /**
   * The answers, when the same link has sent them before. After a double click the browser shows the reply to the
   * second one.
   */
  private async findEarlierAnswers(
    { point, as }: ResolvedPause,
    read: ReadAnswers,
  ): Promise<JsonObject | null> {
    if (read.details.length > 0) return null;
    // Committed answers are complete and fit the form, so answers that do not fit cannot equal them.
    const { answers } = checkAnswers(point.form, read.answers);
    const actor = canonicalJson(toActor({ point, as }));
    const entries = await this.pauses.readEntries(point.workspaceId, [point.contextId]);
    const entry = entries.findLast((one) => canonicalJson(one.actor) === actor);
    const isSame =
      entry && entry.status !== 'failed' && canonicalJson(entry.answers) === canonicalJson(answers);
    return isSame ? answers : null;
  }
}

/** The actor of an answer by link: the receiver of the link, or the pause when the link names nobody. */
function toActor({ point, as }: ResolvedPause): JsonObject {
  return { kind: 'link', id: as ?? point.contextId };
}

/** The page for an invalid link. When the reader must sign in, it links to the same request in the console. */
function showRefusedLink(
  reply: FastifyReply,
  { problem, point }: { problem: LinkProblem; point?: PausePoint },
): string {
  if (!point) return showProblem(reply, 403, problem);
  void reply.status(403);
  return problemPage(problem, { href: consolePath(point), text: 'Sign in and answer in the console' });
}

function showProblem(reply: FastifyReply, status: number, problem: LinkProblem): string {
  void reply.status(status);
  return problemPage(problem);
}
