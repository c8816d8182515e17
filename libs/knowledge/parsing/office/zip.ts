import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { decode, declaredLabel } from '../encoding.ts';
import { DocumentError } from '../parsed-document.ts';

const entriesMax = 20_000;
const expandedBytesMax = 400 * 1024 * 1024;
/** The maximum ratio of unpacked to packed bytes. Text usually has a ratio of 10, and seldom of 100. */
const ratioMax = 250;
const ratioCountsFromBytes = 10 * 1024 * 1024;

/**
 * The entries of the zip of an office file. It refuses an archive before a library reads it, when the archive unpacks to more bytes than it
 * declares, or to more than any document needs.
 */
export class Zip {
  private constructor(
    private readonly archive: ZipFile,
    private readonly entries: Map<string, Entry>,
  ) {}

  static async open(path: string): Promise<Zip> {
    const archive = await openPromise(path, { autoClose: false }).catch(unreadable);
    const entries = new Map<string, Entry>();
    try {
      for await (const entry of archive.eachEntry()) {
        if (entry.isEncrypted()) throw new DocumentError('ENCRYPTED', 'The file is protected by a password.');
        if (entries.size >= entriesMax) throw bomb(`has more than ${entriesMax} parts`);
        entries.set(entry.fileName, entry);
      }
    } catch (error) {
      archive.close();
      return unreadable(error);
    }
    return new Zip(archive, entries);
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** Throws `DocumentError` for a zip bomb. Unpacks every part that a library reads once to check its size, because the declared sizes may be false. */
  async refuseBombs(): Promise<void> {
    let packed = 0;
    let expanded = 0;
    for (const entry of this.entries.values()) {
      packed += entry.compressedSize;
      expanded += entry.uncompressedSize;
    }
    refuseExpansion(packed, expanded);
    for (const entry of this.entries.values())
      if (/\.(xml|rels|bin)$/.test(entry.fileName)) for await (const _ of this.stream(entry)) void _;
  }

  /** A part as text, in the encoding that it declares. Returns an empty text when the part is absent. */
  async text(name: string): Promise<string> {
    const bytes = await this.bytes(name);
    return bytes.length === 0 ? '' : decode(bytes, await declaredLabel(bytes));
  }

  /** The bytes of a part. Returns none when the part is absent. */
  async bytes(name: string): Promise<Buffer> {
    const entry = this.entries.get(name);
    const parts: Buffer[] = [];
    if (entry) for await (const part of this.stream(entry)) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  close(): void {
    this.archive.close();
  }

  /** Throws when a part is longer or shorter than the archive declares. */
  private async *stream(entry: Entry): AsyncGenerator<unknown> {
    try {
      yield* await this.archive.openReadStreamPromise(entry);
    } catch (error) {
      unreadable(error);
    }
  }
}

function refuseExpansion(packed: number, expanded: number): void {
  const isLarge = expanded > ratioCountsFromBytes;
  if (expanded > expandedBytesMax || (isLarge && expanded > packed * ratioMax))
    throw bomb(`unpacks from ${packed} to ${expanded} bytes`);
}

function bomb(why: string): DocumentError {
  return new DocumentError('TOO_LARGE', `The file ${why}, which no document of its kind does.`);
}

function unreadable(error: unknown): never {
  if (error instanceof DocumentError) throw error;
  const why = error instanceof Error ? error.message : String(error);
  throw new DocumentError('UNREADABLE', `The file is damaged or cut short: ${why}.`);
}
