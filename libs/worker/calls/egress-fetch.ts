import { createParser } from 'eventsource-parser';
import { requireFewValues } from './http-response.ts';
import { parseKeepingDigits, UnholdableNumber } from '#libs/platform/json/kept-digits';
import { mayLoseDigits } from '#libs/platform/json/number-text';
import { foreignText, isJsonType, isTextual } from '#libs/platform/text/foreign-text';
import {
  type Egress,
  EgressFailed,
  type EgressRequest,
  type EgressResponse,
} from '#libs/platform/egress/egress';

/** The end of a session is a courtesy, so nobody waits longer for it. */
const goodbyeMsMax = 2000;

/**
 * The egress as a `fetch` for client libraries. Rules, caps and deadline of the egress hold for each request of the
 * library. Answers come whole. A stream of events ends with the answers to the requests, because some servers leave it open.
 */
export class EgressFetch {
  /** The last unsuccessful answer. The library's errors do not carry its headers. */
  refused: EgressResponse | undefined;
  /** The last answer, but that to the end of the session. */
  answer: EgressResponse | undefined;
  private readonly endsAt: number;
  /** The ids of the JSON-RPC requests that were sent last and have no answer yet. A stream that is resumed goes on with them. */
  private waiting = new Set<string>();

  constructor(
    private readonly egress: Egress,
    private readonly bounds: { timeoutMs: number } & Required<Pick<EgressRequest, 'signal' | 'gate'>>,
  ) {
    this.endsAt = performance.now() + bounds.timeoutMs;
  }

  get remainingMs(): number {
    return Math.max(0, Math.ceil(this.endsAt - performance.now()));
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    // This asks for an endless stream of server messages. A client works without it.
    if (method === 'GET' && !('last-event-id' in headers)) return new Response(null, { status: 405 });
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new Error('only text bodies can be sent');
    if (this.remainingMs === 0) throw new EgressFailed('TIMEOUT', 'The block is out of time.');
    const sent = messagesIn(body ?? '');
    const requests = sent.filter(({ id, method }) => id !== undefined && method !== undefined);
    if (requests.length > 0) this.waiting = new Set(requests.map(({ id }) => String(id)));
    const { waiting } = this;
    // A notification and an answer have no answer.
    const isNotice = sent.length > 0 && requests.length === 0;
    const answer = await this.egress.request({
      method,
      url: String(url),
      headers,
      ...(typeof body === 'string' ? { body } : {}),
      signal: this.bounds.signal,
      gate: this.bounds.gate,
      timeoutMs: method === 'DELETE' ? Math.min(this.remainingMs, goodbyeMsMax) : this.remainingMs,
      endOf: (status, { 'content-type': type }) => {
        if (status >= 300) return () => false;
        return isNotice ? () => true : endOfStream(type, waiting);
      },
      // The library follows redirects itself, within the origin.
      redirectsMax: 0,
    });
    // The library parses and checks the answer on this thread.
    requireFewValues(answer);
    if (method !== 'DELETE') this.answer = answer;
    if (answer.status >= 400) this.refused = answer;
    return responseOf(answer);
  };
}

/** Returns what finds the end of a stream of events: the last answer that is waited for. */
function endOfStream(type: string | undefined, waiting: Set<string>): (part: Uint8Array) => boolean {
  if (waiting.size === 0 || !/^text\/event-stream\b/i.test(type ?? '')) return () => false;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data }) => {
      requireFewValues({ body: Buffer.from(data) });
      for (const { id, method } of messagesIn(data)) if (method === undefined) waiting.delete(String(id));
    },
  });
  return (part) => {
    parser.feed(decoder.decode(part, { stream: true }));
    return waiting.size === 0;
  };
}

/** The JSON-RPC messages of a text; none when it has another form, which the library then says. */
function messagesIn(text: string): { id?: unknown; method?: unknown }[] {
  try {
    return [JSON.parse(text)].flat().map(Object);
  } catch {
    return [];
  }
}

/** The libraries parse with `JSON.parse`, so they get texts in UTF-8 whose numbers lose no digits. */
function responseOf({ status, headers, body }: EgressResponse): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : readableOf(body, headers['content-type'] ?? ''), { status, headers });
}

function readableOf(body: Uint8Array, type: string): string | Buffer {
  if (!isTextual(type)) return Buffer.from(body);
  const text = foreignText(body, type);
  if (!mayLoseDigits(text)) return text;
  if (isJsonType(type)) return keepDigits(text);
  return text.replaceAll(/^data:(.*)$/gm, (_, data: string) => `data:${keepDigits(data)}`);
}

/** The text as it is when it is no JSON, which the library then says. */
function keepDigits(text: string): string {
  try {
    return JSON.stringify(parseKeepingDigits(text));
  } catch (error) {
    if (error instanceof UnholdableNumber) throw error;
    return text;
  }
}
