import type { CancellationScope } from '@temporalio/workflow';
import type { JsonObject } from '#libs/platform/json/json';
import type { ActivityEffect } from '#libs/language/engine/effects';
import type { Batched } from '#temporal/activities';
import type { EffectResult, ChainOutcome } from './effect-activities.ts';

/** The events from outside of the workflow code. */
export type Event =
  | { kind: 'settled'; path: string; result: EffectResult; evaluated: boolean; remote: boolean }
  | { kind: 'chained'; result: ChainOutcome }
  | { kind: 'batched'; batch: ActivityEffect[]; results: (Batched | null)[] }
  | { kind: 'answered'; path: string; answers: JsonObject; atMs: number | undefined }
  | { kind: 'due'; path: string }
  | { kind: 'expired'; path: string }
  | { kind: 'rests'; path: string; resting: boolean; still: boolean }
  | { kind: 'overtime' }
  | { kind: 'wake' }
  | { kind: 'crashed'; error: unknown };

/** Events in the order in which Temporal delivered them. Handlers and effects add them; one loop takes them. */
export class EventQueue {
  private events: Event[] = [];
  private wake: () => void = () => undefined;

  /** Adds the cancel of a scope to the queue. The loop throws it when it reaches it. */
  watch(scope: CancellationScope): void {
    void scope.cancelRequested.catch((error: unknown) => this.put({ kind: 'crashed', error }));
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
