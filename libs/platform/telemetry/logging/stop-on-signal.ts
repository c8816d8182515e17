import type { Logger } from 'pino';

/**
 * Calls `stop` at the first SIGTERM or SIGINT, then exits with 0. When `stop` rejects, it logs the error and exits with 1. Returns a
 * function that does the same for a process which cannot go on: it exits with 1, so that a supervisor starts another.
 */
export function stopOnSignal(stop: () => Promise<void>, logger: Logger): (why: string) => void {
  let stopping = false;
  const end = (code: number) => {
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'the process did not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => end(0));
  return (why) => {
    logger.error(why);
    end(1);
  };
}
