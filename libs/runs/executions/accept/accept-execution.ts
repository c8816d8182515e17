import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import type { ActivityEffect, Outcome } from '#libs/language/engine/effects';
import type { LoggedRun } from '#libs/language/engine/logged-run';
import { toStoredJson } from '#libs/platform/text/whole-text';
import type { Plan } from '#libs/language/definition/plan';
import { Settings } from '#libs/platform/settings/settings';
import type { RunRecord } from '#temporal/activities';
import type { AcceptedExecution } from './accepted-execution.ts';
import * as sql from './accept.sql.ts';
import type { AcceptedRow, DeliveryRow, FlowRow } from './accept.sql.ts';
import type { HoldNotice } from './holds.ts';
import type { Execution } from '../execution.entity.ts';
import { DirectRun } from '../direct/direct-run.ts';
import { DirectRunner } from '../direct/direct-runner.ts';
import { StepWriter } from '../direct/step-writer.ts';
import { toCommittedRow } from '../record/committed-row.ts';
import { pack } from '../record/pack.ts';
import { type InlineRun, InlineRunner } from './inline-runner.ts';
import { toRecord, toRecorded } from '../advance/run-step.ts';
import { saveSnapshot } from '../advance/run-log.sql.ts';
import { Recorder, toStateColumns, visitRow } from '../record/recorder.ts';
import { type InlineStartInput, toCarriedStart } from '../deliver/workflow-starter.ts';

/** The delivery that was accepted first, and its execution. */
export interface FirstDelivery {
  deliveryId: string;
  executionId: string;
}

/** Stores what belongs to an execution, in the transaction that accepts it. */
export type Store = (tx: EntityManager) => Promise<void>;

