import { Piscina } from 'piscina';
import { KeyedSemaphore } from '../semaphore/keyed-semaphore.ts';

/** Times in milliseconds. Without `waitMs`, work waits for a thread as long as its signal lets it. */
export interface ThreadBounds {
  threadsMax: number;
  perOwner: number;
  waitMs?: number;
  idleMs: number;
  /** The JavaScript heap of one thread. */
  heapMegabytesMax: number;
  /** How much less of a busy processor these threads get than others, from 0 to 19. Only Linux knows it of a thread. */
  niceness?: number;
  /** The error of work that has waited for too long. */
  refuse(): Error;
}

/**
 * Threads for work that would keep this process from everybody else. They start when there is work. The owners that wait take turns.
 */
export class FairThreads<Task, Result> {
  private readonly threads: Piscina<Task, Result>;
  private readonly places: KeyedSemaphore;

  /** The default export of the compiled `program` does one task. */
  constructor(
    program: string,
    { threadsMax, perOwner, waitMs, idleMs, heapMegabytesMax, niceness = 0, refuse }: ThreadBounds,
  ) {
    this.threads = new Piscina({
      filename: program,
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: idleMs,
      niceIncrement: process.platform === 'linux' ? niceness : 0,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    this.places = new KeyedSemaphore({
      most: perOwner,
      all: threadsMax,
      ...(waitMs === undefined ? {} : { waitMs }),
      refuse,
    });
  }

  /** Does the task in a thread. Rejects with an `AbortError` after `msMax` of work, and with the reason of the signal while it waits. */
  runTask(
    owner: string,
    task: Task,
    { msMax, signal }: { msMax?: number; signal?: AbortSignal } = {},
  ): Promise<Result> {
    const work = () => {
      const ends = [
        ...(signal ? [signal] : []),
        ...(msMax === undefined ? [] : [AbortSignal.timeout(msMax)]),
      ];
      return this.threads.run(task, { signal: AbortSignal.any(ends) });
    };
    return this.places.run(owner, work, signal ? { signal } : {});
  }

  /** The tasks that threads have done. */
  get done(): number {
    return this.threads.completed;
  }

  close(): Promise<void> {
    return this.threads.destroy();
  }
}
