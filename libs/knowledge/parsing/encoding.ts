import { decodeAs, markOf, utf8 } from '#libs/platform/text/foreign-text';
import { DocumentError } from './parsed-document.ts';

const sampleBytes = 65_536;
/** The maximum number of control characters in a thousand characters of a text. A file with more is not a text. */
const controlsPerMille = 10;

/** Decodes a file in any known encoding. Throws `DocumentError` for bytes that are no text. */
export async function decode(bytes: Uint8Array): Promise<string> {
  const mark = markOf(bytes);
  const text = mark ? decodeAs(mark, bytes) : (plainUtf8(bytes) ?? (await guessed(bytes)));
  const sample = text.slice(0, sampleBytes);
  const controls = sample.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  if (controls * 1000 > sample.length * controlsPerMille)
    throw new DocumentError('UNSUPPORTED', 'The file holds no text, and is of no kind that is read.');
  return text;
}

/** UTF-16 of English is valid UTF-8 too, with a NUL in every second place. */
function plainUtf8(bytes: Uint8Array): string | undefined {
  const text = utf8(bytes);
  return text?.slice(0, sampleBytes).includes('\0') ? undefined : text;
}

async function guessed(bytes: Uint8Array): Promise<string> {
  return decodeAs(await guessEncoding(bytes), bytes);
}

/** Guesses the encoding of bytes that are no UTF-8. Returns a name that the decoder knows. */
export async function guessEncoding(bytes: Uint8Array): Promise<string> {
  const sample = bytes.subarray(0, sampleBytes);
  const name = wide(sample) ?? (await likely(sample)) ?? 'windows-1252';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    // The decoder does not know the guessed encoding. In windows-1252 every byte is a character.
    return 'windows-1252';
  }
}

const latin = /^(?:windows-125[02478]|ISO-8859-(?:[1-4]|9|1[03-6])|ASCII|UTF)/;
/** The confidence by which another Latin encoding must exceed the western ones: a few names say little. */
const moreCertain = 25;

/** Guesses an encoding. Loads the library only here: most files are UTF-8, and loading takes as long as reading a short text. */
async function likely(sample: Uint8Array): Promise<string | undefined> {
  const { default: chardet } = await import('chardet');
  const found = chardet.analyse(sample).filter(({ name }) => canDecode(name, sample));
  if (!isLatin(sample)) return found.find(({ name }) => !latin.test(name))?.name;
  const sure = (name: RegExp) => found.find((one) => name.test(one.name))?.confidence ?? 0;
  const other = found.find(({ name }) => latin.test(name) && !western.test(name));
  return other && other.confidence >= sure(western) + moreCertain ? other.name : undefined;
}

const western = /^(?:windows-1252|ISO-8859-1)$/;

function canDecode(name: string, sample: Uint8Array): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** True when the letters beyond ASCII stand alone, as in words of Latin letters. In other scripts they follow one another. */
function isLatin(sample: Uint8Array): boolean {
  let letters = 0;
  let runs = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte < 0x80) continue;
    letters++;
    if (at === 0 || (sample[at - 1] ?? 0) < 0x80) runs++;
  }
  return letters < 2 * runs;
}

/** Recognises UTF-16 without a byte order mark by the places of its NULs. */
function wide(sample: Uint8Array): string | null {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  const many = sample.length / 5;
  if (odd > many && even < many / 10) return 'utf-16le';
  return even > many && odd < many / 10 ? 'utf-16be' : null;
}
