import { type Plan, planVersion } from '#libs/definition/plan';
import type { Json, JsonObject } from '#libs/definition/values';

import type { Effect, Outcome, VisitEntry } from './effects.ts';
import { newFrame } from './frame.ts';

/** The version of the state's format and of the rules that move it; a run keeps the one it began with. */
export const engineVersion = 1;

/** The key of the outermost graph's frame. */
export const rootKey = '';

/** How far one graph has come: the outermost, or one pass of a container's body. */
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
  /** What is under way in this graph: open visits, containers, and what is computed outside about the pass. */
  busy: number;
  /** Of a pass: the path of its container's visit, its number, and what it is made for. */
  pass?: { container: string; index: number; item: Json };
}

/** What a container wants to know that is computed outside. `collect` and `until` are about one pass. */
export type QueryKind = 'over' | 'while' | 'batch' | 'results' | 'collect' | 'until';

/** A visit that waits for the outside. */
export interface OpenVisit {
  /** The key of the frame that it stands in. */
  frame: string;
  index: number;
  entry: VisitEntry;
  effect: Effect;
  /** Set when it is no visit of its own but a query of a container. */
  role?: QueryKind;
  /** Of a query: the number of the pass that it is about. */
  pass?: number;
  /** A child run that waits for people. */
  resting?: boolean;
}

/** A container under way. */
export interface Container {
  /** The key of the frame that it stands in, and its index there. */
  frame: string;
  index: number;
  entry: VisitEntry;
  /** How many passes there are to make; null when a test tells. */
  total: number | null;
  /** What it runs over: a list, a stored list, or null. */
  items: Json;
  /** Of a stored list, the part that has been fetched. */
  batch: { from: number; items: Json[] };
  /** The number of the next pass. */
  next: number;
  /** Passes under way. */
  active: number;
  /** By number of the pass; only with `collect`. */
  results: Json[];
  /** JSON characters of the results so far. */
  size: number;
  errors: JsonObject[];
  /** A query is out, so nothing new begins. */
  asking: boolean;
  /** A test has said that no more passes begin. */
  over: boolean;
}

/** All that a run knows, as plain JSON. */
export interface RunState {
  engineVersion: typeof engineVersion;
  inputs: JsonObject;
  run: JsonObject;
  vars: JsonObject;
  /** By key; the outermost graph's is empty. */
  frames: Record<string, Frame>;
  /** Keys of frames that have something ready, first come first served. */
  agenda: string[];
  /** By path. */
  containers: Record<string, Container>;
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
  /** What was under way in what has ended before its end: for the caller to cancel. */
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
    frames: { [rootKey]: newFrame(plan.blocks) },
    agenda: [],
    containers: {},
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

/** A copy to go on from. States of release 0.1.0 name the pass of a query in its path alone. */
export function restored(state: RunState): RunState {
  const made = copyOf(state);
  for (const [path, visit] of Object.entries(made.open))
    if (visit.role) visit.pass ??= Number(/\d+$/.exec(path)?.[0] ?? 0);
  return made;
}