export type Acceptance =
  /** Another version is live by now. Nothing is committed. */
  | { kind: 'outdated' }
  /** The id was committed before, and is left unchanged. For a delivery: an equal one was, with this execution. */
  | { kind: 'repeated'; first?: FirstDelivery }
  /** The trigger of the delivery has changed since it was read. Nothing is committed. */
  | { kind: 'closed' }
  /** Committed. Temporal must start it. */
  | { kind: 'queued'; execution: AcceptedExecution }
  /** Committed. This process carries it out, and tells the waiters of its end. */
  | { kind: 'begun'; settled: Promise<Execution | null> }
  /** Committed. A hold keeps it back. */
  | { kind: 'held'; hold: HoldNotice }
  /** A hold refuses it. Nothing is committed. */
  | { kind: 'refused'; hold: HoldNotice }
  /** Committed. It waits in the line of its key. */
  | { kind: 'waiting' }
  /** The line takes no more. Nothing is committed. A caller that joins gets the execution that runs. */
  | { kind: 'full'; joinedId: string | null }
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

  /** Accepts an execution. With a delivery it is accepted only if no equal delivery was. What `store` does is committed with it. */
  async acceptExecution(
    unpacked: AcceptedExecution,
    plan: Plan,
    { delivery, store }: { delivery?: DeliveryRow; store?: Store } = {},
  ): Promise<Acceptance> {
    const { value: inputs, payloads } = pack(unpacked.inputs);
    const execution = { ...unpacked, inputs };
    const row = { ...acceptedRow(execution, payloads), delivery, flow: toFlowRow(execution, plan) };
    const acceptance = await this.acceptRow(execution, plan, row, store);
    if (acceptance.kind !== 'repeated' || !delivery) return acceptance;
    return { ...acceptance, first: await this.findFirst(execution.workspaceId, delivery) };
  }

  /** The accepted delivery that is equal to this one, if any. */
  async findFirst(
    workspaceId: string,
    { trigger_id: trigger, sender_id: sender, content_hash: hash, repeat_seconds: seconds }: DeliveryRow,
  ): Promise<FirstDelivery | undefined> {
    if (sender === null && hash === null) return undefined;
    // The end of the window may have passed since an equal delivery was found within it.
    const slackS = 5;
    const [first] = await this.database.statement<FirstDelivery>(workspaceId, sql.findAccepted, [
      trigger,
      sender,
      hash,
      seconds + slackS,
    ]);
    return first;
  }

  private async acceptRow(
    execution: AcceptedExecution,
    plan: Plan,
    row: AcceptedRow,
    store?: Store,
  ): Promise<Acceptance> {
    // What is debounced or batched always waits, and what is stored must be there before the first block reads it.
    const mayStart = row.payloads.length === 0 && row.flow?.is_in_series !== true && !store;
    const inline = mayStart ? await this.tryInlineRun(execution, plan, row) : null;
    const first = inline ??
      notAccepted(await this.commitRow(execution, row, store)) ?? { kind: 'queued', execution };
    return first.kind === 'blocked' ? this.acceptHeld(execution, row, store) : first;
  }

  /** Commits an execution that a hold keeps back or that waits in a line, without anything that it would have done. */
  private async acceptHeld(
    execution: AcceptedExecution,
    row: AcceptedRow,
    store?: Store,
  ): Promise<Acceptance> {
    const accepted = await this.commitRow(execution, { ...row, is_held: true }, store);
    const refusal = notAccepted(accepted);
    // The row was offered as held, so only its id, or an equal delivery, can be in the way.
    if (refusal) return refusal.kind === 'blocked' ? { kind: 'repeated' } : refusal;
    const hold = holdIn(accepted);
    if (hold) return { kind: 'held', hold };
    return accepted?.['verdict'] === 'wait' ? { kind: 'waiting' } : { kind: 'queued', execution };
  }

  /** Fast path: runs the first blocks here and commits their record together with the execution. Null when that is not possible. */
  private async tryInlineRun(
    execution: AcceptedExecution,
    plan: Plan,
    row: AcceptedRow,
  ): Promise<Offered | null> {
    const inline = this.inlineRunner.runFromStart(plan, execution);
    if (!inline) return null;
    try {
      if (inline.effect) return await this.acceptDirectRun(execution, inline, inline.effect, row);
      return await this.acceptInlineRun(execution, inline, row);
    } catch (error) {
      // The inline run made a value that no row can hold. Temporal runs it again, and that run logs the failure.
      if (sqlState(error)?.startsWith('22')) return null;
      throw error;
    }
  }

  /** Commits a run of which this process carries out the effects. Null when it has no slot for the first. */
  private async acceptDirectRun(
    execution: AcceptedExecution,
    { logged, step }: InlineRun,
    effect: ActivityEffect,
    accepting: AcceptedRow,
  ): Promise<Offered | null> {
    const slots = await this.directRunner.takeSlots(execution, effect);
    if (!slots) return null;
    let isBegun = false;
    let accepted: Record<string, unknown> | undefined;
    try {
      const row: AcceptedRow = {
        ...accepting,
        status: 'running',
        started_at: new Date(logged.startedAtMs),
        visits: step.visits.map(visitRow),
        recorded_at: new Date(step.atMs),
        process_id: this.writer.processId,
        goes_on: true,
      };
      accepted = await this.commitRow(execution, row);
      const refusal = notAccepted(accepted);
      if (refusal) return refusal;
      isBegun = true;
    } catch (error) {
      this.directRunner.noteUnanswered();
      throw error;
    } finally {
      if (!isBegun) slots.free();
    }
    const direct = new DirectRun(execution, logged, createdAtIn(accepted));
    return { kind: 'begun', settled: this.directRunner.begin(direct, effect, slots) };
  }

  private async commitRow(
    { workspaceId }: AcceptedExecution,
    row: AcceptedRow,
    store?: Store,
  ): Promise<Record<string, unknown> | undefined> {
    if (store)
      return this.database.within(workspaceId, async (tx) => {
        const accepted = await sendAll(tx, row);
        if (!notAccepted(accepted)) await store(tx);
        return accepted;
      });
    const results = await this.database.batch(workspaceId, toStatements(row));
    return results.at(-1)?.[0];
  }

  private async acceptInlineRun(
    execution: AcceptedExecution,
    { logged, step }: InlineRun,
    accepting: AcceptedRow,
  ): Promise<Offered> {
    const record = toRecord(toRecorded(execution), logged, step);
    const isSynced = !record.outcome || this.isSynced(record.outcome);
    const row = { ...accepting, ...inlineColumns(record, isSynced ? logged : null) };
    const accepted = await this.commit(execution, { row, record, logged });
    const refusal = notAccepted(accepted);
    if (refusal) return refusal;
    this.recorder.wakeWaiters(record);
    return { kind: 'settled', row: toCommittedRow(execution, record, createdAtIn(accepted)), isSynced };
  }

  private async commit(
    execution: AcceptedExecution,
    { row, record, logged }: { row: AcceptedRow; record: RunRecord; logged: LoggedRun },
  ): Promise<Record<string, unknown> | undefined> {
    const { workspaceId, executionId } = execution;
    if (!this.recorder.needsMoreStatements(record)) return this.commitRow(execution, row);
    return this.database.within(workspaceId, async (tx) => {
      const accepted = await sendAll(tx, row);
      if (notAccepted(accepted)) return accepted;
      await this.recorder.recordAccepted(tx, record);
      if (record.outcome) return accepted;
      const { number } = logged;
      const input = toCarriedStart({ number, usedMs: 0, isPaused: true }, execution.origin);
      await send(tx, saveSnapshot, [executionId, workspaceId, number, toStoredJson(logged.snapshot)]);
      await send(tx, sql.enqueueInlineStart, [executionId, workspaceId, JSON.stringify(input)]);
      return accepted;
    });
  }

  private isSynced({ status }: Outcome): boolean {
    return this.settings.temporalSync.shown === 'all' || status !== 'completed';
  }
}

