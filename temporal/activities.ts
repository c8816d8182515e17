import type { EffectType } from '#libs/language/definition/blocks/registry';
import type { Plan } from '#libs/language/definition/plan';
import type { ExecutionInput, ResumeMessage, SignalledAnswer } from './messages.ts';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { ResumePoint } from '#libs/language/engine/resume-point';
import type { RunState } from '#libs/language/engine/state';
import type {
  ActivityEffect,
  ChildEffect,
  EvaluateEffect,
  Failure,
  Outcome,
  PauseEffect,
  VisitEntry,
} from '#libs/language/engine/effects';

/** The Temporal run that calls, and the last record that its history and the database share. */
export interface TemporalRun {
  runId: string;
  /**
   * The time of its last record before this call, by the run's own clock, in ms. A record with a later time belongs to
   * another Temporal run. The name is stored in histories.
   */
  keptMs: number;
  /** The Temporal run that this one continues in a new history. It has left nothing open. */
  continuedFrom?: string;
}

/** Names the run that an activity works for; every query of the rows is bound to its workspace. */
export interface RunKey {
  workspaceId: string;
  executionId: string;
  /** Absent when the caller is a Temporal workflow other than the execution's own. */
  temporal?: TemporalRun;
}

/** The changes of a run since its last record. They are committed in one transaction. A repeated record changes nothing. */
export interface RunRecord extends RunKey {
  /** The outermost run, when this one is a child: its pauses are listed under that run. */
  rootId?: string;
  status: 'running' | 'paused' | Outcome['status'];
  outcome?: Outcome;
  /** The run's own clock at this record. */
  atMs: number;
  startedAtMs: number;
  endedAtMs?: number;
  /** The commit time of the execution; absent when unknown. */
  acceptedAtMs?: number;
  visits: VisitEntry[];
  opened: Pick<
    PauseEffect,
    | 'visit'
    | 'name'
    | 'title'
    | 'message'
    | 'fields'
    | 'form'
    | 'asking'
    | 'agentMayAnswer'
    | 'scopes'
    | 'expiresAtMs'
  >[];
  /** Resume entries that the run took, by id. */
  claimed: {
    entryId: string;
    contextId: string;
    claimedAtMs: number;
    answers: JsonObject;
    /** True when the entry ends the pause; false when more people must answer. */
    decides: boolean;
    /** True when the API applied this answer inline, before the run took it. */
    applied?: boolean;
  }[];
  /** Entries after which the run has settled again. */
  completed: string[];
  expired: string[];
  /** Paths of pauses that ended unanswered, together with the pass or container around them. */
  closed: string[];
  /** The public state for `executionSnapshot`. Present only for a run that has paused. */
  snapshot?: JsonObject;
  /** The resume point. Present when the run waits for one answer and for nothing else. */
  resumePoint?: ResumePoint;
  /** The answer that the API applied inline before the run. The database is ahead until the run records that it took this entry. */
  appliedInline?: string;
}

/**
 * Activities that run in the process of the workflow: short, and safe to run twice. `LocalActivityTable` in
 * `libs/runs/temporal-workers/local-activities.ts` has their code.
 */
export interface LocalActivities {
  loadPlan(run: RunKey, planHash: string): Promise<Plan>;
  /** True when a cancel was committed before the run began. */
  cancelAsked(run: RunKey): Promise<boolean>;
  /** Renders a pure block whose expressions read stored values; a large result is returned packed. */
  evaluate(run: RunKey, effect: EvaluateEffect): Promise<Json>;
  /**
   * Commits the row of a child run and returns the input to start it with. Its id follows from parent and path. Without
   * room the run enters the line, and gets a `room` signal; `tries` is how often it had that signal in vain.
   */
  openChild(run: RunKey, effect: ChildEffect, tries?: number): Promise<ExecutionInput>;
  /** The outputs that a chain has committed, by visit path. `first` is the path of its first effect. */
  checkpoints(run: RunKey, first: string): Promise<Record<string, Json>>;
  /** The output of a completed child, as a value of the parent. */
  adopt(run: RunKey, childId: string): Promise<Json>;
  /** Commits an answer that came by a signal. Null when it does not fit, or when another answer was committed first. */
  acceptSignalled(run: RunKey, message: SignalledAnswer): Promise<ResumeMessage | null>;
  /** Commits that a pause has expired, or returns the answers that were committed before its deadline, oldest first. */
  expirePause(run: RunKey, path: string, atMs: number): Promise<ResumeMessage[]>;
  /**
   * Commits the notices of one occasion to the people of an open pause. Safe to repeat: each occasion has one notice
   * per receiver.
   */
  enqueueNotifications(run: RunKey, path: string, occasion: string): Promise<void>;
  /**
   * Commits the change and returns the context id of every open pause by visit path. Further visits come in separate
   * arguments: as one argument the log of a long loop would be too large and would be stored outside of Temporal.
   */
  record(change: RunRecord, ...visits: VisitEntry[][]): Promise<Record<string, string>>;
}

