import { promisify } from 'node:util';
import { inflateRaw, type InflateRaw } from 'node:zlib';

const checkLength = 8;
/** What a deflated text ends with when its writer has only flushed it, and the last block that it then lacks. */
const [flushed, lastBlock] = [Buffer.of(0, 0, 0xff, 0xff), Buffer.of(3, 0)];

/**
 * Decodes a body of gzip or deflate whose reading has ended too early with `error`. Some servers leave out the last block, which is empty,
 * or the check behind it: the content is whole. Returns undefined for a body that lacks more.
 */
export async function completeDeflated(
  body: Buffer,
  error: unknown,
  bytesMax: number,
): Promise<Buffer | undefined> {
  if (Object(error).code !== 'Z_BUF_ERROR') return undefined;
  const raw = body.subarray(contentBegin(body));
  const whole = raw.subarray(-4).equals(flushed) ? Buffer.concat([raw, lastBlock]) : raw;
  const inflated: unknown = await promisify(inflateRaw)(whole, {
    maxOutputLength: bytesMax,
    info: true,
  }).catch(() => undefined);
  if (inflated === undefined) return undefined;
  const { buffer, engine } = inflated as { buffer: Buffer; engine: InflateRaw };
  // More bytes are the beginning of another part.
  return whole.length - engine.bytesWritten < checkLength ? buffer : undefined;
}

/** The place behind the header of gzip (RFC 1952) or zlib (RFC 1950); 0 when there is none. */
function contentBegin(body: Buffer): number {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return ((body[0] ?? 0) & 0x0f) === 8 ? 2 : 0;
  const flags = body[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (body[at] ?? 0) + (body[at + 1] ?? 0) * 256;
  // The name of the file, and a comment.
  for (const flag of [8, 16]) if (flags & flag) at = body.indexOf(0, at) + 1;
  return flags & 2 ? at + 2 : at;
}
