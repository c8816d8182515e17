import { isNumber, isSafeNumber } from 'lossless-json';

import { writeAround } from './unread-json.ts';
import { isHeld, mayLoseDigits, replaceNumbers } from './number-text.ts';

/** JSON in which no number has lost a digit. */
export type ExactValue = string | number | boolean | null | ExactNumber | ExactValue[] | ExactObject;
export interface ExactObject {
  [key: string]: ExactValue;
}

/** A JSON number that a JavaScript number cannot represent exactly. */
export class ExactNumber {
  constructor(readonly text: string) {}

  /** A text that `exactJson` turns into a number. It begins with NUL, which no text of a caller or a row can contain. */
  toJSON(): string {
    return `\0${this.text}`;
  }
}

/**
 * Parses JSON and keeps all digits of every number. The text must be well-formed; of two equal names in an object the last one counts.
 * Give `plain`, the value of `JSON.parse`, where it is there already.
 */
export function exactParse(text: string, plain?: ExactValue): ExactValue {
  if (!mayLoseDigits(text)) return plain ?? (JSON.parse(text) as ExactValue);
  const tagged = replaceNumbers(text, (number) => (isSafeNumber(number) ? undefined : `"${tag}${number}"`));
  if (tagged === text) return plain ?? (JSON.parse(text) as ExactValue);
  return untag(JSON.parse(tagged) as ExactValue);
}

/** Begins a text that stands for a number: `ExactNumber.toJSON` writes it, and no text of a caller or a row contains NUL. */
const tag = String.raw`\u0000`;

/** Replaces the tagged texts in a value by their numbers. */
function untag(value: ExactValue): ExactValue {
  if (typeof value === 'string') return value.startsWith('\0') ? new ExactNumber(value.slice(1)) : value;
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = untag(value[i] ?? null);
  else if (isExactObject(value)) for (const name in value) value[name] = untag(value[name] ?? null);
  return value;
}

/** The value of a JSON number. */
export function exactNumber(text: string): number | ExactNumber {
  return isSafeNumber(text) ? Number(text) : new ExactNumber(text);
}

/** Yields the paths of the numbers that a workflow would not hold as they were sent, with their texts. */
export function* unheldNumbers(
  value: ExactValue,
  path: (string | number)[] = [],
): Iterable<[(string | number)[], string]> {
  if (value instanceof ExactNumber) {
    if (!isHeld(value.text)) yield [[...path], value.text];
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [name, one] of Object.entries(value)) {
      path.push(isList ? Number(name) : name);
      if (typeof one === 'object') yield* unheldNumbers(one, path);
      path.pop();
    }
  }
}

/** True when a text is a number of JSON, and nothing else. */
export function isNumberText(text: string): boolean {
  return isNumber(text);
}

const marked = /"\\u0000(-?[\d.]+(?:[eE][-+]?\d+)?)"/g;

/** Writes JSON with the digits that `exactParse` has kept. */
export function exactJson(value: unknown): string {
  return writeAround(() => {
    const text = JSON.stringify(value);
    return text.includes(String.raw`"\u0000`) ? text.replaceAll(marked, '$1') : text;
  });
}

/** True for an object of JSON: no list, no number, not null. */
export function isExactObject(value: unknown): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
