import { EventEmitter } from 'node:events';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import pg from 'pg';
import { Settings } from '#libs/settings/settings';

/** The channel on which a commit gives notice that an execution has settled. */
export const settledChannel = 'holdfast_settled';

/** A missed notice (a dropped connection) delays a waiter by no more than this. */
const recheckMs = 2000;

/** When this process stops, waits end after this, so that the stop does not last as long as the runs. */
const partingMs = 2000;

/** Wakes the waiters of an execution, in whichever process it was recorded. */
@Injectable()
export class SettledWaiters implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly notices = new EventEmitter().setMaxListeners(0);
  private listener: pg.Client | null = null;
  private closed = false;
  private endsAtMs = Infinity;

  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    void this.listen();
  }

  /** This process has recorded the execution: its own waiters need not wait for the notice. */
  announce(executionId: string): void {
    this.notices.emit(executionId);
  }

  /**
   * Calls `look` after each notice, and at once if `lookFirst`, until it returns a value. Returns null at the
   * deadline, or when this process stops.
   */
  async wait<T>(
    executionId: string,
    look: () => Promise<T | null>,
    waitMs: number,
    lookFirst = true,
  ): Promise<T | null> {
    const deadline = performance.now() + waitMs;
    const wakeup = new Wakeup();
    this.notices.on(executionId, wakeup.notify);
    try {
      if (!lookFirst) await wakeup.notified(Math.min(waitMs, recheckMs));
      for (;;) {
        const found = await look();
        if (found !== null) return found;
        const left = Math.min(deadline, this.endsAtMs) - performance.now();
        if (left <= 0) return null;
        await wakeup.notified(Math.min(left, recheckMs));
      }
    } finally {
      this.notices.off(executionId, wakeup.notify);
    }
  }

  /** True when this process stops: waits end soon, and none should begin. */
  get closing(): boolean {
    return this.endsAtMs !== Infinity;
  }

  onModuleDestroy(): void {
    this.endsAtMs = performance.now() + partingMs;
    this.notifyAll();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.listener?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.settings.databaseUrl, keepAlive: true });
    client.on('notification', ({ payload }) => payload && this.announce(payload));
    client.on('error', () => undefined); // 'end' follows and reconnects.
    client.on('end', () => this.listenAgain());
    this.listener = client;
    try {
      await client.connect();
      await client.query(`listen ${settledChannel}`);
      this.notifyAll();
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  private notifyAll(): void {
    for (const id of this.notices.eventNames()) this.notices.emit(id);
  }

  private listenAgain(): void {
    if (!this.closed) setTimeout(() => void (this.closed || this.listen()), 250).unref();
  }
}

/** Wakes a waiter, and remembers a notice that came while it did not wait. */
class Wakeup {
  private pending = false;
  private wake: (() => void) | null = null;

  readonly notify = (): void => {
    this.pending = true;
    this.wake?.();
  };

  async notified(waitMs: number): Promise<void> {
    if (!this.pending) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.pending = false;
    this.wake = null;
  }
}
