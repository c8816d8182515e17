import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './processes.ts';

/** A process of an installation. */
export interface SupervisedProcess {
  name: string;
  /** Resolves when the process runs; it is asked again after each death. */
  start(): Promise<ChildProcess>;
  stop(pid: number): Promise<void>;
}

export interface SupervisorOptions {
  say(line: string): void;
  /** Called after each start and each end of a process. */
  changed?(pids: Record<string, number>): void;
  firstDelayMs?: number;
  longestDelayMs?: number;
  /** A process that ran this long was healthy: after its next end the first delay is used again. */
  healthyAfterMs?: number;
}

const UNDER_WAY_LIMIT_MS = 1000;

/**
 * Keeps parts running: a process that ends is started again, after a delay that doubles with each end in a row.
 * Stops them in the reverse order of their start, one after the other.
 */
export class Supervisor {
  readonly pids: Record<string, number> = {};
  private readonly parts: SupervisedProcess[] = [];
  private readonly deathsInARow: Record<string, number> = {};
  private readonly ending = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly options: SupervisorOptions) {}

  /** Starts a part and keeps it from then on. Refuses when its first start fails, and after `stop`. */
  async start(part: SupervisedProcess): Promise<void> {
    if (this.ending.signal.aborted) throw new Error('The installation is being stopped.');
    await this.track(
      part.start().then((child) => {
        this.parts.push(part);
        this.watch(part, child);
      }),
    );
  }

  /** The number of times in a row that a part has ended without being healthy in between. */
  deaths(name: string): number {
    return this.deathsInARow[name] ?? 0;
  }

  /** Resolves when every part has stopped; nothing is started again from this call on. */
  async stop(): Promise<void> {
    this.ending.abort();
    // A start that hangs must not delay the stop; the keeper stops the process that may still come of it.
    const enough = new AbortController();
    const limit = pause(UNDER_WAY_LIMIT_MS, undefined, { signal: enough.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.underWay), limit]);
    enough.abort();
    for (const part of this.parts.toReversed()) {
      const pid = this.pids[part.name];
      if (pid !== undefined && isAlive(pid)) await part.stop(pid);
    }
  }

  private watch(part: SupervisedProcess, child: ChildProcess): void {
    const begin = Date.now();
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      delete this.pids[part.name];
      this.options.changed?.(this.pids);
      if (this.ending.signal.aborted) return;
      if (Date.now() - begin > (this.options.healthyAfterMs ?? 30_000)) this.deathsInARow[part.name] = 0;
      this.restart(part, signal ?? `exit code ${code}`);
    };
    // It may have died between its start and this line; then no event will come any more.
    if (child.exitCode !== null || child.signalCode !== null) return ended(child.exitCode, child.signalCode);
    this.pids[part.name] = child.pid ?? 0;
    child.once('exit', ended);
    this.options.changed?.(this.pids);
  }

  private restart(part: SupervisedProcess, cause: string): void {
    void this.track(this.startAgain(part, cause));
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
    return tracked;
  }

  private async startAgain(part: SupervisedProcess, cause: string): Promise<void> {
    const delay = this.nextDelay(part.name);
    this.options.say(`${part.name} stopped (${cause}); starting it again in ${delay / 1000} s`);
    try {
      await pause(delay, undefined, { signal: this.ending.signal });
      const child = await part.start();
      this.options.say(`${part.name} runs again (process ${child.pid})`);
      this.watch(part, child);
    } catch (error) {
      if (!this.ending.signal.aborted)
        this.restart(part, error instanceof Error ? error.message : String(error));
    }
  }

  private nextDelay(name: string): number {
    const { firstDelayMs = 500, longestDelayMs = 5000 } = this.options;
    const deaths = this.deaths(name);
    this.deathsInARow[name] = deaths + 1;
    return Math.min(firstDelayMs * 2 ** deaths, longestDelayMs);
  }
}
