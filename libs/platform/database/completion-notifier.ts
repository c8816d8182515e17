import { EventEmitter } from 'node:events';
import {
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Json } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';
import { DatabaseClient } from './connections.ts';

/** The channel for the ids of work that has ended. Processes listen to it for the callers that wait in them. */
const endedChannel = 'holdfast_ended';

/** An SQL expression that notifies the waiters of this work when its transaction commits. `id` is SQL. Only for work that ends rarely. */
export const notifyEnd = (id: string) => `pg_notify('${endedChannel}', ${id})`;

/** The channel for messages to named listeners. The sender does not know which process has the listener. */
const messageChannel = 'holdfast_messages';
/** The longest message in bytes. Postgres accepts payloads of less than 8000 bytes. */
const messageBytesMax = 7900;

/**
 * A waiter also reads the work after each such time without a notice. A notice may be missing because the connection is down
 * (`deaf`), or because a process died after its commit and before its notice (`listening`).
 */
const recheckMs = { listening: 5000, deaf: 500 };

/** Most work ends within this time, and its end is notified. So a waiter writes a mark of its own only after this time. */
const unmarkedMs = 100;
/** A waiter renews its mark after this time. */
const markMs = 60_000;

/**
 * When a waiter reads the work for the first time. `at-once`: the work may have ended already. `after-notice`: its end is notified, by
 * this process or because its acceptance has marked it, so the waiter first waits a short time. `after-mark`: the work has not ended
 * yet and may end in any process, so the waiter first writes its mark.
 */
export type FirstRead = 'at-once' | 'after-notice' | 'after-mark';

export interface CompletionWait {
  firstRead?: FirstRead;
  /**
   * Marks the row as awaited for this many seconds, so that the process that ends the work notifies the others. Absent when the end of this work always notifies them.
   */
  mark?: (seconds: number) => Promise<unknown>;
}

/** Once this process stops, each wait ends within this time. So the stop does not take as long as the runs. */
const partingMs = 2000;

/** Wakes the callers that wait for the end of some work, by its id. The work may end in any process. */
@Injectable()
export class CompletionNotifier implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly notices = new EventEmitter().setMaxListeners(0);
  private readonly messages = new EventEmitter();
  private listener: DatabaseClient | null = null;
  private listening = false;
  private closed = false;
  private endsAtMs = Infinity;

  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    void this.listen();
  }

  /** Notifies the waiters in this process, without Postgres. */
  notifyLocal(id: string): void {
    this.notices.emit(id);
  }

  /**
   * Notifies the waiters in all processes. Call it after the commit: Postgres runs commits that contain a notice one after the
   * other, and each waits for the disk. Resolves when the notice is sent, or cannot be.
   */
  async notifyOthers(id: string): Promise<void> {
    await this.listener?.query('select pg_notify($1, $2)', [endedChannel, id]).catch(() => undefined);
  }

  /**
   * Calls `read` until it returns a value, and resolves to that value. `firstRead` says when the first call is; the next calls follow
   * a notice or a pause of `recheckMs`. After `waitMs`, or when this process stops, it resolves to the result of one last call, which
   * may be null.
   */
  async waitFor<T>(
    id: string,
    read: () => Promise<T | null>,
    waitMs: number,
    { firstRead = 'at-once', mark }: CompletionWait = {},
  ): Promise<T | null> {
    const deadline = performance.now() + waitMs;
    const leftMs = () => Math.max(0, Math.min(deadline, this.endsAtMs) - performance.now());
    const wakeup = new Wakeup();
    this.notices.on(id, wakeup.notify);
    try {
      if (firstRead === 'after-notice') await wakeup.notified(Math.min(waitMs, unmarkedMs));
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

  /** Reads the work until it has ended, or until `waitMs` is over. Resolves to the work as it was read last. */
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

  /**
   * Calls the listener at each notice of this name, and after each new connection, because notices may be lost before it. Also
   * calls it when this process stops. Returns a function that removes the listener.
   */
  onNotice(name: string, listener: () => void): () => void {
    this.notices.on(name, listener);
    return () => void this.notices.off(name, listener);
  }

  /**
   * Sends a message to the listeners for this name, in any process. The message is lost when there is no listener, or while the
   * connection is down. Returns false when the message is too long for another process.
   */
  sendMessage(name: string, body: Json): boolean {
    if (this.messages.emit(name, body)) return true;
    const text = JSON.stringify({ name, body });
    if (Buffer.byteLength(text) > messageBytesMax) return false;
    this.listener?.query('select pg_notify($1, $2)', [messageChannel, text]).catch(() => undefined);
    return true;
  }

  /** Calls the listener with each message of this name. Returns a function that removes the listener. */
  onMessage(name: string, listener: (body: Json) => void): () => void {
    this.messages.on(name, listener);
    return () => void this.messages.off(name, listener);
  }

  private hear(text: string): void {
    const { name, body }: { name: string; body: Json } = JSON.parse(text);
    this.messages.emit(name, body);
  }

  /** True once this process stops. Waits end soon, and no new wait should begin. */
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
    const { databaseDirectUrl: connectionString, databaseWaitMs: connectionTimeoutMillis } = this.settings;
    const client = new DatabaseClient({ connectionString, connectionTimeoutMillis, pipeline: true });
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

/** Wakes one waiter. Remembers a notice that arrived while it did not wait. */
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
