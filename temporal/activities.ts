import type { Plan } from '#libs/definition/plan';
import type { Json, JsonObject } from '#libs/definition/values';
import type { ActivityEffect, EvaluateEffect, Outcome, PauseEffect, VisitEntry } from '#libs/engine/effects';

/** Which Temporal run of an execution speaks, and how far its history and the rows agree. */
export interface TemporalRun {
  runId: string;
  /** When, by the run's own clock, it made its last record before this. What was recorded later, another run did. */
  keptMs: number;
}

/** Names the run that an activity works for; every store call is bound to its workspace. */
export interface RunKey {
  workspaceId: string;
  executionId: string;
  /** Absent where a workflow other than the execution's own speaks. */
  temporal?: TemporalRun;
}

/** What changed in a run since it was last recorded. One transaction; recording it again changes nothing. */
export interface RunRecord extends RunKey {
  status: 'running' | 'paused' | Outcome['status'];
  outcome?: Outcome;
  /** The run's own clock at this record. */
  atMs: number;
  startedAtMs: number;
  endedAtMs?: number;
  visits: VisitEntry[];
  opened: Pick<PauseEffect, 'visit' | 'name' | 'title' | 'message' | 'fields' | 'form' | 'expiresAtMs'>[];
  /** Resume entries that the run took, by id. */
  claimed: {
    entryId: string;
    contextId: string;
    claimedAtMs: number;
    answers: JsonObject;
    signalled: boolean;
  }[];
  /** Entries whose segment has ended: the run settled again after them. */
  completed: string[];
  expired: string[];
  /** Public state for `executionSnapshot`; only while pauses are open. */
  snapshot?: JsonObject;
}

/** Run beside the workflow, in the process that holds it: short, and safe to run twice. */
export interface LocalActivities {
  loadPlan(run: RunKey, planHash: string): Promise<Plan>;
  /** Renders a pure block whose expressions read stored values; a large result comes back packed. */
  evaluate(run: RunKey, effect: EvaluateEffect): Promise<Json>;
  /** Commits the change and returns the context id of every open pause by visit path. */
  record(change: RunRecord): Promise<Record<string, string>>;
}

/** An effect's answer: its output, packed, and how many attempts the block took. */
export interface EffectResult {
  output: Json;
}

/** Carried out by the queues `<queue>-io` and `<queue>-code`, retried by Temporal as the block's policy says. */
export interface EffectActivities {
  http(run: RunKey, effect: ActivityEffect): Promise<EffectResult>;
  function(run: RunKey, effect: ActivityEffect): Promise<EffectResult>;
}
