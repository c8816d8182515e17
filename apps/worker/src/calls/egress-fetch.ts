import { type Egress, EgressFailed, type EgressResponse } from '#libs/platform/egress/egress';

/** Ending a session is a courtesy; nobody waits long for it. */
const goodbyeMsMax = 2000;

/**
 * The one door in the shape of `fetch`, for a client library: what egress refuses, its caps and the deadline hold for
 * each of the library's requests. Answers come whole, so a stream that the server does not end runs into the deadline.
 */
export class EgressFetch {
  /** The last answer that was no success, for the headers that the library's errors do not carry. */
  refused: EgressResponse | undefined;
  private readonly endsAt: number;

  constructor(
    private readonly egress: Egress,
    private readonly bounds: { signal: AbortSignal; timeoutMs: number },
  ) {
    this.endsAt = performance.now() + bounds.timeoutMs;
  }

  get remainingMs(): number {
    return Math.max(0, Math.ceil(this.endsAt - performance.now()));
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    // A stream of whatever the server wishes to tell, which has no end; a client goes on without it.
    if (method === 'GET' && !('last-event-id' in headers)) return new Response(null, { status: 405 });
    if (body !== undefined && body !== null && typeof body !== 'string')
      throw new Error('only text is sent through here');
    if (this.remainingMs === 0) throw new EgressFailed('TIMEOUT', 'The block is out of time.');
    const answer = await this.egress.request({
      method,
      url: String(url),
      headers,
      ...(typeof body === 'string' ? { body } : {}),
      signal: this.bounds.signal,
      timeoutMs: method === 'DELETE' ? Math.min(this.remainingMs, goodbyeMsMax) : this.remainingMs,
      // The library follows redirects by itself, within the origin.
      redirectsMax: 0,
    });
    if (answer.status >= 400) this.refused = answer;
    return responseOf(answer);
  };
}

function responseOf({ status, headers, body }: EgressResponse): Response {
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : Buffer.from(body), { status, headers });
}
