import type { LimitStatus } from '#libs/workspace/limits/limits';
import type { BucketKind } from '#libs/platform/settings/plans';

/** What an answer has beside its body. */
export interface AnswerHead {
  /** Replaces the status that `ApiResult` names. */
  status?: number;
  etag?: string;
  headers?: Record<string, string>;
  /** The limits as they are after the call has taken a token of this bucket. */
  limits?: { status: LimitStatus; bucket: BucketKind };
}

/** An answer of a handler that says more than its body. */
export class HttpAnswer<T = unknown> {
  constructor(
    readonly body: T,
    readonly head: AnswerHead = {},
  ) {}
}

/** Returns the answer with the version of the thing as its ETag. */
export function versioned<T>(body: T, thing: { version: number } | undefined): HttpAnswer<T> {
  return new HttpAnswer(body, { etag: thing && `"${thing.version}"` });
}

/** How often a keyed call has been made, and the id of the thing that it creates. */
export interface KeyedCall {
  id: string;
  /** True when an earlier call may have created it. */
  isRetry: boolean;
  /** The id when the call has a key. No other call can be repeated. */
  repeatableId: string | undefined;
}

/** The work of a handler that `Idempotent` marks. It runs once for each Idempotency-Key, or without a key every time. */
export class KeyedWork<T = unknown> {
  constructor(
    /** The work that the key is for, in the workspace. */
    readonly route: string,
    /** A repetition must have the same body. */
    readonly body: unknown,
    /** Its answer is stored, so it must not contain a secret or a link that opens something. */
    readonly run: (call: KeyedCall) => Promise<HttpAnswer<T>>,
    /** Turns the stored answer into the one for this caller. */
    readonly present?: (stored: T) => unknown,
  ) {}
}
