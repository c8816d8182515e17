import { createWriteStream } from 'node:fs';
import { chmod, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

interface Entry {
  name: string;
  mode: number;
  compressed: boolean;
  size: number;
  headerAt: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;

/**
 * Unpacks a wheel (a zip) into a folder, without the entries that start with one of `skip`.
 * Meant for archives whose checksum is already known: it refuses paths that leave the folder, but it is no
 * general reader (no encryption, no zip64, no links).
 */
export async function unpackWheel(file: string, into: string, skip: string[] = []): Promise<void> {
  const handle = await open(file, 'r');
  try {
    for (const entry of await directoryOf(handle)) {
      if (skip.some((prefix) => entry.name.startsWith(prefix))) continue;
      await unpack(handle, entry, into);
    }
  } finally {
    await handle.close();
  }
}

async function directoryOf(handle: FileHandle): Promise<Entry[]> {
  const { size } = await handle.stat();
  const tail = await read(handle, Math.max(0, size - COMMENT_BYTES_MAX - END_OF_DIRECTORY_BYTES), size);
  let end = tail.length - END_OF_DIRECTORY_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error('The archive is not a zip file, or it is cut short.');
  const start = tail.readUInt32LE(end + 16);
  return entriesOf(await read(handle, start, start + tail.readUInt32LE(end + 12)));
}

function entriesOf(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.length;) {
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      mode: directory.readUInt32LE(at + 38) >>> 16,
      compressed: directory.readUInt16LE(at + 10) === DEFLATED,
      size: directory.readUInt32LE(at + 20),
      headerAt: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function unpack(handle: FileHandle, entry: Entry, into: string): Promise<void> {
  const target = join(into, entry.name);
  if (entry.name.startsWith('/') || entry.name.split('/').includes('..')) {
    throw new Error(`The archive holds a path that leaves its folder: ${entry.name}`);
  }
  await openFolder(into, entry.name.endsWith('/') ? target : dirname(target));
  if (entry.name.endsWith('/')) return;

  const header = await read(handle, entry.headerAt, entry.headerAt + LOCAL_HEADER_BYTES);
  const start = entry.headerAt + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  await inflate(await read(handle, start, start + entry.size), entry.compressed, target);
  await chmod(target, isProgram(entry) ? 0o755 : 0o644);
}

async function inflate(bytes: Buffer, compressed: boolean, target: string): Promise<void> {
  const source = [bytes];
  await (compressed
    ? pipeline(source, createInflateRaw(), createWriteStream(target))
    : pipeline(source, createWriteStream(target)));
}

/** Wheels are known to lose the executable bit on the way, so the place decides too. */
function isProgram({ name, mode }: Entry): boolean {
  return (mode & 0o111) !== 0 || name.includes('/bin/') || name.includes('/scripts/');
}

/** The mode is set after the fact because a strict umask would lock out the user that Postgres runs as. */
async function openFolder(root: string, folder: string): Promise<void> {
  if (folder.length <= root.length) return;
  await openFolder(root, dirname(folder));
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}

async function read(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
  if (bytesRead !== buffer.length) throw new Error('The archive is cut short.');
  return buffer;
}
