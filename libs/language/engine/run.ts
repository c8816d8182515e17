import type { Plan } from '#libs/language/definition/plan';
import { isRef, type Json, type JsonObject } from '#libs/platform/json/json';

import {
  type Effect,
  type Failure,
  isWork,
  type Outcome,
  type VisitEntry,
  type SentValue,
} from './effects.ts';
import { open } from './frame.ts';
import { buildDefaultAnswers, waited } from './launch.ts';
import { findScriptKey, isScripted } from './script.ts';
import {
  checked,
  copyState,
  engineVersion,
  newState,
  type EditedVisit,
  type Opening,
  type OpenVisit,
  restored,
  rootKey,
  type RunState,
} from './state.ts';
import { type BlockRef, Stepper } from './stepper.ts';
import { isPatient } from './visits.ts';

/**
 * One run of a plan. It is told what has happened and says what to do next. Synchronous and deterministic: the same
 * calls in the same order give the same effects, log and outcome, also when the state was serialised between any
 * two of them. It uses no clock, no network and no storage. A result for a path that is not open is ignored.
 */
export class Run {
  private readonly stepper: Stepper;

  private constructor(
    private readonly plan: Plan,
    private readonly now: RunState,
  ) {
    this.stepper = new Stepper(plan, now);
  }

  /** Members of the inputs may be references to stored values. */
  static start(plan: Plan, opening: Opening): Run {
    const run = new Run(checked(plan), newState(plan, opening));
    const root = run.now.frames[rootKey];
    if (root) open(root, plan.first);
    run.now.agenda.push(rootKey);
    run.stepper.conclude(rootKey);
    return run;
  }

  /** Continues from a state. Throws when another version of the engine made the state. */
  static restore(plan: Plan, state: RunState): Run {
    if (state.engineVersion !== engineVersion)
      throw new Error(`the state is of engine ${state.engineVersion}, this is engine ${engineVersion}`);
    return new Run(checked(plan), restored(state));
  }

  /** A run in the same state, which goes on by itself. */
  copy(): Run {
    return new Run(this.plan, copyState(this.now));
  }

  /** A copy of the state, to be stored or given to the next history of the run. */
  get state(): RunState {
    return copyState(this.now);
  }

  get vars(): JsonObject {
    return this.now.vars;
  }

  get done(): boolean {
    return this.stepper.done;
  }

  /** The latest moment of the log, in ms; 0 when nothing was logged. */
  get loggedMs(): number {
    return this.now.loggedMs ?? 0;
  }

  /** Gives the whole of what visits send from now on, but of calls, to the caller. */
  watchSent(take: (path: string, value: JsonObject) => void): void {
    this.stepper.onSent = take;
  }

  /** The outcome; null as long as the run has not ended. */
  outcome(): Outcome | null {
    return this.now.outcome;
  }

  /** True when `takeReady` has something to do. */
  get hasReady(): boolean {
    const { agenda, frames, launch } = this.now;
    return !this.done && (launch.length > 0 || agenda.some((key) => (frames[key]?.ready.length ?? 0) > 0));
  }

  /**
   * Takes the effects that were under way when the pass, container or run around them ended. Each effect is returned
   * once; the caller cancels it.
   */
  takeCancelled(): { path: string; kind: Effect['kind'] }[] {
    return this.now.cancelled.splice(0);
  }

  /** The effects of all open visits, to be launched anew after `restore`. */
  get openEffects(): Effect[] {
    return this.visits.map(({ effect }) => effect);
  }

  /** Notes what the run was started with beside its inputs. */
  begin(edited: EditedVisit | undefined): boolean {
    if (edited) this.now.edited = edited;
    return true;
  }

  /** Marks the calls under way as sent perhaps, because the process that made them is lost. */
  noteLostCalls(): boolean {
    const unlaunched = new Set(this.now.launch);
    for (const { effect } of this.visits)
      if (effect.kind === 'activity' && !unlaunched.has(effect.visit.path)) effect.mayBeSent = true;
    return !this.done;
  }

  /** Lets open effects run anew on a person's word. `attempts` has those that each visit had before, by path. */
  retry(attempts: Record<string, number>): boolean {
    for (const visit of this.visits) {
      const { effect, entry } = visit;
      const before = attempts[entry.path];
      this.now.changed.push(effect.visit.path);
      if (before === undefined || (effect.kind !== 'activity' && effect.kind !== 'child')) continue;
      effect.round = (effect.round ?? 0) + 1;
      // The person has decided: the call is sent under a new key.
      if (effect.kind === 'activity') delete effect.mayBeSent;
      visit.attemptsBefore = before;
      entry.attempts = before;
    }
    return !this.done;
  }

  /** The number of effects under way that end without a person or a timer. */
  get openWork(): number {
    let work = 0;
    for (const path in this.now.open) if (this.now.open[path] && isWork(this.now.open[path].effect)) work++;
    return work;
  }

  /** The number of the last visit that has begun. */
  get lastSeq(): number {
    return this.now.lastSeq;
  }

  /** The answers of the script that were used under a name. */
  countScripted(key: string): number {
    return this.now.scripted?.[key] ?? 0;
  }

  /** The open effects of visits that began after the visit with this number, in order. */
  openSince(seq: number): Effect[] {
    const isSince = ({ entry, launchedSeq = entry.seq }: OpenVisit) => launchedSeq > seq;
    return this.visits.filter(isSince).map(({ effect }) => effect);
  }

  isOpen(path: string): boolean {
    return this.visit(path) !== undefined;
  }

