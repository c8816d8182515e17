import { createCipheriv, createDecipheriv, createHmac, hkdfSync, scrypt, timingSafeEqual } from 'node:crypto';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { CannotStart } from '#libs/platform/settings/cannot-start';

/** The parameters with which a passphrase becomes a key. They stand in the manifest, so later releases may choose others. */
export interface Stretching {
  N: number;
  r: number;
  p: number;
  salt: string;
}

const chunkBytes = 1024 * 1024;
const tagBytes = 16;

/** The root key of a backup. It takes 128 MiB of memory and some tenths of a second, which is what makes guesses dear. */
export async function toRootKey(passphrase: string, { N, r, p, salt }: Stretching): Promise<Buffer> {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
  return derive(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, { N, r, p, maxmem: 2 ** 28 });
}

/** Proves that a text is from who knew the passphrase. */
export const toMac = (root: Buffer, text: string): string =>
  createHmac('sha256', toKey(root, 'manifest')).update(text).digest('base64');

export const isMac = (root: Buffer, text: string, mac: string): boolean => {
  const [ours, theirs] = [Buffer.from(toMac(root, text)), Buffer.from(mac)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
};

/** Each file has a key of its own, so a number of a chunk is used once with a key. */
const toKey = (root: Buffer, file: string) =>
  Buffer.from(hkdfSync('sha256', root, 'holdfast backup', file, 32));

/** The number of the chunk and whether it is the last one, so that no chunk can be moved or left out at the end. */
function toNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 0, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** Encrypts a stream with AES-256-GCM, a chunk of 1 MiB at a time, each followed by its tag. */
export function sealing(root: Buffer, file: string): Transform {
  const key = toKey(root, file);
  return inChunks(chunkBytes, (chunk, index, isLast) => {
    const cipher = createCipheriv('aes-256-gcm', key, toNonce(index, isLast));
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  });
}

/** Decrypts what `sealing` has made. Fails for a changed, shortened or foreign file. */
export function opening(root: Buffer, file: string): Transform {
  const key = toKey(root, file);
  return inChunks(chunkBytes + tagBytes, (chunk, index, isLast) => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, toNonce(index, isLast), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(chunk.subarray(-tagBytes));
      return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      throw new CannotStart(`${file} of the backup is damaged or cut off: use another copy of this backup.`);
    }
  });
}

function inChunks(size: number, work: (chunk: Buffer, index: number, isLast: boolean) => Buffer): Transform {
  let waiting: Buffer[] = [];
  let length = 0;
  let index = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      waiting.push(chunk);
      length += chunk.length;
      if (length <= size) return done();
      try {
        let all = Buffer.concat(waiting);
        // The last chunk is known only at the end, so one is always kept.
        for (; all.length > size; all = all.subarray(size))
          this.push(work(all.subarray(0, size), index++, false));
        [waiting, length] = [[all], all.length];
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        this.push(work(Buffer.concat(waiting), index, true));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
