import { type Connection, getTimeout } from './connection.ts';
import {
  AbortedError,
  ConnectionError,
  toError,
  type ErrorDetail,
  HoldfastError,
  TimeoutError,
} from './errors.ts';
import type { CallOptions, LogEntry } from './options.ts';
import { delayBefore, isRetryable, joinSignals, readRetryAfter, wait } from './retries.ts';
import type { PreparedRequest } from './transport.ts';

/** Headers that open something. */
const masked = new Set(['x-api-key', 'authorization', 'cookie', 'idempotency-key']);

/** Sends requests: with a time-out, again where that does nothing twice, and with errors that say what to do. */
export class Sender {
  /** The controller of each answer whose body may still come. */
  readonly #controllers = new WeakMap<Response, AbortController>();

  constructor(private readonly connection: Connection) {}

  /** Resolves with the first answer that is no refusal. Rejects with the error of the last try. */
  async send(request: PreparedRequest, options: CallOptions): Promise<Response> {
    const maxRetries = options.maxRetries ?? this.connection.maxRetries;
    for (let retry = 0; ; retry++) {
      const tried = await this.#try(request, options, retry);
      if (tried.response) return tried.response;
      const delay = tried.isRetryable ? delayBefore(retry, tried.retryAfterMs) : undefined;
      if (retry >= maxRetries || delay === undefined) throw tried.error;
      await wait(delay, options.signal);
    }
  }

  /** The whole text of an answer, which fails when its end does not come in time. */
  async text(response: Response, options: CallOptions): Promise<string> {
    const timeout = getTimeout(this.connection, options);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#controllers.get(response)?.abort();
    }, timeout);
    try {
      return await response.text();
    } catch (cause) {
      if (isLate)
        throw new TimeoutError(`The end of the answer did not come within ${timeout} ms.`, { cause });
      throw brokenBy(cause, options);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The body of an answer, which fails when nothing comes in time. */
  guard(response: Response, options: CallOptions): ReadableStream<Uint8Array> {
    const timeout = getTimeout(this.connection, options);
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<never>((_, reject) => {
          const error = new TimeoutError(`Nothing came for ${timeout} ms in the middle of the answer.`);
          timer = setTimeout(() => reject(error), timeout);
        });
        try {
          const { done, value } = await Promise.race([reader.read(), late]);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          void reader.cancel().catch(() => {});
          if (cause instanceof HoldfastError) throw cause;
          throw brokenBy(cause, options);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  async #try(request: PreparedRequest, options: CallOptions, retry: number): Promise<Tried> {
    const begin = performance.now();
    const log = (level: LogEntry['level'], message: string, more: Partial<LogEntry> = {}) =>
      this.#log(request, { level, message, attempt: retry + 1, ...more });
    log('debug', 'The request is sent.');
    let response: Response;
    try {
      response = await this.#fetch(request, options);
    } catch (error) {
      log('warn', String(error), { durationMs: performance.now() - begin });
      const isOurs = error instanceof ConnectionError;
      return { error, isRetryable: isOurs && request.isRepeatable };
    }
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const answered = {
      status: response.status,
      durationMs: performance.now() - begin,
      ...(requestId ? { requestId } : {}),
    };
    log(response.ok ? 'info' : 'warn', `The answer is ${response.status}.`, answered);
    return response.ok ? { response } : this.#refused(request, response, options);
  }

  async #refused(request: PreparedRequest, response: Response, options: CallOptions): Promise<Tried> {
    const error = readRefusal(response, await this.text(response, options).catch(() => ''));
    const { retryAfterMs } = error;
    // A call that was not let in has done nothing, whatever it is.
    const isSafe =
      request.isRepeatable || (response.status === 429 && request.upload?.isRepeatable !== false);
    return { error, retryAfterMs, isRetryable: isSafe && isRetryable(response.status, error.code) };
  }

  async #fetch(request: PreparedRequest, options: CallOptions): Promise<Response> {
    const timeout = getTimeout(this.connection, options);
    const controller = new AbortController();
    const { signal } = options;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeout);
    const body = request.upload ? request.upload.open(options.onUploadProgress) : request.json;
    const init: RequestInit & { duplex?: 'half' } = {
      method: request.verb,
      headers: request.headers,
      signal: joinSignals(controller.signal, signal),
      // A redirect would carry the key to wherever it leads.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    };
    try {
      const response = await this.connection.fetch(request.url, init);
      this.#controllers.set(response, controller);
      return response;
    } catch (cause) {
      const unread = request.upload?.readError();
      if (unread) throw unread;
      if (signal?.aborted) throw new AbortedError({ cause });
      const { origin } = new URL(request.url);
      if (isLate)
        throw new TimeoutError(
          `${origin} did not answer within ${timeout} ms. The server may have done the work all the same.`,
          { cause },
        );
      throw new ConnectionError(
        `${origin} cannot be reached: ${reasonOf(cause)}. Check the address and that it runs.`,
        {
          cause,
        },
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #log({ verb, url, headers }: PreparedRequest, entry: Omit<LogEntry, 'verb' | 'url' | 'headers'>): void {
    const { logger } = this.connection;
    if (!logger) return;
    const shown = Object.entries(headers).map(([name, value]) => [name, masked.has(name) ? '***' : value]);
    logger({ ...entry, verb, url, headers: Object.fromEntries(shown) });
  }
}

type Tried =
  | { response: Response }
  | { response?: undefined; error: unknown; isRetryable: boolean; retryAfterMs?: number | undefined };

/** The error of an answer that stopped in the middle: by its caller, or by the network. */
function brokenBy(cause: unknown, { signal }: CallOptions): HoldfastError {
  return signal?.aborted
    ? new AbortedError({ cause })
    : new ConnectionError('The connection broke in the middle of the answer.', { cause });
}

function readRefusal(response: Response, text: string) {
  const { status, headers } = response;
  const body = parseObject(text);
  const named = headers.get('x-request-id') ?? body?.['requestId'];
  const requestId = typeof named === 'string' ? named : undefined;
  const retryAfterMs = readRetryAfter(headers);
  if (typeof body?.['error'] !== 'string') return toError(foreignRefusal(response, requestId, retryAfterMs));
  const details = Array.isArray(body['details']) ? (body['details'] as ErrorDetail[]) : [];
  const code = typeof body['code'] === 'string' ? body['code'] : `HTTP_${status}`;
  return toError({ status, code, message: body['error'], requestId, details, headers, retryAfterMs });
}

/** A refusal that is not in the shape of Holdfast: a proxy's, or another server's. */
function foreignRefusal(
  { status, headers, url }: Response,
  requestId: string | undefined,
  retryAfterMs: number | undefined,
) {
  const origin = url ? new URL(url).origin : 'The address';
  const message =
    status >= 300 && status < 400
      ? `${origin} leads to ${headers.get('location') ?? 'another address'}. Set baseUrl to the address that answers.`
      : `${origin} answered ${status} in a form that is not Holdfast's. Check the address, and what stands before the server.`;
  return { status, code: `HTTP_${status}`, message, requestId, details: [], headers, retryAfterMs };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Why a connection failed, in the words of the platform. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as {
    cause?: { code?: string; message?: string };
    message?: string;
  };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
