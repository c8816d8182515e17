import type { EffectType } from '#libs/language/definition/blocks/registry';
import type { FormField } from '#libs/language/definition/forms';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Asking } from './asking.ts';

// The language defines the shape of a form; it is exported here too because a pause effect holds one.
export type { FormField } from '#libs/language/definition/forms';

/** The names that a block's expressions read, with their values. Members may be `Ref`s. */
export type Scope = Record<string, Json>;

/** One visit of the run to one block. `path` is unique in the run and the same in each replay. */
export interface Visit {
  path: string;
  blockId: string;
}

/**
 * Work outside of the workflow that the engine asks for. The run continues when it is settled, failed, resumed or
 * expired.
 */
export type Effect = EvaluateEffect | ActivityEffect | PauseEffect | WaitEffect | ChildEffect;

/**
 * A pure block that reads a stored value: its parameters are rendered outside of the workflow, then `evaluated` is
 * called. A container's query about its passes takes the same way; the path of a query ends in `#` and the kind of
 * query.
 */
export interface EvaluateEffect {
  kind: 'evaluate';
  visit: Visit;
  type: string;
  params: JsonObject;
  scope: Scope;
}

/** An effect block. Its parameters are still templates: the activity renders them, with stored values and secrets. */
export interface ActivityEffect {
  kind: 'activity';
  visit: Visit;
  type: EffectType;
  name: string;
  params: JsonObject;
  scope: Scope;
  /** The time-out of one attempt, in milliseconds. */
  timeoutMs: number;
  retry: { maxAttempts: number; initialDelayMs: number; backoff: number; retryOn?: string[] };
  /** True when the process that made the first attempt is lost: its call may have arrived. */
  mayBeSent?: true;
  /** How often a person has retried the visit. Absent: never. Each round calls with a key of its own. */
  round?: number;
  /** Only for webhook blocks: an expression of the workflow reads the answer. */
  answerIsRead?: true;
}

export interface PauseScopes {
  parallelScope?: { parallelId: string; branchIndex: number; branchTotal: number };
  loopScope?: { loopId: string; iteration: number };
}

/** A pause that waits for people. It ends by `resume` with its path, or by `expire`. */
export interface PauseEffect {
  kind: 'pause';
  visit: Visit;
  name: string;
  title: string;
  message: string;
  fields: { label: string; value: Json; format?: string }[];
  form: FormField[];
  metadata?: JsonObject;
  /** Absent when everyone who may execute may answer the pause, and nobody gets a notice of it. */
  asking?: Asking;
  /** True where the author lets an agent that called the workflow answer. */
  agentMayAnswer?: true;
  /** The innermost loop pass and the innermost parallel branch around the pause. */
  scopes: PauseScopes;
  /** The moment of the pause, in milliseconds since the epoch. Reminders count from it. */
  openedAtMs: number;
  /** The deadline in milliseconds since the epoch, or null when the pause never expires. */
  expiresAtMs: number | null;
}

/** A run of another workflow, as an execution of its own. Settled with its output. */
export interface ChildEffect {
  kind: 'child';
  visit: Visit;
  name: string;
  workflowId: string;
  /** Members may be references to stored values. */
  inputs: JsonObject;
  /** How often a person has retried the visit. Absent: never. */
  round?: number;
}

export interface WaitEffect {
  kind: 'wait';
  visit: Visit;
  name: string;
  /** Milliseconds since the epoch. */
  untilMs: number;
}

/** The reason why a block or a run failed: a stable upper-case code, a sentence, and the failed block if there is one. */
export interface Failure {
  code: string;
  message: string;
  blockId?: string;
  blockName?: string;
  details?: Json;
}

/** What a visit has sent: its parameters with their values, without secrets. */
export interface SentValue {
  /** The parameters; when they are too large, the beginning of their JSON text. */
  value: Json;
  /** The length of the JSON text, in characters. */
  chars: number;
  isCut?: true;
  /** The length of the JSON text in bytes, when `value` is cut. */
  bytes?: number;
  /** Names the stored whole value of a call when `value` is cut. That of a block which the workflow renders follows from its log. */
  whole?: { $payload: string; bytes: number };
}

/** One entry of the block log. Times are milliseconds since the epoch. */
export interface VisitEntry {
  path: string;
  seq: number;
  blockId: string;
  name: string;
  type: string;
  status: 'running' | 'paused' | 'completed' | 'failed' | 'skipped' | 'cancelled' | 'expired';
  startedAtMs: number;
  endedAtMs: number | null;
  attempts: number;
  output?: Json;
  failure?: Failure;
  /** The port by which the visit was left, when it was not `out`. */
  port?: string;
  sent?: SentValue;
}

export type Outcome =
  | {
      status: 'completed';
      output: Json;
      response?: { status: number; headers: Record<string, string>; raw: boolean };
    }
  | { status: 'failed'; output: Json; failure: Failure }
  | { status: 'cancelled'; output: Json; failure: Failure };

/** True for effects that end without a person or a timer. */
export function isWork({ kind }: { kind: Effect['kind'] }): boolean {
  return kind === 'activity' || kind === 'evaluate' || kind === 'child';
}

/** True when the author of the block wants another attempt after this failure of attempt number `attempt`. */
export function mayRetry(
  { retry }: ActivityEffect,
  { attempt, failure, about }: { attempt: number; failure: Failure; about: { retryable?: boolean } },
): boolean {
  if (attempt >= retry.maxAttempts) return false;
  if (retry.retryOn && retry.retryOn.length > 0) return retry.retryOn.includes(failure.code);
  return about.retryable ?? true;
}
