import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import type { JsonObject } from '#libs/platform/json/json';
import type { Live } from '#libs/runs/workflows/deployments';
import type { Outcome } from '#libs/language/engine/effects';
import type { BlockLines } from '#libs/language/engine/block-lines';
import { Settings } from '#libs/platform/settings/settings';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import type { RunRecord } from '#temporal/activities';
import { acceptBegun, acceptExecution } from './accept.sql.ts';
import { Execution } from '../execution.entity.ts';
import { pack } from '../record/pack.ts';
import { type InlineRun, InlineRunner, recordOfInlineRun } from './inline-runner.ts';
import { Recorder, stateOf } from '../record/recorder.ts';
import type { InlineStartInput, StartRequest } from '../deliver/workflow-starter.ts';

/** An execution as it is accepted. */
export interface NewExecution {
  id: string;
  workspaceId: string;
  live: Live;
  inputs: JsonObject;
  mode: 'sync' | 'async';
  trigger: string;
  actor: JsonObject;
  /** The call that it is accepted for. */
  origin: Origin;
  /** The most active time that its caller gives it, in milliseconds; null leaves it to the settings. */
  activeMsMax: number | null;
}

/** A committed execution. When it is not new, Temporal has it already or gets it by a relay. */
export interface Acceptance {
  row: StartRequest;
  live: Live;
  isNew: boolean;
  /** The execution as it was committed, when it has ended or waits for people, and what was recorded of it. */
  begun?: Execution;
  recorded?: RunRecord;
  /** False when it has ended and Temporal is not shown it. */
  shown?: boolean;
}

const handOver = /* sql */ `
insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at)
values ($1, $2, false, $3, now())`;

