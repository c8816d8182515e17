import { isNumberText } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';

/**
 * The words that an import reads as booleans, in upper and lower case. The localised ones are what spreadsheets write for TRUE and FALSE in
 * the languages of their users.
 */
export const booleanWords = {
  true: [
    'true',
    't',
    'yes',
    'y',
    'on',
    '1',
    'wahr',
    'vrai',
    'verdadero',
    'vero',
    'verdadeiro',
    'waar',
    'sant',
    'sand',
    'sann',
    'tosi',
    'prawda',
    'pravda',
    'igaz',
    'doğru',
    'истина',
    'істина',
  ],
  false: [
    'false',
    'f',
    'no',
    'n',
    'off',
    '0',
    'falsch',
    'faux',
    'falso',
    'onwaar',
    'falskt',
    'falsk',
    'usann',
    'epätosi',
    'fałsz',
    'nepravda',
    'hamis',
    'yanliş',
    'ложь',
    'хибність',
  ],
} as const;

/** True for the texts of a new column that can only be booleans: `NO` alone may be a country, and `ON` a province. */
export function areBooleans(texts: readonly string[]): boolean {
  const words = new Set(texts.map((text) => text.trim().toLowerCase()));
  const has = (word: string) => words.has(word);
  const values = new Set([...words].map(parseBoolean));
  if (values.has(undefined) || [...words].some((word) => !/\p{L}{2}/u.test(word))) return false;
  return has('true') || has('false') || (values.size === 2 && has('on') === has('off'));
}

const booleans = new Map<string, boolean>([
  ...booleanWords.true.map((word): [string, boolean] => [word, true]),
  ...booleanWords.false.map((word): [string, boolean] => [word, false]),
]);

/** Reads one of `booleanWords`. */
export function parseBoolean(text: string): boolean | undefined {
  // A Turkish I without a dot has one in other languages.
  return booleans.get(text.toLowerCase().trim().replaceAll('ı', 'i'));
}

/** Numbers with a decimal sign and optional groups of three digits, by the decimal sign. */
const numbers = {
  '.': /^([-+]?)(\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+|\d+)(?:\.(\d+))?([eE][-+]?\d+)?$/,
  ',': /^([-+]?)(\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+|\d+)(?:,(\d+))?([eE][-+]?\d+)?$/,
} as const;
export type Decimal = keyof typeof numbers;

