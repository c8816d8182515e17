import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { BlockLines } from '#libs/language/engine/block-lines';
import {
  type ActivityEffect,
  type Effect,
  isWork,
  type Outcome,
  type SentValue,
} from '#libs/language/engine/effects';
import type { RunEvent } from '#libs/language/engine/run-events';
import { isObject } from '#libs/platform/json/json';
import { type Advanced, retriedRun, type RunKey, type TemporalRun } from '#temporal/activities';
import type { CarriedRun, ExecutionInput } from '#temporal/messages';
import { stateAttribute } from '#temporal/search-attributes';
import { BatchPlanner, isBatch, runEffectBatch } from './batch-planner.ts';
import { runChild, tellParent } from './child.ts';
import { blockTable } from './details.ts';
import {
  afterFailure,
  type EffectResult,
  type FailedAttempt,
  local,
  runEffect,
  runEffectLine,
} from './effect-activities.ts';
import { EffectScopes } from './effect-scopes.ts';
import { type Event, EventQueue } from './event-queue.ts';
import { isLong, isOldBuild } from './history.ts';
import { PauseClocks } from './pause-clocks.ts';
import { TaskBudget } from './task-budget.ts';
import { ActiveTime, sleepUntil } from './time.ts';

/** A child that waits for less than this does not tell its parent, because the messages would cost more. */
const shortWaitMs = 60_000;

/** An effect under way. */
interface OpenEffect {
  kind: Effect['kind'];
  /** The end of a wait. */
  untilMs?: number;
  /** True for a child that waits for something, or in line. Its time is no active time of this run. */
  still?: boolean;
}

/**
 * Carries what a run waits for: its effects, timers and children. The rows decide what comes next; `advance` gives them what has happened
 * and returns what begins.
 */
export class ExecutionDriver {
  private readonly events = new EventQueue();
  private readonly effects = new CancellationScope();
  private readonly scopes = new EffectScopes(this.effects);
  private readonly clocks: PauseClocks;
  private readonly active: ActiveTime;
  private readonly budget = new TaskBudget();
  private readonly batches = new BatchPlanner();
  private readonly blocks = new BlockLines();
  /** The effects under way, by path. */
  private readonly open = new Map<string, OpenEffect>();
  /** What the rows have told last. */
  private latest: Pick<Advanced, 'number' | 'seq' | 'status' | 'more' | 'outcome' | 'line'>;
  /** Answers of which the rows were not asked yet. */
  private answers: string[] = [];
  /** True when the history is long: nothing more is launched, so that the run can continue in a new one. */
  private leaving = false;
  /** Events that the rows do not have yet. */
  private readonly untold: RunEvent[] = [];
  /** True while an activity carries out a line of effects. */
  private isInLine = false;
  /** True when the rows may hold something new. */
  private isWoken = false;
  /** The effect whose first attempt has failed elsewhere. */
  private failed: CarriedRun['failed'];
  /** The status that the search attributes show. */
  private shown: Advanced['status'] = 'queued';
  /** True when this Temporal run has taken an event. */
  private touched = false;
  /** What the parent was told last. */
  private told: { resting: boolean; still: boolean } | null;

  constructor(private readonly input: ExecutionInput) {
    const { number = 0, usedMs = 0, isPaused, told } = input.carried ?? {};
    if (isPaused) this.shown = 'paused';
    this.latest = { number, seq: 0, status: 'queued', more: false };
    this.clocks = new PauseClocks(
      this.events,
      (path, occasion) => local.enqueueNotifications(this.key, path, occasion),
      told,
    );
    this.active = new ActiveTime(input.activeMsMax, usedMs, () => this.put({ kind: 'overtime' }));
    this.failed = input.carried?.failed;
    this.told = input.carried ? null : { resting: false, still: false };
  }

  /** Names the run for activities, and the last event that this history knows. */
  get key(): RunKey {
    const { workspaceId, executionId } = this.input;
    const { workflowId, runId, firstExecutionRunId, continuedFromExecutionRunId, parent } = workflowInfo();
    const continuedFrom = continuedFromExecutionRunId ?? (this.input.isRetried ? retriedRun : undefined);
    if (workflowId !== executionId) return { workspaceId, executionId };
    // A reset keeps the first run of the one that it replaces. A parent that was reset starts its children anew.
    const isRetry = continuedFrom === retriedRun && firstExecutionRunId === runId && !parent;
    const temporal: TemporalRun = {
      runId,
      number: this.latest.number,
      ...(continuedFrom ? { continuedFrom } : {}),
      ...(isRetry ? { isRetry } : {}),
    };
    return { workspaceId, executionId, temporal };
  }

