import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readWhole } from '#libs/platform/json/unread-json';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { checkAnswers } from '#libs/language/definition/answers';
import type { FormField } from '#libs/language/definition/forms';
import { ApiError, Conflict, Denied, type Detail, Invalid, TooMany } from '#libs/platform/errors/errors';
import { Files } from '#libs/platform/files/files';
import { newId } from '#libs/platform/ids/ids';
import { type JsonObject, objectOf } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';
import { screenJson } from '#libs/platform/text/whole-text';
import { Holds } from '#libs/runs/executions/accept/holds';
import { Deployments } from '#libs/runs/workflows/deployments';
import { newPageToken, readPageToken, type ShownPage } from '#libs/triggers/forms/form-page-token';
import { buildFields } from '#libs/triggers/forms/form-settings';
import { newDelivery } from '#libs/triggers/new-delivery';
import { type CalledForm, CalledTriggers } from '#libs/triggers/called-triggers';
import { requireOpen } from '#libs/triggers/verdict';
import { type Form, formOfBody } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { RawBody, RawQuery } from '../http/raw-input.ts';
import { Public } from '../http/route-decorators.ts';
import { isFormFromElsewhere } from '../http/same-origin.ts';
import { Upload } from '../http/upload-body.ts';
import {
  buildAnswerFiles,
  buildPlaceholders,
  getFormFiles,
  listRepeatedFiles,
  repeatFileFaults,
} from '../pauses/answer-files.ts';
import { buildDefaults, parseAnswers } from '../pauses/form-answers.ts';
import { SessionCallers } from '../sign-in/session-callers.ts';
import { type HookOutcome, Hooks } from '../triggers/hooks.ts';
import {
  pageField,
  renderEnding,
  renderFormPage,
  renderFormProblem,
  renderResult,
  trapField,
} from './form-page.html.ts';

/** What keeps a form from being shown, and why. */
interface FormProblem {
  status: number;
  problem: Parameters<typeof renderFormProblem>[0];
  note?: string | null;
}

/** What somebody sent from a page. */
interface Submission {
  form: Form;
  fields: FormField[];
  shown: ShownPage;
  query: JsonObject;
  userId: string | null;
}

/** Codes of refusals for which the page says that the form is closed. */
const closedCodes = new Set([
  'TRIGGER_PAUSED',
  'TRIGGER_DISABLED',
  'PRINCIPAL_GONE',
  'NOT_DEPLOYED',
  'EXECUTIONS_HELD',
]);
const triesMax = 5;

/** The pages of form triggers. Whoever has the link may see one; what is sent from one page starts one execution. */
@ApiExcludeController()
@Controller('forms')
export class FormsController {
  constructor(
    private readonly called: CalledTriggers,
    private readonly hooks: Hooks,
    private readonly deployments: Deployments,
    private readonly holds: Holds,
    private readonly files: Files,
    private readonly sessions: SessionCallers,
    private readonly settings: Settings,
  ) {}

  @Get(':token')
  @Public()
  @IsPage({ isForm: true })
  async showForm(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    const trigger = await this.called.findForm(token);
    // Only shows the page, so a link on another site may lead here.
    const caller = trigger.form.access === 'members' ? await this.sessions.findOnReturn(request) : null;
    const refusal = findMemberProblem(trigger, caller) ?? (await this.findClosure(trigger));
    if (refusal) return showProblem(reply, refusal);
    const fields = await this.readFields(trigger);
    return this.renderPage(trigger, fields, { values: buildDefaults(fields) });
  }

