import type { Json } from './json.ts';
import { isHeld, mayLoseDigits } from './number-text.ts';

/** A number beyond 1.7e308, or one so small that it would become zero. No part of a workflow can hold it. */
export class UnholdableNumber extends Error {}

const number = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/**
 * Parses JSON of others. A whole number that would lose digits becomes its text. Throws `UnholdableNumber` for a number
 * that would become infinite or zero.
 */
export function parseKeepingDigits(text: string): Json {
  const plain: Json = JSON.parse(text);
  if (!mayLoseDigits(text)) return plain;
  const quoted: Json = JSON.parse(quoteUnheldNumbers(text));
  return quoted;
}

function quoteUnheldNumbers(text: string): string {
  let quoted = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = endOfText(text, at);
    number.lastIndex = at;
    const [found] = number.exec(text) ?? [];
    if (found === undefined) continue;
    if (!isHeld(found)) {
      requireHoldable(found);
      quoted += `${text.slice(done, at)}"${found}"`;
      done = at + found.length;
    }
    at += found.length - 1;
  }
  return quoted + text.slice(done);
}

/** The place of the quote that ends the text which begins there. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function requireHoldable(found: string): void {
  if (Number.isFinite(Number(found)) && Number(found) !== 0) return;
  const shown = found.length > 40 ? `${found.slice(0, 40)}…` : found;
  throw new UnholdableNumber(`It holds the number ${shown}, which is out of range.`);
}