  /** Runs until the run ends and returns the outcome, or until the history is long and returns what the next Temporal run needs. */
  async runToEnd(): Promise<Outcome | CarriedRun> {
    try {
      this.events.watch(this.effects);
      // All effects are launched in this scope and belong to it.
      const carried = await this.effects.run(() => this.drive());
      if (carried) return carried;
    } catch (error) {
      const event: RunEvent = isCancellation(error)
        ? { kind: 'cancelled' }
        : { kind: 'crashed', message: error instanceof Error ? error.message : String(error) };
      await CancellationScope.nonCancellable(() => this.advance([...this.untold.splice(0), event])).catch(
        (second: unknown) => {
          // The rows cannot be read or written. The run fails in Temporal, and the reconciler repairs its row.
          throw ApplicationFailure.nonRetryable(
            second instanceof Error ? second.message : String(second),
            'ENGINE_FAULT',
          );
        },
      );
    }
    this.active.stop();
    this.effects.cancel();
    const { outcome } = this.latest;
    if (!outcome) throw new Error('the run has ended without an outcome');
    return outcome;
  }

  /** Asks the rows what is new. `entryId` names an answer that they have. */
  wake(entryId?: string): void {
    this.events.put({ kind: 'wake', entryId });
  }

  /** Notes what the child run at the path waits for, or that it works. Ignores a message of another shape. */
  noteChildRests(message: unknown): void {
    if (!isObject(message)) return;
    const { path, resting, still = resting } = message;
    if (typeof path !== 'string') return;
    this.put({ kind: 'rests', path, resting: resting === true });
    this.events.put({ kind: 'still', path, still: still === true });
  }

  private put(event: RunEvent, remote?: true): void {
    this.events.put({ kind: 'run', event, ...(remote ? { remote } : {}) });
  }

  private async drive(): Promise<CarriedRun | null> {
    let launch = await this.advance([]);
    for (;;) {
      // The next Temporal run launches what this one leaves.
      for (const effects of this.leaving ? [] : this.batches.groupIntoBatches(launch)) {
        this.launchAll(effects);
        if (this.budget.full) await this.budget.endTask();
      }
      if (this.latest.outcome) return null;
      const carried = this.pack();
      if (carried) return carried;
      this.active.follow(this.isWorking);
      await this.tellParent();
      if (!this.latest.more || this.leaving) await this.events.filled();
      launch = await this.next();
    }
  }

  /** Takes what has happened. Returns the effects that begin. */
  private async next(): Promise<Effect[]> {
    const taken = this.events.take();
    for (const event of taken) {
      // What has happened before a cancel still counts.
      if (event.kind === 'failed') throw event.error;
      this.untold.push(...this.takeEvent(event));
    }
    // Beside a line nothing is open, so everything but an overtime comes too late.
    const events = this.untold.splice(0).filter(({ kind }) => !this.isInLine || kind === 'overtime');
    this.isWoken ||= taken.some(({ kind }) => kind === 'wake' || kind === 'line');
    // A line advances the rows itself: what they have begun meanwhile is its next effect.
    const isDue = events.length > 0 || this.latest.more || (this.isWoken && !this.isInLine);
    return isDue && !this.latest.outcome ? this.advance(events) : [];
  }

  /** Gives the rows what has happened. Returns the effects that begin. */
  private async advance(events: RunEvent[]): Promise<Effect[]> {
    const { seq, more } = this.latest;
    const answers = this.answers.splice(0);
    this.isWoken = false;
    const given = more ? [...events, { kind: 'continued' as const }] : events;
    return this.takeIn(
      // A cancel must not take events back that the rows may have.
      await CancellationScope.nonCancellable(() =>
        local.advance(this.key, {
          events: given,
          nowMs: Date.now(),
          seq,
          ...(answers.length > 0 ? { answers } : {}),
        }),
      ),
    );
  }

