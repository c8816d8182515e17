import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from './violations.ts';

const pauseMs = 200;

/**
 * Repeats work on rows while the database is away, for at most `forMs`. So the output of a finished effect is not lost
 * when it cannot be stored at once. The work must be safe to repeat.
 */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  forMs: number,
): Promise<T> {
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
