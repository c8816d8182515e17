import { decodeAs, detectMark, utf8 } from '#libs/platform/text/foreign-text';
import { likelyEncoding } from './likely-encoding.ts';
import { DocumentError } from './parsed-document.ts';

const sampleBytes = 65_536;
/** The maximum number of control characters in a thousand characters of a text. A file with more is not a text. */
const controlsPerMille = 10;
/** The maximum share of faults among the characters beyond ASCII of a text that is declared as UTF-8. With more, the label is wrong. */
const faultShareMax = 0.1;

/** Encodings in which a character may have two bytes. A short text in one of them may be valid UTF-8 by chance. */
const wideLabel = /jis|kanji|932|gb|936|big5|950|euc|949|ks_?c|korean|johab|1361|utf|2022|unicode/i;

/**
 * Decodes a file in any known encoding. A byte order mark decides, then the first label that names an encoding, such as the charset of a
 * transport, then UTF-8, then a guess. Bytes that are UTF-8 beyond ASCII outweigh a label of one byte a character, because a text in such
 * an encoding is almost never valid UTF-8. Throws `DocumentError` for bytes that are no text.
 */
export async function decode(bytes: Uint8Array, ...labels: (string | undefined)[]): Promise<string> {
  const mark = wideMark(bytes) ?? detectMark(bytes) ?? withoutMark(bytes.subarray(0, sampleBytes));
  const text = mark
    ? ((await textAs(mark, bytes)) ?? '')
    : ((await labelled(bytes, labels)) ?? utf8(bytes) ?? (await guessed(bytes)));
  const sample = text.slice(0, sampleBytes);
  const controls = sample.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  if (controls * 1000 > sample.length * controlsPerMille)
    throw new DocumentError('UNSUPPORTED', 'The file holds no text, and is of no kind that is read.');
  return text;
}

/** The encoding that a text declares itself: an XML declaration, a `meta` of HTML, `@charset` of CSS, or `coding:` of a program. */
export async function declaredLabel(bytes: Uint8Array): Promise<string | undefined> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sampleBytes)).toString(
    'latin1',
  );
  const begin = head.trimStart();
  const xml = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(begin)?.[1];
  if (xml) return xml;
  if (begin.startsWith('<')) return metaLabel(head);
  const [first = '', second = ''] = head.split('\n', 2);
  const coding = [first, second].find((line) => line.trimStart().startsWith('#'));
  return /^@charset "([\w.:-]+)"/.exec(first)?.[1] ?? /coding[:=][ \t]*([\w.-]+)/.exec(coding ?? '')?.[1];
}

async function metaLabel(head: string): Promise<string | undefined> {
  const { Parser } = await import('htmlparser2');
  let label: string | undefined;
  const onopentag = (
    name: string,
    { charset, content = '', 'http-equiv': about = '' }: Record<string, string>,
  ) => {
    if (name !== 'meta') return;
    const declared = /^\s*content-type\s*$/i.test(about) ? content.split(/charset\s*=/i)[1] : undefined;
    label ??=
      charset ??
      declared
        ?.replace(/["']/g, '')
        .trim()
        .split(/[\s;,]/)[0];
  };
  new Parser({ onopentag }).end(head);
  return label;
}

/** The text by the first label that names an encoding; undefined when no label can be right. */
async function labelled(bytes: Uint8Array, labels: (string | undefined)[]): Promise<string | undefined> {
  for (const label of labels.map((one) => one?.trim().toLowerCase())) {
    if (!label || /^(us-?ascii|ascii|ansi_x3|unknown|x-user)/.test(label)) continue;
    const valid = utf8(bytes);
    // A page that can be read so far is not in UTF-16, whatever it declares. Browsers do the same.
    if (/^(utf-?16|utf-?32|ucs|iso-10646)/.test(label) && valid !== undefined) continue;
    const text = await textAs(label, bytes);
    const isUtf8 = valid !== undefined && /[^\0-\x7f]/.test(valid);
    if (isUtf8 && (!wideLabel.test(label) || text?.includes('\uFFFD'))) return valid;
    if (text !== undefined && (!/^utf-?8/.test(label) || isMostly(text))) return text;
  }
  return undefined;
}

function isMostly(text: string): boolean {
  const faults = text.match(/\uFFFD/g)?.length ?? 0;
  return faults <= (text.match(/[^\0-\x7f]/g)?.length ?? 0) * faultShareMax;
}

/** Labels that neither decoder knows, by labels of the same encoding. */
const aliases = new Map([
  ['x-mac-ce', 'maccenteuro'],
  ['x-mac-greek', 'macgreek'],
  ['x-mac-turkish', 'macturkish'],
  ['x-windows-949', 'cp949'],
  ['8859_1', 'latin1'],
  ['eucgb2312_cn', 'gbk'],
]);

/** Decodes by a label of any platform: those of browsers, then the code pages of DOS, Windows and Macintosh. Undefined for an unknown one. */
export async function textAs(label: string, bytes: Uint8Array): Promise<string | undefined> {
  if (/^(hz|(cs)?iso-?2022-?(kr|cn))/.test(label)) return shifted(label, bytes);
  const name = aliases.get(label) ?? label;
  try {
    // Node reads fewer characters of these two than browsers do.
    if (!/big-?5|euc-?kr|^ks|korean|949/.test(name)) return decodeAs(name, bytes);
  } catch {
    // The label is of another platform.
  }
  const { default: iconv } = await import('iconv-lite');
  return iconv.encodingExists(name) ? iconv.decode(Buffer.from(bytes), name) : undefined;
}

/** Decodes a text of seven bits whose signs of two bytes stand between two marks. */
function shifted(label: string, bytes: Uint8Array): string {
  const [open, close] = label.startsWith('hz') ? ['~{', '~}'] : ['\u000e', '\u000f'];
  const encoding = label.endsWith('kr') ? 'euc-kr' : 'gbk';
  const decodeRun = (run: string) =>
    decodeAs(
      encoding,
      Uint8Array.from(run, (sign) => sign.charCodeAt(0) | 0x80),
    );
  // The mark `ESC $ )` with a letter says once which signs follow.
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\u001b$)C', '').replaceAll('\u001b$)A', '');
  const [first = '', ...marked] = text.split(open);
  const rest = marked.map((part) => {
    const [run = '', ...plain] = part.split(close);
    return decodeRun(run) + plain.join(close);
  });
  return first + rest.join('');
}