  /** Takes in what the rows have told. Returns the effects that begin. */
  private takeIn(advanced: Advanced): Effect[] {
    this.latest = advanced;
    const open = advanced.open && new Set(advanced.open);
    for (const path of advanced.ended) this.drop(path);
    if (open) for (const path of this.open.keys()) if (!open.has(path)) this.drop(path);
    // The effects are in the result that the task records, and again in the activities that it opens.
    for (const effect of advanced.launch) this.budget.add(effect);
    this.blocks.merge(advanced.lines);
    this.show(advanced.status);
    return advanced.launch.filter(({ visit }) => !this.open.has(visit.path));
  }

  private show(status: Advanced['status']): void {
    setCurrentDetails(blockTable(status, this.input.detailUrl, this.blocks));
    if (status !== this.shown && (status === 'paused' || this.shown === 'paused'))
      upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    this.shown = status;
  }

  /** Stops what was under way for an effect that has ended. */
  private drop(path: string): void {
    this.open.delete(path);
    this.clocks.unwatch(path);
    this.scopes.drop(path);
  }

  private takeEvent(event: Exclude<Event, { kind: 'failed' }>): RunEvent[] {
    // A local activity ends within the task. Every other event begins a task.
    if (event.kind !== 'run' || event.remote) this.budget.renew();
    this.touched = true;
    switch (event.kind) {
      case 'run':
        if ('path' in event.event && event.event.kind !== 'rests') this.end(event.event.path);
        return [event.event];
      case 'batched':
        return this.takeBatch(event);
      case 'line':
        return this.takeLine(event);
      case 'still': {
        const open = this.open.get(event.path);
        if (open) open.still = event.still;
        return [];
      }
      case 'wake':
        this.told = null;
        if (event.entryId !== undefined) this.answers.push(event.entryId);
        return [];
      default:
        return event satisfies never;
    }
  }

  /** The work for an effect is done. */
  private end(path: string): void {
    this.open.delete(path);
    this.clocks.unwatch(path);
    this.scopes.forget(path);
  }

  private takeLine({ effect, result }: Extract<Event, { kind: 'line' }>): RunEvent[] {
    const { path } = effect.visit;
    this.isInLine = false;
    if (!this.open.has(path)) return [];
    this.end(path);
    if ('failure' in result) {
      // The rows may have its output from an attempt whose worker was lost: they say whether it is open.
      this.failed = { path, ...result };
      this.latest = { ...this.latest, seq: 0 };
      return [];
    }
    this.failed = result.failed;
    if (result.ended) this.takeIn(result.ended);
    return result.settled.map(({ path: at, output }) => ({ kind: 'succeeded', path: at, output }));
  }

  private takeBatch({ batch, results }: Extract<Event, { kind: 'batched' }>): RunEvent[] {
    const taken: RunEvent[] = [];
    for (const [i, effect] of batch.entries()) {
      const { path } = effect.visit;
      const result = results[i];
      const isOpen = this.open.has(path);
      this.end(path);
      this.batches.note(effect, result?.ms);
      // The effect may have ended together with its pass or container.
      if (!isOpen) continue;
      if (!result) this.launch(effect);
      else if (result.failure) this.launchRetry(effect, result);
      else taken.push({ kind: 'succeeded', path, output: result.output, ...sentBy(result) });
    }
    return taken;
  }

  /** True while work is under way that counts as active time: all but children that wait for something themselves. */
  private get isWorking(): boolean {
    return this.latest.more || [...this.open.values()].some((open) => isWork(open) && !open.still);
  }

  /** Tells the parent of a child what the child waits for, when that has changed. A short wait counts as work. */
  private async tellParent(): Promise<void> {
    const { parent } = this.input;
    if (!parent) return;
    const soonMs = Date.now() + shortWaitMs;
    const endsSoon = [...this.open.values()].some(({ untilMs = Infinity }) => untilMs < soonMs);
    const now = { resting: this.latest.status === 'paused', still: !this.isWorking && !endsSoon };
    if (now.resting === this.told?.resting && now.still === this.told.still) return;
    this.told = now;
    await tellParent(parent, now);
  }

  /**
   * What the next Temporal run needs, when this history is long or of an old build. Null while something is under way that the next run
   * could not continue.
   */
  private pack(): CarriedRun | null {
    const open = [...this.open.values()];
    const isAtWork = open.some(isWork);
    const state = {
      hasChild: open.some(({ kind }) => kind === 'child'),
      isPaused: this.latest.status === 'paused',
    };
    this.leaving ||= isLong(state, this.input.eventsMax) || (this.touched && !isAtWork && isOldBuild());
    if (!this.leaving || isAtWork || !this.events.isEmpty || this.answers.length > 0) return null;
    this.active.stop();
    const { number, status } = this.latest;
    return {
      number,
      usedMs: this.active.spentMs,
      told: this.clocks.carried,
      ...(status === 'paused' ? { isPaused: true } : {}),
    };
  }

