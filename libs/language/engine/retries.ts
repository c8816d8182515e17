import type { ActivityEffect, Failure } from './effects.ts';

/** True when the author of the block wants another attempt after this failure of attempt number `attempt`. */
export function mayRetry(
  { retry }: ActivityEffect,
  { attempt, failure, about }: { attempt: number; failure: Failure; about: { retryable?: boolean } },
): boolean {
  if (attempt >= retry.maxAttempts) return false;
  if (retry.retryOn && retry.retryOn.length > 0) return retry.retryOn.includes(failure.code);
  return about.retryable ?? true;
}
