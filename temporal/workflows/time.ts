import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/** Sleeps until a moment, in milliseconds since the epoch. A past moment makes no timer. */
export async function sleepUntil(untilMs: number, summary: string): Promise<void> {
  const leftMs = untilMs - Date.now();
  if (leftMs > 0) await sleep(leftMs, { summary });
}

/** The time that a run spends at work. It stands still while only people and timers can continue the run. */
export class ActiveTime {
  private sinceMs: number | null = null;
  private timer: CancellationScope | null = null;

  /** `usedMs` is the time that earlier Temporal runs of the execution have used. */
  constructor(
    private readonly maxMs: number,
    private usedMs: number,
    private readonly onOvertime: () => void,
  ) {}

  get spentMs(): number {
    return this.usedMs;
  }

  /** Starts, keeps or stops the clock: it runs while `working`. One timer serves many blocks. */
  follow(working: boolean): void {
    if (working && this.sinceMs === null) this.start();
    if (!working) this.stop();
  }

  stop(): void {
    if (this.sinceMs !== null) this.usedMs += Date.now() - this.sinceMs;
    this.sinceMs = null;
    this.timer?.cancel();
    this.timer = null;
  }

  private start(): void {
    this.sinceMs = Date.now();
    const timer = new CancellationScope();
    this.timer = timer;
    void timer
      .run(() => sleep(Math.max(1, this.maxMs - this.usedMs), { summary: 'time-out of the execution' }))
      .then(() => this.onOvertime())
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }
}