  private launchAll(effects: Effect[]): void {
    if (isBatch(effects)) this.launchBatch(effects);
    else for (const effect of effects) this.launch(effect);
  }

  /** Launches effects that one activity carries out. They share one scope, which is cancelled when all of them have ended. */
  private launchBatch(batch: ActivityEffect[]): void {
    const paths = batch.map(({ visit }) => visit.path);
    for (const effect of batch) {
      this.budget.add(effect);
      this.open.set(effect.visit.path, { kind: 'activity' });
    }
    const { key } = this;
    void this.scopes
      .runInScope(paths, () => runEffectBatch(key, batch, this.input.queue))
      .then((results) => this.events.put({ kind: 'batched', batch, results }), ignoreCancellation);
  }

  /** Launches an effect. Its result goes to the event queue, so only the loop waits. */
  private launch(effect: Effect): void {
    const { path } = effect.visit;
    const { key } = this;
    this.open.set(path, {
      kind: effect.kind,
      ...(effect.kind === 'wait' ? { untilMs: effect.untilMs } : {}),
    });
    switch (effect.kind) {
      case 'pause':
        return this.clocks.watch(effect);
      case 'wait': {
        const sleeping = this.scopes.runInScope([path], () =>
          sleepUntil(effect.untilMs, `${effect.name} · wait`),
        );
        void sleeping.then(() => this.put({ kind: 'succeeded', path, output: null }), ignoreCancellation);
        return;
      }
      case 'child':
        return this.launchWork(effect, () => runChild(this.input, key, effect, this.noteStillAt(path)));
      case 'activity': {
        const { failed } = this;
        this.failed = undefined;
        if (failed?.path === path) return this.launchRetry(effect, failed);
        this.budget.add(effect);
        if (this.latest.line) return this.launchLine(effect, this.latest.line);
        return this.launchWork(effect, () =>
          runEffect(key, effect, this.input.queue, { noteStill: this.noteStillAt(path) }),
        );
      }
      case 'evaluate':
        throw new Error('the rows render blocks themselves');
    }
  }

  /** Launches an effect that alone is open. Its activity goes on with those that follow, and commits what they give. */
  private launchLine(effect: ActivityEffect, names: string[]): void {
    const { path } = effect.visit;
    const { key } = this;
    this.isInLine = true;
    void this.scopes
      .runInScope([path], () => runEffectLine(key, effect, { names, queue: this.input.queue }))
      .then((result) => this.events.put({ kind: 'line', effect, result }), ignoreCancellation);
  }

  /** Continues an effect whose first attempt has failed. */
  private launchRetry(effect: ActivityEffect, { failure, about }: Omit<FailedAttempt, 'attempt'>): void {
    const { key } = this;
    const { path } = effect.visit;
    this.open.set(path, { kind: 'activity' });
    const noteStill = this.noteStillAt(path);
    this.launchWork(effect, () =>
      afterFailure(key, effect, this.input.queue, { attempt: 1, failure, about, noteStill }),
    );
  }

  /** Returns what notes that an effect begins to wait, and that it goes on. */
  private noteStillAt(path: string): (still: boolean) => void {
    return (still) => this.events.put({ kind: 'still', path, still });
  }

  /** Begins the work of an effect, and puts its result into the event queue. */
  private launchWork(effect: Effect, work: () => Promise<EffectResult>): void {
    const { path } = effect.visit;
    const isRemote = effect.kind === 'activity';
    void this.scopes.runInScope([path], work).then(({ attempts, ...result }) => {
      if (isRemote) this.batches.note(effect, result.failure || attempts > 1 ? undefined : result.ms);
      const about = { path, ...(attempts === 1 ? {} : { attempts }), ...sentBy(result) };
      this.put(
        result.failure
          ? { kind: 'failed', ...about, failure: result.failure }
          : { kind: 'succeeded', ...about, output: result.output },
        isRemote ? true : undefined,
      );
    }, ignoreCancellation);
  }
}

const sentBy = ({ sent }: { sent?: SentValue | undefined }) => (sent ? { sent } : {});

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
