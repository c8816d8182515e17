import { allHandlersFinished, CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { Plan } from '#libs/language/definition/plan';
import { isObject } from '#libs/platform/json/json';
import type { ActivityEffect, Effect, Outcome, PauseEffect, WaitEffect } from '#libs/language/engine/effects';
import { Run } from '#libs/language/engine/run';
import { applyEvent } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import type { CarriedRun, ExecutionInput } from '#temporal/messages';
import { BatchPlanner, runEffectBatch, isBatch } from './batch-planner.ts';
import { runChild, tellParent } from './child.ts';
import {
  afterFailure,
  runEffect,
  runEffectChain,
  engineFault,
  evaluateOutside,
  isWork,
  local,
  type EffectResult,
  type FailedAttempt,
  type ChainOutcome,
} from './effect-activities.ts';
import { PauseTracker } from './pause-tracker.ts';
import { TaskBudget } from './task-budget.ts';
import { atWork, isLong, isOldBuild } from './history.ts';
import { EffectScopes } from './effect-scopes.ts';
import { type Event, EventQueue } from './event-queue.ts';
import { PauseHandlers } from './pause-handlers.ts';
import { Recording } from './recording.ts';
import { ChainPlanner } from './chain-planner.ts';
import { ActiveTime, cameLate, sleepUntil } from './time.ts';

/** The most blocks in one slice of workflow code. A slice ends with a record, and so with one event. */
const stepsMax = 1000;

/** The most effects under way at a time, counted by `isWork`. Temporal refuses a task that opens 2,000 activities. */
const workMax = 200;

/** A child that waits for less than this does not tell its parent, because the messages would cost more. */
const shortWaitMs = 60_000;

/** Drives one `Run`: launches its effects, gives it their results, and records every settled state. */
export class ExecutionDriver {
  private readonly pauseTracker: PauseTracker;
  private readonly recording: Recording;
  private readonly events = new EventQueue();
  readonly pauses: PauseHandlers;
  private readonly effects = new CancellationScope();
  private readonly active: ActiveTime;
  private readonly scopes = new EffectScopes(this.effects);
  private readonly budget = new TaskBudget();
  private chains: ChainPlanner | null = null;
  private readonly batches: BatchPlanner;
  /** The effects that an earlier Temporal run had open and that this one opens again. */
  private readonly adopted: Effect[] = [];
  /** True when the history is long: nothing more is launched, so that the run can continue in a new history. */
  private leaving = false;
  /** Overrides the clock while an answer is applied that the API already applied inline. Null: the real clock. */
  private asOfMs: number | null = null;
  /** True when this Temporal run has applied an event. */
  private touched = false;
  /** The paths of children that wait for something, or in line. Their time is no active time of this run. */
  private readonly still = new Set<string>();
  /** What the parent was told last. After a new history it is told again when work begins. */
  private told: { resting: boolean; still: boolean };

  constructor(private readonly input: ExecutionInput) {
    this.pauseTracker = new PauseTracker(input.starter);
    this.recording = new Recording(input, this.pauseTracker);
    this.batches = new BatchPlanner(input);
    this.pauses = new PauseHandlers(this.recording, this.pauseTracker, this.events);
    const { usedMs = 0 } = input.carried ?? {};
    this.active = new ActiveTime(input.activeMsMax, usedMs, () => this.events.put({ kind: 'overtime' }));
    this.told = { resting: this.recording.isPaused, still: input.carried !== undefined };
  }

  /**
   * Runs until the run ends and returns the outcome, or until the history is long and returns the input of the next
   * Temporal run. Writes the last record even when the run is cancelled meanwhile.
   */
  async runToEnd(): Promise<Outcome | CarriedRun> {
    const plan = this.input.plan ?? (await this.loadPlan());
    this.chains = new ChainPlanner(this.input, plan);
    const run = this.startRun(plan);
    try {
      if (cameLate(this.input) && (await local.cancelAsked(this.recording.key))) run.cancel(Date.now());
      this.events.watch(this.effects);
      // All effects are launched in this scope and belong to it: one scope costs least.
      const carried = await this.effects.run(() => this.drive(run));
      if (carried) return carried;
    } catch (error) {
      if (isCancellation(error)) await this.cancel(run);
      // An engine fault ends the run as failed: a thrown error would make Temporal try the task for ever.
      else run.crash(error, Date.now());
    }
    await CancellationScope.nonCancellable(async () => {
      this.active.stop();
      this.effects.cancel();
      await this.record(run);
    });
    const outcome = run.outcome();
    if (!outcome) throw new Error('the run has ended without an outcome');
    return outcome;
  }

  /** Notes what the child run at the path waits for, or that it works. Ignores a message of another shape. */
  noteChildRests(message: unknown): void {
    if (!isObject(message)) return;
    const { path, resting, still = resting } = message;
    if (typeof path !== 'string') return;
    this.events.put({ kind: 'rests', path, resting: resting === true, still: still === true });
  }

  /** Makes the loop run once, so that the run moves to the current build when it may. */
  wake(): void {
    this.events.put({ kind: 'wake' });
  }

  /** Loads the plan. If that fails, the run fails in Temporal, and the reconciler repairs its row. */
  private async loadPlan(): Promise<Plan> {
    try {
      return await CancellationScope.nonCancellable(() =>
        local.loadPlan(this.recording.key, this.input.planHash),
      );
    } catch (error) {
      throw engineFault(error);
    }
  }

  /** Ends the run as cancelled. The committed results of a chain still count. */
  private async cancel(run: Run): Promise<void> {
    await CancellationScope.nonCancellable(async () => this.chains?.takeIn(run, this.recording.key));
    run.cancel(Date.now());
  }

  private startRun(plan: Plan): Run {
    const { carried } = this.input;
    try {
      if (!carried) {
        this.pauseTracker.contextsPending = false;
        const nowMs = this.recording.startedAtMs;
        return Run.start(plan, { inputs: this.input.inputs, run: buildFacts(this.input, nowMs), nowMs });
      }
      return this.restoreRun(Run.restore(plan, carried.state), carried);
    } catch (error) {
      throw engineFault(error);
    }
  }

  /**
   * Continues from the last Temporal run. Its pauses are in the rows already. Waits, and effects that it held back,
   * begin here.
   */
  private restoreRun(run: Run, carried: CarriedRun): Run {
    const unlaunched = new Set(carried.state.launch);
    const open = run.openEffects.filter(({ visit }) => !unlaunched.has(visit.path));
    const pauses = open.filter((effect) => effect.kind === 'pause');
    this.pauseTracker.restore(carried.ledger, pauses);
    this.pauseTracker.contextsPending = false;
    this.adopted.push(...open);
    return run;
  }

  private async drive(run: Run): Promise<CarriedRun | null> {
    for (const effect of this.adopted.splice(0)) {
      const pause = effect.kind === 'pause' ? this.pauseTracker.openPauseAt(effect.visit.path) : undefined;
      const failed = this.input.carried?.failed;
      if (pause) this.pauses.watch(pause);
      else if (effect.kind === 'activity' && effect.visit.path === failed?.path)
        this.launchRetry(run, effect, failed);
      else if (effect.kind !== 'pause') this.launch(run, effect);
      if (this.budget.full) await this.budget.endTask();
    }
    for (;;) {
      const ready = this.leaving ? [] : run.takeReady(this.nowMs, this.room(run));
      for (const effects of this.batches.groupIntoBatches(ready)) {
        this.launchAll(run, effects);
        if (this.budget.full) await this.budget.endTask();
      }
      this.dropCancelled(run);
      if (run.done) return null;
      if (this.sliceEnds(run) || this.recording.isDue(run)) await this.record(run);
      this.leaving ||= isLong(run, this.input.eventsMax) || (this.touched && isOldBuild(run));
      const carried = this.leaving ? await this.packRun(run) : null;
      if (carried) return carried;
      if (this.budget.full) await this.budget.endTask();
      if (!this.leaving && run.hasReady && this.events.isEmpty && this.room(run) > 0) continue;
      this.active.follow(this.isWorking(run));
      await this.tellParent(run);
      this.asOfMs = null;
      await this.events.filled();
      for (const event of this.events.take()) {
        if (event.kind === 'overtime') await this.chains?.takeIn(run, this.recording.key);
        this.apply(run, event);
      }
    }
  }

  /** True while work is under way that counts as active time: all but children that wait for something themselves. */
  private isWorking(run: Run): boolean {
    return run.inFlight.some((effect) => isWork(effect) && !this.still.has(effect.path));
  }

  /** Tells the parent of a child what the child waits for, when that has changed. A short wait counts as work. */
  private async tellParent(run: Run): Promise<void> {
    const { parent } = this.input;
    if (!parent) return;
    const soonMs = Date.now() + shortWaitMs;
    const endsSoon = run.openEffects.some((effect) => effect.kind === 'wait' && effect.untilMs < soonMs);
    const now = { resting: this.recording.isPaused, still: !this.isWorking(run) && !endsSoon };
    if (now.resting === this.told.resting && now.still === this.told.still) return;
    this.told = now;
    await tellParent(parent, now);
  }

  private get nowMs(): number {
    return this.asOfMs ?? Date.now();
  }

  /** Cancels effects that ended within the run, for example in a branch beside a failed one. */
  private dropCancelled(run: Run): void {
    for (const { path, kind } of run.takeCancelled()) {
      if (kind === 'pause') this.pauseTracker.close(path);
      this.pauses.unwatch(path);
      this.scopes.drop(path);
    }
  }

  /** The number of blocks that may begin now. */
  private room(run: Run): number {
    return Math.min(stepsMax, workMax - run.inFlight.filter(isWork).length);
  }

  /** The input of the next Temporal run; null while something is under way that the next run could not continue. */
  private async packRun(run: Run): Promise<CarriedRun | null> {
    if (atWork(run) || !this.events.isEmpty) return null;
    if (this.pauseTracker.unwritten || run.unlogged > 0) await this.record(run);
    if (!allHandlersFinished()) await condition(() => allHandlersFinished() || !this.events.isEmpty);
    if (!this.events.isEmpty) return null;
    this.active.stop();
    return {
      state: run.state,
      ledger: this.pauseTracker.carried,
      usedMs: this.active.spentMs,
      ...this.recording.carried,
    };
  }

  private sliceEnds(run: Run): boolean {
    return run.unlogged >= stepsMax || (run.exhausted && run.unlogged > 0);
  }

  private apply(run: Run, event: Event): void {
    const now = Date.now();
    this.touched = true;
    // A local activity ends within the task, also after the end of a child. Every other event begins a task.
    if (event.kind !== 'settled' || event.remote) this.budget.renew();
    switch (event.kind) {
      case 'settled':
        return this.applyResult(run, event);
      case 'chained':
        return this.applyChain(run, event.result);
      case 'batched':
        return this.applyBatch(run, event);
      case 'answered':
        this.pauses.unwatch(event.path);
        this.asOfMs = event.atMs ?? null;
        run.resume(event.path, event.answers, this.nowMs);
        return;
      case 'due':
        run.succeed(event.path, null, now);
        return;
      case 'expired':
        if (this.pauseTracker.expire(event.path)) run.expire(event.path, now);
        return;
      case 'rests':
        if (event.still) this.still.add(event.path);
        else this.still.delete(event.path);
        return run.rest(event.path, event.resting);
      case 'overtime':
        return applyEvent(run, { event: { kind: 'overtime' }, atMs: now });
      case 'wake':
        return;
      case 'crashed':
        throw event.error;
      default:
        return event satisfies never;
    }
  }

  private applyResult(run: Run, { path, result, evaluated }: Extract<Event, { kind: 'settled' }>): void {
    const now = Date.now();
    if (result.failure) run.fail(path, result.failure, now, result.attempts);
    else if (evaluated) run.evaluated(path, result.output, now);
    else run.succeed(path, result.output, now, result.attempts);
  }

  private applyChain(run: Run, result: ChainOutcome): void {
    const rest = this.chains?.apply(run, result) ?? [];
    if (result.recordedAtMs !== undefined) this.recording.noteEnd(result.recordedAtMs);
    for (const { effect, failed } of rest) {
      if (failed && effect.kind === 'activity') this.launchRetry(run, effect, failed);
      else this.launch(run, effect);
    }
  }

  private applyBatch(run: Run, { batch, results }: Extract<Event, { kind: 'batched' }>): void {
    for (const [i, effect] of batch.entries()) {
      const { path } = effect.visit;
      const result = results[i];
      this.scopes.forget(path);
      this.batches.note(effect, result?.ms);
      // The effect may have ended together with its pass or container.
      if (!run.isOpen(path)) continue;
      if (!result) this.launch(run, effect);
      else if (result.failure) this.launchRetry(run, effect, result);
      else run.succeed(path, result.output, Date.now(), 1);
    }
  }

  /** Continues an effect whose first attempt failed in an activity with several effects. */
  private launchRetry(run: Run, effect: ActivityEffect, { failure, about }: Failed): void {
    const attempt = { attempt: 1, failure, about };
    this.launchWork(run, effect, () => afterFailure(this.recording.key, effect, this.input.queue, attempt));
  }

  private launchAll(run: Run, effects: Effect[]): void {
    if (isBatch(effects)) this.launchBatch(run, effects);
    else for (const effect of effects) this.launch(run, effect);
  }

  /**
   * Launches effects that one activity carries out. They share one scope, which is cancelled when all of them have
   * ended.
   */
  private launchBatch(run: Run, batch: ActivityEffect[]): void {
    for (const effect of batch) this.budget.add(effect);
    const work = () => runEffectBatch(this.recording.key, batch, this.input.queue);
    const paths = batch.map(({ visit }) => visit.path);
    void this.scopes
      .runInScope(run, paths, work)
      .then((results) => this.events.put({ kind: 'batched', batch, results }), ignoreCancellation);
  }

  /**
   * Launches an effect. Its result goes to the event queue, so only the loop waits. An effect that no chain can begin
   * with gets work of its own.
   */
  private launch(run: Run, effect: Effect): void {
    const { path } = effect.visit;
    if (effect.kind === 'activity') this.budget.add(effect);
    if (effect.kind === 'pause') {
      this.pauseTracker.open(effect);
    } else if (effect.kind === 'wait') {
      const sleeping = () => sleepUntil(effect.untilMs, `${effect.name} · wait`);
      this.putLater(this.scopes.runInScope(run, [path], sleeping), { kind: 'due', path });
    } else if (!this.launchChain(run, effect)) this.launchWork(run, effect, () => this.startOutside(effect));
  }

  /** Begins a chain with the effect, if possible. Returns true when it did. */
  private launchChain(run: Run, effect: Effect): boolean {
    const chain = this.chains?.planChain(run, effect, this.recording.end);
    if (!chain || effect.kind !== 'activity') return false;
    this.chains?.begin(effect);
    this.budget.add(chain.start);
    void runEffectChain(this.recording.key, effect, { ...chain, queue: this.input.queue }).then(
      (result) => this.events.put({ kind: 'chained', result }),
      ignoreCancellation,
    );
    return true;
  }

  /** Begins the work of an effect, and puts its result into the event queue. */
  private launchWork(run: Run, effect: Effect, work: () => Promise<EffectResult>): void {
    void this.scopes
      .runInScope(run, [effect.visit.path], work)
      .then((result) => this.putResult(effect, result), ignoreCancellation);
  }

  private startOutside(effect: Exclude<Effect, PauseEffect | WaitEffect>): Promise<EffectResult> {
    switch (effect.kind) {
      case 'evaluate':
        return evaluateOutside(this.recording.key, effect);
      case 'child':
        return runChild(this.input, effect, (still) =>
          this.events.put({ kind: 'rests', path: effect.visit.path, resting: false, still }),
        );
      case 'activity':
        return runEffect(this.recording.key, effect, this.input.queue);
    }
  }

  private putResult(effect: Effect, result: EffectResult): void {
    const { kind, visit } = effect;
    const { path } = visit;
    this.scopes.forget(path);
    const remote = kind === 'activity';
    if (remote) this.batches.note(effect, result.failure || result.attempts > 1 ? undefined : result.ms);
    else this.budget.add(result.output);
    this.events.put({ kind: 'settled', path, result, evaluated: kind === 'evaluate', remote });
  }

  private putLater(sleeping: Promise<void>, event: Event): void {
    void sleeping.then(() => this.events.put(event), ignoreCancellation);
  }

  /** Writes the changes into the database. A pause takes answers only after that. */
  private async record(run: Run): Promise<void> {
    const opened = await this.recording.commitRecord(run);
    for (const pause of opened) this.pauses.watch(pause);
    this.recording.showState(run);
  }
}

type Failed = Omit<FailedAttempt, 'attempt'>;

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
