import { buildSnapshot } from '#libs/language/engine/block-lines';
import type { Effect, EvaluateEffect, PauseEffect } from '#libs/language/engine/effects';
import { namesInLine } from '#libs/language/engine/line-names';
import type { LoggedRun, LoggedStep } from '#libs/language/engine/logged-run';
import type { Run } from '#libs/language/engine/run';
import { isScripted } from '#libs/language/engine/script';
import { canGoOn, findOnlyActivity, type RunEvent } from '#libs/language/engine/run-events';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import type { Advanced, RunRecord } from '#temporal/activities';

/** A run with what has followed from events. */
export interface MovedRun {
  status: Advanced['status'];
  logged: LoggedRun;
  step: LoggedStep;
  /** True when the run had more events than the caller knew. */
  wasBehind: boolean;
}

/** The status of a run that has begun. */
const toBegunStatus = (run: Run): RunRecord['status'] =>
  run.outcome()?.status ?? (run.waitingForPeople ? 'paused' : 'running');

export const toStatus = ({ run, number }: LoggedRun): Advanced['status'] =>
  number > 0 ? toBegunStatus(run) : 'queued';

/** The columns of an execution that its records need. */
export interface RecordedExecution {
  id: string;
  workspace_id: string;
  workflow_id: string;
  version: number;
  plan_hash: string;
  created_at: Date;
  root_id: string | null;
  parent_id: string | null;
}

export const toRecorded = (
  execution: Pick<
    AcceptedExecution,
    'executionId' | 'workspaceId' | 'workflowId' | 'version' | 'planHash' | 'acceptedAtMs'
  >,
): RecordedExecution => ({
  id: execution.executionId,
  workspace_id: execution.workspaceId,
  workflow_id: execution.workflowId,
  version: execution.version,
  plan_hash: execution.planHash,
  created_at: new Date(execution.acceptedAtMs),
  root_id: null,
  parent_id: null,
});

/** The step as a record of the run. */
export function toRecord(
  row: RecordedExecution,
  { plan, run, blocks, startedAtMs }: LoggedRun,
  step: LoggedStep,
): RunRecord {
  const { atMs, begun, cancelled, logged, visits } = step;
  const outcome = run.outcome();
  const begunPaths = new Set(begun.map(({ visit }) => visit.path));
  const opened = begun.filter(
    (effect): effect is PauseEffect => effect.kind === 'pause' && run.isOpen(effect.visit.path),
  );
  const hasPaused = plan.asksOnFailure === true || blocks.all.some(({ type }) => type === 'human');
  const { workflow_id: workflowId, version, plan_hash: planHash } = row;
  return {
    workspaceId: row.workspace_id,
    executionId: row.id,
    ...(row.root_id ? { rootId: row.root_id } : {}),
    status: toBegunStatus(run),
    ...(outcome ? { outcome, endedAtMs: atMs } : {}),
    atMs,
    startedAtMs,
    acceptedAtMs: row.created_at.getTime(),
    visits,
    calls: plan.script ? [] : findCalls(step),
    opened,
    claimed: [],
    expired: logged.flatMap(({ event }) => (event.kind === 'expired' ? [event.path] : [])),
    closed: cancelled.flatMap(({ path, kind }) => (kind === 'pause' && !begunPaths.has(path) ? [path] : [])),
    ...(hasPaused ? { hasPaused } : {}),
    ...(hasPaused && !row.parent_id
      ? { snapshot: buildSnapshot({ workflowId, version, planHash }, blocks.all, run.vars) }
      : {}),
  };
}

/** The effects that have succeeded. */
function findCalls({ logged, visits }: LoggedStep): RunRecord['calls'] {
  const paths = new Set(logged.flatMap(({ event }) => (event.kind === 'succeeded' ? [event.path] : [])));
  return visits.flatMap(({ path, type }) => (paths.has(path) ? [{ path, type }] : []));
}

/** How `advanceToRest` works on a run. */
interface Advancing {
  /** The last visit that the Temporal run knows. */
  seq: number;
  applyEvents(events: RunEvent[]): Promise<MovedRun>;
  /** Renders a block over stored values. Rejects when a later attempt may succeed. */
  evaluate(effect: EvaluateEffect): Promise<RunEvent>;
  /** True when the next turn goes on. */
  isOver?(): boolean;
}

/** So many blocks over stored values are rendered side by side. */
const evaluationsMax = 2;

/** Applies events, and those that follow from computing and from rendering blocks over stored values, until the run rests. */
export async function advanceToRest(
  events: RunEvent[],
  { seq, applyEvents, evaluate, isOver = () => false }: Advancing,
): Promise<Advanced> {
  let all: Advanced | null = null;
  for (let next = events; ;) {
    const moved = await applyEvents(next);
    all = toAdvanced(all, moved, seq);
    const { plan, run } = moved.logged;
    const open = run.openEffects.filter((effect) => effect.kind === 'evaluate');
    if (run.done || (open.length === 0 && !canGoOn(plan, run))) return all;
    if (isOver()) return { ...all, more: true };
    next =
      open.length > 0
        ? await Promise.all(open.slice(0, evaluationsMax).map((effect) => evaluate(effect)))
        : [{ kind: 'continued' }];
  }
}

/** Adds a further step to what the Temporal run is told. */
export function toAdvanced(
  before: Advanced | null,
  { logged, status, step, wasBehind }: MovedRun,
  seq: number,
): Advanced {
  const { plan, run, blocks, number } = logged;
  const outcome = run.outcome();
  const isOutside = (effect: Effect) => effect.kind !== 'evaluate' && !isScripted(plan, effect);
  const only = findOnlyActivity(run, run.openEffects.filter(isOutside));
  const whole = wasBehind || before?.open !== undefined || seq === 0;
  return {
    number,
    seq: run.lastSeq,
    status,
    ...(outcome ? { outcome } : {}),
    launch: run.openSince(seq).filter(isOutside),
    ended: [...(before?.ended ?? []), ...step.cancelled.map(({ path }) => path)],
    ...(whole ? { open: run.openEffects.filter(isOutside).map(({ visit }) => visit.path) } : {}),
    lines: whole ? blocks.all : [...(before?.lines ?? []), ...step.lines],
    more: false,
    ...(only ? { line: namesInLine(logged.plan, only.visit.blockId) } : {}),
  };
}
