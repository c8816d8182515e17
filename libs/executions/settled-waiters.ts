import { EventEmitter } from 'node:events';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import pg from 'pg';
import { Settings } from '#libs/settings/settings';

/** The channel on which a commit says that an execution has settled. */
export const settledChannel = 'holdfast_settled';

/** A missed notice (a dropped connection) delays a waiter by no more than this. */
const recheckMs = 2000;

/** Whoever waits when this process stops is let go after this, so that the stop does not wait for the runs. */
const partingMs = 2000;

/** Wakes whoever waits for an execution, in whichever process it was recorded. */
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

  /** Says that an execution was recorded by this process: its waiters here need not wait for the notice. */
  announce(executionId: string): void {
    this.notices.emit(executionId);
  }

  /** Asks `look` after each notice, and first of all if wanted, until it answers; answers null at the deadline, or when this process stops. */
  async wait<T>(
    executionId: string,
    look: () => Promise<T | null>,
    waitMs: number,
    lookFirst = true,
  ): Promise<T | null> {
    const deadline = performance.now() + waitMs;
    const bell = new Bell();
    this.notices.on(executionId, bell.ring);
    try {
      if (!lookFirst) await bell.rung(Math.min(waitMs, recheckMs));
      for (;;) {
        const found = await look();
        if (found !== null) return found;
        const left = Math.min(deadline, this.endsAtMs) - performance.now();
        if (left <= 0) return null;
        await bell.rung(Math.min(left, recheckMs));
      }
    } finally {
      this.notices.off(executionId, bell.ring);
    }
  }

  /** Whether this process stops: a wait ends soon, and nobody should begin another. */
  get closing(): boolean {
    return this.endsAtMs !== Infinity;
  }

  onModuleDestroy(): void {
    this.endsAtMs = performance.now() + partingMs;
    this.ringAll();
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
      this.ringAll();
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  private ringAll(): void {
    for (const id of this.notices.eventNames()) this.notices.emit(id);
  }

  private listenAgain(): void {
    if (!this.closed) setTimeout(() => void (this.closed || this.listen()), 250).unref();
  }
}

/** Remembers a ring that came while nobody listened. */
class Bell {
  private pending = false;
  private wake: (() => void) | null = null;

  readonly ring = (): void => {
    this.pending = true;
    this.wake?.();
  };

  async rung(waitMs: number): Promise<void> {
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
