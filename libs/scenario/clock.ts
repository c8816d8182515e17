import type { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * The time of the test server. It stands as long as anyone holds it, and jumps to the next timer as soon as nobody does
 * and no task is under way. So whoever acts at a moment holds it from there until the act has had its effect.
 */
export class Clock {
  private readonly ending = new AbortController();
  private readonly works: Promise<void>[] = [];

  constructor(private readonly env: TestWorkflowEnvironment) {}

  private get service() {
    const { testService } = this.env.connection;
    if (!testService) throw new Error('This Temporal does not let its time be moved.');
    return testService;
  }

  now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  /**
   * Holds time while the work goes on, which is not waited for: when this resolves, time is held. Work may reject only
   * because the clock is closed; of anything else nobody would hear.
   */
  async holdDuring(work: () => Promise<void>): Promise<void> {
    if (this.closed) return;
    await this.service.lockTimeSkipping({});
    if (this.closed) return;
    this.works.push(this.holding(work));
  }

  /**
   * For who holds time: lets go for so long, and holds again from the very moment at which it ends. Rejects when the
   * clock is closed meanwhile; until then a sleep is never given up, since its end would hold the clock for nobody.
   */
  async letPass(ms: number): Promise<void> {
    // A call that is made after the signal would not be ended by it.
    this.ending.signal.throwIfAborted();
    if (ms > 0) await this.env.sleep(ms);
  }

  get closed(): boolean {
    return this.ending.signal.aborted;
  }

  /**
   * Ends what holds time, and every call that it is at. To be awaited before the connection goes: a call that is left
   * over would be tried again without one, and that takes the process along.
   */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.works);
  }

  private async holding(work: () => Promise<void>): Promise<void> {
    try {
      await this.env.connection.withAbortSignal(this.ending.signal, work);
      await this.service.unlockTimeSkipping({});
    } catch (error) {
      if (!this.closed) throw error;
    }
  }
}
