import { EventEmitter } from 'node:events';
import {
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import pg from 'pg';
import type { Json } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';

/** The channel on which a process that has ended some work notifies the processes in which callers wait for it. */
const endedChannel = 'holdfast_ended';

/** An SQL expression that notifies the waiters of the work with this id, when its transaction commits. For work that ends seldom. */
export const notifyEnd = (id: string) => `pg_notify('${endedChannel}', ${id})`;

/** The channel of messages to whichever process holds what they are for. */
const messageChannel = 'holdfast_messages';
/** Bounds a message in bytes: Postgres takes notices of less than 8000. */
const messageBytesMax = 7900;

/** A waiter reads the work this often where no notice can reach it, or where a process was lost between its commit and its notice. */
const recheckMs = { listening: 5000, deaf: 500 };

/** Most work ends this soon, in the process that waits: until then no row says that somebody waits. */
const unmarkedMs = 100;
/** A mark in a row is written again after this time. */
const markMs = 60_000;

/**
 * When a waiter reads the work for the first time. `at-once`: the work may have ended before. `after-local-notice`: it cannot have
 * ended before this process is notified, unless another process has taken it over. `after-mark`: it cannot have ended yet, and will
 * end in any process.
 */
export type FirstRead = 'at-once' | 'after-local-notice' | 'after-mark';

export interface CompletionWait {
  firstRead?: FirstRead;
  /**
   * Writes into a row, for so many seconds, that somebody waits: who ends the work notifies other processes only then. Absent for
   * work whose end is always notified.
   */
  mark?: (seconds: number) => Promise<unknown>;
}

/** When this process stops, waits end after this, so that the stop does not last as long as the runs. */
const partingMs = 2000;

/** Wakes those who wait for the end of some work, by its id, in whichever process it ended. */
@Injectable()
export class CompletionNotifier implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly notices = new EventEmitter().setMaxListeners(0);
  private readonly messages = new EventEmitter();
  private listener: pg.Client | null = null;
  private listening = false;
  private closed = false;
  private endsAtMs = Infinity;

  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    void this.listen();
  }

  /** This process has ended the work: its own waiters need not wait for the notice. */
  notifyLocal(id: string): void {
    this.notices.emit(id);
  }

  /**
   * Notifies the waiters of all processes, after the commit: a notice within it would make all commits that give notice
   * wait for the disk one after the other.
   */
  notifyOthers(id: string): void {
    this.listener?.query('select pg_notify($1, $2)', [endedChannel, id]).catch(() => undefined);
  }

  /**
   * Calls `read` after each notice, and for the first time as `firstRead` says, until it returns a value. Returns null at
   * the deadline, or when this process stops.
   */
  async waitFor<T>(
    id: string,
    read: () => Promise<T | null>,
    waitMs: number,
    { firstRead = 'at-once', mark }: CompletionWait = {},
  ): Promise<T | null> {
    const deadline = performance.now() + waitMs;
    const leftMs = () => Math.min(deadline, this.endsAtMs) - performance.now();
    const wakeup = new Wakeup();
    this.notices.on(id, wakeup.notify);
    try {
      if (firstRead === 'after-local-notice') await wakeup.notified(Math.min(waitMs, unmarkedMs));
      if (firstRead !== 'after-mark') {
        const found = await read();
        if (found !== null) return found;
      }
      let hasRead = firstRead !== 'after-mark';
      for (let markedUntilMs = 0; leftMs() > 0; hasRead = false) {
        if (mark && markedUntilMs <= performance.now()) {
          const forMs = Math.min(leftMs(), markMs);
          await mark((forMs + recheckMs.listening) / 1000);
          markedUntilMs = performance.now() + forMs;
          // Work that ended before the mark was committed was not notified.
          hasRead = false;
        }
        const found = hasRead ? null : await read();
        if (found !== null) return found;
        await wakeup.notified(Math.min(leftMs(), this.recheckMs));
      }
      return await read();
    } finally {
      this.notices.off(id, wakeup.notify);
    }
  }

  /** Reads the work until it has ended, and gives it as it was read last when the time is over. */
  async readUntilEnded<T>(
    id: string,
    read: () => Promise<T>,
    hasEnded: (work: T) => boolean,
    waitMs: number,
  ): Promise<T> {
    const reads: { last?: T } = {};
    const readLast = async () => {
      const last = (reads.last = await read());
      return hasEnded(last) ? { last } : null;
    };
    const { last } = (await this.waitFor(id, readLast, waitMs)) ?? reads;
    return last as T; // `waitFor` reads at least once.
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
      await client.query(`listen ${endedChannel}; listen ${messageChannel}`);
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

@Module({ providers: [CompletionNotifier], exports: [CompletionNotifier] })
export class CompletionNotifierModule {}
