import type { EntityManager } from 'typeorm';
import type { ActivityEffect, Failure, SentValue } from '#libs/language/engine/effects';
import type { Json } from '#libs/platform/json/json';
import type { AttemptDetails, RunKey } from '#temporal/activities';
import type { Packed } from '../record/pack.ts';

/** How an attempt at an effect commits what it has done. */
export interface EffectCommits {
  /** Ends when the run must stop. */
  signal: AbortSignal;
  /** Commits the output of an effect that was carried out elsewhere. May be called again when the database was away. */
  storeOutput(output: Packed, sent: SentValue | undefined): Promise<void>;
  /** Carries out a write on this database and commits it with its output. Returns the output packed. */
  commitWrite(write: (tx: EntityManager) => Promise<Json>, sent: SentValue | undefined): Promise<Json>;
}

/** Carries out effects in this process. The worker role gives it, because this folder knows no blocks. */
export interface EffectDoor {
  /** True for an effect that keeps this process from its callers for a short time only. */
  carriesOut(effect: ActivityEffect): boolean;
  /** Takes a slot of the workspace. Returns the function that frees it; null when none is free. */
  takeSlot(workspaceId: string, type: ActivityEffect['type']): (() => void) | null;
  /** Like `takeSlot`, and waits for a slot for at most `waitMs`. */
  takeSlotSoon(
    workspaceId: string,
    type: ActivityEffect['type'],
    waitMs: number,
  ): Promise<(() => void) | null>;
  /** Carries out one attempt. Returns null when its output is committed, and its failure otherwise. Rejects with other errors of `commits`. */
  tryEffect(
    run: RunKey,
    effect: ActivityEffect,
    commits: EffectCommits,
  ): Promise<{ failure: Failure; about: AttemptDetails } | null>;
}
