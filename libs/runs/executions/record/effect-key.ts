import type { ActivityEffect } from '#libs/language/engine/effects';
import type { RunKey } from '#temporal/activities';

/** The key of a call for its receiver: the same in all attempts, and another one after a person has retried the visit. */
export function buildEffectKey(
  { executionId }: Pick<RunKey, 'executionId'>,
  { visit, round }: Pick<ActivityEffect, 'visit' | 'round'>,
): string {
  return `${executionId}/${visit.path}${round === undefined ? '' : `/retry-${round}`}`;
}