  /** True when nothing can happen but a person's answer, an expiry, or the end of a wait. */
  get quiet(): boolean {
    return !this.hasReady && Object.values(this.now.open).every(isPatient);
  }

  /** True when the run is quiet and at least one pause is open: the run counts as paused. */
  get waitingForPeople(): boolean {
    if (this.done || !this.quiet) return false;
    return Object.values(this.now.open).some(({ effect, resting }) => effect.kind === 'pause' || resting);
  }

  /**
   * Runs blocks that need no effect: at most `most` of them, until the evaluation budget is used up. Returns the
   * effects to launch now, in the order of the visits. When more blocks are ready, `hasReady` is true.
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
   * Takes the result of an EvaluateEffect: the value of `evaluateBlock`, which `packRendered` may have packed. Its
   * members may be references to stored values; the value itself may not.
   */
  evaluated(path: string, value: Json, nowMs: number): boolean {
    return this.closing(path, ['evaluate'], nowMs, (visit, ref) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isRef(value))
        throw new Error('a rendered block is an object whose members may be stored, not the whole');
      if (visit.role) this.stepper.answered(visit, value);
      else this.stepper.rendered(ref, visit.entry, value);
    });
  }

  /**
   * An activity or a child has succeeded, or the moment of a wait has come. The run makes the output of a wait
   * itself.
   */
  succeed(path: string, output: Json, nowMs: number, attempts?: number, sent?: SentValue): boolean {
    return this.closing(path, ['activity', 'child', 'wait'], nowMs, (visit, ref) => {
      const { entry, effect } = visit;
      noteAttempts(visit, attempts, sent);
      this.noteScripted(effect, attempts);
      this.stepper.succeeded(ref, entry, effect.kind === 'wait' ? waited(effect.untilMs) : output);
    });
  }

  /** An effect has failed and is not retried: the `error` port is taken, or the run fails. */
  fail(path: string, failure: Failure, nowMs: number, attempts?: number, sent?: SentValue): boolean {
    const kinds: Effect['kind'][] = ['activity', 'child', 'evaluate', 'wait', 'pause'];
    return this.closing(path, kinds, nowMs, (visit, ref) => {
      if (visit.role) return this.stepper.refused(visit, failure);
      noteAttempts(visit, attempts, sent);
      this.noteScripted(visit.effect, attempts);
      if (ref.block.asksOnFailure && visit.effect.kind === 'activity')
        return this.stepper.askOperator(ref, visit, { effect: visit.effect, failure });
      this.stepper.failed(ref, visit.entry, failure);
    });
  }

  /** A person has answered; the answers have passed `checkAnswers`. */
  resume(path: string, answers: JsonObject, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, ({ entry, failed }, ref) =>
      failed
        ? this.stepper.takeDecision(ref, entry, failed, answers)
        : this.stepper.complete(ref, entry, answers),
    );
  }

  /** The pause has expired: the block fails, or is left by its `expired` port with the defaults of the form. */
  expire(path: string, nowMs: number): boolean {
    return this.closing(path, ['pause'], nowMs, ({ entry, effect }, ref) => {
      entry.status = 'expired';
      if (ref.block.params.onExpiry === 'continue')
        return this.stepper.complete(ref, entry, buildDefaultAnswers(effect), 'expired');
      const message = `Nobody answered "${ref.block.name}" in time.`;
      this.stepper.failed(ref, entry, { code: 'PAUSE_EXPIRED', message });
    });
  }

  /** The child run at the path waits for people, or works again. */
  rest(path: string, resting: boolean): boolean {
    const visit = this.visit(path);
    if (visit?.effect.kind !== 'child' || (visit.resting ?? false) === resting) return false;
    visit.resting = resting;
    return true;
  }

  /** Ends the run as cancelled, and every open visit with it. */
  cancel(
    nowMs: number,
    failure: Failure = { code: 'CANCELLED', message: 'The run was cancelled.' },
  ): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.end('cancelled', failure);
  }

  /** Ends the run as failed for a reason that is not in a block, such as its time-out. */
  abort(failure: Failure, nowMs: number): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.end('failed', failure);
  }

  /** Ends the run as failed because of a bug of the engine, so that its task is not tried again for ever. */
  crash(error: unknown, nowMs: number): boolean {
    this.stepper.nowMs = nowMs;
    return this.stepper.crash(error);
  }

  /** The entries that have changed since the last call, by seq. The seq and path of an entry never change. */
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

  /** The entries that have ended since the last call, by seq. Open visits stay in the log for `takeLog`. */
  takeEnded(): VisitEntry[] {
    const { ended } = this.now;
    this.now.ended = [];
    return ended.toSorted((a, b) => a.seq - b.seq);
  }

  private noteScripted(effect: Effect, attempts = 1): void {
    if (!isScripted(this.plan, effect)) return;
    const key = findScriptKey(this.plan, effect);
    this.now.scripted = { ...this.now.scripted, [key]: this.countScripted(key) + attempts };
  }

  private get visits(): OpenVisit[] {
    return Object.values(this.now.open).toSorted((a, b) => a.entry.seq - b.entry.seq);
  }

  private visit(path: string): OpenVisit | undefined {
    return Object.hasOwn(this.now.open, path) ? this.now.open[path] : undefined;
  }

  /** Removes an open visit and applies its result; an unexpected error ends the run. */
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

function noteAttempts(
  { entry, attemptsBefore = 0 }: OpenVisit,
  attempts: number | undefined,
  sent: SentValue | undefined,
): void {
  if (attempts !== undefined) entry.attempts = attemptsBefore + attempts;
  if (sent) entry.sent = sent;
}
