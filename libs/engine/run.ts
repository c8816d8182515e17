import type { Plan } from '#libs/definition/plan';
import { isRef, type Json, type JsonObject } from '#libs/definition/values';

import type { Effect, Failure, Outcome, VisitEntry } from './effects.ts';
import { open } from './frame.ts';
import { unansweredOf, waited } from './launch.ts';
import { noSuchRoute, portAfter } from './routes.ts';
import {
  checked,
  copyOf,
  engineVersion,
  newState,
  type Opening,
  type OpenVisit,
  restored,
  rootKey,
  type RunState,
} from './state.ts';
import { type BlockRef, Stepper } from './stepper.ts';
import { isPatient } from './visits.ts';

/**
 * One run of a plan: given what has happened, what may happen next. Synchronous and deterministic: the same calls in
 * the same order give the same effects, log and outcome, also when the state was serialised between any two of them.
 * Knows no clock, no network, no storage. What the outside reports about a path that is not open is ignored.
 */
export class Run {
  private readonly stepper: Stepper;

  private constructor(
    plan: Plan,
    private readonly now: RunState,
  ) {
    this.stepper = new Stepper(plan, now);
  }

  /** Members of the inputs may be stored values. */
  static start(plan: Plan, opening: Opening): Run {
    const run = new Run(checked(plan), newState(plan, opening));
    const root = run.now.frames[rootKey];
    if (root) open(root, plan.first);
    run.now.agenda.push(rootKey);
    run.stepper.conclude(rootKey);
    return run;
  }

  /** Goes on where a state left off. Refuses (throws) a state of an engine that it does not know. */
  static restore(plan: Plan, state: RunState): Run {
    if (state.engineVersion !== engineVersion)
      throw new Error(`the state is of engine ${state.engineVersion}, this is engine ${engineVersion}`);
    return new Run(checked(plan), restored(state));
  }

  /** A copy, fit to be stored or handed to the run's next incarnation. */
  get state(): RunState {
    return copyOf(this.now);
  }

  get vars(): JsonObject {
    return this.now.vars;
  }

  get done(): boolean {
    return this.stepper.done;
  }

  /** Null as long as the run goes on. */
  outcome(): Outcome | null {
    return this.now.outcome;
  }

  /** Whether `takeReady` has something to do. */
  get hasReady(): boolean {
    const { agenda, frames, launch } = this.now;
    return !this.done && (launch.length > 0 || agenda.some((key) => (frames[key]?.ready.length ?? 0) > 0));
  }

  /** What was launched and is under way outside, in order of visit. */
  get inFlight(): { path: string; kind: Effect['kind'] }[] {
    const held = new Set(this.now.launch);
    return this.visits.flatMap(({ effect: { visit, kind } }) =>
      held.has(visit.path) ? [] : [{ path: visit.path, kind }],
    );
  }

  /** What was under way outside when what it belonged to ended; each is told once, to be cancelled there. */
  takeCancelled(): { path: string; kind: Effect['kind'] }[] {
    return this.now.cancelled.splice(0);
  }

  /** The effects of all open visits, to be launched anew after `restore`. */
  get openEffects(): Effect[] {
    return this.visits.map(({ effect }) => effect);
  }

  /** Nothing can happen but a person's answer, an expiry, or the end of a wait. */
  get quiet(): boolean {
    return !this.hasReady && Object.values(this.now.open).every(isPatient);
  }

  /** Quiet, and at least one person is asked: the run counts as paused. */
  get waitingForPeople(): boolean {
    if (this.done || !this.quiet) return false;
    return Object.values(this.now.open).some(({ effect, resting }) => effect.kind === 'pause' || resting);
  }

  /** The last stretch has cost so much that workflow code should pause for breath. */
  get exhausted(): boolean {
    return this.stepper.inline.exhausted;
  }

  /** How many entries of the log have ended and were not taken yet. */
  get unlogged(): number {
    return this.now.ended.length;
  }

  /**
   * Runs blocks that can run without the outside, as many as are allowed or until they have cost much, and gives what is
   * now to be launched, in the order of the visits. When there are more `hasReady` says so.
   */
  takeReady(nowMs: number, most = Infinity): Effect[] {
    const { stepper } = this;
    stepper.nowMs = nowMs;
    stepper.inline.renew();
    for (let steps = 0; steps < most && !stepper.inline.exhausted && stepper.step(); steps++);
    const launched = this.now.launch.flatMap((path) => this.visit(path) ?? []);
    this.now.launch = [];
    return launched.map(({ effect }) => effect);
  }

