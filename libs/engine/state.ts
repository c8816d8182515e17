import { type Plan, planVersion } from '#libs/definition/plan';
import type { Json, JsonObject } from '#libs/definition/values';

import type { Effect, Outcome, VisitEntry } from './effects.ts';
import { newFrame } from './frame.ts';

/** The version of the state's format and of the rules that move it; a run keeps the one it began with. */
export const engineVersion = 1;

/** How far one graph has come. The root graph is the only one so far; a container will bring one per iteration. */
export interface Frame {
  /** By plan index: incoming edges that are not settled yet. */
  left: number[];
  /** By plan index: whether an incoming edge was taken. */
  taken: boolean[];
  /** Plan indexes that may start, smallest first. */
  ready: number[];
  /** By block id: of the blocks that have run. */
  outputs: JsonObject;
  /** Plan indexes of blocks after which nothing followed, as they ended. */
  ends: number[];
}

/** A visit that waits for the outside. */
export interface OpenVisit {
  index: number;
  entry: VisitEntry;
  effect: Effect;
}

/** All that a run knows, as plain JSON. */
export interface RunState {
  engineVersion: typeof engineVersion;
  inputs: JsonObject;
  run: JsonObject;
  vars: JsonObject;
  root: Frame;
  /** By path. */
  open: Record<string, OpenVisit>;
  /** Paths whose effects have not been handed out yet. */
  launch: string[];
  /** Entries of ended visits that the log has not taken yet. */
  ended: VisitEntry[];
  /** Paths of open visits whose entries have changed since the log was taken. */
  changed: string[];
  lastSeq: number;
  response: { data: Json; status: number; headers: Record<string, string>; raw: boolean } | null;
  outcome: Outcome | null;
  /** What was under way when the run ended before its end: for the caller to cancel. */
  cancelled: { path: string; kind: Effect['kind'] }[];
}

/** What a run begins with. `run` is what expressions read under that name: ids, mode, startTime. */
export interface Opening {
  inputs: JsonObject;
  run: JsonObject;
  nowMs: number;
}

/** A run in which nothing has happened. */
export function newState(plan: Plan, { inputs, run }: Opening): RunState {
  const initial = Object.entries(plan.variables).map(([name, { initial: value = null }]): [string, Json] => [
    name,
    value,
  ]);
  return {
    engineVersion,
    inputs,
    run,
    vars: Object.fromEntries(initial),
    root: newFrame(plan.blocks),
    open: {},
    launch: [],
    ended: [],
    changed: [],
    lastSeq: 0,
    response: null,
    outcome: null,
    cancelled: [],
  };
}

/** Refuses (throws) a plan of another format. */
export function checked(plan: Plan): Plan {
  if (plan.planVersion !== planVersion)
    throw new Error(`the plan is of version ${plan.planVersion}, this engine knows ${planVersion}`);
  return plan;
}

/** A copy that shares nothing with the state, as storing and reading it gives. */
export function copyOf(state: RunState): RunState {
  const made: RunState = JSON.parse(JSON.stringify(state));
  return made;
}
