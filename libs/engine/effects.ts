import type { EffectType } from '#libs/definition/blocks/registry';
import type { FormField } from '#libs/definition/forms';
import type { Json, JsonObject } from '#libs/definition/values';
import type { Asking } from './asking.ts';

// The form's shape belongs to the language; it is named here too because the pause carries it.
export type { FieldType, FormField } from '#libs/definition/forms';

/** The names that a block's expressions read, with their values; members may be `Ref`s. */
export type Scope = Record<string, Json>;

/** One pass of the run through one block. `path` is unique in the run and stable over replays. */
export interface Visit {
  path: string;
  blockId: string;
}

/** Something that only the outside can do. The run goes on when it is settled, failed, resumed or expired. */
export type Effect = EvaluateEffect | ActivityEffect | PauseEffect | WaitEffect | ChildEffect;

/**
 * A pure block reads a stored value: its parameters are to be rendered outside, then `evaluated` is called. A container
 * asks in the same way about its passes; the path of such a query ends in `#` and what is asked.
 */
export interface EvaluateEffect {
  kind: 'evaluate';
  visit: Visit;
  type: string;
  params: JsonObject;
  scope: Scope;
}

/** An effect block. Its parameters are still templates: the activity renders them, stored values and secrets included. */
export interface ActivityEffect {
  kind: 'activity';
  visit: Visit;
  type: EffectType;
  name: string;
  params: JsonObject;
  scope: Scope;
  /** Of one attempt, in milliseconds. */
  timeoutMs: number;
  retry: { maxAttempts: number; initialDelayMs: number; backoff: number; retryOn?: string[] };
}

export interface PauseScopes {
  parallelScope?: { parallelId: string; branchIndex: number; branchTotal: number };
  loopScope?: { loopId: string; iteration: number };
}

/** A person is asked. Settled by `resume` with the same path's context, or by `expire`. */
export interface PauseEffect {
  kind: 'pause';
  visit: Visit;
  name: string;
  title: string;
  message: string;
  fields: { label: string; value: Json; format?: string }[];
  form: FormField[];
  metadata?: JsonObject;
  /** Absent when the pause is open to whoever may execute, and nobody is told of it. */
  asking?: Asking;
  /** The innermost pass of a loop and branch of a parallel in which it stands. */
  scopes: PauseScopes;
  /** Milliseconds since the epoch, or null when the pause waits for ever. */
  expiresAtMs: number | null;
}

/** Another workflow is run, as an execution of its own. Settled with its output. */
export interface ChildEffect {
  kind: 'child';
  visit: Visit;
  name: string;
  workflowId: string;
  /** Members may be stored values. */
  inputs: JsonObject;
}

export interface WaitEffect {
  kind: 'wait';
  visit: Visit;
  name: string;
  /** Milliseconds since the epoch. */
  untilMs: number;
}

/** Why a block or a run failed: a stable upper-case code, a sentence, and the block when one is to blame. */
export interface Failure {
  code: string;
  message: string;
  blockId?: string;
  blockName?: string;
  details?: Json;
}

/** One line of the block log. Times are milliseconds since the epoch. */
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
  /** The port that was taken, when it was not `out`. */
  port?: string;
}

export type Outcome =
  | {
      status: 'completed';
      output: Json;
      response?: { status: number; headers: Record<string, string>; raw: boolean };
    }
  | { status: 'failed'; output: Json; failure: Failure }
  | { status: 'cancelled'; output: Json; failure: Failure };
