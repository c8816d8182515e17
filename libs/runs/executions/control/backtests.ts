import { setImmediate as breathe } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { canonicalJson } from '#libs/language/definition/compile';
import { checkRunInputs } from '#libs/language/definition/inputs';
import { replaceParams } from '#libs/language/definition/block-input';
import { Meter } from '#libs/language/definition/expressions/cost';
import { findBlock, type Plan } from '#libs/language/definition/plan';
import type { Effect, EvaluateEffect, Failure, Outcome, VisitEntry } from '#libs/language/engine/effects';
import { evaluateBlock, evaluationFailure } from '#libs/language/engine/evaluate';
import { type LoggedEvent, LoggedRun, type LoggedStep } from '#libs/language/engine/logged-run';
import type { RunEvent } from '#libs/language/engine/run-events';
import { buildFacts, type EditedVisit } from '#libs/language/engine/state';
import { Database, send } from '#libs/platform/database/database';
import { type Json, objectOf } from '#libs/platform/json/json';
import { Deployments } from '#libs/runs/workflows/deployments';
import { type LockedExecution, RunLog } from '../advance/run-log.ts';
import { startColumns, toAccepted } from '../deliver/workflow-starter.ts';
import { countStoredBytes } from '../record/pack.ts';
import { Payloads } from '../record/payloads.ts';
import {
  type ChangedEffect,
  comparedMax,
  type DifferingRequest,
  RequestComparison,
  type RequestViewer,
  toRequest,
} from './request-differences.ts';
import { findKnownEnds, type KnownEnds, replayEvaluating, replayKnownEnds } from './known-ends.ts';

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
  requests: DifferingRequest[];
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
/** A block that reads more bytes of stored values, or costs more, is not computed: others of this process wait meanwhile. */
const [readBytesMax, readCostMax] = [1024 * 1024, 500_000];

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
    viewer: RequestViewer,
  ): Promise<Backtest> {
    const plan = await this.deployments.planOf(workspaceId, workflowId, version);
    const rows = (await this.database.statement(workspaceId, lastEnded, [
      workflowId,
      executions,
    ])) as unknown as Ended[];
    const endsAtMs = performance.now() + timeMsMax;
    const comparison = new RequestComparison(viewer);
    const runs: BacktestedRun[] = [];
    for (const row of rows) {
      if (performance.now() > endsAtMs) break;
      const run = await this.database.within(workspaceId, (tx) => this.replay(tx, row, plan));
      runs.push('changed' in run ? await this.compare(run, { workspaceId, comparison, endsAtMs }) : run);
      // Others of this process take their turn.
      await breathe();
    }
    const counts = { same: 0, differs: 0, asks: 0, unreadable: 0 };
    for (const { verdict } of runs) counts[verdict]++;
    return { version, counts, runs, cut: runs.length < rows.length };
  }

  /** Compares the requests that are not written alike, and says how the execution would have gone on. */
  private async compare(
    { changed, alike, ...run }: ReplayedRun,
    given: { workspaceId: string; comparison: RequestComparison; endsAtMs: number },
  ): Promise<BacktestedRun> {
    const own = { workspaceId: given.workspaceId, executionId: run.executionId };
    const resolve = (value: Json) => this.payloads.resolve(own, value);
    const requests: DifferingRequest[] = [];
    for (const [n, effect] of changed.entries()) {
      const isLate = n >= comparedMax || performance.now() > given.endsAtMs;
      const found = isLate ? notCompared(effect) : await given.comparison.compareRequest(effect, resolve);
      if (found) requests.push(found);
      await breathe();
    }
    const isSame = alike && requests.length === 0;
    return { ...run, requests, verdict: run.is === null ? 'asks' : isSame ? 'same' : 'differs' };
  }

  private async replay(tx: EntityManager, row: Ended, plan: Plan): Promise<BacktestedRun | ReplayedRun> {
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
    const events = await this.log.readEvents(tx, row.id, 0);
    const known = findKnownEnds(events, () => true);
    const edited = findEdited(events);
    const before = replayOn(former, row, known, edited);
    const computed = new Map(before.begun.flatMap((effect) => toComputed(effect, known)));
    const after = await replayAnew(plan, row, known, edited && editAgain(edited, former, plan), (effect) =>
      evaluateAnew(effect, computed, resolve),
    );
    if (before.outcome?.status !== row.status)
      return unreadable(
        'Its log does not lead to its end any more: it was cancelled or retried, or an older release ran it.',
      );
    const { outcome, unknown } = after;
    const is = outcome && {
      ...toEnd(outcome.status, failureIn(outcome), responseIn(outcome)),
      output: await resolve(outcome.output),
    };
    const difference = findDifference(before.visits, after.visits);
    const { changed, omitted } = findChanged(before, after);
    const shown = await send(tx, recordedOf, [
      row.id,
      changed.slice(0, comparedMax).map((one) => one.was.visit.path),
    ]);
    const recorded = new Set(shown.map(({ path }) => path));
    const alike =
      is !== null &&
      outcome !== null &&
      omitted.length === 0 &&
      canonicalJson(toCompared(is, outcome)) === canonicalJson(toCompared(was, before.outcome));
    return {
      ...about,
      is,
      difference,
      omitted,
      unknown,
      alike,
      changed: changed.map((one) => ({ ...one, isRecorded: recorded.has(one.was.visit.path) })),
      reason: null,
    };
  }
}

