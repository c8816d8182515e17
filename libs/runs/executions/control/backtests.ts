import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { canonicalJson } from '#libs/language/definition/compile';
import { checkRunInputs } from '#libs/language/definition/inputs';
import type { Plan } from '#libs/language/definition/plan';
import type { Effect, Failure, Outcome, VisitEntry } from '#libs/language/engine/effects';
import { LoggedRun } from '#libs/language/engine/logged-run';
import { buildFacts } from '#libs/language/engine/state';
import { Database } from '#libs/platform/database/database';
import { type Json, objectOf } from '#libs/platform/json/json';
import { Deployments } from '#libs/runs/workflows/deployments';
import { type LockedExecution, RunLog } from '../advance/run-log.ts';
import { startColumns, toAccepted } from '../deliver/workflow-starter.ts';
import { Payloads } from '../record/payloads.ts';
import { findKnownEnds, type KnownEnds, replayKnownEnds } from './known-ends.ts';

/** How an execution would have gone on another version, with the answers of the servers and people that it had. */
export interface BacktestedRun {
  executionId: string;
  title: string | null;
  verdict: BacktestVerdict;
  was: BacktestedEnd;
  /** Null when the run does not end with what is known. */
  is: BacktestedEnd | null;
  /** The first visit that is left by another way, or that only one of the two has. */
  difference: { path: string; was: string | null; is: string | null } | null;
  /** The visits that would send another request, or ask another question. */
  requests: string[];
  /** The visits whose calls and questions there would not be. */
  omitted: string[];
  /** The visits that would ask for something that the execution does not know. */
  unknown: string[];
  /** Why it cannot be told. */
  reason: string | null;
}

interface BacktestedEnd {
  status: string;
  output: Json;
  /** The code of the failure. */
  failure: string | null;
  /** The HTTP status of a synchronous answer that a response block sets. */
  httpStatus: number | null;
}

export const backtestVerdicts = ['same', 'differs', 'asks', 'unreadable'] as const;
type BacktestVerdict = (typeof backtestVerdicts)[number];

export interface Backtest {
  /** Null: the draft. */
  version: number | null;
  counts: Record<BacktestVerdict, number>;
  runs: BacktestedRun[];
  /** True when the time was over before all executions were replayed. */
  cut: boolean;
}

/** A backtest replays executions for at most this time, in milliseconds. */
const timeMsMax = 10_000;

interface Ended extends LockedExecution {
  output: Json;
  failure: Failure | null;
  response: { status: number } | null;
}

/** Replays ended executions on another version, or on the draft. No call is made, and nothing is written. */
@Injectable()
export class Backtests {
  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
    private readonly log: RunLog,
    private readonly payloads: Payloads,
  ) {}

  /** Replays the last executions of a workflow that have completed or failed, the newest first. Without a version on the draft. */
  async backtest(
    workspaceId: string,
    workflowId: string,
    { version = null, executions }: { version?: number | null; executions: number },
  ): Promise<Backtest> {
    const plan = await this.deployments.planOf(workspaceId, workflowId, version);
    const rows = (await this.database.statement(workspaceId, lastEnded, [
      workflowId,
      executions,
    ])) as unknown as Ended[];
    const endsAtMs = performance.now() + timeMsMax;
    const runs: BacktestedRun[] = [];
    for (const row of rows) {
      if (performance.now() > endsAtMs) break;
      runs.push(await this.database.within(workspaceId, (tx) => this.replay(tx, row, plan)));
      // Others of this process take their turn.
      await breathe();
    }
    const counts = { same: 0, differs: 0, asks: 0, unreadable: 0 };
    for (const { verdict } of runs) counts[verdict]++;
    return { version, counts, runs, cut: runs.length < rows.length };
  }

  private async replay(tx: EntityManager, row: Ended, plan: Plan): Promise<BacktestedRun> {
    const own = { workspaceId: row.workspace_id, executionId: row.id };
    const resolve = (value: Json) => this.payloads.resolveWithin(tx, own, value);
    const was = { ...toEnd(row.status, row.failure, row.response), output: await resolve(row.output) };
    const nothing = { is: null, difference: null, requests: [], omitted: [], unknown: [] };
    const about = { executionId: row.id, title: row.title, was, ...nothing };
    const unreadable = (reason: string) => ({ ...about, verdict: 'unreadable' as const, reason });
    const { details } = checkRunInputs(plan, objectOf(await resolve(row.inputs)));
    const [fault] = details;
    if (fault) return unreadable(`Its inputs do not fit: ${fault.path}: ${fault.message}`);
    const former = await this.deployments.planWithin(tx, row.workspace_id, row.plan_hash);
    const known = findKnownEnds(await this.log.readEvents(tx, row.id, 0), () => true);
    const [before, after] = [former, plan].map((one) => replayOn(one, row, known));
    if (!before?.outcome || before.outcome.status !== row.status)
      return unreadable(
        'Its log does not lead to its end any more: it was cancelled or retried, or an older release ran it.',
      );
    if (!after) return unreadable('It could not be replayed.');
    const { outcome, unknown } = after;
    const is = outcome && {
      ...toEnd(outcome.status, failureIn(outcome), responseIn(outcome)),
      output: await resolve(outcome.output),
    };
    const difference = findDifference(before.visits, after.visits);
    const { requests, omitted } = findRequests(before, after);
    const isSame =
      is !== null &&
      outcome !== null &&
      requests.length + omitted.length === 0 &&
      canonicalJson(toCompared(is, outcome)) === canonicalJson(toCompared(was, before.outcome));
    const verdict = is === null ? 'asks' : isSame ? 'same' : 'differs';
    return { ...about, is, difference, requests, omitted, unknown, verdict, reason: null };
  }
}

