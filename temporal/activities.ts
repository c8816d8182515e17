import type { EffectType } from '#libs/definition/blocks/registry';
import type { Plan } from '#libs/definition/plan';
import type { ExecutionInput, ResumeMessage, SignalledAnswer } from './messages.ts';
import type { Json, JsonObject } from '#libs/definition/values';
import type {
  ActivityEffect,
  ChildEffect,
  EvaluateEffect,
  Outcome,
  PauseEffect,
  VisitEntry,
} from '#libs/engine/effects';

/** Which Temporal run of an execution speaks, and how far its history and the rows agree. */
export interface TemporalRun {
  runId: string;
  /** The time of its last record before this, by the run's own clock, in ms. Another run made the later records. A stored key: histories hold it. */
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
  /** The outermost run, when this one is a child: its pauses stand under that. */
  rootId?: string;
  status: 'running' | 'paused' | Outcome['status'];
  outcome?: Outcome;
  /** The run's own clock at this record. */
  atMs: number;
  startedAtMs: number;
  endedAtMs?: number;
  visits: VisitEntry[];
  opened: Pick<
    PauseEffect,
    'visit' | 'name' | 'title' | 'message' | 'fields' | 'form' | 'asking' | 'scopes' | 'expiresAtMs'
  >[];
  /** Resume entries that the run took, by id. */
  claimed: {
    entryId: string;
    contextId: string;
    claimedAtMs: number;
    answers: JsonObject;
    /** Whether the pause is answered with it, or more people must be heard. */
    decides: boolean;
  }[];
  /** Entries whose segment has ended: the run settled again after them. */
  completed: string[];
  expired: string[];
  /** Paths of pauses that ended unanswered with the pass or container that they lay in. */
  closed: string[];
  /** Public state for `executionSnapshot`; only while pauses are open. */
  snapshot?: JsonObject;
}

/** Run beside the workflow, in the process that holds it: short, and safe to run twice. */
export interface LocalActivities {
  loadPlan(run: RunKey, planHash: string): Promise<Plan>;
  /** Whether a cancel was committed before the run began. */
  cancelAsked(run: RunKey): Promise<boolean>;
  /** Renders a pure block whose expressions read stored values; a large result comes back packed. */
  evaluate(run: RunKey, effect: EvaluateEffect): Promise<Json>;
  /** Commits the row of a child run and gives what it is to be started with. Its id follows from parent and path. */
  openChild(run: RunKey, effect: ChildEffect): Promise<ExecutionInput>;
  /** The output of a child that has completed, as a value of the parent. */
  adopt(run: RunKey, childId: string): Promise<Json>;
  /** Commits an answer that Temporal brought. Null when it does not fit, or when another was committed before it. */
  acceptSignalled(run: RunKey, message: SignalledAnswer): Promise<ResumeMessage | null>;
  /** Commits that a pause has expired; or gives the answers that were committed before its deadline, oldest first. */
  expirePause(run: RunKey, path: string, atMs: number): Promise<ResumeMessage[]>;
  /** Commits that people are to be told of an open pause again. Safe to repeat: each occasion is one. */
  tellPeople(run: RunKey, path: string, occasion: string): Promise<void>;
  /**
   * Commits the change and returns the context id of every open pause by visit path. Further visits come in lists of
   * their own: as one argument the log of a long loop would be so large that it is stored on its way.
   */
  record(change: RunRecord, ...visits: VisitEntry[][]): Promise<Record<string, string>>;
}

/** An effect's answer: its output, packed, and how many attempts the block took. */
export interface ActivityResult {
  output: Json;
}

/** Carried out by the queues `<queue>-io`, `<queue>-code` and `<queue>-llm`, retried by Temporal as the block's policy says. */
export type EffectActivities = Record<
  EffectType,
  (run: RunKey, effect: ActivityEffect) => Promise<ActivityResult>
>;
