import { Agent, type Dispatcher } from 'undici';
import { describeSpan, SpanKind, traced, traceHeaders } from '#libs/platform/telemetry/tracing/tracing';
import { toSentQuery } from '#libs/platform/text/query-text';
import { cutText } from '#libs/platform/text/whole-text';
import { readCapped } from './body.ts';
import { buildConnectorFor, hadGivenBytes, resolveChecked, type ResolveHost } from './connect.ts';
import { systemResolve } from './resolve.ts';
import { incoming, outgoing, forOtherOrigin, withoutBody } from './headers.ts';
import { buildPolicy, compileGate, compileHostNames, type EgressPolicy } from './policy.ts';
import { EgressFailed, EgressRefused } from './egress-errors.ts';

export { buildPolicy, type EgressPolicy } from './policy.ts';
export { EgressFailed, EgressRefused } from './egress-errors.ts';

/** One call. The policy gives each absent number. With `redirectsMax: 0`, a redirect is the response. */
export interface EgressRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** A second request does no harm. GET, HEAD, PUT, DELETE and OPTIONS do none, also without this. */
  repeatable?: boolean;
  timeoutMs?: number;
  signal?: AbortSignal;
  responseBytesMax?: number;
  redirectsMax?: number;
  /** Returns what is told each part of the body, and nothing first. The body ends where it returns true. */
  endOf?: (status: number, headers: Record<string, string>) => (part: Uint8Array) => boolean;
  /** Called before a redirect to another host is followed. When it rejects, so does the call. */
  enterHost?: (url: URL) => Promise<void>;
  gate?: CallGate;
}

/** What a request asks its caller on the way. */
export interface CallGate {
  /** True when so much time has passed that the call may not be wanted any more. Asked right before the first byte. */
  isDoubtful(): boolean;
  /** Rejects when the call is not wanted any more; so does the request then. Nothing of a doubtful call is sent before. */
  confirm(): Promise<void>;
  /** Called once for a response of more than 64 KiB, before more of it is read. Waits until there is memory for so many bytes. */
  enterMemory(bytes: number, signal: AbortSignal): Promise<void>;
}

/** Ends a request before its first byte. */
class Doubtful extends Error {}

/** A response of any status. `url` is the final URL, after `redirects` redirects. `body` is decoded. */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  /** The values of `set-cookie` when there are several: their dates have commas, so the joined text cannot be split. */
  setCookies?: string[];
  body: Uint8Array;
  url: string;
  redirects: number;
}

/** An address, and its path and query as they are sent. */
interface Address {
  url: URL;
  path: string;
}

/** One request in a chain of redirects, and whether any byte of the chain was sent. */
interface Hop extends Address {
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  sent: boolean;
  /** Set when the first byte of the answer has come. */
  answered: boolean;
  /** The reason of the caller for not going on. */
  stoppedBy?: unknown;
}

/**
 * All outgoing calls of this system use this class: http and https, to public addresses and to exceptions in the policy. Everything
 * else throws `EgressRefused` before a byte is sent. Proxy variables of the environment have no effect.
 */
export class Egress {
  private readonly policy: EgressPolicy;
  private readonly mayName: ReturnType<typeof compileHostNames>;
  private readonly agentOptions: Agent.Options;
  private readonly agent: Agent;

  constructor(policy: Partial<EgressPolicy> = {}, resolve: ResolveHost = systemResolve) {
    this.policy = buildPolicy(policy);
    this.mayName = compileHostNames(this.policy.allow);
    this.agentOptions = {
      connect: buildConnectorFor(this.policy, resolve),
      maxHeaderSize: this.policy.headersBytesMax,
      // Node servers close idle connections after 5 s. A shorter time makes calls on a closing connection rare.
      keepAliveTimeout: 3_000,
      keepAliveMaxTimeout: 30_000,
      pipelining: 1,
    };
    this.agent = new Agent(this.agentOptions);
  }

  /** Resolves to a response of any status. Throws `EgressRefused`, `EgressFailed`, or the reason of the caller's signal. */
  async request(request: EgressRequest): Promise<EgressResponse> {
    const [method, { url }] = [parseMethod(request.method), parseAddress(request.url)];
    const attributes = { 'http.request.method': method, 'server.address': url.hostname };
    return traced(`call ${method}`, { kind: SpanKind.CLIENT, attributes }, async () => {
      const response = await this.call(request);
      describeAnswer(response);
      return response;
    });
  }