  @Post(':token')
  @Public()
  @IsPage({ takesForms: true, takesUploads: true, isForm: true })
  @HttpCode(200)
  async submitForm(
    @Param('token') token: string,
    @RawQuery() query: unknown,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(pageHeaders);
    if (isFormFromElsewhere(request, this.settings.publicUrl))
      return showProblem(reply, { status: 403, problem: 'elsewhere' });
    const trigger = await this.called.findForm(token);
    const caller = trigger.form.access === 'members' ? await this.sessions.findIfAny(request) : null;
    const stranger = findMemberProblem(trigger, caller);
    if (stranger) return showProblem(reply, stranger);
    const form = body instanceof Upload ? body.form : formOfBody(body);
    try {
      const fields = await this.readFields(trigger);
      const pageToken = form.get(pageField)?.[0] ?? '';
      const shown = readPageToken(this.settings.secret, trigger.id, pageToken, readClockMs());
      const early = shown === null ? 'old' : isTooEarly(trigger, shown) ? 'early' : null;
      if (shown === null || early !== null)
        return this.showAgain(reply, trigger, fields, {
          form,
          pageToken: shown && pageToken,
          details: [againFaults[early ?? 'old'], ...repeatFileFaults(getFormFiles(fields, body))],
        });
      const userId = caller?.userId ?? null;
      const submission = { form, fields, shown, query: objectOf(screenJson(query as JsonObject)), userId };
      try {
        return renderOutcome(trigger, await this.submit(token, submission, body));
      } catch (error) {
        if (isBusy(error)) {
          const details = [againFaults.busy, ...repeatFileFaults(getFormFiles(fields, body))];
          return this.showAgain(reply, trigger, fields, { form, pageToken, details, status: 429 });
        }
        if (!(error instanceof Invalid)) throw error;
        const details = (error.details ?? []).map(toPageFault);
        // The log has the others, such as a filter that fails: nobody who fills in the form can mend them.
        if (!details.every(({ path }) => isOfField(fields, path)))
          return showProblem(reply, { status: 400, problem: 'failed' });
        const again = repeatFileFaults(getFormFiles(fields, body)).filter(
          ({ path }) => !details.some((fault) => fault.path === path),
        );
        return this.showAgain(reply, trigger, fields, { form, pageToken, details: [...details, ...again] });
      }
    } catch (error) {
      if (!(error instanceof ApiError) || !closedCodes.has(error.code)) throw error;
      return showProblem(reply, { status: 409, problem: 'closed', note: trigger.note });
    }
  }

  /** Starts an execution with the answers, once for each page. */
  private async submit(
    token: string,
    submission: Submission,
    body: unknown,
    tries = 1,
  ): Promise<HookOutcome> {
    const { form, fields, shown, query, userId } = submission;
    const trigger = await this.called.findForm(token);
    const { workspaceId, workflowId, revision } = trigger;
    const files = getFormFiles(fields, body);
    const read = parseAnswers(fields, form);
    Object.assign(read.answers, buildPlaceholders(files));
    const checked = checkAnswers(fields, read.answers);
    const faults = [...read.details, ...listRepeatedFiles(fields, body), ...checked.details];
    if (faults.length > 0) throw new Invalid([...faults, ...repeatFileFaults(files)]);
    const executionId = newId('exec');
    const kept = buildAnswerFiles(this.settings.publicUrl, { workflowId, executionId }, [...files.values()]);
    const { answers } = checked;
    // Files of what starts nothing are not stored, so the log has no address for them.
    const unstored = JSON.stringify({
      ...answers,
      ...nameFiles(
        files,
        kept.views.map(({ name, size, type }) => ({ name, size, type })),
      ),
    });
    Object.assign(answers, nameFiles(files, kept.views));
    const delivery = newDelivery(trigger.id, {
      revision,
      sender_id: `page:${shown.id}`,
      headers: userId === null ? {} : { 'x-holdfast-user': userId },
      query,
      body: JSON.stringify(answers),
      content_type: 'application/json',
    });
    if (form.get(trapField)?.some((text) => text !== '')) {
      const error = { code: 'FORM_TRAP', message: 'A field that people do not see was filled in.' };
      await this.hooks.log(trigger, { ...delivery, body: unstored }, 'filtered', error);
      return { kind: 'filtered', deliveryId: delivery.id };
    }
    const { respond, waitSeconds } = trigger.form;
    const outcome = await this.hooks.take(trigger, delivery, answers, {
      trigger: 'form',
      respond,
      waitSeconds,
      executionId,
      ...(files.size > 0
        ? {
            store: (tx) => this.files.keepWithin(tx, workspaceId, executionId, kept.files),
            unstored,
          }
        : {}),
    });
    if (outcome) return outcome;
    if (tries >= triesMax) throw new Conflict('The form changes just now.', 'TRIGGER_PAUSED');
    return this.submit(token, submission, body, tries + 1);
  }