/** A run before its requests are compared. */
interface ReplayedRun extends Omit<BacktestedRun, 'verdict'> {
  /** True when it leaves no request out and ends alike. */
  alike: boolean;
  /** The effects that are not written alike, or have read other values. */
  changed: ChangedEffect[];
}

const notCompared = ({ was }: ChangedEffect): DifferingRequest => ({
  path: was.visit.path,
  members: [],
  more: 0,
  hidden: 'large',
});

interface Replayed {
  outcome: Outcome | null;
  visits: VisitEntry[];
  begun: Effect[];
  /** The paths of the effects that nobody knows. */
  unknown: string[];
}

function replayOn(plan: Plan, row: Ended, known: KnownEnds, edited: EditedVisit | undefined): Replayed {
  const { run, nowMs } = openAgain(plan, row);
  return toReplayed(run, replayKnownEnds(run, known, { edited, nowMs }));
}

/** Replays on another plan, whose blocks over stored values are computed anew. */
async function replayAnew(
  plan: Plan,
  row: Ended,
  known: KnownEnds,
  edited: EditedVisit | undefined,
  evaluate: (effect: EvaluateEffect) => Promise<RunEvent | null>,
): Promise<Replayed> {
  const { run, nowMs } = openAgain(plan, row);
  return toReplayed(run, await replayEvaluating(run, known, { edited, nowMs }, evaluate));
}

function openAgain(plan: Plan, row: Ended): { run: LoggedRun; nowMs: number } {
  const accepted = toAccepted(row);
  const nowMs = (row.started_at ?? row.created_at).getTime();
  const run = LoggedRun.open(plan, { inputs: accepted.inputs, run: buildFacts(accepted, nowMs), nowMs });
  return { run, nowMs };
}

const toReplayed = ({ run }: LoggedRun, { visits, begun }: LoggedStep): Replayed => ({
  outcome: run.outcome(),
  visits,
  begun,
  unknown: run.openEffects.map(({ visit }) => visit.path),
});

/** What a block over stored values has computed, by what it has read. */
function toComputed(effect: Effect, known: KnownEnds): [request: string, end: RunEvent][] {
  const end = known.get(effect.visit.path);
  return effect.kind === 'evaluate' && end ? [[toComputation(effect), end]] : [];
}

const toComputation = ({ visit: { path }, type, params, scope }: EvaluateEffect): string =>
  canonicalJson({ path, type, params, scope });

/** Returns the former end of a block that reads the same, else computes it. Null when it reads or costs too much for a backtest. */
async function evaluateAnew(
  effect: EvaluateEffect,
  computed: Map<string, RunEvent>,
  resolve: (value: Json) => Promise<Json>,
): Promise<RunEvent | null> {
  const known = computed.get(toComputation(effect));
  if (known) return known;
  const { type, params, scope, visit } = effect;
  if (countStoredBytes(scope) > readBytesMax) return null;
  const meter = new Meter(readCostMax);
  const names = objectOf(await resolve(scope));
  try {
    return { kind: 'evaluated', path: visit.path, value: evaluateBlock(type, params, names, meter) };
  } catch (error) {
    const failure = evaluationFailure(error);
    if (!failure) throw error;
    return meter.exceeded ? null : { kind: 'failed', path: visit.path, failure };
  }
}

/** The visit whose parameters a person has replaced when the execution was made. */
function findEdited(events: LoggedEvent[]): EditedVisit | undefined {
  const [first] = events;
  return first?.event.kind === 'started' ? first.event.edited : undefined;
}

/** Replaces in another plan the parameters that a person has replaced. */
function editAgain({ path, params }: EditedVisit, former: Plan, plan: Plan): EditedVisit | undefined {
  const id = path.split('@', 1)[0] ?? '';
  const [was, is] = [findBlock(former.blocks, id), findBlock(plan.blocks, id)];
  if (!was || !is) return undefined;
  const names = Object.keys({ ...was.params, ...params });
  const edited = names.filter((name) => canonicalJson(was.params[name]) !== canonicalJson(params[name]));
  const input = Object.fromEntries(edited.map((name) => [name, params[name] ?? null]));
  return { path, params: replaceParams(is, input) };
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

/** The effects of the former run that are written otherwise or read other values now, and those that the other run does not have. */
function findChanged(
  before: Replayed,
  after: Replayed,
): { changed: { was: Effect; is: Effect }[]; omitted: string[] } {
  const [former, now] = [before, after].map(({ begun }) => {
    const asking = begun.filter((effect) => toRequest(effect) !== null);
    return new Map(asking.map((effect) => [effect.visit.path, effect]));
  });
  const found = { changed: [] as { was: Effect; is: Effect }[], omitted: [] as string[] };
  for (const [path, was] of former ?? []) {
    const is = now?.get(path);
    if (!is) found.omitted.push(path);
    else if (canonicalJson(toRequest(is)) !== canonicalJson(toRequest(was))) found.changed.push({ was, is });
  }
  return found;
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

/** The visits that show what they have sent. $1 execution, $2 paths */
const recordedOf = /* sql */ `
select v.path from visits v join workspaces w on w.id = v.workspace_id
where v.execution_id = $1 and v.path = any($2) and v.sent is not null and w.records_values`;