/** The packed output of an effect. */
export interface ActivityResult {
  output: Json;
  /** The time that the worker took, in ms. Workers of builds without batches do not send it. */
  ms?: number;
}

/**
 * The activities on the queues `<queue>-io`, `<queue>-code` and `<queue>-llm`, which Temporal retries by the
 * block's policy. `EffectHost` in `libs/worker/effect-host.ts` has them and the two for several effects.
 */
export type EffectActivities = Record<
  EffectType,
  (run: RunKey, effect: ActivityEffect) => Promise<ActivityResult>
>;

/** The input for an activity that records the end of a run that never paused. */
export interface ChainEnd {
  startedAtMs: number;
  /** A run of an older release does not have it. */
  acceptedAtMs?: number;
  /** True when a caller waits for the end. */
  awaited: boolean;
}

/** The start of a straight chain of effects. The state has one effect open, the first. */
export interface ChainStart {
  planHash: string;
  state: RunState;
  /** Present when the chain may record the end of the run together with its last output. Then the state has the log. */
  end?: ChainEnd;
}

/** The results of a chain, in order. */
export interface ChainResult {
  settled: { path: string; output: Json; atMs: number }[];
  /** The first effect whose attempt failed, and the failure that its own activity would have had. */
  failed?: { path: string; failure: Failure; about: AttemptDetails };
  /** The time of the record that ended the run, in ms. Absent when the run has not ended or the end is not recorded. */
  recordedAtMs?: number;
}

/** Details of a failed attempt: whether a retry can succeed, and how long to wait before it. */
export interface AttemptDetails {
  retryable?: boolean;
  retryAfterMs?: number;
  details?: Json;
}

/** A chain begins no effect after this time, in ms. */
export const chainMsMax = 10_000;

/**
 * Carries out effects of one queue that follow each other, one at a time. Commits each output before the next effect
 * begins. Fails when the first effect fails, with its failure.
 */
export interface EffectChainActivity {
  effectChain(run: RunKey, start: ChainStart): Promise<ChainResult>;
}

/** The result of one effect of a batch: its packed output, or the failure of its own activity. */
export type Batched = (
  | { output: Json; failure?: undefined }
  | { failure: Failure; about: AttemptDetails; output?: undefined }
) & { ms?: number };

/**
 * Carries out effects of one queue side by side, and commits each output as soon as it is there. Resolves when all have
 * ended, to their results in the order of the effects.
 */
export interface BatchActivity {
  batch(run: RunKey, effects: ActivityEffect[]): Promise<Batched[]>;
}

/** One processing of a document of a knowledge base. */
export interface DocumentKey {
  workspaceId: string;
  documentId: string;
  /** The number of this processing. A later request gets a higher number. */
  revision: number;
}

/**
 * The activities on the queue `<queue>-knowledge`. Each may be repeated. A failure that every attempt would meet is not
 * retried. The failure type `SUPERSEDED` means that nothing is left to do.
 */
export interface IngestionActivities {
  /** Fetches, reads and cuts the document. Its chunks are stored, but no search finds them yet. */
  readDocument(key: DocumentKey): Promise<{ characters: number; chunks: number }>;
  /** Embeds the chunks that have no vectors yet. Heartbeats carry the number of finished chunks. */
  embedDocument(key: DocumentKey): Promise<void>;
  /** Shows the new chunks and hides the old ones. */
  showDocument(key: DocumentKey, characters: number): Promise<void>;
  failDocument(key: DocumentKey, code: string, message: string): Promise<void>;
}

/** One import of a file into a table. */
export interface ImportKey {
  workspaceId: string;
  importId: string;
}

/** The activities on the queue `<queue>-imports`. Each may be repeated. */
export interface ImportActivities {
  /**
   * Imports the remaining lines and records the end, also when the file cannot be imported. Heartbeats carry the number
   * of finished lines.
   */
  importRows(key: ImportKey): Promise<void>;
  failImport(key: ImportKey, message: string): Promise<void>;
}