  /**
   * The result of an EvaluateEffect: what `evaluateBlock` gave, and `packRendered` may have packed. Its values may be
   * stored ones, the whole may not.
   */
  evaluated(path: string, value: Json, nowMs: number): boolean {
    return this.closing(path, ['evaluate'], nowMs, (visit, ref) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isRef(value))
        throw new Error('a rendered block is an object whose members may be stored, not the whole');
      if (visit.role) this.stepper.answered(visit, value);
      else this.stepper.rendered(ref, visit.entry, value);
    });
  }

  /** An activity or a child has succeeded, or the moment of a wait has come; a wait's output is the run's own. */
  settle(path: string, output: Json, nowMs: number, attempts?: number): boolean {
    return this.closing(path, ['activity', 'child', 'wait'], nowMs, ({ entry, effect }, ref) => {
      count(entry, attempts);
      const port = portAfter(ref.block, output);
      if (port === undefined) return this.stepper.failed(ref, entry, noSuchRoute);
      this.stepper.complete(ref, entry, effect.kind === 'wait' ? waited(effect.untilMs) : output, port);
    });
  }

  /** An effect has failed for good: the `error` port is taken, or the run fails. */
  fail(path: string, failure: Failure, nowMs: number, attempts?: number): boolean {
    const kinds: Effect['kind'][] = ['activity', 'child', 'evaluate', 'wait', 'pause'];
    return this.closing(path, kinds, nowMs, (visit, ref) => {
      if (visit.role) return this.stepper.refused(visit, failure);
      count(visit.entry, attempts);
      this.stepper.failed(ref, visit.entry, failure);
    });
  }

  /** A person has answered; the answers have passed `checkAnswers`. */
  resume(path: string, answers: JsonObject, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, ({ entry }, ref) =>
      this.stepper.complete(ref, entry, answers),
    );
  }

  /** Nobody has answered in time: the block fails, or goes on by its `expired` port with the form's defaults. */
  expire(path: string, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, ({ entry, effect }, ref) => {
      entry.status = 'expired';
      if (ref.block.params.onExpiry === 'continue')
        return this.stepper.complete(ref, entry, unansweredOf(effect), 'expired');
      const message = `Nobody answered "${ref.block.name}" in time.`;
      this.stepper.failed(ref, entry, { code: 'PAUSE_EXPIRED', message });
    });
  }

  /** Whether what is open at the path may be cancelled while the run goes on: when something beside it can fail. */
  mayEndEarly(path: string): boolean {
    const visit = this.visit(path);
    return visit !== undefined && this.stepper.hasCompany(visit.frame);
  }

  /** A child run waits for people, or works again. */
  rest(path: string, resting: boolean): void {
    const visit = this.visit(path);
    if (visit?.effect.kind === 'child') visit.resting = resting;
  }

  /** Ends the run as cancelled, and every open visit with it. */
  cancel(
    nowMs: number,
    failure: Failure = { code: 'CANCELLED', message: 'The run was cancelled.' },
  ): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.end('cancelled', failure);
  }

  /** Ends the run as failed for a reason that is no block's, as its time-out. */
  abort(failure: Failure, nowMs: number): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.end('failed', failure);
  }

  /** Ends the run as failed because of a bug of ours, so that it does not retry for ever. */
  crash(error: unknown, nowMs: number): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.crash(error);
  }

  /** The entries that have changed since the last call, by seq. An entry's seq and path never change. */
  takeLog(): VisitEntry[] {
    const { ended, changed, containers } = this.now;
    const still = changed.flatMap((path) => {
      const entry = this.visit(path)?.entry ?? containers[path]?.entry;
      return entry ? { ...entry } : [];
    });
    this.now.ended = [];
    this.now.changed = [];
    return [...ended, ...still].toSorted((a, b) => a.seq - b.seq);
  }

  private get visits(): OpenVisit[] {
    return Object.values(this.now.open).toSorted((a, b) => a.entry.seq - b.entry.seq);
  }

  private visit(path: string): OpenVisit | undefined {
    return Object.hasOwn(this.now.open, path) ? this.now.open[path] : undefined;
  }

  /** Takes an open visit out and applies what happened; anything unforeseen ends the run. */
  private closing(
    path: string,
    kinds: Effect['kind'][],
    nowMs: number,
    apply: (visit: OpenVisit, ref: BlockRef) => void,
  ): boolean {
    const visit = this.done ? undefined : this.visit(path);
    if (!visit || !kinds.includes(visit.effect.kind)) return false;
    const { stepper } = this;
    stepper.nowMs = nowMs;
    const ref = visit.role
      ? stepper.containerBlockRef(visit.entry.path)
      : stepper.ref(visit.frame, visit.index);
    stepper.take(path, visit);
    stepper.guarded(ref, visit.entry, () => apply(visit, ref));
    return true;
  }
}

function count(entry: VisitEntry, attempts: number | undefined): void {
  if (attempts !== undefined) entry.attempts = attempts;
}
