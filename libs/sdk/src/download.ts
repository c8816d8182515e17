import { ConnectionError } from './errors.ts';
import { readChunks } from './stream-chunks.ts';

/** A file or a long text as it comes. It can be read once. */
export class Download {
  constructor(
    readonly response: Response,
    /** The bytes as they come. The reader must go on within the time-out of the call. */
    readonly stream: ReadableStream<Uint8Array>,
  ) {}

  get contentType(): string {
    return this.response.headers.get('content-type') ?? 'application/octet-stream';
  }

  /** The length in bytes; undefined when the server does not know it before the end. */
  get length(): number | undefined {
    const length = this.response.headers.get('content-length');
    return length === null ? undefined : Number(length);
  }

  /** The name that the server proposes for the file. */
  get filename(): string | undefined {
    const header = this.response.headers.get('content-disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    return encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)"?/i.exec(header)?.[1];
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer());
  }

  async text(): Promise<string> {
    return new Response(this.stream).text();
  }

  /** Each line without its end, as it comes; of NDJSON, one value a line. */
  async *lines(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of readChunks(this.stream)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
    }
    rest += decoder.decode();
    if (rest !== '') yield rest;
  }

  /** Each line of NDJSON as a value. Throws when the text ends in the middle of one. */
  async *values(): AsyncGenerator<unknown> {
    for await (const line of this.lines()) {
      if (line.trim() === '') continue;
      try {
        yield parseKeepingDigits(line);
      } catch (cause) {
        throw new ConnectionError('The download ended in the middle of a line. Start it again.', { cause });
      }
    }
  }
}

/** A text or a number of JSON. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Parses an answer. A number beyond 2^53 becomes its text, because a number of JavaScript would lose digits of it. */
export function parseKeepingDigits(text: string): unknown {
  const isLarge = (found: string) => /^[-\d.]+$/.test(found) && Math.abs(Number(found)) >= 2 ** 53;
  return JSON.parse(text.replaceAll(token, (found) => (isLarge(found) ? `"${found}"` : found)));
}
