const dayMs = 86_400_000;

/** Languages by the numbers of Windows, in hexadecimal digits without the country. */
const languages: Record<string, string> = {
  ...{
    '01': 'ar',
    '02': 'bg',
    '03': 'ca',
    '04': 'zh',
    '05': 'cs',
    '06': 'da',
    '07': 'de',
    '08': 'el',
    '0a': 'es',
    '0b': 'fi',
  },
  ...{
    '0c': 'fr',
    '0d': 'he',
    '0e': 'hu',
    '0f': 'is',
    '10': 'it',
    '11': 'ja',
    '12': 'ko',
    '13': 'nl',
    '14': 'nb',
    '15': 'pl',
  },
  ...{
    '16': 'pt',
    '18': 'ro',
    '19': 'ru',
    '1a': 'hr',
    '1b': 'sk',
    '1d': 'sv',
    '1e': 'th',
    '1f': 'tr',
    '21': 'id',
    '22': 'uk',
  },
  ...{ '24': 'sl', '25': 'et', '26': 'lv', '27': 'lt', '29': 'fa', '2a': 'vi', '2d': 'eu', '56': 'gl' },
};

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
  const [section = ''] = format.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;])*/) ?? [];
  const tokens = tokensOf(section);
  const kinds = tokens.map(({ kind }) => kind);
  const hasFractions = kinds.includes('.');
  const steps = hasFractions ? 1000 : 1;
  const at = new Date(
    Math.round((serial + dayOf(serial, isFrom1904)) * 86_400 * steps) * (1000 / steps) +
      Date.UTC(1899, 11, 30),
  );
  if (Number.isNaN(at.getTime())) return String(serial);
  const iso = at.toISOString();
  const isDate = kinds.some((kind) => /[yd]|mon/.test(kind));
  if (local.test(section) || kinds.some((kind) => /[gb]/.test(kind))) {
    const time = iso.slice(11, 19);
    if (!isDate || /\[\$-f400\]/i.test(section)) return time;
    return kinds.includes('h') ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10);
  }
  const language = languageOf(section);
  const isHalf = kinds.includes('ap');
  const two = (value: number, text: string) => String(value).padStart(Math.min(text.length, 2), '0');
  const named = (part: 'month' | 'weekday', length: number) => {
    const options = {
      timeZone: 'UTC',
      [part]: length === 3 ? 'short' : 'long',
      ...(part === 'month' && kinds.includes('d') && { day: 'numeric' as const }),
    };
    return (
      new Intl.DateTimeFormat(language, options).formatToParts(at).find(({ type }) => type === part)?.value ??
      ''
    );
  };
  const elapsed = (unit: number, text: string) =>
    String(Math.floor(Math.round(serial * 86_400) / unit)).padStart(text.length, '0');
  const seconds = Math.round(serial * 86_400);
  return tokens
    .map(({ kind, text }) => {
      if (kind === 'y' || kind === 'e') return iso.slice(0, 4);
      if (kind === 'mon')
        return text.length > 2 ? named('month', text.length) : two(at.getUTCMonth() + 1, text);
      if (kind === 'd') return text.length > 2 ? named('weekday', text.length) : two(at.getUTCDate(), text);
      if (kind === 'h') return two(isHalf ? at.getUTCHours() % 12 || 12 : at.getUTCHours(), text);
      if (kind === 'min') return two(at.getUTCMinutes(), text);
      if (kind === 's') return two(at.getUTCSeconds(), text);
      if (kind === '.')
        return `.${iso
          .slice(20, 23)
          .padEnd(text.length - 1, '0')
          .slice(0, text.length - 1)}`;
      if (kind === 'ap') return at.getUTCHours() < 12 ? 'AM' : 'PM';
      if (kind === '[h]') return elapsed(3600, text);
      if (kind === '[m]') return elapsed(60, text);
      if (kind === '[s]') return String(seconds).padStart(text.length, '0');
      return text;
    })
    .join('')
    .trim();
}

/** The days to add to a serial number, for a count from 1899-12-30. Excel counts a day too many before March 1900. */
function dayOf(serial: number, isFrom1904: boolean): number {
  if (isFrom1904) return 1462;
  return serial >= 1 && serial < 60 ? 1 : 0;
}

interface Token {
  kind: string;
  text: string;
}

/** The parts of a format. `m` is a minute after an hour and before a second, else a month. */
function tokensOf(section: string): Token[] {
  const tokens: Token[] = [];
  const part =
    /"([^"]*)"|\\(.)|[_*].|\[(h+|m+|s+)\]|\[[^\]]*\]|(AM\/PM|A\/P)|(y+|m+|d+|h+|s+|e+|g+|b+)|(\.0+)|@|([^])/gi;
  for (const [, quoted, escaped, elapsed, half, letters, fraction, other] of section.matchAll(part)) {
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
function languageOf(section: string): string {
  const code = /\[\$[^\]-]*-([\w-]+)[^\]]*\]/.exec(section)?.[1] ?? '';
  if (/^[a-z]{2,3}(-|$)/.test(code)) return code.split('-')[0] ?? 'en';
  // The last three digits are of the language and its country. A higher digit is of the script of numbers.
  const number = Number.parseInt(code, 16);
  return languages[(number & 0x3ff).toString(16).padStart(2, '0')] ?? 'en';
}
