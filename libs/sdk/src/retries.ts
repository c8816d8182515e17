import { AbortedError } from './errors.ts';

/** The longest wait that the client makes by itself, in milliseconds. */
const longestWaitMs = 60_000;

/** The statuses after which a call that does nothing twice is worth another try. */
export function isRetryable(status: number, code: string): boolean {
  // 409 has many reasons, and only this one goes away by itself.
  return status === 408 || status === 429 || status >= 500 || code === 'IDEMPOTENCY_IN_FLIGHT';
}

/**
 * The wait before the next try, in milliseconds: as long as the server asks, else half a second doubled with each try, at most
 * eight, less up to a quarter by chance. Undefined when the server asks for more than a minute.
 */
export function delayBefore(retry: number, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs !== undefined) return retryAfterMs <= longestWaitMs ? retryAfterMs : undefined;
  return Math.min(500 * 2 ** retry, 8000) * (1 - Math.random() / 4);
}

/**
 * The wait that Retry-After asks for, in milliseconds. A date is held against the clock of the server, since ours may be wrong.
 * A header that is neither whole seconds nor a date of HTTP counts as absent.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // Date.parse would take "-5" and "1, 1" for dates in the past.
  const date = /^[A-Z][a-z]+,? .*\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Waits so many milliseconds. Rejects with AbortedError at once when the signal aborts. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new AbortedError({ cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Returns a signal that aborts when either signal aborts. */
export function joinSignals(signal: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([other, signal]) : signal;
}