async function guessed(bytes: Uint8Array): Promise<string> {
  const name = await likelyEncoding(bytes.subarray(0, sampleBytes), bytes.length <= sampleBytes);
  // In windows-1252 every byte is a character.
  return (name && (await textAs(name, bytes))) ?? decodeAs('windows-1252', bytes);
}

/** Decodes a text piece by piece. */
export interface PieceDecoder {
  /** The name of the encoding. */
  name: string;
  /** Throws for bytes that the encoding does not have. */
  decode(bytes: Uint8Array): string;
  end(): string;
}

/** A decoder for the label of any platform; undefined for an unknown label. */
export async function createDecoder(label: string): Promise<PieceDecoder | undefined> {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return {
      name: decoder.encoding,
      decode: (bytes) => decoder.decode(bytes, { stream: true }),
      end: () => decoder.decode(),
    };
  } catch {
    // The label is of another platform.
  }
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(label)) return undefined;
  const decoder = iconv.getDecoder(label);
  return {
    name: label.toLowerCase(),
    decode: (bytes) => decoder.write(Buffer.from(bytes)),
    end: () => decoder.end() ?? '',
  };
}

/** Guesses the encoding of a text that is no UTF-8, for `createDecoder`. Throws `DocumentError` when the text is too short for that. */
export async function guessEncoding(bytes: Uint8Array): Promise<string> {
  const sample = bytes.subarray(0, sampleBytes);
  const name = withoutMark(sample) ?? (await likelyEncoding(sample, bytes.length < sampleBytes));
  return (name && (await createDecoder(name))?.name) ?? 'windows-1252';
}

function wideMark([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le';
  return a === 0 && b === 0 && c === 0xfe && d === 0xff ? 'utf-32be' : undefined;
}

/**
 * Recognises UTF-16 without a byte order mark. A text has NULs in no other encoding. Its order is the one in which it has more of the
 * characters that every script shares: spaces, line ends, digits and Latin letters.
 */
function withoutMark(sample: Uint8Array): string | undefined {
  if (!sample.includes(0)) return undefined;
  let little = 0;
  let big = 0;
  let nuls = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const [first = 0, second = 0] = [sample[at], sample[at + 1]];
    if (first === 0 && second === 0) nuls++;
    else if (second === 0 && isShared(first)) little++;
    else if (first === 0 && isShared(second)) big++;
  }
  const larger = Math.max(little, big);
  if (
    nuls * 1000 > sample.length * controlsPerMille ||
    Math.min(little, big) * 5 > larger ||
    larger * 40 < sample.length
  )
    return undefined;
  const label = little > big ? 'utf-16le' : 'utf-16be';
  const text = decodeAs(label, sample.subarray(0, sample.length - (sample.length % 2)));
  const strange = text.match(/(?!\s)[\p{Cc}\p{Cn}\p{Co}\uFFFD]/gu)?.length ?? 0;
  return strange * 100 <= text.length ? label : undefined;
}

const isShared = (byte: number) =>
  (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
