import { ExpressionError } from '#libs/language/definition/expressions/expressions';
import type { PlanBlock } from '#libs/language/definition/plan';
import type { Json } from '#libs/platform/json/json';
import { cutText } from '#libs/platform/text/whole-text';

import type { Failure, SentValue, VisitEntry } from './effects.ts';
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

/** The log entry of a block that was skipped, because none of its incoming edges was taken. */
export function skippedEntry(block: PlanBlock, path: string, seq: number, nowMs: number): VisitEntry {
  return { ...beginEntry(block, path, seq, nowMs), status: 'skipped', endedAtMs: nowMs, attempts: 0 };
}

/** The failure with its block: the innermost one, when the failure comes out of a container. */
export function blame(failure: Failure, block: { id: string; name: string }): Failure {
  return failure.blockId ? failure : { ...failure, blockId: block.id, blockName: block.name };
}

/** True when only a person or a moment can end the open visit. */
export function isPatient({ effect: { kind }, resting }: OpenVisit): boolean {
  return kind === 'pause' || kind === 'wait' || resting === true;
}

/** True for an error that means that the work is too much for workflow code. An activity can do the work. */
export function isTooCostly(error: unknown): boolean {
  return error instanceof ExpressionError && error.kind === 'cost';
}

/** More of a value is not kept beside a visit. */
const charsMax = 4096;

/** Returns a value as it is kept beside its visit. */
export function toSent(value: Json): SentValue {
  const text = JSON.stringify(value);
  if (text.length <= charsMax) return { value, chars: text.length };
  return { value: cutText(text, charsMax), chars: text.length, isCut: true, bytes: countBytes(text) };
}

/** The length of a text in UTF-8. Workflow code has no `Buffer`. */
function countBytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}
