import { isObject, type Json } from './json.ts';

/** Stands for an unread text while JSON is written; made when it is first needed. Nobody outside this process can know it. */
let mark: string | undefined;

/** The unread texts that `writeAround` has met, in their order; undefined while it does not write. */
let met: string[] | undefined;

/** A value as JSON text, which goes to a caller without being parsed. A large one would keep the main thread for long. */
class UnreadJson {
  constructor(readonly text: string) {}

  /** Gives the mark to `writeAround`. Any other writer gets the value itself, which is slow and right. */
  toJSON(): unknown {
    if (!met) return JSON.parse(this.text);
    met.push(this.text);
    return toMark();
  }
}

/** Makes a value of JSON text. Only the functions of this file look into it; whoever needs its members calls `readWhole`. */
export function unread(text: string): Json {
  return new UnreadJson(text) as unknown as Json;
}

/** The value with its unread texts parsed. */
export function readWhole(value: Json): Json {
  if (value instanceof UnreadJson) return JSON.parse(value.text) as Json;
  if (Array.isArray(value)) return value.map(readWhole);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readWhole(one)]));
}

/** The value with an unread text parsed when the value is that text and stands for a string. */
export function readString(value: Json): Json {
  return value instanceof UnreadJson && value.text.startsWith('"') ? readWhole(value) : value;
}

/** Writes JSON. Unread texts go into it as they are. */
export function writeJson(value: unknown): string {
  return writeAround(() => JSON.stringify(value));
}

/**
 * Writes JSON with `write`, which meets a mark for each unread text, and puts the texts in its place. Adds to `places` where each begins and
 * ends, in UTF-16 units, for `readAround`.
 */
export function writeAround(write: () => string, places: number[] = []): string {
  const [text, texts] = writeMarked(write);
  if (texts.length === 0) return text;
  const parts: string[] = [];
  let length = 0;
  for (const [n, part] of text.split(JSON.stringify(mark)).entries()) {
    const own = texts[n] ?? '';
    parts.push(part, own);
    length += part.length + own.length;
    if (n < texts.length) places.push(length - own.length, length);
  }
  return parts.join('');
}

/** Reads JSON that `writeAround` has written. What stands at these places stays unread. */
export function readAround(text: string, places: number[]): Json {
  const [parts, texts]: [string[], string[]] = [[], []];
  let end = 0;
  for (let n = 0; n < places.length; n += 2) {
    const begin = places[n] ?? 0;
    parts.push(text.slice(end, begin));
    end = places[n + 1] ?? begin;
    texts.push(text.slice(begin, end));
  }
  return readMarked([...parts, text.slice(end)].join(JSON.stringify(toMark())), texts);
}

/** Copies a value as JSON would. Its unread texts stay unread. */
export function copyJson(value: unknown): Json {
  const [text, texts] = writeMarked(() => JSON.stringify(value));
  return readMarked(text, texts);
}

/** Reads JSON with a mark for each of the texts. */
function readMarked(text: string, texts: string[]): Json {
  if (texts.length === 0) return JSON.parse(text) as Json;
  const left = texts.values();
  return JSON.parse(text, (_, one: Json) =>
    one === mark ? unread(left.next().value ?? 'null') : one,
  ) as Json;
}

function toMark(): string {
  // Code of workflows, whose types know no `crypto`, writes no unread text and never comes here.
  const { crypto } = globalThis as unknown as { crypto: { randomUUID(): string } };
  return (mark ??= `unread ${crypto.randomUUID()}`);
}

function writeMarked(write: () => string): [text: string, texts: string[]] {
  const outer = met;
  const texts: string[] = [];
  met = texts;
  try {
    return [write(), texts];
  } finally {
    met = outer;
  }
}