interface Replayed {
  outcome: Outcome | null;
  visits: VisitEntry[];
  begun: Effect[];
  /** The paths of the effects that nobody knows. */
  unknown: string[];
}

function replayOn(plan: Plan, row: Ended, known: KnownEnds): Replayed {
  const accepted = toAccepted(row);
  const nowMs = (row.started_at ?? row.created_at).getTime();
  const run = LoggedRun.open(plan, { inputs: accepted.inputs, run: buildFacts(accepted, nowMs), nowMs });
  const { visits, begun } = replayKnownEnds(run, known, { nowMs });
  const unknown = run.run.openEffects.map(({ visit }) => visit.path);
  return { outcome: run.run.outcome(), visits, begun, unknown };
}

/** The first visit, in the order of the former run, that went another way. */
function findDifference(before: VisitEntry[], after: VisitEntry[]): BacktestedRun['difference'] {
  const [was, is] = [before, after].map(
    (visits) => new Map(visits.map((visit) => [visit.path, toWay(visit)])),
  );
  for (const path of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [formerly, now] = [was?.get(path) ?? null, is?.get(path) ?? null];
    if (formerly !== now) return { path, was: formerly, is: now };
  }
  return null;
}

/** How a visit ended: its status, and the port by which it was left. */
const toWay = ({ status, port }: VisitEntry): string => (port === undefined ? status : `${status}: ${port}`);

/** The effects of the former run that have other values now, and those that the other run does not have. */
function findRequests(before: Replayed, after: Replayed): { requests: string[]; omitted: string[] } {
  const [former, now] = [before, after].map(
    ({ begun }) => new Map(begun.flatMap((effect) => toRequest(effect) ?? [])),
  );
  const found = { requests: [] as string[], omitted: [] as string[] };
  for (const [path, request] of former ?? []) {
    const other = now?.get(path);
    if (other === undefined) found.omitted.push(path);
    else if (other !== request) found.requests.push(path);
  }
  return found;
}

/** What an effect asks of others, by its path; null when it asks nothing. */
function toRequest(effect: Effect): [[path: string, request: string]] | null {
  const { path } = effect.visit;
  switch (effect.kind) {
    case 'activity':
      return [[path, canonicalJson({ params: effect.params, scope: effect.scope })]];
    case 'child':
      return [[path, canonicalJson({ inputs: effect.inputs, workflowId: effect.workflowId })]];
    case 'pause': {
      const { title, message, fields, form, asking = null } = effect;
      return [[path, canonicalJson({ title, message, fields, form, asking })]];
    }
    case 'evaluate':
    case 'wait':
      return null;
  }
}

const failureIn = (outcome: Outcome) => (outcome.status === 'completed' ? null : outcome.failure);
const responseIn = (outcome: Outcome) => (outcome.status === 'completed' ? (outcome.response ?? null) : null);

const toEnd = (
  status: string,
  failure: Pick<Failure, 'code'> | null,
  response: { status: number } | null,
) => ({ status, failure: failure?.code ?? null, httpStatus: response?.status ?? null });

/** What must be equal in two ends that are the same. */
const toCompared = ({ status, output }: BacktestedEnd, outcome: Outcome): Json => {
  const failure = failureIn(outcome);
  const response = responseIn(outcome);
  return {
    status,
    output,
    failure: failure && { code: failure.code, blockId: failure.blockId ?? null },
    response: response && { ...response },
  };
};

/** $1 workflow, $2 most */
const lastEnded = /* sql */ `
select ${startColumns}, e.status, e.started_at, e.temporal_run, false as is_cancelled, e.root_id, e.parent_id, e.output, e.failure, e.response
from executions e where e.workflow_id = $1 and e.status in ('completed', 'failed') and e.forgotten_at is null and not e.is_test
order by e.created_at desc, e.id desc limit $2`;
