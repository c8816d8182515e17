import type { EffectType } from '#libs/language/definition/blocks/registry';
import type { ExecutionInput, OperatorAnswer } from './messages.ts';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { BlockLine } from '#libs/language/engine/block-lines';
import type { RunEvent } from '#libs/language/engine/run-events';
import type {
  ActivityEffect,
  ChildEffect,
  Effect,
  Failure,
  Outcome,
  PauseEffect,
  VisitEntry,
  SentValue,
} from '#libs/language/engine/effects';

/** The owner of the rows of a retried execution, until its new Temporal run takes them: the former one may not write any more. */
export const retriedRun = 'retried';

/** The Temporal run that calls, and the last record that its history and the database share. */
export interface TemporalRun {
  runId: string;
  /** The number of the last event in its history. A later event belongs to another Temporal run, which a reset has replaced. */
  number: number;
  /** The Temporal run that this one continues in a new history. It has left nothing open. */
  continuedFrom?: string;
  /** True for the start of a retry, as opposed to a reset of such a run: it takes only rows that nobody has taken since the retry. */
  isRetry?: true;
}

/** Names the run that an activity works for; every query of the rows is bound to its workspace. */
export interface RunKey {
  workspaceId: string;
  executionId: string;
  /** Absent when the caller is a Temporal workflow other than the execution's own. */
  temporal?: TemporalRun;
  /** The process that carries out the run by itself; absent in a run that Temporal carries out. */
  process?: string;
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
  /** The effects whose success the record logs. */
  calls: { path: string; type: string }[];
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
  }[];
  expired: string[];
  /** Paths of pauses that ended unanswered, together with the pass or container around them. */
  closed: string[];
  /** The public state for `executionSnapshot`. Present only for a run that has paused. */
  snapshot?: JsonObject;
  /** True when the run has paused before or now. */
  hasPaused?: true;
}

/** Why an answer was not taken. */
export interface AnswerRefusal {
  code: string;
  message: string;
}

/** Events of a run, and what its Temporal run knows. The number of the last known event stands in the key. */
export interface RunChange {
  events: RunEvent[];
  /** The run's own clock, which is Temporal's. */
  nowMs: number;
  /** The number of the last visit that the Temporal run knows; 0 when it knows none. */
  seq: number;
  /** Committed answers of which Temporal has told the run. After a reset the run takes them again. */
  answers?: string[];
}

/** What a Temporal run must know after a change. */
export interface Advanced {
  /** The number of the last event. */
  number: number;
  /** The number of the last visit that has begun. */
  seq: number;
  status: 'queued' | 'running' | 'paused' | Outcome['status'];
  outcome?: Outcome;
  /** The open effects of visits that the caller did not know. */
  launch: Effect[];
  /** Effects that ended unanswered. */
  ended: string[];
  /** All open effects, when events came from elsewhere. Every other effect has ended. */
  open?: string[];
  /** The summaries of the blocks that have changed. */
  lines: BlockLine[];
  /** True when the run computes on in the next turn. */
  more: boolean;
  /** Present when one effect alone is open: its name and those that follow it in a straight line. */
  line?: string[];
}

/**
 * Activities that run in the process of the workflow: short, and safe to run twice. `LocalActivityTable` in
 * `libs/runs/temporal-workers/local-activities.ts` has their code.
 */
export interface LocalActivities {
  /** Applies events to the run and commits all that follows. Returns what the run needs next. */
  advance(run: RunKey, change: RunChange): Promise<Advanced>;
  /**
   * Commits the row of a child run and returns the input to start it with. Its id follows from parent and path. Without
   * room the run enters the line, and gets a `room` signal; `tries` is how often it had that signal in vain.
   */
  openChild(run: RunKey, effect: ChildEffect, tries?: number): Promise<ExecutionInput>;
  /** The outputs that an activity with several effects has committed, by visit path. `first` is the path of its first effect. */
  checkpoints(run: RunKey, first: string): Promise<Record<string, Json>>;
  /** The output of a completed child, as a value of the parent. */
  adopt(run: RunKey, childId: string): Promise<Json>;
  /** Commits an answer from an operator in Temporal, like any other. Returns the reason of a refusal, or null. */
  acceptOperatorAnswer(run: RunKey, answer: OperatorAnswer): Promise<AnswerRefusal | null>;
  /**
   * Commits the notices of one occasion to the people of an open pause. Safe to repeat: each occasion has one notice
   * per receiver.
   */
  enqueueNotifications(run: RunKey, path: string, occasion: string): Promise<void>;
}

/** The packed output of an effect. */
export interface ActivityResult {
  output: Json;
  /** The time that the worker took, in ms. Workers of builds without batches do not send it. */
  ms?: number;
  /** What the effect has sent, for the block log. */
  sent?: SentValue;
}

/**
 * The activities on the queues `<queue>-io`, `<queue>-code` and `<queue>-llm`, which Temporal retries by the
 * block's policy. `EffectHost` in `libs/worker/effect-host.ts` has them and the two for several effects.
 */
export type EffectActivities = Record<
  EffectType,
  (run: RunKey, effect: ActivityEffect) => Promise<ActivityResult>
>;

/** The same activities for an effect that alone is open, as `effectLine`. Operators see one effect by its type. */
export type EffectLineActivities = Record<EffectType | 'effectLine', EffectLineActivity['effectLine']>;

/** The end of a line of effects. */
export interface LineResult {
  /** The committed outputs, in order. After a reset the rows may lack them. */
  settled: { path: string; output: Json }[];
  /** The effect whose attempt failed after others had succeeded, and the failure that its own activity would have had. */
  failed?: { path: string; failure: Failure; about: AttemptDetails };
  /** Present when the run has ended with the line. */
  ended?: Advanced;
}

/** A line begins no effect after this time, in ms. */
export const lineMsMax = 10_000;

/**
 * Carries out an effect that alone is open, and the effects of its queue that follow it. Commits each output, with all that follows from
 * it, before the next effect begins. Fails when the first effect fails, with its failure.
 */
export interface EffectLineActivity {
  effectLine(run: RunKey, effect: ActivityEffect, isLine: true): Promise<LineResult>;
}

/** Details of a failed attempt: whether a retry can succeed, and how long to wait before it. */
export interface AttemptDetails {
  retryable?: boolean;
  retryAfterMs?: number;
  details?: Json;
  /** What the attempt has sent, for the block log. */
  sent?: SentValue;
}

/** The result of one effect of a batch: its packed output, or the failure of its own activity. */
export type Batched = (
  | { output: Json; sent?: SentValue; failure?: undefined }
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
