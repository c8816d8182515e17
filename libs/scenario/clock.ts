import type { TestWorkflowEnvironment } from '@temporalio/testing';

/**
 * The time of the test server. It stands as long as anyone holds it, and jumps to the next timer as soon as nobody does
 * and no task is under way. So whoever acts at a moment holds it from there until the act has had its effect.
 */
export class Clock {
  private readonly ending = new AbortController();

  constructor(private readonly env: TestWorkflowEnvironment) {}

  private get service() {
    const { testService } = this.env.connection;
    if (!testService) throw new Error('This Temporal does not let its time be moved.');
    return testService;
  }

  now(): Promise<number> {
    return this.env.currentTimeMs();
  }

  async hold(): Promise<void> {
    if (!this.closed) await this.service.lockTimeSkipping({});
  }

  async release(): Promise<void> {
    if (!this.closed) await this.service.unlockTimeSkipping({});
  }

  /**
   * For a holder: lets go for so long, and holds again from the very moment at which it ends. Rejects when the clock is
   * closed meanwhile; until then a sleep is never given up, since its end would hold the clock for nobody.
   */
  async letPass(ms: number): Promise<void> {
    if (ms <= 0) return;
    await this.env.connection.withAbortSignal(this.ending.signal, () => this.env.sleep(ms));
  }

  get closed(): boolean {
    return this.ending.signal.aborted;
  }

  /** Ends every sleep. To be called before the connection goes: a call that is left over would take the process along. */
  close(): void {
    this.ending.abort();
  }
}
