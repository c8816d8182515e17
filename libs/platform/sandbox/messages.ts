/**
 * The kind of a message over the pipes. A message is one byte for its kind, four bytes for its length (big endian), and the payload.
 * From the child: Ready with its usage, Started (it has the whole job and now starts the code), Log line, Done with JSON text, Error,
 * Probe report. To the child: Code with its settings, then Input as JSON text; or Probe. The payloads of Started, Log line, Done and
 * Error begin with the nonce of the order, so that no message of one call is taken for one of another.
 */
export type MessageKind = 'R' | 'S' | 'L' | 'D' | 'E' | 'P' | 'C' | 'I';

export interface GuestMessage {
  kind: string;
  payload: Buffer;
}

export const headBytes = 5;

/** The code and the settings that are sent with it. Sizes are in bytes. */
export interface CodeOrder {
  code: string;
  memoryBytes: number;
  stackBytes: number;
  outputBytesMax: number;
}

/** The order of one call, with a secret of this call. */
export interface SentOrder extends CodeOrder {
  nonce: string;
}

/** What a process has used since its start. */
export interface GuestUsage {
  cpuMs: number;
  /** The most memory that it has had at any time. */
  residentBytes: number;
}

export const errorCodes = [
  'CODE_THREW',
  'CODE_SYNTAX',
  'CODE_OUT_OF_MEMORY',
  'CODE_OUTPUT_INVALID',
  'CODE_OUTPUT_TOO_LARGE',
] as const;

/** A failure of the code in the guest: the code of the broken rule, and the guest's message. */
export interface GuestError {
  code: (typeof errorCodes)[number];
  message: string;
  stack?: string;
}

/** The things that the child could reach when it tried. */
export interface ProbeReport {
  uid: number;
  environment: number;
  readsHost: boolean;
  connects: boolean;
  spawns: boolean;
}

export function encodeMessage(kind: MessageKind, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(headBytes);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Builds frames from the chunks of a pipe. Throws for a frame longer than `bytesMax` before it keeps the payload, because the process
 * on the other side is not trusted.
 */
export class MessageReader {
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly bytesMax: number) {}

  readMessages(part: Buffer): GuestMessage[] {
    this.parts.push(part);
    this.bytes += part.length;
    const frames: GuestMessage[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return frames;
  }

  private next(): GuestMessage | undefined {
    if (this.bytes < headBytes) return undefined;
    if ((this.parts[0]?.length ?? 0) < headBytes) this.join();
    const length = this.parts[0]?.readUInt32BE(1) ?? 0;
    if (length > this.bytesMax) throw new RangeError(`A frame of ${length} bytes.`);
    if (this.bytes < headBytes + length) return undefined;
    const all = this.join();
    this.parts = [all.subarray(headBytes + length)];
    this.bytes -= headBytes + length;
    return { kind: all.toString('latin1', 0, 1), payload: all.subarray(headBytes, headBytes + length) };
  }

  private join(): Buffer {
    const all = Buffer.concat(this.parts);
    this.parts = [all];
    return all;
  }
}
