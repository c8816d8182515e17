import type { CancellationScope } from '@temporalio/workflow';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type { RunEvent } from '#libs/language/engine/run-events';
import type { Batched, LineResult } from '#temporal/activities';
import type { FailedAttempt } from './effect-activities.ts';

/** What happens outside of the workflow code. */
export type Event =
  /** An event of the run. `remote` says that an activity of the workers has ended. */
  | { kind: 'run'; event: RunEvent; remote?: boolean }
  | { kind: 'batched'; batch: ActivityEffect[]; results: (Batched | null)[] }
  /** A line of effects has ended, or its first effect has failed. */
  | { kind: 'line'; effect: ActivityEffect; result: LineResult | Omit<FailedAttempt, 'attempt'> }
  | { kind: 'still'; path: string; still: boolean }
  /** The rows hold something new, such as an answer. */
  | { kind: 'wake'; entryId?: string | undefined }
  | { kind: 'failed'; error: unknown };

/** Events in the order in which Temporal delivered them. Handlers and effects add them; one loop takes them. */
export class EventQueue {
  private events: Event[] = [];
  private wake: () => void = () => undefined;

  /** Adds the cancel of a scope to the queue. The loop throws it when it reaches it. */
  watch(scope: CancellationScope): void {
    void scope.cancelRequested.catch((error: unknown) => this.put({ kind: 'failed', error }));
  }

  put(event: Event): void {
    this.events.push(event);
    this.wake();
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  take(): Event[] {
    return this.events.splice(0);
  }

  /**
   * Resolves when there is an event. It costs one promise. `condition` would cost several, and a call into the sandbox
   * for each event.
   */
  async filled(): Promise<void> {
    if (this.isEmpty) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}
