import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { cutText } from '#libs/platform/text/whole-text';
import { completeDeflated } from './deflated.ts';
import { EgressFailed } from './egress-errors.ts';

/** A body of at most this length, in bytes, needs no leave to be kept in memory. */
const freeBytesMax = 65_536;

export interface BodyBounds {
  /** The content encodings, as the header names them. */
  encoding: string;
  /** The content length, as the header gives it. */
  length?: string | undefined;
  bytesMax: number;
  /** True when the message itself says where the body ends, and not the connection alone. */
  isFramed: boolean;
  /** Told each decoded part, and nothing first: true when the rest of the body is not wanted. */
  isOver?: ((part: Uint8Array) => boolean) | undefined;
  /** Waits until there is memory for so many bytes. */
  enterMemory?: (bytes: number) => Promise<void>;
}

/** The most content encodings of a body. Each costs time, and a chain of thousands was an attack (undici CVE-2026-22036). */
const layersMax = 2;

/**
 * Decodes the body of a response. At the first byte over `bytesMax`, encoded or decoded, it stops reading, closes the connection and
 * throws: 10 MiB of gzip can contain 10 GiB of zeros.
 */
export async function readCapped(body: Readable, bounds: BodyBounds): Promise<Uint8Array> {
  const layers = bounds.encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim());
  const memory = new BodyMemory(bounds, layers.every(isPlain));
  const { isOver = () => false } = bounds;
  // A body that is left before it has begun says so.
  body.on('error', () => {});
  try {
    if (isOver(new Uint8Array())) return new Uint8Array();
    const wire = capped(body, memory);
    const first = await wire.next();
    // Responses to HEAD, 204 and 304 may name an encoding without a body. A decoder would report a broken stream.
    if (first.done) return new Uint8Array();
    const whole = before(first.value, wire);
    const decoders = buildDecoders(layers, first.value);
    if (decoders.length === 0) return await concat(whole, isOver);
    const kept: Buffer[] = [];
    try {
      const source = decoders.length === 1 && !layers.includes('br') ? keeping(kept, whole) : whole;
      return await concat(capped(decoded(source, decoders), memory), isOver);
    } catch (error) {
      const completed = await completeDeflated(Buffer.concat(kept), error, bounds);
      if (completed === undefined) throw error;
      return completed;
    }
  } finally {
    body.destroy();
  }
}

/** The names of compressions and ciphers: those of the registry of HTTP, and those of common programs. */
const packings =
  /^(?:x-)?(?:gzip|deflate|br|zstd|compress|aes128gcm|dcb|dcz|exi|pack200-gzip|zip|bzip2?|bz2|lz4|lzma|xz|snappy)$/;

/** False for a body that must be decoded. Servers name as encodings also what changes no byte: `UTF-8`, `none`, `aws-chunked`. */
const isPlain = (layer: string): boolean => !packings.test(layer);

/** Connects the decoders. An error in one stage destroys all stages, so the reader of the last stage gets it. */
function decoded(source: AsyncIterable<Buffer>, decoders: ReturnType<typeof buildDecoders>): Readable {
  let last = Readable.from(source, { objectMode: false });
  for (const decoder of decoders) last = pipeline(last, decoder, () => {});
  return last;
}

async function* capped(source: AsyncIterable<Buffer>, memory: BodyMemory): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    await memory.require(bytes);
    yield part;
  }
}

async function concat(source: AsyncIterable<Buffer>, isOver: (part: Uint8Array) => boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) {
    parts.push(part);
    if (isOver(part)) break;
  }
  return Buffer.concat(parts);
}

async function* keeping(kept: Buffer[], source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of source) {
    kept.push(part);
    yield part;
  }
}

/** The memory of one body. A large one waits for it once. */
class BodyMemory {
  private entered: Promise<void> | undefined;

  constructor(
    private readonly bounds: BodyBounds,
    private readonly isPlain: boolean,
  ) {}

  async require(bytes: number): Promise<void> {
    const { bytesMax, length, enterMemory } = this.bounds;
    if (bytes > bytesMax)
      throw new EgressFailed('RESPONSE_TOO_LARGE', `The answer is longer than ${bytesMax} bytes.`);
    if (bytes <= freeBytesMax || !enterMemory) return;
    // The length of an encoded body says nothing about its decoded bytes.
    const said = this.isPlain && length !== undefined ? Number(length) : bytesMax;
    await (this.entered ??= enterMemory(Math.min(said || bytesMax, bytesMax)));
  }
}

async function* before(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** The decoders in their order. The header names encodings in the order of encoding, so the last is decoded first. */
function buildDecoders(layers: string[], first: Buffer) {
  const named = layers.filter((layer) => !isPlain(layer)).toReversed();
  if (named.length > layersMax)
    throw new EgressFailed('RESPONSE_INVALID', 'The answer is encoded too many times.');
  return named.map((layer) => {
    if (layer === 'gzip' || layer === 'x-gzip') return createGunzip();
    if (layer === 'br') return createBrotliDecompress();
    // "deflate" means zlib by RFC 9110; a missing zlib header shows a server that sends raw deflate.
    if (layer === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    throw new EgressFailed(
      'RESPONSE_INVALID',
      `The answer has the encoding "${cutText(layer, 32)}", which is not read.`,
    );
  });
}
