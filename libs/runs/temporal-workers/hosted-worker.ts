import { Logger } from '@nestjs/common';
import type { NativeConnection, Worker } from '@temporalio/worker';
import type { TemporalClient } from '#libs/platform/temporal-client/temporal-client';

const firstDelayMs = 250;
const longestDelayMs = 2000;

/** Keeps one Temporal worker polling in this process. It starts the worker again whenever Temporal could not be reached. */
export class HostedWorker {
  private readonly log = new Logger(HostedWorker.name);
  private worker: Worker | null = null;
  private loop: Promise<void> | null = null;
  private stopping = false;
  private wake: (() => void) | null = null;

  constructor(
    readonly name: string,
    private readonly temporal: TemporalClient,
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
    while (!this.stopping) {
      try {
        this.worker = await this.make(await this.temporal.nativeConnection());
        if (this.stopping) return;
        delayMs = firstDelayMs;
        await this.worker.run();
      } catch (error) {
        this.log.warn(`The worker ${this.name} stopped and will start again: ${String(error)}`);
      }
      this.worker = null;
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
