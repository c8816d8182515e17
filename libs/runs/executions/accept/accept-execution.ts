import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import type { ActivityEffect, Outcome } from '#libs/language/engine/effects';
import type { Plan } from '#libs/language/definition/plan';
import { Settings } from '#libs/platform/settings/settings';
import type { RunRecord } from '#temporal/activities';
import type { AcceptedExecution } from './accepted-execution.ts';
import * as sql from './accept.sql.ts';
import type { AcceptedRow } from './accept.sql.ts';
import type { Execution } from '../execution.entity.ts';
import { DirectRun } from '../direct/direct-run.ts';
import { DirectRunner } from '../direct/direct-runner.ts';
import { StepWriter } from '../direct/step-writer.ts';
import { toCommittedRow } from '../record/committed-row.ts';
import { pack } from '../record/pack.ts';
import { type InlineRun, InlineRunner, recordOfInlineRun } from './inline-runner.ts';
import { Recorder, toStateColumns, visitRow } from '../record/recorder.ts';
import { type InlineStartInput, toPausedStart } from '../deliver/workflow-starter.ts';

export type Acceptance =
  /** Another version is live by now. Nothing is committed. */
  | { kind: 'outdated' }
  /** The id was committed before, and is left unchanged. */
  | { kind: 'repeated' }
  /** Committed. Temporal must start it. */
  | { kind: 'queued'; execution: AcceptedExecution; plan: Plan }
  /** Committed. This process carries it out, and tells the waiters of its end. */
  | { kind: 'begun'; settled: Promise<Execution | null> }
  /** Committed together with its end or its pauses. Without `isSynced` Temporal never learns of it. */
  | { kind: 'settled'; row: Execution; isSynced: boolean };

/**
 * Accepts executions. If the first blocks need no effect, their results are committed in the same transaction. The commit is the
 * acceptance: from then on the execution runs, even when this process stops.
 */
