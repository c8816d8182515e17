import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/database/database';
import type { Outcome } from '#libs/engine/effects';
import { snapshotOf } from '#libs/engine/block-lines';
import { Settings } from '#libs/settings/settings';
import type { RunRecord } from '#temporal/activities';
import { acceptBegun } from './accept.sql.ts';
import { Execution } from './execution.entity.ts';
import type { FirstStretch } from './first-stretch.ts';
import { Recorder, visitRow } from './recorder.ts';
import type { Begun, StartRequest } from './starter.ts';

/** An accepted execution; `begun` is absent when another call had committed it before. */
interface Accepted {
  isNew: boolean;
  begun?: Execution;
}

const handOver = /* sql */ `
insert into handovers (execution_id, workspace_id, ended, begun, due_at)
values ($1, $2, false, $3, now() + interval '3 seconds')`;

/** Commits executions together with what they did in the process that accepts them. */
@Injectable()
export class Beginnings {
  constructor(
    private readonly database: Database,
    private readonly recorder: Recorder,
    private readonly settings: Settings,
  ) {}

  /** Null, and nothing is committed, when the version is no longer the live one. */
  async accept(row: StartRequest, stretch: FirstStretch): Promise<Accepted | null> {
    const change = changeOf(row, stretch);
    const values = [...rowOf(row), '[]', ...this.begunOf(change, stretch)];
    const isNew = (accepted?: Record<string, unknown>) => accepted?.['is_new'] === true;
    const accepted = this.recorder.takesMore(change)
      ? await this.database.within(row.workspaceId, async (tx) => {
          const [first] = await send(tx, acceptBegun, values);
          if (!isNew(first)) return first;
          const contexts = await this.recorder.alongside(tx, change);
          if (stretch.outcome) return first;
          const begun = JSON.stringify(carriedBy(stretch, change, contexts));
          await send(tx, handOver, [row.id, row.workspaceId, begun]);
          return first;
        })
      : (await this.database.statement(row.workspaceId, acceptBegun, values))[0];
    if (!accepted) return null;
    if (!isNew(accepted)) return { isNew: false };
    return { isNew: true, begun: executionOf(row, change, accepted['created_at'] as Date) };
  }

  private begunOf(
    { status, outcome, startedAtMs, endedAtMs, visits, atMs }: RunRecord,
    { blocks }: FirstStretch,
  ) {
    const mirrored = outcome && this.isMirrored(outcome);
    return [
      status,
      outcome ? JSON.stringify(outcome.output) : null,
      outcome && 'failure' in outcome ? JSON.stringify(outcome.failure) : null,
      outcome && 'response' in outcome && outcome.response ? JSON.stringify(outcome.response) : null,
      new Date(startedAtMs),
      endedAtMs === undefined ? null : new Date(endedAtMs),
      JSON.stringify(visits.map(visitRow)),
      new Date(atMs),
      mirrored ? JSON.stringify({ ended: { outcome, blocks: blocks.all } } satisfies Begun) : null,
    ];
  }

  private isMirrored({ status }: Outcome): boolean {
    const { mirror } = this.settings;
    return mirror === 'failed' ? status !== 'completed' : Math.random() < mirror;
  }
}

/** The first ten values of the statements that accept an execution. */
export function rowOf(row: StartRequest): unknown[] {
  const { id, workspaceId, workflowId, workflowName, version, planHash, mode, trigger, actor, inputs } = row;
  const about = [id, workspaceId, workflowId, workflowName, version, planHash, mode, trigger];
  return [...about, JSON.stringify(actor), JSON.stringify(inputs)];
}

function changeOf(
  row: StartRequest,
  { startedAtMs, outcome, visits, pauses, blocks, vars }: FirstStretch,
): RunRecord {
  const atMs = Date.now();
  return {
    workspaceId: row.workspaceId,
    executionId: row.id,
    status: outcome?.status ?? 'paused',
    ...(outcome ? { outcome, endedAtMs: atMs } : { snapshot: snapshotOf(row, blocks.all, vars) }),
    atMs,
    startedAtMs,
    visits,
    opened: outcome ? [] : pauses,
    claimed: [],
    completed: [],
    expired: [],
    closed: [],
  };
}

/** What Temporal goes on from. */
function carriedBy(
  { state, blocks, startedAtMs }: FirstStretch,
  { opened, atMs }: RunRecord,
  contexts: Record<string, string>,
): Begun {
  const open = opened.map(({ visit: { path } }) => {
    const contextId = contexts[path];
    if (!contextId) throw new Error(`The pause of ${path} was recorded without a context.`);
    return [path, { contextId, openedAtMs: atMs, toldMs: atMs, votes: [], escalated: false }];
  });
  const ledger = { open: Object.fromEntries(open), taken: [], uncompleted: [], everPaused: true };
  const shown = 'paused' as const;
  return {
    carried: { state, ledger, blocks: blocks.all, usedMs: 0, startedAtMs, shown, recordedAtMs: atMs },
  };
}

/** The row as it was committed. */
function executionOf(
  row: StartRequest,
  { status, outcome, startedAtMs, endedAtMs }: RunRecord,
  createdAt: Date,
) {
  const { acceptedAtMs: _, ...about } = row;
  const execution: Execution = {
    ...about,
    status,
    parentId: null,
    rootId: null,
    depth: 0,
    output: outcome?.output ?? null,
    failure: outcome && 'failure' in outcome ? outcome.failure : null,
    response: (outcome && 'response' in outcome && outcome.response) || null,
    createdAt,
    startedAt: new Date(startedAtMs),
    completedAt: endedAtMs === undefined ? null : new Date(endedAtMs),
    cancelRequestedAt: null,
  };
  return execution;
}
