import { DocumentError } from './parsed-document.ts';

const sampleBytes = 65_536;
/** The maximum number of control characters in a thousand characters of a text. A file with more is not a text. */
const controlsPerMille = 10;

/** Decodes a file in any known encoding. Throws `DocumentError` for bytes that are no text. */
export async function decode(bytes: Uint8Array): Promise<string> {
  const text = byMark(bytes) ?? utf8(bytes) ?? (await guessed(bytes));
  const sample = text.slice(0, sampleBytes);
  const controls = sample.match(/(?!\s)\p{Cc}/gu)?.length ?? 0;
  if (controls * 1000 > sample.length * controlsPerMille)
    throw new DocumentError('UNSUPPORTED', 'The file holds no text, and is of no kind that is read.');
  return text;
}

function byMark(bytes: Uint8Array): string | null {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8').decode(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return null;
}

function utf8(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 of English is valid UTF-8 too, with a NUL in every second place.
    return text.slice(0, sampleBytes).includes('\0') ? null : text;
  } catch {
    return null;
  }
}

async function guessed(bytes: Uint8Array): Promise<string> {
  const sample = bytes.subarray(0, sampleBytes);
  const name = wide(sample) ?? (await likely(sample)) ?? 'windows-1252';
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    // The decoder does not know the guessed encoding. In windows-1252 every byte is a character.
    return new TextDecoder('windows-1252').decode(bytes);
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