@Injectable()
export class ExecutionAcceptor {
  constructor(
    private readonly database: Database,
    private readonly inlineRunner: InlineRunner,
    private readonly directRunner: DirectRunner,
    private readonly writer: StepWriter,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  async acceptExecution(unpacked: AcceptedExecution, plan: Plan): Promise<Acceptance> {
    const { value: inputs, payloads } = pack(unpacked.inputs);
    const execution = { ...unpacked, inputs };
    const settled = payloads.length === 0 ? await this.tryInlineRun(execution, plan) : null;
    if (settled) return settled;
    const accepted = await this.commitRow(execution, acceptedRow(execution, payloads));
    return notAccepted(accepted) ?? { kind: 'queued', execution, plan };
  }

  /** Fast path: runs the first blocks here and commits their record together with the execution. Null when that is not possible. */
  private async tryInlineRun(execution: AcceptedExecution, plan: Plan): Promise<Acceptance | null> {
    const inline = this.inlineRunner.runFromStart(plan, execution);
    if (!inline) return null;
    try {
      if (inline.effect) return await this.acceptDirectRun(execution, inline, inline.effect);
      return await this.acceptInlineRun(execution, inline);
    } catch (error) {
      // The inline run made a value that no row can hold. Temporal runs it again, and that run logs the failure.
      if (sqlState(error)?.startsWith('22')) return null;
      throw error;
    }
  }

  /** Commits a run of which this process carries out the effects. Null when it has no slot for the first. */
  private async acceptDirectRun(
    execution: AcceptedExecution,
    { startedAtMs, visits, blocks, run }: InlineRun,
    effect: ActivityEffect,
  ): Promise<Acceptance | null> {
    const slots = this.directRunner.takeSlots(execution.workspaceId, effect);
    if (!slots) return null;
    let isBegun = false;
    let accepted: Record<string, unknown> | undefined;
    try {
      const row: AcceptedRow = {
        ...acceptedRow(execution, []),
        status: 'running',
        started_at: new Date(startedAtMs),
        visits: visits.map(visitRow),
        recorded_at: new Date(),
        process_id: this.writer.processId,
      };
      accepted = await this.commitRow(execution, row);
      const refusal = notAccepted(accepted);
      if (refusal) return refusal;
      isBegun = true;
    } finally {
      if (!isBegun) slots.free();
    }
    const direct = new DirectRun(execution, run, blocks, { startedAtMs, createdAt: createdAtIn(accepted) });
    return { kind: 'begun', settled: this.directRunner.begin(direct, effect, slots) };
  }

  private async commitRow(
    { workspaceId }: AcceptedExecution,
    row: AcceptedRow,
  ): Promise<Record<string, unknown> | undefined> {
    const [accepted] = await this.database.statement(workspaceId, sql.acceptExecution, [JSON.stringify(row)]);
    return accepted;
  }

  private async acceptInlineRun(execution: AcceptedExecution, inline: InlineRun): Promise<Acceptance> {
    const record = recordOfInlineRun(execution, inline, Date.now());
    const isSynced = !inline.outcome || this.isSynced(inline.outcome);
    const row = { ...acceptedRow(execution, []), ...inlineColumns(record, isSynced ? inline : null) };
    const accepted = await this.commit(execution, { row, record, inline });
    const refusal = notAccepted(accepted);
    if (refusal) return refusal;
    this.recorder.wakeWaiters(record);
    return { kind: 'settled', row: toCommittedRow(execution, record, createdAtIn(accepted)), isSynced };
  }

  private async commit(
    execution: AcceptedExecution,
    { row, record, inline }: { row: AcceptedRow; record: RunRecord; inline: InlineRun },
  ): Promise<Record<string, unknown> | undefined> {
    const { workspaceId, executionId } = execution;
    if (!this.recorder.needsMoreStatements(record)) return this.commitRow(execution, row);
    return this.database.within(workspaceId, async (tx) => {
      const [accepted] = await send(tx, sql.acceptExecution, [JSON.stringify(row)]);
      if (notAccepted(accepted)) return accepted;
      const contexts = await this.recorder.recordAccepted(tx, record);
      if (!inline.outcome) {
        const input = { ...carriedBy(inline, record, contexts), ...requestIn(execution) };
        await send(tx, sql.enqueueInlineStart, [executionId, workspaceId, JSON.stringify(input)]);
      }
      return accepted;
    });
  }

  private isSynced({ status }: Outcome): boolean {
    return this.settings.temporalSync.shown === 'all' || status !== 'completed';
  }
}

function notAccepted(accepted: Record<string, unknown> | undefined): Acceptance | null {
  if (!accepted) return { kind: 'outdated' };
  return accepted['is_new'] === true ? null : { kind: 'repeated' };
}

function acceptedRow(execution: AcceptedExecution, payloads: readonly object[]): AcceptedRow {
  const { executionId, workspaceId, workflowId, workflowName, version, planHash, mode, trigger } = execution;
  const { actor, inputs, origin, activeMsMax } = execution;
  return {
    id: executionId,
    workspace_id: workspaceId,
    workflow_id: workflowId,
    workflow_name: workflowName,
    version,
    plan_hash: planHash,
    mode,
    trigger,
    actor: JSON.stringify(actor),
    inputs: JSON.stringify(inputs),
    payloads,
    // Stored only when somebody follows the trace of the call.
    origin: origin?.traceparent === undefined ? null : JSON.stringify(origin),
    active_ms_max: activeMsMax,
  };
}

/**
 * The columns that follow from an inline run. With `endedRun`, the end of the run goes to the outbox for Temporal.
 */
function inlineColumns(record: RunRecord, endedRun: InlineRun | null): Partial<AcceptedRow> {
  const { status, output, failure, response, startedAt, endedAt } = toStateColumns(record);
  const ended = record.outcome && endedRun ? { outcome: record.outcome, blocks: endedRun.blocks.all } : null;
  return {
    status,
    output,
    failure,
    response,
    started_at: startedAt,
    completed_at: endedAt,
    visits: record.visits.map(visitRow),
    recorded_at: new Date(record.atMs),
    start_input: ended ? JSON.stringify({ ended } satisfies InlineStartInput) : null,
  };
}

const requestIn = ({ origin }: AcceptedExecution) =>
  origin?.requestId === undefined ? {} : { requestId: origin.requestId };

/** The state from which Temporal goes on. */
function carriedBy(
  { run, blocks, startedAtMs }: InlineRun,
  { opened, atMs }: RunRecord,
  contexts: Record<string, string>,
): InlineStartInput {
  const pauses = opened.map(({ visit: { path } }) => {
    const contextId = contexts[path];
    if (!contextId) throw new Error(`The pause of ${path} was recorded without a context.`);
    return { path, contextId };
  });
  return toPausedStart({ state: run.state, blocks: blocks.all, startedAtMs, recordedAtMs: atMs }, pauses);
}

/** The time of acceptance; undefined when the statement gave none. */
function createdAtIn(accepted: Record<string, unknown> | undefined): Date | undefined {
  const createdAt = accepted?.['created_at'];
  return createdAt instanceof Date ? createdAt : undefined;
}
