import type { Json } from './json.ts';
import { isHeld, mayLoseDigits, replaceNumbers } from './number-text.ts';

/** A number beyond 1.7e308, or one so small that it would become zero. No part of a workflow can hold it. */
export class UnholdableNumber extends Error {}

/**
 * Parses JSON of others. A whole number that would lose digits becomes its text. Throws `UnholdableNumber` for a number
 * that would become infinite or zero.
 */
export function parseKeepingDigits(text: string): Json {
  const plain: Json = JSON.parse(text);
  if (!mayLoseDigits(text)) return plain;
  const quoted = replaceNumbers(text, (number) => {
    if (isHeld(number)) return undefined;
    requireHoldable(number);
    return `"${number}"`;
  });
  return quoted === text ? plain : (JSON.parse(quoted) as Json);
}

function requireHoldable(found: string): void {
  if (Number.isFinite(Number(found)) && Number(found) !== 0) return;
  const shown = found.length > 40 ? `${found.slice(0, 40)}…` : found;
  throw new UnholdableNumber(`It holds the number ${shown}, which is out of range.`);
}
