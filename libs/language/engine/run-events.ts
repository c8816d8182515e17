import type { Plan } from '#libs/language/definition/plan';
import type { Json } from '#libs/platform/json/json';
import { BlockLines } from './block-lines.ts';
import type { ActivityEffect, Effect, Failure } from './effects.ts';
import { Run } from './run.ts';
import type { Opening } from './state.ts';

/** What has happened to a run. Its inputs and its events, in order, give its state. */
export type RunEvent =
  | { kind: 'succeeded'; path: string; output: Json }
  | { kind: 'failed'; path: string; failure: Failure }
  | { kind: 'cancelled' }
  | { kind: 'overtime' };

/** An event, and its moment in milliseconds since the epoch. */
export interface TimedEvent {
  event: RunEvent;
  atMs: number;
}

/** Applies an event. A result for a path that is not open changes nothing. */
export function applyEvent(run: Run, { event, atMs }: TimedEvent): void {
  switch (event.kind) {
    case 'succeeded':
      return void run.succeed(event.path, event.output, atMs, 1);
    case 'failed':
      return void run.fail(event.path, event.failure, atMs, 1);
    case 'cancelled':
      return void run.cancel(atMs);
    case 'overtime':
      return void run.abort(
        { code: 'EXECUTION_TIMEOUT', message: 'The execution used up its active time.' },
        atMs,
      );
    default:
      return event satisfies never;
  }
}

/** Makes the run that has come through these events, and the summaries of its blocks. */
export function replayEvents(
  plan: Plan,
  opening: Opening,
  events: TimedEvent[],
): { run: Run; blocks: BlockLines } {
  const run = Run.start(plan, opening);
  const blocks = new BlockLines();
  const rest = (atMs: number) => {
    while (run.hasReady) run.takeReady(atMs, 1);
    for (const visit of run.takeEnded()) blocks.note(visit);
  };
  rest(opening.nowMs);
  for (const timed of events) {
    applyEvent(run, timed);
    rest(timed.atMs);
  }
  return { run, blocks };
}

/** The effect with which a run goes on in a straight line: an activity, and nothing else that is open or ready. */
export function findOnlyActivity(run: Run, ready: Effect[]): ActivityEffect | null {
  const [next] = ready;
  if (next?.kind !== 'activity' || ready.length > 1) return null;
  return run.hasReady || run.openEffects.length > 1 ? null : next;
}
