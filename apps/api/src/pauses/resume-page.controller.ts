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
import { Public } from '../http/caller.guard.ts';
import { formOfBody } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { Upload, type UploadedFile } from '../http/upload-body.ts';
import { answerFilesOf, askedAgain, filesOfForm, heraldsOf } from './answer-files.ts';
import { answersOf, defaultsOf, type ReadAnswers } from './form-answers.ts';
import { type Asked, type Link, PauseLinkResolver } from './pause-link-resolver.ts';
import type { PauseParams } from './pauses.shapes.ts';
import { Resume } from './resume.ts';
import { stateLines } from './request-state.ts';
import { donePage, isNote, type Note, notePage, pausePage } from './resume-page.html.ts';
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
    private readonly sights: PauseLinkResolver,
    private readonly resume: Resume,
    private readonly files: Files,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public()
  @IsPage()
  async show(
    @Param() params: PauseParams,
    @RawQuery() link: Link,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const sight = await this.sights.look(params, link);
    if ('note' in sight) return refusedLink(reply, sight);
    const code = sight.refusal?.code ?? '';
    if (isNote(code)) return answerNote(reply, 409, code);
    const given = defaultsOf(sight.point.form);
    return pausePage({ ...sight, given, state: await this.stateOf(sight.point) });
  }

  @Post()
  @Public()
  @IsPage({ takesForms: true, takesUploads: true })
  @HttpCode(200)
  async answer(
    @Param() params: PauseParams,
    @RawQuery() link: Link,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    if (this.isFromElsewhere(request)) return answerNote(reply, 403, 'elsewhere');
    const sight = await this.sights.look(params, link);
    const form = body instanceof Upload ? body.form : formOfBody(body);
    if ('note' in sight) return refusedLink(reply, sight);
    const { point, as, refusal } = sight;
    const files = filesOfForm(point.form, body);
    const read = answersOf(point.form, form);
    Object.assign(read.answers, heraldsOf(files));
    try {
      if (refusal) throw new Conflict(refusal.message, refusal.code);
      return donePage(point, await this.accept({ point, as }, params.workflowId, { ...read, files }));
    } catch (error) {
      if (error instanceof Conflict && isNote(error.code)) {
        const answers = await this.givenBefore({ point, as }, read);
        return answers ? donePage(point, answers) : answerNote(reply, 409, error.code);
      }
      if (error instanceof Denied) await this.sights.refused('answer.refused', point, error.code);
      if (error instanceof Denied && isNote(error.code)) return answerNote(reply, 403, error.code);
      if (!(error instanceof Invalid)) throw error;
      void reply.status(400);
      const state = await this.stateOf(point);
      return pausePage({ point, as, state, given: form, details: error.details });
    }
  }

  /** Checks and commits the answers, and tells the run. Returns the committed answers. */
  private async accept({ point, as }: Asked, workflowId: string, read: Posted): Promise<JsonObject> {
    const { workspaceId, rootId: executionId, contextId } = point;
    const { answers, details, files } = read;
    // A field that is not JSON stops the commit. The other fields are checked here, so that all faults show at once.
    const faults = [...details, ...checkAnswers(point.form, answers).details];
    if (faults.length > 0) throw new Invalid([...faults, ...askedAgain(files)]);
    const run = { workspaceId, workflowId, executionId };
    const answerFiles = answerFilesOf(this.settings.publicUrl, run, [...files.values()]);
    for (const [i, name] of [...files.keys()].entries()) answers[name] = { ...answerFiles.views[i] };
    const actor = actorOf({ point, as });
    const place = { ...run, contextId };
    const about = { ...place, entryId: newId('res'), answers, actor, who: as, mode: 'async' as const };
    const store: Answer['store'] = (tx) =>
      this.files.keepWithin(tx, workspaceId, executionId, answerFiles.files);
    const answer = { ...about, ...(files.size > 0 ? { store } : {}) };
    const { entry, sent } = await this.resume.acceptAndSend(answer);
    await sent;
    const refused = await this.resume.isRefused(entry);
    if (refused) throw new Conflict('The answer came too late: the pause is closed.', 'PAUSE_CLOSED');
    return objectOf(entry.answers);
  }

  /** The votes so far on a request that several people may have to answer. */
  private async stateOf(point: PausePoint) {
    if (!point.asking?.approvals) return [];
    return stateLines(
      point.asking.approvals,
      await this.pauses.entriesOf(point.workspaceId, [point.contextId]),
    );
  }

  /**
   * The answers, when the same link has sent them before. After a double click the browser shows the reply to the
   * second one.
   */
  private async givenBefore({ point, as }: Asked, read: ReadAnswers): Promise<JsonObject | null> {
    if (read.details.length > 0) return null;
    // Committed answers are complete and fit the form, so answers that do not fit cannot equal them.
    const { answers } = checkAnswers(point.form, read.answers);
    const actor = canonicalJson(actorOf({ point, as }));
    const entries = await this.pauses.entriesOf(point.workspaceId, [point.contextId]);
    const entry = entries.findLast((one) => canonicalJson(one.actor) === actor);
    const isSame =
      entry && entry.status !== 'failed' && canonicalJson(entry.answers) === canonicalJson(answers);
    return isSame ? answers : null;
  }

  /**
   * True when the browser's headers show that another site sent this form. Without `Sec-Fetch-Site` (plain http, old
   * browsers) our own page sends the origin `null`, because its referrer policy also hides the origin.
   */
  private isFromElsewhere({ headers }: FastifyRequest): boolean {
    const site = headers['sec-fetch-site'];
    if (site !== undefined) return site !== 'same-origin';
    const { origin = 'null' } = headers;
    return origin !== 'null' && origin !== new URL(this.settings.publicUrl).origin;
  }
}

/** The actor of an answer by link: the receiver of the link, or the pause when the link names nobody. */
function actorOf({ point, as }: Asked): JsonObject {
  return { kind: 'link', id: as ?? point.contextId };
}

/** The page for an invalid link. When the reader must sign in, it links to the same request in the console. */
function refusedLink(reply: FastifyReply, { note, point }: { note: Note; point?: PausePoint }): string {
  if (!point) return answerNote(reply, 403, note);
  void reply.status(403);
  return notePage(note, { href: consolePath(point), text: 'Sign in and answer in the console' });
}

function answerNote(reply: FastifyReply, status: number, note: Note): string {
  void reply.status(status);
  return notePage(note);
}
