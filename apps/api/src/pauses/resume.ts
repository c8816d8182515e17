import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { Conflict, Invalid, toUnknownField } from '#libs/platform/errors/errors';
import { WaitingCallers } from '#libs/runs/executions/direct/waiting-callers';
import { AnswerOutbox } from '#libs/runs/pauses/answer-outbox';
import { type Answer, Answers } from '#libs/runs/pauses/answers';
import type { ResumeEntry } from '#libs/runs/pauses/pause.entity';
import { Settings } from '#libs/platform/settings/settings';
import { scope } from '#libs/platform/telemetry/tracing/scope';
import { parseTrace } from '#libs/platform/telemetry/tracing/tracing';
import { ExecutionViews, getOutput } from '../executions/execution-views.ts';
import { toJobId } from '../executions/executions.dto.ts';
import type { ResumeAcknowledgementView, ResumeResultView } from './resume.dto.ts';

/** Takes an answer to a pause and builds the reply. */
@Injectable()
export class Resume {
  constructor(
    private readonly answers: Answers,
    private readonly outbox: AnswerOutbox,
    private readonly executions: Executions,
    private readonly views: ExecutionViews,
    private readonly callers: WaitingCallers,
    private readonly settings: Settings,
  ) {}

  /**
   * Commits the answer and tells the run. For a synchronous execution it also waits until the run has settled again.
   * The reply has no links.
   */
  async answerPause(answer: Answer): Promise<{ status: 200 | 202; body: object }> {
    const { entry, row } = await this.answerAndWait(answer);
    if (!row) return { status: 202, body: this.acknowledgement(entry) };
    return { status: 200, body: await this.result(entry, row) };
  }

  /** Like `answerPause`, with the entry and the row. Without a row the run goes on as a job. Throws when the run has refused the answer. */
  answerAndWait(answer: Answer): Promise<{ entry: ResumeEntry; row?: Execution }> {
    return this.callers.noteWait(() => this.acceptAndWait(answer));
  }

  private async acceptAndWait(answer: Answer): Promise<{ entry: ResumeEntry; row?: Execution }> {
    const { entry, row } = await this.acceptAndSend(answer);
    if (entry.mode === 'async') return { entry };
    const settled = await this.answers.waitUntilSettled(
      answer.workspaceId,
      entry,
      this.settings.syncWaitMsMax,
    );
    if (!settled) return { entry };
    if (settled.status === 'failed') {
      throw new Conflict(
        `The answer came too late: ${settled.failureReason ?? 'the pause is closed'}.`,
        'PAUSE_CLOSED',
      );
    }
    return {
      entry: settled,
      row: await (row ? this.executions.readOutput(row) : this.outermost(answer.workspaceId, settled)),
    };
  }

  /**
   * Commits the answer. Tells Temporal when the run has work to do; otherwise a worker does so later. The commit is the
   * acceptance, so nobody has to wait for `sent`. `row` is there when a synchronous answer has
   * settled a run without a parent.
   */
  async acceptAndSend(
    answer: Answer,
  ): Promise<{ entry: ResumeEntry; row: Execution | undefined; sent: Promise<void> }> {
    const { entry, isAwaited, origin, settled: row } = await this.answers.acceptAnswer(answer);
    const work = scope.getStore();
    if (work && origin) work.concerns = parseTrace(origin);
    return { entry, row, sent: isAwaited ? this.outbox.sendAnswer(entry) : Promise.resolve() };
  }

  /** True when the run has refused the answer. */
  async isRefused(entry: ResumeEntry): Promise<boolean> {
    return (await this.answers.waitUntilSettled(entry.workspaceId, entry, 0))?.status === 'failed';
  }

  private async result(entry: ResumeEntry, row: Execution): Promise<ResumeResultView> {
    const start = entry.queuedAt;
    // The two times come from the database and from this process, and an end must not be before its begin.
    const end = new Date(Math.max(start.getTime(), (entry.completedAt ?? new Date(readClockMs())).getTime()));
    const paused = await this.views.pausedWithoutLinks(row);
    return {
      success: row.status === 'completed' || row.status === 'paused' || row.status === 'running',
      status: row.status,
      executionId: entry.newExecutionId,
      output: getOutput(row),
      error: row.failure?.message ?? null,
      ...(row.failure ? { failure: row.failure } : {}),
      ...(paused ? { paused } : {}),
      metadata: {
        duration: end.getTime() - start.getTime(),
        startTime: start.toISOString(),
        endTime: end.toISOString(),
      },
    };
  }

  /** The run that the caller knows: when the answer went to a child, this is the outermost run. */
  private async outermost(workspaceId: string, entry: ResumeEntry) {
    const row = await this.executions.getExecution(workspaceId, entry.newExecutionId);
    if (row.id === entry.executionId || row.status !== 'running') return row;
    return (await this.executions.waitUntilSettled(workspaceId, row.id, this.settings.syncWaitMsMax)) ?? row;
  }

  private acknowledgement({ newExecutionId }: ResumeEntry): ResumeAcknowledgementView {
    return {
      success: true,
      async: true,
      jobId: toJobId(newExecutionId),
      executionId: newExecutionId,
      message: 'The answer was accepted and the run goes on.',
      statusUrl: this.views.statusUrl(newExecutionId),
    };
  }
}

/** Reads a body: `{ input: {…} }`, or the bare answers. `async: true` beside `input` asks for an acknowledgement. */
export function readAnswers(body: unknown): { answers: JsonObject; mode?: 'async' } {
  if (body === undefined || body === null) return { answers: {} };
  if (!isObject(body)) throw Invalid.field('', 'must be a JSON object', 'type');
  const { input, async: isAsync = false, ...rest } = body;
  if (typeof isAsync !== 'boolean') throw Invalid.field('async', 'must be true or false', 'type');
  const mode = isAsync ? { mode: 'async' as const } : {};
  if (input === undefined) return { answers: rest, ...mode };
  if (!isObject(input)) throw Invalid.field('input', 'must be an object', 'type');
  const [extra] = Object.keys(rest);
  if (extra) throw new Invalid([toUnknownField(extra, ['input', 'async'])]);
  return { answers: input, ...mode };
}
