import { Worker } from 'node:worker_threads';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '#libs/platform/settings/settings';
import { compiledProgram } from '#libs/platform/threads/compiled-program';
import type { LeaseThreadData } from './lease-thread.ts';

const program = compiledProgram('lease-thread.js', import.meta.url);

const pace = { everyMs: 2000, stuckMs: 60_000 };
const maxOldGenerationSizeMb = 32;

/** A whole number in memory that threads share. */
const sharedNumber = () => new Int32Array(new SharedArrayBuffer(4));

/**
 * Renews the lease of this process from a thread, so that a main thread that computes for long is not taken for a lost process. A main
 * thread that has come to no turn for a minute is.
 */
@Injectable()
export class LeaseKeeper {
  private readonly log = new Logger(LeaseKeeper.name);
  private readonly turns = sharedNumber();
  readonly renewals = sharedNumber();
  private thread: Worker | null = null;

  constructor(private readonly settings: Settings) {}

  /** Begins to renew the lease of the process, once. */
  begin(processId: string, { everyMs, stuckMs } = pace): void {
    if (this.thread) return;
    const { turns, renewals } = this;
    const { databaseUrl } = this.settings;
    const workerData: LeaseThreadData = {
      databaseUrl,
      processId,
      everyMs,
      stuckMs,
      turns,
      renewals,
    };
    const thread = new Worker(program, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb },
      execArgv: [],
    });
    this.thread = thread;
    thread.unref();
    // The next run begins another one.
    thread.on('error', (error) => this.log.error(`The thread of the lease has ended: ${String(error)}`));
    thread.on('exit', () => {
      if (this.thread === thread) this.thread = null;
    });
  }

  /** Notes that the main thread has come to a turn. */
  noteTurn(): void {
    Atomics.add(this.turns, 0, 1);
  }

  /** Renews no more. */
  async end(): Promise<void> {
    await this.thread?.terminate();
  }
}