  private async call(request: EgressRequest): Promise<EgressResponse> {
    const hop: Hop = {
      method: parseMethod(request.method),
      ...parseAddress(request.url),
      headers: outgoing(withTrace(request.headers)),
      body: request.body ?? null,
      sent: false,
      answered: false,
    };
    const { host } = hop.headers;
    if (host !== undefined && !this.mayName(hop.url, host))
      throw new EgressRefused(
        `The header Host names ${cutText(host, 253)}, which EGRESS_ALLOW does not name beside ${hop.url.hostname}.`,
      );
    const late = AbortSignal.timeout(request.timeoutMs ?? this.policy.timeoutMs);
    try {
      request.signal?.throwIfAborted();
      const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
      return await this.follow(hop, request, signal);
    } catch (error) {
      if (request.signal?.aborted) throw request.signal.reason;
      throw hop.stoppedBy ?? this.hopFailure(error, hop, late.aborted);
    }
  }

  /** Waits for the calls in flight and refuses new ones. */
  async close(): Promise<void> {
    await this.agent.close();
  }

  private async follow(hop: Hop, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
    const redirectsMax = request.redirectsMax ?? this.policy.redirectsMax;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.send(hop, request, signal);
      const headers = incoming(answer.headers);
      const location = redirectsMax > 0 ? getLocation(answer.statusCode, headers, hop.url) : undefined;
      if (location) {
        answer.body.on('error', () => {}).destroy();
        if (redirects >= redirectsMax)
          throw new EgressFailed('TOO_MANY_REDIRECTS', `More than ${redirectsMax} redirects.`);
        const { hostname } = hop.url;
        followRedirect(hop, answer.statusCode, location);
        if (location.url.hostname !== hostname) await orStop(hop, request.enterHost?.(location.url));
        continue;
      }
      const bytesMax = request.responseBytesMax ?? this.policy.responseBytesMax;
      const body = await readCapped(answer.body, {
        encoding: headers['content-encoding'] ?? '',
        length: headers['content-length'],
        bytesMax,
        isFramed: 'content-length' in headers || 'transfer-encoding' in headers,
        isOver: request.endOf?.(answer.statusCode, headers),
        enterMemory: (bytes) => enterMemory(request, hop.url.host, bytes, signal),
      });
      const { 'set-cookie': cookies } = answer.headers;
      const setCookies = Array.isArray(cookies) ? { setCookies: cookies } : {};
      return { status: answer.statusCode, headers, ...setCookies, body, url: hop.url.href, redirects };
    }
  }

  /** Sends a request. When the server has closed a kept connection without an answer, it sends the request once more on a new one. */
  private async send(
    hop: Hop,
    { repeatable, gate }: EgressRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await sendOver(this.agent, hop, gate, signal);
    } catch (error) {
      const mayRepeat = repeatable === true || isIdempotent(hop.method);
      if (!mayRepeat || hop.answered || !isReset(error) || !hadGivenBytes(error)) throw error;
      // Other kept connections may be gone too, so this one call has an agent of its own.
      const agent = new Agent(this.agentOptions);
      try {
        return await sendOver(agent, hop, gate, signal);
      } finally {
        void agent.close().catch(() => undefined);
      }
    }
  }

  private hopFailure(error: unknown, { sent, url: { host } }: Hop, late: boolean): Error {
    if (error instanceof EgressRefused) return error;
    if (error instanceof EgressFailed) return new EgressFailed(error.code, error.message, sent, error.cause);
    if (late) return new EgressFailed('TIMEOUT', `${host} did not answer in time.`, sent, error);
    if (codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW') {
      const message = `The headers of ${host} are longer than ${this.policy.headersBytesMax} bytes. EGRESS_HEADERS_MAX_BYTES is this bound for blocks.`;
      return new EgressFailed('RESPONSE_TOO_LARGE', message, sent, error);
    }
    return isReset(error)
      ? new EgressFailed('RESET', `${host} closed the connection.`, sent, error)
      : new EgressFailed('RESPONSE_INVALID', `${host} gave an answer that cannot be read.`, sent, error);
  }
}

/** True for a method that may be sent twice without harm, by the HTTP standard. */
export const isIdempotent = (method: string): boolean => /^(GET|HEAD|PUT|DELETE|OPTIONS)$/.test(method);

async function sendOver(
  agent: Agent,
  hop: Hop,
  gate: CallGate | undefined,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { method, url, path, headers, body } = hop;
  // Undici's two time-outs are off, because they restart with each byte. Ours limits the whole call.
  const options = { method, headers, body, signal, headersTimeout: 0, bodyTimeout: 0 };
  for (;;)
    try {
      return await agent.compose(marking(hop, gate)).request({ ...options, origin: url.origin, path });
    } catch (error) {
      if (!(error instanceof Doubtful)) throw error;
      await orStop(hop, gate?.confirm());
    }
}

