import { promisify } from 'node:util';
import { constants, inflateRaw, type InflateRaw, type ZlibOptions } from 'node:zlib';

const checkLength = 8;
/** What a deflated text ends with when its writer has only flushed it, and the last block that it then lacks. */
const [flushed, lastBlock] = [Buffer.of(0, 0, 0xff, 0xff), Buffer.of(3, 0)];

/**
 * Decodes a body of gzip or deflate whose reading has ended too early with `error`. Some servers leave out the last block, which is empty,
 * or the check behind it: the content is whole. Returns undefined for a body that lacks more, and for one without the last block whose
 * connection alone said that it ends (`isFramed` is false).
 */
export async function completeDeflated(
  body: Buffer,
  error: unknown,
  { bytesMax, isFramed }: { bytesMax: number; isFramed: boolean },
): Promise<Buffer | undefined> {
  if (Object(error).code !== 'Z_BUF_ERROR') return undefined;
  const raw = body.subarray(contentBegin(body));
  const ended = await inflated(raw, { maxOutputLength: bytesMax });
  if (ended) return ended;
  if (!isFramed || !raw.subarray(-4).equals(flushed)) return undefined;
  const content = await inflated(raw, { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH });
  const completed = await inflated(Buffer.concat([raw, lastBlock]), { maxOutputLength: bytesMax });
  // Within a block the added bytes would be content.
  return completed?.length === content?.length ? completed : undefined;
}

/** The content; undefined when there is no last block, or more bytes behind it than a check has: the beginning of another part. */
async function inflated(raw: Buffer, options: ZlibOptions): Promise<Buffer | undefined> {
  const found: unknown = await promisify(inflateRaw)(raw, { ...options, info: true }).catch(() => undefined);
  if (found === undefined) return undefined;
  const { buffer, engine } = found as { buffer: Buffer; engine: InflateRaw };
  return raw.length - engine.bytesWritten < checkLength ? buffer : undefined;
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