/** A whole number in groups whose sign is no decimal sign anywhere. */
const grouped = /^([-+]?)(\d{1,3}(?:['’ \u00a0\u202f]\d{3})+)$/;

/** Reads a number with a decimal sign as a number of JSON, with all of its digits. A percentage is the fraction, as in a workbook. */
export function parseNumber(text: string, decimal: Decimal | undefined): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.endsWith('%')) return parsePlainNumber(trimmed, decimal);
  const hundredfold = parsePlainNumber(withoutPercent(trimmed), decimal);
  return hundredfold === undefined || /e/i.test(hundredfold) ? undefined : `${hundredfold}e-2`;
}

const withoutPercent = (text: string) => text.replace(/%$/, '').trim();

function parsePlainNumber(trimmed: string, decimal: Decimal | undefined): string | undefined {
  if (decimal !== ',' && isNumberText(trimmed)) return trimmed;
  const form = decimal === undefined ? grouped : numbers[decimal];
  const [, sign = '', whole = '', part, exponent = ''] = form.exec(trimmed) ?? [];
  const read = `${sign === '-' ? '-' : ''}${whole.replaceAll(/\D/g, '')}${part === undefined ? '' : `.${part}`}${exponent}`;
  return isNumberText(read) ? read : undefined;
}

/**
 * True for the texts of a new column that are numbers as they are written. A plus begins a phone number, and `1E5` is a part number: programs write
 * 1e+05 or 1.0E5.
 */
export function areNumbers(texts: readonly string[], decimal: Decimal | undefined): boolean {
  const read = texts.map((text) =>
    /^\s*(?:\+|-?\d+e\d)/i.test(text) ? undefined : parseNumber(text, decimal),
  );
  return !read.includes(undefined) && !areVersions(read.map(String));
}

/** True for short numbers that all have a part behind the point, of which only some end in a zero: `1.9` and `1.10`. */
function areVersions(numbers: readonly string[]): boolean {
  const parts = numbers.map((text) => /^\d+\.(\d{1,2})$/.exec(text)?.[1]);
  if (parts.includes(undefined) || !parts.some((part) => /.0/.test(part ?? ''))) return false;
  return new Set(parts.map((part) => part?.length)).size > 1;
}

/** Numbers that can have only one decimal sign. A single group of three digits, such as 1,234, can have both. */
const evidence = {
  '.': [
    /^[-+]?(?:0|\d{4,})?\.\d+$/,
    /^[-+]?\d+\.(?:\d{1,2}|\d{4,})(?:[eE][-+]?\d+)?$/,
    /^[-+]?\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+\.\d+$/,
    /^[-+]?\d{1,3}(?:,\d{3}){2,}$/,
  ],
  ',': [
    /^[-+]?(?:0|\d{4,})?,\d+$/,
    /^[-+]?\d+,(?:\d{1,2}|\d{4,})(?:[eE][-+]?\d+)?$/,
    /^[-+]?\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+,\d+$/,
    /^[-+]?\d{1,3}(?:\.\d{3}){2,}$/,
  ],
} as const;

/** Finds the decimal signs that some of these numbers must have. */
export function findDecimals(texts: readonly string[]): Decimal[] {
  const isShown = (decimal: Decimal) =>
    texts.some((text) => evidence[decimal].some((pattern) => pattern.test(withoutPercent(text.trim()))));
  return (['.', ','] as const).filter(isShown);
}

/** The forms of dates that are found without being named, beside ISO 8601. A time may follow each. */
const dateFormats = [
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYYMMDD',
];
const isoBegin = /^\d{4}-\d\d-\d\d/;

/** Finds the forms that all dates have. Dates in ISO 8601 need none, and are not among the texts. */
export function detectDateFormats(texts: readonly string[]): string[] {
  return dateFormats.filter((format) => texts.every((text) => isDay(toIso(text, format))));
}

function isDay(text: string | undefined): boolean {
  const [day = ''] = text?.split('T') ?? [];
  const at = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

export function isIsoDate(text: string): boolean {
  return isoBegin.test(text.trim());
}

/** The parts of a form, and how many digits each has. */
const parts = {
  YYYY: [4, 4],
  YY: [2, 2],
  MM: [1, 2],
  DD: [1, 2],
  HH: [1, 2],
  hh: [1, 2],
  mm: [2, 2],
  ss: [2, 2],
  M: [1, 2],
  D: [1, 2],
  H: [1, 2],
  h: [1, 2],
} as const;
const part = /YYYY|YY|MM?|DD?|HH?|hh?|mm|ss|A/y;

/** Throws `Invalid` for a form of dates without a year, a month or a day. */
export function requireDateFormat(format: string): void {
  if (/YY/.test(format) && /M/.test(format) && /D/.test(format)) return;
  throw Invalid.field(
    'dateFormat',
    'must have YYYY or YY, MM and DD, such as DD.MM.YYYY or MM/DD/YYYY hh:mm A',
    'format',
  );
}

/** Reads a date in a form as ISO 8601. A time may follow a form without one. Returns undefined for a text of another form. */
export function toIso(text: string, format: string): string | undefined {
  const trimmed = text.trim();
  const found: Record<string, string> = {};
  let at = 0;
  for (let from = 0; from < format.length;) {
    part.lastIndex = from;
    const [name = format[from] ?? ''] = part.exec(format) ?? [];
    const isPart = part.lastIndex > 0;
    const length = isPart
      ? readPart(trimmed, at, name, found, isPacked(format))
      : Number(trimmed[at] === name);
    if (length === 0) return undefined;
    at += length;
    from += name.length;
  }
  const [, H, m, s, A] =
    /^(?:[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp][Mm]))?)?$/.exec(trimmed.slice(at)) ?? [];
  if (at < trimmed.length && (H === undefined || /[Hh]/.test(format))) return undefined;
  return toIsoDate({ H, m, s, A, ...found });
}

/** True for a form without signs between its parts, where each has its full length. */
const isPacked = (format: string) => /^\w+$/.test(format) && format.includes('MMDD');

/** Reads a part of a date at a place. Returns its length. */
function readPart(
  text: string,
  at: number,
  name: string,
  found: Record<string, string>,
  isFull: boolean,
): number {
  if (name === 'A') {
    const word = text.slice(at, at + 2);
    found['A'] = word;
    return /^[ap]m$/i.test(word) ? 2 : 0;
  }
  const [min, max] = parts[name as keyof typeof parts];
  const digits = /^\d*/.exec(text.slice(at, at + max))?.[0] ?? '';
  if (digits.length < (isFull ? max : min)) return 0;
  found[name.startsWith('YY') ? name : (name[0] ?? '').replace('h', 'H')] = digits;
  return digits.length;
}

function toIsoDate(found: Record<string, string | undefined>): string | undefined {
  const { YYYY, YY, M, D, H, m = '00', s = '00', A } = found;
  const two = (digits = '') => digits.padStart(2, '0');
  // As POSIX reads them: 69 to 99 are in the twentieth century.
  const year = YYYY ?? (Number(YY) < 69 ? `20${YY}` : `19${YY}`);
  const day = `${year}-${two(M)}-${two(D)}`;
  if (H === undefined) return day;
  const isPm = A?.toLowerCase() === 'pm';
  const hour = A === undefined ? Number(H) : (Number(H) % 12) + (isPm ? 12 : 0);
  return `${day}T${two(String(hour))}:${m}:${s}`;
}
