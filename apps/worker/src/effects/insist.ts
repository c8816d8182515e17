import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '#libs/platform/database/violations';

const pauseMs = 200;

/**
 * Does again what only reads or writes rows, while the database is away and `forMs` have not passed. An effect that has been carried out
 * must not be lost because its output could not be stored at once.
 */
export async function insist<T>(work: () => Promise<T>, signal: AbortSignal, forMs: number): Promise<T> {
  const endsAt = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() > endsAt) throw error;
    }
    await pause(pauseMs);
  }
}
