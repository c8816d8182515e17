import type { EffectType } from '#libs/definition/definition';
import type { Plan } from '#libs/definition/plan';
import type { Json, JsonObject } from '#libs/definition/values';
import type { ActivityEffect, EvaluateEffect, Outcome, PauseEffect, VisitEntry } from '#libs/engine/effects';

/** Names the run that an activity works for; every store call is bound to its workspace. */
export interface RunKey {
  workspaceId: string;
  executionId: string;
}

/** What changed in a run since it was last recorded. One transaction; recording it again changes nothing. */
export interface RunRecord extends RunKey {
  status: 'running' | 'paused' | Outcome['status'];
  outcome?: Outcome;
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

/** Carried out by the queues `<queue>-io`, `<queue>-code` and `<queue>-llm`, retried by Temporal as the block's policy says. */
export type EffectActivities = Record<
  EffectType,
  (run: RunKey, effect: ActivityEffect) => Promise<EffectResult>
>;
