import type { Plan } from '#libs/language/definition/plan';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { type ActivityEffect, type Effect, type Failure, isWork, type SentValue } from './effects.ts';
import type { Run } from './run.ts';
import type { EditedVisit } from './state.ts';
import { hasScripted } from './script.ts';

/** What has happened to a run. Its inputs and its events, in order, give its state. */
export type RunEvent = EventKind & {
  /** The number of blocks that ran after the event, when more were ready then. Absent when the run came to rest. */
  ran?: number;
};

type EventKind =
  | { kind: 'started'; edited?: EditedVisit }
  | { kind: 'succeeded'; path: string; output: Json; attempts?: number; sent?: SentValue }
  | { kind: 'evaluated'; path: string; value: Json }
  | { kind: 'failed'; path: string; failure: Failure; attempts?: number; sent?: SentValue }
  | { kind: 'answered'; path: string; answers: JsonObject }
  | { kind: 'expired'; path: string }
  | { kind: 'rests'; path: string; resting: boolean }
  /** The process that made the calls under way is lost. */
  | { kind: 'lost' }
  | { kind: 'continued' }
  /**
   * A person lets a failed run go on from its state after event number `to`; the events after that one no longer count. `attempts` has those
   * that each repeated visit had, by path.
   */
  | { kind: 'retried'; to: number; attempts: Record<string, number> }
  | { kind: 'cancelled' }
  | { kind: 'overtime' }
  | { kind: 'crashed'; message: string };

/** An event, and its moment in milliseconds since the epoch. */
export interface TimedEvent {
  event: RunEvent;
  atMs: number;
}

/** Applies an event. Returns false when it changes nothing, such as a result for a path that is not open. */
export function applyEvent(run: Run, { event, atMs }: TimedEvent): boolean {
  switch (event.kind) {
    case 'started':
      return run.begin(event.edited);
    case 'succeeded':
      return run.succeed(event.path, event.output, atMs, event.attempts ?? 1, event.sent);
    case 'evaluated':
      return run.evaluated(event.path, event.value, atMs);
    case 'failed':
      return run.fail(event.path, event.failure, atMs, event.attempts ?? 1, event.sent);
    case 'answered':
      return run.resume(event.path, event.answers, atMs);
    case 'expired':
      return run.expire(event.path, atMs);
    case 'rests':
      return run.rest(event.path, event.resting);
    case 'lost':
      return run.noteLostCalls();
    case 'continued':
      return !run.done;
    case 'retried':
      return run.retry(event.attempts);
    case 'cancelled':
      return run.cancel(atMs);
    case 'overtime':
      return run.abort(
        { code: 'EXECUTION_TIMEOUT', message: 'The execution used up its active time.' },
        atMs,
      );
    case 'crashed':
      return run.crash(event.message, atMs);
    default:
      return event satisfies never;
  }
}

/** Returns an event as the log keeps it. What a call has sent changes nothing in a run, so only its visit keeps it. */
export function toKeptEvent(event: RunEvent): RunEvent {
  if ((event.kind !== 'succeeded' && event.kind !== 'failed') || event.sent === undefined) return event;
  const { sent: _, ...kept } = event;
  return kept;
}

/** Returns the events that count: a retry takes those back that came after its moment. */
export function keepCounting<T extends { number: number; event: RunEvent }>(events: T[]): T[] {
  let counting: T[] = [];
  for (const one of events) {
    const { event } = one;
    if (event.kind === 'retried') counting = counting.filter(({ number }) => number <= event.to);
    counting.push(one);
  }
  return counting;
}

/** The most blocks that run after one event. Then the run is committed, and goes on with another event. */
const blocksMax = 1000;

/** The most effects that are under way at a time. Temporal refuses a task that opens 2,000 activities. */
const workMax = 200;

/**
 * Runs the blocks that are ready until the run rests: nothing is ready, or enough work is under way. `ran` is the number of blocks that a
 * log names; `isOver` ends it earlier. Returns the effects that began, and the number of blocks.
 */
export function runToRest(
  run: Run,
  atMs: number,
  { ran = Infinity, isOver = never }: { ran?: number | undefined; isOver?: () => boolean } = {},
): { begun: Effect[]; ran: number; isAtRest: boolean } {
  const begun: Effect[] = [];
  let blocks = 0;
  let room = workMax - run.openWork;
  while (run.hasReady && room > 0) {
    if (blocks >= Math.min(ran, blocksMax) || (blocks > 0 && isOver()))
      return { begun, ran: blocks, isAtRest: false };
    for (const effect of run.takeReady(atMs, 1)) {
      begun.push(effect);
      if (isWork(effect)) room--;
    }
    blocks++;
  }
  return { begun, ran: blocks, isAtRest: true };
}

/** True when blocks are ready and not too much work is under way, or when the script of a test has an answer. */
export function canGoOn(plan: Plan, run: Run): boolean {
  return hasRoom(run) || hasScripted(plan, run);
}

/** True when blocks are ready and not too much work is under way. */
export function hasRoom(run: Run): boolean {
  return run.hasReady && run.openWork < workMax;
}

const never = () => false;

/** The effect with which a run goes on in a straight line: an activity, and nothing else that is open or ready. */
export function findOnlyActivity(run: Run, ready: Effect[]): ActivityEffect | null {
  const [next] = ready;
  if (next?.kind !== 'activity' || ready.length > 1) return null;
  return run.hasReady || run.openEffects.length > 1 ? null : next;
}
