import { ExpressionError } from '#libs/definition/expressions';
import type { PlanBlock } from '#libs/definition/plan';

import type { Effect, Failure, VisitEntry } from './effects.ts';

/** The log entry of a visit that begins now. */
export function beginEntry({ id, name, type }: PlanBlock, seq: number, nowMs: number): VisitEntry {
  return {
    path: id,
    seq,
    blockId: id,
    name,
    type,
    status: 'running',
    startedAtMs: nowMs,
    endedAtMs: null,
    attempts: 1,
  };
}

/** The log entry of a block that no live way reaches. */
export function skippedEntry(block: PlanBlock, seq: number, nowMs: number): VisitEntry {
  return { ...beginEntry(block, seq, nowMs), status: 'skipped', endedAtMs: nowMs, attempts: 0 };
}

/** The failure, with the block that it is of. */
export function blame(failure: Failure, block: { id: string; name: string }): Failure {
  return { ...failure, blockId: block.id, blockName: block.name };
}

/** What is open only for a person or a moment. */
export function isPatient({ kind }: Effect): boolean {
  return kind === 'pause' || kind === 'wait';
}

/** Work that is too much for workflow code, but not for an activity. */
export function isTooCostly(error: unknown): boolean {
  return error instanceof ExpressionError && error.kind === 'cost';
}
