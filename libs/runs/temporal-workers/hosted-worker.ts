import { Logger } from '@nestjs/common';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { TemporalClient } from '#libs/platform/temporal-client/temporal-client';

const firstDelayMs = 250;
const longestDelayMs = 2000;
/** A worker that fails this often in a row, while Temporal answers, will not run again in this process. */
const failuresMax = 4;
const reachableMsMax = 1000;

/**
 * Keeps one Temporal worker polling in this process. It starts the worker again whenever Temporal could not be reached. Some
 * failures leave a worker that Temporal's library cannot replace; then `lost` resolves, and the process has to end.
 */
export class HostedWorker {
  private readonly log = new Logger(HostedWorker.name);
  private worker: Worker | null = null;
  private loop: Promise<void> | null = null;
  private stopping = false;
  private wake: (() => void) | null = null;
  /** True once this process cannot run the worker any more. */
  isLost = false;
  private tellLost: (atMs: number) => void = () => undefined;
  /** Resolves to the time at which the worker failed, in ms, when this process cannot run it any more. */
  readonly lost = new Promise<number>((resolve) => (this.tellLost = resolve));

  constructor(
    readonly name: string,
    private readonly temporal: Pick<TemporalClient, 'nativeConnection' | 'reachable'>,
    private readonly make: (connection: NativeConnection) => Promise<Worker>,
  ) {}

  get polling(): boolean {
    return this.worker?.getState() === 'RUNNING';
  }

  start(): void {
    this.loop ??= this.keepRunning();
  }

  /** Stops polling. Tasks under way may end within the worker's grace time. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake?.();
    if (this.polling) this.worker?.shutdown();
    await this.loop;
  }

  private async keepRunning(): Promise<void> {
    let delayMs = firstDelayMs;
    let failures = 0;
    let failedAtMs = 0;
    while (!this.stopping) {
      try {
        this.worker = await this.make(await this.temporal.nativeConnection());
        if (this.stopping) return;
        delayMs = firstDelayMs;
        failures = 0;
        await this.worker.run();
      } catch (error) {
        this.log.warn(`The worker ${this.name} stopped and will start again: ${String(error)}`);
        if (failures === 0) failedAtMs = Date.now();
        failures = (await this.temporal.reachable(reachableMsMax)) ? failures + 1 : 0;
      }
      this.worker = null;
      if (failures >= failuresMax) {
        this.isLost = true;
        this.tellLost(failedAtMs);
        return;
      }
      if (!this.stopping) await this.delay(delayMs);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }

  private async delay(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = null;
  }
}
