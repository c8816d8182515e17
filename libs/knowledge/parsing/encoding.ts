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
  const sample = bytes.subarray(0, sampleBytes);
  const name = wide(sample) ?? (await likely(sample)) ?? 'windows-1252';
  try {
    return decodeAs(name, bytes);
  } catch {
    // The decoder does not know the guessed encoding. In windows-1252 every byte is a character.
    return decodeAs('windows-1252', bytes);
  }
}

/** Guesses an encoding. Loads the library only here: most files are UTF-8, and loading takes as long as reading a short text. */
async function likely(sample: Uint8Array): Promise<string | null> {
  const { default: chardet } = await import('chardet');
  return chardet.detect(sample);
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
