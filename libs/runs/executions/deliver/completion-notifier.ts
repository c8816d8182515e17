import { EventEmitter } from 'node:events';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import pg from 'pg';
import type { Json } from '#libs/platform/json/json';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';

/** The channel on which a process that has recorded a settled state notifies the processes in which callers wait. */
const settledChannel = 'holdfast_settled';

/** The channel of messages to whichever process holds what they are for. */
const messageChannel = 'holdfast_messages';
/** Bounds a message in bytes: Postgres takes notices of less than 8000. */
const messageBytesMax = 7900;

/** A waiter looks this often where no notice can reach it, or where a process was lost between its commit and its notice. */
const recheckMs = { listening: 5000, deaf: 500 };

/** Most runs settle this soon, in the process that waits: until then the row does not say that somebody waits. */
const unmarkedMs = 100;
/** How long a mark in the row holds before it is written again. */
const markMs = 60_000;

/**
 * What a waiter does first. `look`: it may have settled before. `local`: it cannot have settled before this process gives
 * notice, unless another process has taken it over. `mark`: it cannot have settled yet, and will in any process.
 */
export type FirstStep = 'look' | 'local' | 'mark';

/** When this process stops, waits end after this, so that the stop does not last as long as the runs. */
const partingMs = 2000;

/** Wakes the waiters of an execution, in whichever process it was recorded. */
@Injectable()
export class CompletionNotifier implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly notices = new EventEmitter().setMaxListeners(0);
  private readonly messages = new EventEmitter();
  private listener: pg.Client | null = null;
  private listening = false;
  private closed = false;
  private endsAtMs = Infinity;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    void this.listen();
  }

  /** This process has recorded the execution: its own waiters need not wait for the notice. */
  notifyLocal(executionId: string): void {
    this.notices.emit(executionId);
  }

  /**
   * Notifies the waiters of all processes, after the commit: a notice within it would make all commits that give notice
   * wait for the disk one after the other.
   */
  notifyOthers(executionId: string): void {
    this.listener?.query('select pg_notify($1, $2)', [settledChannel, executionId]).catch(() => undefined);
  }

  /**
   * Calls `look` after each notice, and at first as `first` says, until it returns a value. Returns null at the
   * deadline, or when this process stops.
   */
  async waitFor<T>(
    executionId: string,
    look: () => Promise<T | null>,
    waitMs: number,
    first: FirstStep = 'look',
  ): Promise<T | null> {
    const deadline = performance.now() + waitMs;
    const leftMs = () => Math.min(deadline, this.endsAtMs) - performance.now();
    const wakeup = new Wakeup();
    this.notices.on(executionId, wakeup.notify);
    try {
      if (first === 'local') await wakeup.notified(Math.min(waitMs, unmarkedMs));
      if (first !== 'mark') {
        const found = await look();
        if (found !== null) return found;
      }
      for (let markedUntilMs = 0; leftMs() > 0;) {
        if (markedUntilMs <= performance.now()) markedUntilMs = await this.mark(executionId, leftMs());
        // What settled before the mark was committed was not notified.
        const found = await look();
        if (found !== null) return found;
        await wakeup.notified(Math.min(leftMs(), this.recheckMs));
      }
      return await look();
    } finally {
      this.notices.off(executionId, wakeup.notify);
    }
  }

  /** Writes into the row that somebody waits. Returns until when it holds, on the clock of `performance`. */
  private async mark(executionId: string, waitMs: number): Promise<number> {
    const forMs = Math.min(waitMs, markMs);
    await this.database.forgetful(markAwaited, [executionId, (forMs + recheckMs.listening) / 1000]);
    return performance.now() + forMs;
  }

  private get recheckMs(): number {
    return this.listening ? recheckMs.listening : recheckMs.deaf;
  }

  /** Calls the listener at each notice of this name, and after a time in which notices may have been lost. Gives what ends that. */
  onNotice(name: string, listener: () => void): () => void {
    this.notices.on(name, listener);
    return () => void this.notices.off(name, listener);
  }

  /**
   * Gives a message to whoever listens for this name, in whichever process. One that nobody listens for is lost, as is one that is sent
   * while the connection is renewed. False when it is too long for another process.
   */
  sendMessage(name: string, body: Json): boolean {
    if (this.messages.emit(name, body)) return true;
    const text = JSON.stringify({ name, body });
    if (Buffer.byteLength(text) > messageBytesMax) return false;
    this.listener?.query('select pg_notify($1, $2)', [messageChannel, text]).catch(() => undefined);
    return true;
  }

  /** Calls the listener with each message of this name, and at no other time. Gives what ends that. */
  onMessage(name: string, listener: (body: Json) => void): () => void {
    this.messages.on(name, listener);
    return () => void this.messages.off(name, listener);
  }

  private hear(text: string): void {
    const { name, body }: { name: string; body: Json } = JSON.parse(text);
    this.messages.emit(name, body);
  }

  /** True when this process stops: waits end soon, and none should begin. */
  get closing(): boolean {
    return this.endsAtMs !== Infinity;
  }

  onModuleDestroy(): void {
    this.endsAtMs = performance.now() + partingMs;
    this.wakeEveryone();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.listener?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.settings.databaseDirectUrl,
      keepAlive: true,
      pipeline: true,
    });
    client.on('notification', ({ channel, payload }) => {
      if (payload && channel === messageChannel) this.hear(payload);
      else if (payload) this.notifyLocal(payload);
    });
    client.on('error', () => undefined); // 'end' follows and reconnects.
    client.on('end', () => this.listenAgain());
    this.listener = client;
    try {
      await client.connect();
      await client.query(`listen ${settledChannel}; listen ${messageChannel}`);
      this.listening = true;
      this.wakeEveryone();
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  private wakeEveryone(): void {
    for (const id of this.notices.eventNames()) this.notices.emit(id);
  }

  private listenAgain(): void {
    this.listening = false;
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

const markAwaited = /* sql */ `
update executions set awaited_until = greatest(awaited_until, now() + make_interval(secs => $2))
where id = $1 and status in ('queued', 'running', 'paused')`;
