import { randomBytes } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';

/** A shorter secret is matched only as a whole word. Within words it would match by chance and damage honest output. */
const lengthMin = 6;
/** A shorter number is too often an honest value. */
const digitsMin = 4;
const mark = '[secret]';
/** What stands behind a text that was cut. */
const cutMark = '…';
/** A shorter beginning of a secret tells little, and may be there by chance. */
const begunMin = 8;
/** No excerpt in a failure is longer. */
const cutMax = 2000;

/**
 * Removes every occurrence of a secret's value from an output or failure. A server may echo a credential, and an error
 * may quote a URL; neither may reach history, logs or answers. A value is also found in capitals or small letters,
 * in base64, hex, a URL, JSON and XML text. A part of it is not. The result has the shape of the input, except that a number which is a secret becomes text.
 */
export function withoutSecrets<T>(value: T, secrets: Record<string, string>): T {
  const values = Object.values(secrets).filter((secret) => secret !== '');
  if (values.length === 0) return value;
  const clean = cleaner(values);
  if (value instanceof ApplicationFailure) {
    const whole = (text: string) => clean.withoutBegun(text);
    return ApplicationFailure.create({
      type: value.type ?? undefined,
      message: whole(clean.text(value.message)),
      nonRetryable: value.nonRetryable ?? true,
      nextRetryDelay: value.nextRetryDelay ?? undefined,
      details: mapTexts(cleanJson(value.details ?? [], values, clean.text), [], whole) as unknown[],
    }) as T;
  }
  if (value instanceof Error) return value;
  return cleanJson(value, values, clean.text);
}

/**
 * The result has the type of the value: only text changes, and numbers, which block outputs may hold as any JSON. All
 * texts are cleaned as one text, because a search for a thousand forms in a million texts would take half a minute.
 */
function cleanJson<T>(value: T, secrets: string[], clean: (text: string) => string): T {
  const texts: string[] = [];
  const collect = (text: string) => {
    texts.push(text);
    return text;
  };
  mapTexts(value, secrets, collect);
  // The seam is random, so no text and no secret contains it. Its ends are no letters, so it separates words.
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

interface Cleaner {
  /** Removes all forms of the secrets from a text, the longest form first. */
  text(text: string): string;
  /** Removes the beginning of a secret from the end of a text that was cut. */
  withoutBegun(text: string): string;
}

function cleaner(secrets: string[]): Cleaner {
  const long = secrets.filter((secret) => secret.length >= lengthMin).flatMap(formsOf);
  const short = secrets
    .filter((secret) => secret.length < lengthMin)
    .flatMap((secret) => [secret, Buffer.from(secret).toString('base64'), ...inUrls(secret)]);
  const forms = [...new Set(long)].toSorted((a, b) => b.length - a.length);
  const alone = [...new Set(short)].map((form) => standingAlone(form));
  return {
    text(text) {
      const cleaned = forms.reduce(
        (out, form) => (out.includes(form) ? out.replaceAll(form, mark) : out),
        text,
      );
      return alone.reduce((out, pattern) => out.replace(pattern, mark), cleaned);
    },
    withoutBegun(text) {
      if (!text.endsWith(cutMark)) return text;
      const kept = text.slice(0, -cutMark.length);
      const begins = forms.map((form) => findBegin(form, kept)).filter((at) => at !== -1);
      return begins.length === 0 ? text : kept.slice(0, Math.min(...begins)) + mark + cutMark;
    },
  };
}

/** Returns where the longest beginning of the form stands that ends with the text; -1 for none. */
function findBegin(form: string, text: string): number {
  const head = form.slice(0, begunMin);
  const least = Math.max(0, text.length - Math.min(form.length, cutMax));
  for (let at = text.indexOf(head, least); at !== -1; at = text.indexOf(head, at + 1))
    if (form.startsWith(text.slice(at))) return at;
  return -1;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  return [
    secret,
    // An expression, or a server, may have changed its case.
    secret.toUpperCase(),
    secret.toLowerCase(),
    ...inUrls(secret),
    ...inJson(secret),
    ...inXml(secret),
    hex,
    hex.toUpperCase(),
    ...inBase64(bytes),
  ];
}

/** The forms in JSON text. PHP escapes each slash, Python each character beyond ASCII, Go signs of HTML, and .NET both with more signs. */
function inJson(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const escaped = (signs: RegExp) => json.replaceAll(signs, escapeUnit);
  const ascii = escaped(/[^\0-\x7f]/g);
  const net = secret.replaceAll(/[^\0-\x7f]|["'&+<>`]/g, (unit) =>
    escapeUnit(unit).toUpperCase().replace('U', 'u'),
  );
  return [
    ...[json, ascii].flatMap((form) => [form, form.replaceAll('/', String.raw`\/`)]),
    escaped(/[&<>]/g),
    net,
  ];
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The forms in XML and HTML: as a text, and as an attribute by the names or the numbers of the quotes. */
function inXml(secret: string): string[] {
  const text = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes: [double: string, single: string][] = [
    ['"', "'"],
    ['&quot;', "'"],
    ['&quot;', '&apos;'],
    ['&quot;', '&#39;'],
    ['&#34;', '&#39;'],
  ];
  return quotes.map(([double, single]) => text.replaceAll('"', double).replaceAll("'", single));
}

/** The forms in a query and in a form. A form has `+` for a blank, and codes for more characters. */
function inUrls(secret: string): string[] {
  const url = encodeURIComponent(secret);
  return [url, url.replaceAll('%20', '+'), new URLSearchParams([['', secret]]).toString().slice(1)];
}

/**
 * The base64 forms of the bytes at any place in a longer text, such as `user:password`. Three bytes give four
 * characters.
 */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((kind) => shifted.toString(kind).slice(from, to));
  });
}

/** Matches a text that no letter or digit touches. The text is literal, so the pattern cannot backtrack. */
function standingAlone(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])`, 'gu');
}
