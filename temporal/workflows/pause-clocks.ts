import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { findOccasions, type PauseOccasion } from '#libs/language/engine/asking';
import type { PauseEffect } from '#libs/language/engine/effects';
import type { EventQueue } from './event-queue.ts';
import { sleepUntil } from './time.ts';

/** The timers of open pauses: reminders, escalation, deadline. */
export class PauseClocks {
  private readonly clocks = new Map<string, CancellationScope>();
  /** By path: occasions up to this moment have been committed. */
  private readonly told: Map<string, number>;

  /** `enqueue` commits the notices of an occasion. `told` comes from an earlier Temporal run. */
  constructor(
    private readonly events: EventQueue,
    private readonly enqueue: (path: string, occasion: string) => Promise<void>,
    told: Record<string, number> = {},
  ) {
    this.told = new Map(Object.entries(told));
  }

  /** What the next Temporal run must know. */
  get carried(): Record<string, number> {
    return Object.fromEntries(this.told);
  }

  /** Starts the timers of a pause. */
  watch(pause: PauseEffect): void {
    const { path } = pause.visit;
    const due = findOccasions(pause, this.told.get(path) ?? 0);
    if (pause.expiresAtMs === null && due.length === 0) return;
    const scope = new CancellationScope();
    this.clocks.set(path, scope);
    scope
      .run(() => this.keep(pause, due))
      .catch((error: unknown) => {
        // An unhandled rejection would make Temporal try the task for ever.
        if (!isCancellation(error)) this.events.put({ kind: 'failed', error });
      });
  }

  /** Stops the timers of a pause that has ended. */
  unwatch(path: string): void {
    this.clocks.get(path)?.cancel();
    this.clocks.delete(path);
    this.told.delete(path);
  }

  private async keep({ visit: { path }, expiresAtMs }: PauseEffect, due: PauseOccasion[]): Promise<void> {
    for (const [atMs, occasion] of due) {
      await sleepUntil(atMs, `${path} · ${occasion}`);
      await this.enqueue(path, occasion);
      this.told.set(path, atMs);
    }
    if (expiresAtMs === null) return;
    await sleepUntil(expiresAtMs, `${path} · expiry`);
    this.events.put({ kind: 'run', event: { kind: 'expired', path } });
  }
}
