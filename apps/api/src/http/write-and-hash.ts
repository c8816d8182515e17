import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Writes bytes to a new file as they arrive. Returns their number and digest. */
export async function writeAndHash(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
): Promise<{ size: number; sha256: Buffer }> {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(bytes, counted, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  return { size, sha256: hash.digest() };
}