/** Accepts executions: what nothing but people stands in the way of is committed together with what it has done. */
@Injectable()
export class ExecutionAcceptor {
  constructor(
    private readonly database: Database,
    private readonly inlineRunner: InlineRunner,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /**
   * Commits the execution: from then on it runs, even when this process stops. Returns null, and commits nothing,
   * when that version is no longer the live one. An id that was committed before is left unchanged.
   */
  async acceptExecution({ live, inputs, origin, ...about }: NewExecution): Promise<Acceptance | null> {
    const { workflowId, workflowName, version, planHash } = live;
    const { value, payloads } = pack(inputs);
    const acceptedAtMs = Date.now();
    const row = { ...about, workflowId, workflowName, version, planHash, inputs: value, acceptedAtMs };
    const inline =
      payloads.length === 0
        ? this.inlineRunner.runFromStart(live.plan, { ...row, executionId: row.id })
        : null;
    const begun = inline ? await this.acceptBegun({ row, live }, inline, origin) : 'unstorable';
    if (begun !== 'unstorable') return begun;
    const values = valuesOf(row, payloads, origin);
    const [accepted] = await this.database.statement(row.workspaceId, acceptExecution, values);
    return accepted ? { row, live, isNew: isNew(accepted) } : null;
  }

  /** `unstorable` for a value that no row can hold: the run says so itself, in Temporal. */
  private async acceptBegun(
    about: Pick<Acceptance, 'row' | 'live'>,
    inline: InlineRun,
    origin: Origin,
  ): Promise<Acceptance | null | 'unstorable'> {
    const { id: executionId, ...row } = about.row;
    const change = recordOfInlineRun({ ...row, executionId }, inline, Date.now());
    const shown = !inline.outcome || this.isSynced(inline.outcome);
    try {
      const accepted = await this.commit(about.row, change, { inline, shown, origin });
      if (!accepted) return null;
      if (!isNew(accepted)) return { ...about, isNew: false };
      const begun = executionOf(about.row, change, accepted);
      return { ...about, isNew: true, begun, recorded: change, shown };
    } catch (error) {
      if (sqlState(error)?.startsWith('22')) return 'unstorable';
      throw error;
    }
  }

  private async commit(
    row: StartRequest,
    change: RunRecord,
    { inline, shown, origin }: { inline: InlineRun; shown: boolean; origin: Origin },
  ): Promise<Record<string, unknown> | undefined> {
    const values = [...valuesOf(row, [], origin), ...begunOf(change, shown ? inline.blocks : null)];
    if (!this.recorder.takesMore(change))
      return (await this.database.statement(row.workspaceId, acceptBegun, values))[0];
    return this.database.within(row.workspaceId, async (tx) => {
      const [accepted] = await send(tx, acceptBegun, values);
      if (!accepted || !isNew(accepted)) return accepted;
      const contexts = await this.recorder.alongside(tx, change);
      if (!inline.outcome) {
        const begun = { ...carriedBy(inline, change, contexts), ...requestIn(origin) };
        await send(tx, handOver, [row.id, row.workspaceId, JSON.stringify(begun)]);
      }
      return accepted;
    });
  }

  private isSynced({ status }: Outcome): boolean {
    return this.settings.temporalSync.shown === 'all' || status !== 'completed';
  }
}

/** The further values of the statement that accepts a run that has begun; without `blocks` Temporal is not shown its end. */
function begunOf(change: RunRecord, blocks: BlockLines | null): unknown[] {
  const { outcome, atMs } = change;
  const ended = outcome && blocks ? { outcome, blocks: blocks.all } : null;
  return [
    ...stateOf(change),
    new Date(atMs),
    ended ? JSON.stringify({ ended } satisfies InlineStartInput) : null,
  ];
}

/** What the row says of the call; nothing when nobody follows a trace of it. */
function kept(origin: Origin): string | null {
  return origin.traceparent === undefined ? null : JSON.stringify(origin);
}

const requestIn = ({ requestId }: Origin) => (requestId === undefined ? {} : { requestId });

const isNew = (accepted: Record<string, unknown>) => accepted['is_new'] === true;

/** The values of the statement that accepts an execution, with which those of one that has begun start as well. */
function valuesOf(row: StartRequest, payloads: readonly object[], origin: Origin): unknown[] {
  const { id, workspaceId, workflowId, workflowName, version, planHash, mode, trigger, actor, inputs } = row;
  const about = [id, workspaceId, workflowId, workflowName, version, planHash, mode, trigger];
  const texts = [actor, inputs, payloads].map((value) => JSON.stringify(value));
  return [...about, ...texts, kept(origin), row.activeMsMax];
}

/** What Temporal goes on from. */
function carriedBy(
  { run, blocks, startedAtMs }: InlineRun,
  { opened, atMs }: RunRecord,
  contexts: Record<string, string>,
): InlineStartInput {
  const open = opened.map(({ visit: { path } }) => {
    const contextId = contexts[path];
    if (!contextId) throw new Error(`The pause of ${path} was recorded without a context.`);
    return [path, { contextId, openedAtMs: atMs, toldMs: atMs, votes: [], escalated: false }];
  });
  const ledger = { open: Object.fromEntries(open), taken: [], uncompleted: [], everPaused: true };
  const shown = 'paused' as const;
  return {
    carried: {
      state: run.state,
      ledger,
      blocks: blocks.all,
      usedMs: 0,
      startedAtMs,
      shown,
      recordedAtMs: atMs,
    },
  };
}

/** The row as it was committed. */
function executionOf(
  row: StartRequest,
  { status, outcome, startedAtMs, endedAtMs }: RunRecord,
  accepted: Record<string, unknown>,
): Execution {
  const { acceptedAtMs, ...about } = row;
  return {
    ...about,
    status,
    parentId: null,
    rootId: null,
    depth: 0,
    output: outcome?.output ?? null,
    failure: outcome && 'failure' in outcome ? outcome.failure : null,
    response: (outcome && 'response' in outcome && outcome.response) || null,
    createdAt: accepted['created_at'] instanceof Date ? accepted['created_at'] : new Date(acceptedAtMs),
    startedAt: new Date(startedAtMs),
    completedAt: endedAtMs === undefined ? null : new Date(endedAtMs),
    cancelRequestedAt: null,
  };
}
