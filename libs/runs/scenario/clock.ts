import type { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * The time of the test server. It stops while any work holds it. It skips to the next timer when no work holds it and
 * no task is under way. So work that acts at a moment holds time from that moment until its act has had its effect.
 */
export class Clock {
  private readonly ending = new AbortController();
  private readonly works: Promise<void>[] = [];

  constructor(private readonly env: TestWorkflowEnvironment) {}

  private get service() {
    const { testService } = this.env.connection;
    if (!testService) throw new Error('This Temporal server cannot skip time.');
    return testService;
  }

  now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  /**
   * Holds time while the work runs. Resolves when time is held, and does not wait for the work. The work may reject
   * only because the clock was closed; any other rejection would be lost.
   */
  async holdDuring(work: () => Promise<void>): Promise<void> {
    if (this.closed) return;
    await this.service.lockTimeSkipping({});
    if (this.closed) return;
    this.works.push(this.holding(work));
  }

  /**
   * Only for work that holds time: releases time for `ms`, then holds it again. Rejects when the clock is closed
   * meanwhile. A sleep is never cut short, because its end would then hold time for nobody.
   */
  async letPass(ms: number): Promise<void> {
    // The signal does not end a call that is made after it.
    this.ending.signal.throwIfAborted();
    if (ms > 0) await this.env.sleep(ms);
  }

  get closed(): boolean {
    return this.ending.signal.aborted;
  }

  /**
   * Ends all work that holds time, and its calls. Await it before the connection closes: an open call would be tried
   * again without a connection, and that ends the process.
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