/**
 * Checks an address that will be called later. Throws `EgressRefused` for one that a call would refuse now. A name that does not
 * resolve passes, because it may resolve later; each call checks again.
 */
export async function checkTarget(
  text: string,
  { allow, connectTimeoutMs }: EgressPolicy,
  resolve: ResolveHost = systemResolve,
): Promise<void> {
  const { hostname, port, protocol } = parseAddress(text).url;
  const target = {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  const late = AbortSignal.timeout(connectTimeoutMs);
  await resolveChecked({ gate: compileGate(allow), resolve }, target, late).catch((error: unknown) => {
    if (error instanceof EgressRefused) throw error;
  });
}

async function enterMemory(
  request: EgressRequest,
  host: string,
  bytes: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await request.gate?.enterMemory(bytes, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new EgressFailed(
      'TIMEOUT',
      `The answer of ${host} was not read in time, because the workspace reads too many large answers at once.`,
    );
  }
}

/** Waits for the caller of a request, whose error ends it as it is. */
async function orStop(hop: Hop, asked: Promise<void> | undefined): Promise<void> {
  await asked?.catch((error: unknown) => {
    hop.stoppedBy = error;
    throw error;
  });
}

/**
 * Marks the hop as sent when undici starts the request on a connected socket, because from then on bytes may have been sent, and as answered.
 * Throws `Doubtful` before that, because a process may have stood still while it waited for the connection. The connection stays.
 */
function marking(hop: Hop, gate: CallGate | undefined): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context) => {
      if (gate?.isDoubtful()) throw new Doubtful();
      hop.sent = true;
      hop.answered = false;
      start?.call(handler, controller, context);
    };
    handler.onResponseStarted = () => {
      hop.answered = true;
    };
    return dispatch(options, handler);
  };
}

/** Describes the span of a client: a status from 400 is an error, by the conventions of OpenTelemetry. */
function describeAnswer({ status }: EgressResponse): void {
  const failure = status >= 400 ? String(status) : undefined;
  describeSpan({ 'http.response.status_code': status }, failure);
}

/** Adds the trace headers, unless the caller has set its own `traceparent`. */
function withTrace(headers: Record<string, string> = {}): Record<string, string> {
  const isOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent');
  return isOwn ? headers : { ...headers, ...traceHeaders() };
}

function parseMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(upper) || /^(CONNECT|TRACE|TRACK)$/.test(upper)) {
    throw new EgressRefused(`The method "${cutText(method, 20)}" is not allowed.`, 'INVALID_VALUE');
  }
  return upper;
}

function parseAddress(text: string, base?: URL): Address {
  if (!URL.canParse(text, base?.href)) throw new EgressRefused('The URL cannot be read.');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressRefused(`Only http and https are called, not ${cutText(url.protocol, 32)}`);
  }
  // `http://public.example@10.0.0.1/` looks like one host and calls another. Credentials belong in headers.
  if (url.username || url.password)
    throw new EgressRefused('A URL with a user name or password is not called.');
  return { url, path: url.pathname + toSentQuery(text, url) };
}

function getLocation(status: number, headers: Record<string, string>, base: URL): Address | undefined {
  const redirect = [301, 302, 303, 307, 308].includes(status) && headers['location'] !== undefined;
  return redirect ? parseAddress(headers['location'] ?? '', base) : undefined;
}

/** Changes the hop for a redirect, by the fetch standard: it may change the method. Another origin gets no body and few headers. */
function followRedirect(hop: Hop, status: number, location: Address): void {
  const toGet = status === 303 ? !/^(GET|HEAD)$/.test(hop.method) : status <= 302 && hop.method === 'POST';
  if (toGet) Object.assign(hop, { method: 'GET', body: null, headers: withoutBody(hop.headers) });
  if (location.url.origin !== hop.url.origin) {
    if (hop.body !== null)
      throw new EgressRefused(
        `${hop.url.host} redirects the body to ${location.url.host}. Call that address itself.`,
      );
    hop.headers = forOtherOrigin(hop.headers);
  }
  Object.assign(hop, location);
}

/** Does not use `instanceof`, because in a test runner the errors of Node come from another realm. */
const codeOf = (error: unknown): string => String(Object(error).code ?? '');

const isReset = (error: unknown): boolean =>
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_DESTROYED|UND_ERR_CLOSED|ETIMEDOUT)$/.test(codeOf(error));
