/** Languages by the numbers of Windows, in hexadecimal digits without the country. */
const languages = new Map(
  `01:ar 02:bg 03:ca 04:zh 05:cs 06:da 07:de 08:el 0a:es 0b:fi 0c:fr 0d:he 0e:hu 0f:is 10:it 11:ja 12:ko 13:nl 14:nb 15:pl 16:pt
  18:ro 19:ru 1a:hr 1b:sk 1d:sv 1e:th 1f:tr 21:id 22:uk 24:sl 25:et 26:lv 27:lt 29:fa 2a:vi 2d:eu 56:gl`
    .split(/\s+/)
    .map((one) => one.split(':'))
    .map(([number = '', language = '']): [string, string] => [number, language]),
);

/**
 * Formats that every reader sees in the order of the own country: the short date of Excel, with the time or without, and the formats of
 * the system. No file says what its writer saw.
 */
const local = /^m\/d\/yy( h:mm(:ss)?)?$|\[\$-f[48]00\]/i;

/**
 * The date or time of a cell in its format. Years have four digits. A date whose order depends on the reader, and one of an era, is
 * written as `2024-03-07`.
 */
export function dateText(format: string, serial: number, isFrom1904: boolean): string {
  const tokens = parseTokens(format);
  const kinds = new Set(tokens.map(({ kind }) => kind));
  // Without fractions a time is rounded to seconds, because a serial number is seldom exact.
  const steps = kinds.has('.') ? 1000 : 1;
  const days = serial + daysBefore(serial, isFrom1904);
  const at = new Date(Math.round(days * 86_400 * steps) * (1000 / steps) + Date.UTC(1899, 11, 30));
  if (Number.isNaN(at.getTime())) return String(serial);
  if (local.test(format) || kinds.has('g') || kinds.has('b')) return inOrder(at, format, kinds);
  const shown = new ShownDate(at, Math.round(serial * 86_400), parseLanguage(format), kinds);
  return tokens
    .map((token) => shown.formatToken(token))
    .join('')
    .trim();
}

/** True for a format without a date. */
export function isTime(format: string): boolean {
  return (
    !parseTokens(format).some(({ kind }) => /^(y|e|g|b|d|mon)$/.test(kind)) && !/\[\$-f[48]00\]/i.test(format)
  );
}

/** The date as `2024-03-07`, and the time when the format has one. */
function inOrder(at: Date, format: string, kinds: ReadonlySet<string>): string {
  const [day = '', time = ''] = at.toISOString().replace(/\..*/, '').split('T');
  const isOnlyTime = /\[\$-f400\]/i.test(format) || !['y', 'd', 'mon', 'e'].some((kind) => kinds.has(kind));
  if (isOnlyTime) return time;
  return kinds.has('h') ? `${day} ${time}` : day;
}

/** A moment in the parts of a format. */
class ShownDate {
  constructor(
    private readonly at: Date,
    private readonly seconds: number,
    private readonly language: string,
    private readonly kinds: ReadonlySet<string>,
  ) {}

  formatToken({ kind, text }: FormatToken): string {
    const { at, seconds } = this;
    const two = (value: number) => String(value).padStart(Math.min(text.length, 2), '0');
    const hours = this.kinds.has('ap') ? at.getUTCHours() % 12 || 12 : at.getUTCHours();
    const elapsed = (unit: number) => String(Math.floor(seconds / unit)).padStart(text.length, '0');
    const parts: Record<string, () => string> = {
      y: () => String(at.getUTCFullYear()),
      e: () => String(at.getUTCFullYear()),
      mon: () => (text.length > 2 ? this.name('month', text) : two(at.getUTCMonth() + 1)),
      d: () => (text.length > 2 ? this.name('weekday', text) : two(at.getUTCDate())),
      h: () => two(hours),
      min: () => two(at.getUTCMinutes()),
      s: () => two(at.getUTCSeconds()),
      '.': () => (at.getUTCMilliseconds() / 1000).toFixed(text.length - 1).replace(/^\d/, ''),
      ap: () => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
      '[h]': () => elapsed(3600),
      '[m]': () => elapsed(60),
      '[s]': () => elapsed(1),
    };
    return parts[kind]?.() ?? text;
  }

  /** The name of the month or the day of the week. Beside a day some languages have another form of the month. */
  private name(part: 'month' | 'weekday', text: string): string {
    const options: Intl.DateTimeFormatOptions = {
      timeZone: 'UTC',
      [part]: text.length === 3 ? 'short' : 'long',
    };
    if (part === 'month' && this.kinds.has('d')) options.day = 'numeric';
    const parts = new Intl.DateTimeFormat(this.language, options).formatToParts(this.at);
    return parts.find(({ type }) => type === part)?.value ?? '';
  }
}

/** The days to add to a serial number, for a count from 1899-12-30. Excel counts a day too many before March 1900. */
function daysBefore(serial: number, isFrom1904: boolean): number {
  if (isFrom1904) return 1462;
  return serial >= 1 && serial < 60 ? 1 : 0;
}

interface FormatToken {
  kind: string;
  text: string;
}

/** The parts of a format. `m` is a minute after an hour and before a second, else a month. */
function parseTokens(format: string): FormatToken[] {
  const tokens: FormatToken[] = [];
  const part =
    /"([^"]*)"|\\(.)|[_*].|\[(h+|m+|s+)\]|\[[^\]]*\]|(AM\/PM|A\/P)|(y+|m+|d+|h+|s+|e+|g+|b+)|(\.0+)|@|([^])/gi;
  for (const [, quoted, escaped, elapsed, half, letters, fraction, other] of format.matchAll(part)) {
    // The parts after a semicolon are for other numbers and for texts.
    if (other === ';') break;
    const literal = quoted ?? escaped ?? other;
    if (literal !== undefined) tokens.push({ kind: '', text: literal });
    else if (elapsed) tokens.push({ kind: `[${elapsed[0]?.toLowerCase()}]`, text: elapsed });
    else if (half) tokens.push({ kind: 'ap', text: half });
    else if (letters) tokens.push({ kind: letters[0]?.toLowerCase() ?? '', text: letters });
    else if (fraction) tokens.push({ kind: '.', text: fraction });
  }
  const times = tokens.filter(({ kind }) => kind !== '');
  for (const [at, token] of times.entries()) {
    if (token.kind !== 'm') continue;
    const isMinute = /^\[?h/.test(times[at - 1]?.kind ?? '') || /^\[?s/.test(times[at + 1]?.kind ?? '');
    token.kind = isMinute && token.text.length < 3 ? 'min' : 'mon';
  }
  return tokens;
}

/** The language that a format names, as `[$-407]` or `[$-de-DE]`. */
function parseLanguage(format: string): string {
  const code = /\[\$[^\][-]*-([\w-]+)/.exec(format)?.[1] ?? '';
  if (/^[a-z]{2,3}(-|$)/.test(code)) return code.split('-')[0] ?? 'en';
  // The last three digits are of the language and its country. A higher digit is of the script of numbers.
  const number = Number.parseInt(code, 16);
  return languages.get((number & 0x3ff).toString(16).padStart(2, '0')) ?? 'en';
}
