import { readChunks } from './stream-chunks.ts';

/** One server-sent event. */
export interface ServerEvent<T> {
  id: string | undefined;
  event: string;
  data: T;
}

/** Reads server-sent events from a stream of bytes. Comments are left out. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent<string>> {
  const decoder = new TextDecoder();
  let rest = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  for await (const bytes of readChunks(stream)) {
    rest += decoder.decode(bytes, { stream: true });
    // The end of a chunk may stand between the two characters of one line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
        [event, data] = ['', []];
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'id') id = value;
      if (name === 'event') event = value;
      if (name === 'data') data.push(value);
    }
  }
}

/** The events of a stream that is opened anew, behind the last event, when the connection breaks. */
export class EventStream<T> implements AsyncIterable<ServerEvent<T>> {
  readonly #controller = new AbortController();

  constructor(
    private readonly open: (
      lastId: string | undefined,
      signal: AbortSignal,
    ) => AsyncGenerator<ServerEvent<T>>,
  ) {}

  /** Ends the iteration and the connection. */
  abort(): void {
    this.#controller.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerEvent<T>> {
    yield* this.open(undefined, this.#controller.signal);
  }
}
