import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';

/** A shorter secret is found only where it stands alone: inside words it would match by chance and tear holes into honest output. */
const lengthMin = 6;
/** A shorter number is too often an honest one. */
const digitsMin = 4;
const mark = '[secret]';

/**
 * The same output or failure with every occurrence of a secret's value taken out: a server that echoes a credential,
 * or an error that quotes a URL, must not carry it into history, logs or answers. A value is also found in base64, hex,
 * a URL and JSON text. What comes out has the shape of what went in, except that a number which is a secret becomes text.
 */
export function withoutSecrets<T>(value: T, secrets: Record<string, string>): T {
  const values = Object.values(secrets).filter((secret) => secret !== '');
  if (values.length === 0) return value;
  const clean = cleaner(values);
  if (value instanceof ApplicationFailure) {
    return ApplicationFailure.create({
      type: value.type ?? undefined,
      message: clean(value.message),
      nonRetryable: value.nonRetryable ?? true,
      nextRetryDelay: value.nextRetryDelay ?? undefined,
      details: cleanJson(value.details ?? [], values, clean),
    }) as T;
  }
  if (value instanceof Error) return value;
  return cleanJson(value, values, clean);
}

/**
 * The result has the type of the value: only text changes, and numbers, which block outputs may hold as any JSON. All texts
 * are cleaned as one: to look for a thousand forms in each of a million texts would hold the worker up for half a minute.
 */
function cleanJson<T>(value: T, secrets: string[], clean: (text: string) => string): T {
  const texts: string[] = [];
  const collect = (text: string) => {
    texts.push(text);
    return text;
  };
  mapTexts(value, secrets, collect);
  // Nobody can guess it, so it stands in no text and in no secret; and no letter touches what it parts.
  const seam = `\0${randomBytes(6).toString('hex')}\0`;
  const whole = texts.join(seam);
  const cleaned = clean(whole);
  if (cleaned === whole && !secrets.some(isNumber)) return value;
  const parts = cleaned.split(seam);
  let next = 0;
  return mapTexts(value, secrets, () => parts[next++] ?? mark) as T;
}

/** Calls `each` for every text and name, in the same order each time. */
function mapTexts(part: unknown, secrets: string[], each: (text: string) => string): unknown {
  if (typeof part === 'string') return each(part);
  if (typeof part === 'number') return isSecretNumber(part, secrets) ? mark : part;
  if (Array.isArray(part)) return part.map((inner) => mapTexts(inner, secrets, each));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [each(name), mapTexts(inner, secrets, each)]),
  );
}

const isNumber = (secret: string): boolean => !Number.isNaN(Number(secret));

function isSecretNumber(value: number, secrets: string[]): boolean {
  const text = String(value);
  return text.length >= digitsMin && secrets.includes(text);
}

/** Takes all forms of the secrets out of a text, the longest first. */
function cleaner(secrets: string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= lengthMin).flatMap(formsOf);
  const short = secrets
    .filter((secret) => secret.length < lengthMin)
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret)]);
  const forms = [...new Set(long)].toSorted((a, b) => b.length - a.length);
  const alone = [...new Set(short)].map((form) => standingAlone(form));
  return (text) => {
    const cleaned = forms.reduce(
      (out, form) => (out.includes(form) ? out.replaceAll(form, mark) : out),
      text,
    );
    return alone.reduce((out, pattern) => out.replace(pattern, mark), cleaned);
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const url = encodeURIComponent(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const hex = bytes.toString('hex');
  return [secret, url, url.replaceAll('%20', '+'), json, hex, hex.toUpperCase(), ...inBase64(bytes)];
}

/** The base64 forms of the bytes at any place in a longer text, as in `user:password`: three bytes are four characters. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((kind) => shifted.toString(kind).slice(from, to));
  });
}

/** Matches a text where no letter or digit touches it. The text is taken literally, so nothing can backtrack. */
function standingAlone(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'gu');
}
