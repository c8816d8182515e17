import { ExpressionError } from '#libs/definition/expressions';
import type { PlanBlock } from '#libs/definition/plan';

import type { Failure, VisitEntry } from './effects.ts';
import type { OpenVisit } from './state.ts';

/** The log entry of a visit that begins now. */
export function beginEntry(
  { id, name, type }: PlanBlock,
  path: string,
  seq: number,
  nowMs: number,
): VisitEntry {
  return {
    path,
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
export function skippedEntry(block: PlanBlock, path: string, seq: number, nowMs: number): VisitEntry {
  return { ...beginEntry(block, path, seq, nowMs), status: 'skipped', endedAtMs: nowMs, attempts: 0 };
}

/** The failure, with the block that it is of: the innermost, when it comes out of a container. */
export function blame(failure: Failure, block: { id: string; name: string }): Failure {
  return failure.blockId ? failure : { ...failure, blockId: block.id, blockName: block.name };
}

/** What is open only for a person or a moment. */
export function isPatient({ effect: { kind }, resting }: OpenVisit): boolean {
  return kind === 'pause' || kind === 'wait' || resting === true;
}

/** Work that is too much for workflow code, but not for an activity. */
export function isTooCostly(error: unknown): boolean {
  return error instanceof ExpressionError && error.kind === 'cost';
}