  /** What says already now that nothing would be taken, so that nobody fills in a form in vain. */
  private async findClosure(trigger: CalledForm): Promise<FormProblem | null> {
    try {
      requireOpen(trigger);
      await this.deployments.live(trigger.workspaceId, trigger.workflowId);
    } catch (error) {
      if (!(error instanceof ApiError) || !closedCodes.has(error.code)) throw error;
      return { status: 409, problem: 'closed', note: trigger.note };
    }
    const isHeld = await this.holds.isRefusing(trigger);
    return isHeld ? { status: 409, problem: 'closed' } : null;
  }

  private async readFields({ form, workspaceId, workflowId }: CalledForm): Promise<FormField[]> {
    const { plan } = await this.deployments.live(workspaceId, workflowId);
    return buildFields(form, plan.inputs);
  }

  private renderPage(
    { id, form: settings }: CalledForm,
    fields: FormField[],
    { values, details, pageToken }: { values: Form; details?: Detail[]; pageToken?: string | null },
  ): string {
    const token = pageToken ?? newPageToken(this.settings.secret, id, readClockMs());
    return renderFormPage({ settings, fields, token, values, details });
  }

  private showAgain(
    reply: FastifyReply,
    trigger: CalledForm,
    fields: FormField[],
    {
      form,
      status = 400,
      ...shown
    }: { form: Form; pageToken: string | null; details: Detail[]; status?: number },
  ): string {
    void reply.status(status);
    return this.renderPage(trigger, fields, { values: form, ...shown });
  }
}

/** What stands for each file in the answers, by the name of its field. */
const nameFiles = <T extends object>(files: ReadonlyMap<string, unknown>, views: T[]): Record<string, T> =>
  Object.fromEntries([...files.keys()].map((name, i) => [name, { ...views[i] } as T]));

const againFaults = {
  old: {
    path: '',
    code: 'page',
    message: 'This page was open for too long. Please look at it and send it again.',
  },
  busy: {
    path: '',
    code: 'busy',
    message: 'Too much arrives at the moment, so this was not taken. Please send it again in a minute.',
  },
  early: { path: '', code: 'early', message: 'This was very quick. Please look at it and send it again.' },
};

/** True for a refusal that another try may not meet. */
const isBusy = (error: unknown) =>
  error instanceof ApiError &&
  !closedCodes.has(error.code) &&
  (error instanceof TooMany || error.code === 'FLOW_FULL');

const isTooEarly = ({ form }: CalledForm, { atMs }: ShownPage) =>
  readClockMs() - atMs < form.leastSeconds * 1000;

const isOfField = (fields: FormField[], path: string) =>
  fields.some(
    ({ name }) =>
      path === `input.${name}` ||
      (/^[.[]/.test(path.slice(`input.${name}`.length)) && path.startsWith(`input.${name}`)),
  );

/** A fault of the inputs beside the field of the same name. Another one says of which input it speaks. */
const toPageFault = (fault: Detail): Detail => ({
  ...fault,
  path: fault.path.replace(/^inputs\./, 'input.'),
});

function findMemberProblem(
  { form, workspaceId }: CalledForm,
  caller: Awaited<ReturnType<SessionCallers['findIfAny']>>,
): FormProblem | null {
  if (form.access === 'public') return null;
  if (!caller) return { status: 401, problem: 'signIn' };
  try {
    caller.require(workspaceId, 'execute');
    return null;
  } catch (error) {
    if (error instanceof Denied) return { status: 403, problem: 'notMember' };
    throw error;
  }
}

function renderOutcome({ form }: CalledForm, outcome: HookOutcome): string {
  const row = outcome.kind === 'executed' && form.respond === 'result' ? outcome.executed.row : undefined;
  if (row?.status === 'completed') return renderResult(form, readWhole(row.output));
  const hasFailed = row?.status === 'failed' || row?.status === 'cancelled';
  return hasFailed ? renderFormProblem('failed') : renderEnding(form);
}

function showProblem(reply: FastifyReply, { status, problem, note }: FormProblem): string {
  void reply.status(status);
  return renderFormProblem(problem, note);
}