/** The statements that accept the row, the last one with the result. */
function toStatements(row: AcceptedRow): Statement[] {
  const { delivery, flow } = row;
  const { content_hash: hash = null, trigger_id: trigger = '' } = delivery ?? {};
  return [
    ...(hash === null ? [] : [[sql.lockContent, [`${trigger} ${hash}`]] satisfies Statement]),
    ...(flow ? [[sql.lockLine, [row.workflow_id, flow.key]] satisfies Statement] : []),
    [chooseAcceptance(row), [JSON.stringify(row)]],
  ];
}

/** Runs the statements that accept the row. Returns what the last one says. */
async function sendAll(tx: EntityManager, row: AcceptedRow): Promise<Record<string, unknown> | undefined> {
  let accepted: Record<string, unknown> | undefined;
  for (const statement of toStatements(row)) [accepted] = await send(tx, ...statement);
  return accepted;
}

function chooseAcceptance({ delivery, flow }: AcceptedRow): string {
  if (flow) return delivery ? sql.acceptDeliveryInFlow : sql.acceptInFlow;
  return delivery ? sql.acceptDelivery : sql.acceptExecution;
}

/** An acceptance, or a hold or a line because of which nothing is committed yet. */
type Offered = Acceptance | { kind: 'blocked' };

function notAccepted(
  accepted: Record<string, unknown> | undefined,
): Exclude<Offered, { kind: 'queued' }> | null {
  if (!accepted) return { kind: 'outdated' };
  if (accepted['is_open'] === false) return { kind: 'closed' };
  if (accepted['is_new'] === true) return null;
  const { verdict, joined } = accepted;
  if (verdict === 'reject' || verdict === 'join')
    return { kind: 'full', joinedId: typeof joined === 'string' ? joined : null };
  const hold = holdIn(accepted);
  if (!hold) return { kind: verdict === 'wait' ? 'blocked' : 'repeated' };
  return hold.mode === 'refuse' ? { kind: 'refused', hold } : { kind: 'blocked' };
}

/** The hold that keeps an execution back; null without one. */
export function holdIn(accepted: Record<string, unknown> | undefined): HoldNotice | null {
  return (accepted?.['hold'] ?? null) as HoldNotice | null; // The statement builds it.
}

export function acceptedRow(execution: AcceptedExecution, payloads: readonly object[]): AcceptedRow {
  const { executionId, workspaceId, workflowId, workflowName, version, planHash, mode, trigger } = execution;
  const { title, actor, inputs, origin, activeMsMax, madeFrom, isTest, callbackUrl } = execution;
  return {
    id: executionId,
    workspace_id: workspaceId,
    workflow_id: workflowId,
    workflow_name: workflowName,
    title,
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
    ...(madeFrom ? { made_from: JSON.stringify(madeFrom), pinned: true } : {}),
    ...(isTest ? { is_test: true, pinned: true } : {}),
    ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
  };
}

function toFlowRow({ flow }: AcceptedExecution, plan: Plan): FlowRow | undefined {
  return (
    flow && {
      key: flow.key,
      priority: flow.priority,
      fair_key: flow.fairKey,
      is_in_series: plan.flow?.debounce !== undefined || plan.flow?.batch !== undefined,
    }
  );
}

/**
 * The columns that follow from an inline run. With `ended`, the end of the run goes to the outbox for Temporal.
 */
function inlineColumns(record: RunRecord, ended: LoggedRun | null): Partial<AcceptedRow> {
  const { status, output, failure, response, startedAt, endedAt } = toStateColumns(record);
  const shown = record.outcome && ended ? { outcome: record.outcome, blocks: ended.blocks.all } : null;
  return {
    status,
    output,
    failure,
    response,
    started_at: startedAt,
    completed_at: endedAt,
    visits: record.visits.map(visitRow),
    recorded_at: new Date(record.atMs),
    start_input: shown ? JSON.stringify({ ended: shown } satisfies InlineStartInput) : null,
    goes_on: !record.outcome,
  };
}

/** The time of acceptance; undefined when the statement gave none. */
function createdAtIn(accepted: Record<string, unknown> | undefined): Date | undefined {
  const createdAt = accepted?.['created_at'];
  return createdAt instanceof Date ? createdAt : undefined;
}
