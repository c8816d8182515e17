import type { Logger } from 'pino';

/** Calls `stop` at the first SIGTERM or SIGINT, then exits with 0. When `stop` rejects, it logs the error and exits with 1. */
export function stopOnSignal(stop: () => Promise<void>, logger: Logger): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'the process did not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
