import { type Plan, planVersion } from '#libs/language/definition/plan';
import type { RunMember } from '#libs/language/definition/checks/reads';
import type { Json, JsonObject } from '#libs/platform/json/json';

import type { ActivityEffect, Effect, Failure, Outcome, VisitEntry } from './effects.ts';
import { newFrame } from './frame.ts';

/** The version of the state's format and of the rules that change it; a run keeps the one it began with. */
export const engineVersion = 1;

/** The key of the outermost graph's frame. */
export const rootKey = '';

/** The progress of one graph: the outermost, or one pass of a container's body. */
export interface Frame {
  /** By plan index: the number of incoming edges that are not settled yet. */
  left: number[];
  /** By plan index: whether an incoming edge was taken. */
  taken: boolean[];
  /** Plan indexes of the blocks that may start, smallest first. */
  ready: number[];
  /** By block id: the outputs of the blocks that have run. */
  outputs: JsonObject;
  /** Plan indexes of blocks that no taken edge left, in the order of their ends. */
  ends: number[];
  /** The number of visits, containers and queries about the pass that are under way in this graph. */
  busy: number;
  /** Set for a pass: the path of its container's visit, its number, and its item. */
  pass?: { container: string; index: number; item: Json };
}

/**
 * The kinds of a container's query that is evaluated outside of the workflow. `collect` and `until` are about one
 * pass.
 */
export type QueryKind = 'over' | 'while' | 'batch' | 'results' | 'collect' | 'until';

/** A visit whose effect has not ended. */
export interface OpenVisit {
  /** The key of the frame that the visit is in. */
  frame: string;
  index: number;
  entry: VisitEntry;
  effect: Effect;
  /** Set when this is a query of a container and not a visit. */
  role?: QueryKind;
  /** For a query: the number of the pass that it is about. */
  pass?: number;
  /** True when this is a child run that waits for people. */
  resting?: boolean;
  /** The attempts of earlier rounds, of a visit that a person has retried. */
  attemptsBefore?: number;
  /** Of a pause that asks what becomes of a failed call. */
  failed?: { effect: ActivityEffect; failure: Failure };
  /** The number of an effect that was launched later than its visit began. */
  launchedSeq?: number;
}

/** A container under way. */
export interface Container {
  /** The key of the frame that the container is in, and its index there. */
  frame: string;
  index: number;
  entry: VisitEntry;
  /** The number of passes; null when a test decides. */
  total: number | null;
  /** The items of the container: a list, a stored list, or null. */
  items: Json;
  /** For a stored list: the batch that was fetched last. */
  batch: { from: number; items: Json[] };
  /** The number of the next pass. */
  next: number;
  /** The number of passes under way. */
  active: number;
  /** By number of the pass; only with `collect`. */
  results: Json[];
  /** The characters of JSON that the results have so far. */
  size: number;
  errors: JsonObject[];
  /** True while a query is open, so that no pass begins. */
  asking: boolean;
  /** True when a test has ended the container, so that no more passes begin. */
  over: boolean;
}

/** A visit of a fork whose parameters a person has replaced. */
export interface EditedVisit {
  path: string;
  /** Whole: those as written, with the replaced ones in their place. */
  params: JsonObject;
}

/** The whole state of a run, as plain JSON. */
export interface RunState {
  engineVersion: typeof engineVersion;
  inputs: JsonObject;
  run: JsonObject;
  vars: JsonObject;
  /** By key; the outermost graph's key is empty. */
  frames: Record<string, Frame>;
  /** Keys of frames with a block that is ready, in the order in which they are served. */
  agenda: string[];
  /** By path. */
  containers: Record<string, Container>;
  /** By path. */
  open: Record<string, OpenVisit>;
  /** Paths of effects that `takeReady` has not returned yet. */
  launch: string[];
  /** Entries of ended visits that `takeLog` has not returned yet. */
  ended: VisitEntry[];
  /** Paths of open visits whose entries have changed since the last `takeLog`. */
  changed: string[];
  lastSeq: number;
  /** The latest moment of the log, in ms: no entry begins or ends before it. Absent in states of earlier builds. */
  loggedMs?: number;
  response: { data: Json; status: number; headers: Record<string, string>; raw: boolean } | null;
  outcome: Outcome | null;
  /** Effects that were under way when the pass, container or run around them ended: the caller cancels them. */
  cancelled: { path: string; kind: Effect['kind'] }[];
  /** In a test with a script: the answers that were used, by block or path. */
  scripted?: Record<string, number>;
  /** Absent when all blocks have the parameters of the plan. */
  edited?: EditedVisit;
}

/** The beginning of a run. Expressions read `run` under that name: ids, mode, startTime. */
export interface Opening {
  inputs: JsonObject;
  run: JsonObject;
  nowMs: number;
}

/** The members that expressions read as `run`. */
export function buildFacts(
  about: Record<'executionId' | 'workspaceId' | 'workflowId' | 'mode' | 'trigger', string> & {
    version: number;
  },
  startedAtMs: number,
): JsonObject {
  const { executionId, workspaceId, workflowId, version, mode, trigger } = about;
  const startTime = new Date(startedAtMs).toISOString();
  const run = { id: executionId, executionId, workspaceId, workflowId, version, mode, trigger, startTime };
  return run satisfies Record<RunMember, Json>;
}

/** The state of a run in which nothing has happened. */
export function newState(plan: Plan, { inputs, run, nowMs }: Opening): RunState {
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
    loggedMs: nowMs,
    response: null,
    outcome: null,
    cancelled: [],
  };
}

/** Returns the plan. Throws when it has another format. */
export function checked(plan: Plan): Plan {
  if (plan.planVersion !== planVersion)
    throw new Error(`the plan is of version ${plan.planVersion}, this engine knows ${planVersion}`);
  return plan;
}

/** A copy that shares nothing with the state, as storing and reading it would give. */
export function copyState(state: RunState): RunState {
  const copy: RunState = JSON.parse(JSON.stringify(state));
  return copy;
}

/** A copy to continue from. In states of release 0.1.0 only the path of a query names its pass. */
export function restored(state: RunState): RunState {
  const copy = copyState(state);
  for (const [path, visit] of Object.entries(copy.open))
    if (visit.role) visit.pass ??= Number(/\d{1,9}$/.exec(path)?.[0] ?? 0);
  return copy;
}
