import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = { signature: 0x04034b50, length: 30 };
const ENTRY = { signature: 0x02014b50, length: 46 };

/** Writes a wheel of these files for the tests, and returns its SHA-256. Unix modes are left out, as some builders do. */
export function writeWheel(file: string, files: Record<string, string>): string {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(Buffer.from(text));
    const local = Buffer.concat([header(LOCAL, name, packed, text), Buffer.from(name), packed]);
    const entry = header(ENTRY, name, packed, text);
    entry.writeUInt32LE(at, 42);
    locals.push(local);
    directory.push(entry, Buffer.from(name));
    at += local.length;
  }
  const bytes = Buffer.concat([
    ...locals,
    ...directory,
    end(Object.keys(files).length, Buffer.concat(directory).length, at),
  ]);
  writeFileSync(file, bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Both headers hold the same facts; in the directory they stand two bytes later. */
function header(
  kind: { signature: number; length: number },
  name: string,
  packed: Buffer,
  text: string,
): Buffer {
  const bytes = Buffer.alloc(kind.length);
  const shift = kind === ENTRY ? 2 : 0;
  bytes.writeUInt32LE(kind.signature, 0);
  bytes.writeUInt16LE(8, 8 + shift);
  bytes.writeUInt32LE(crc32(text), 14 + shift);
  bytes.writeUInt32LE(packed.length, 18 + shift);
  bytes.writeUInt32LE(Buffer.byteLength(text), 22 + shift);
  bytes.writeUInt16LE(Buffer.byteLength(name), 26 + shift);
  return bytes;
}

function end(entries: number, size: number, at: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(entries, 8);
  bytes.writeUInt16LE(entries, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(at, 16);
  return bytes;
}
