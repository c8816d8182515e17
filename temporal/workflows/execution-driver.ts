import {
  allHandlersFinished,
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Plan } from '#libs/definition/plan';
import type { JsonObject } from '#libs/definition/values';
import type { Effect, Outcome, PauseEffect, WaitEffect } from '#libs/engine/effects';
import { Run } from '#libs/engine/run';
import type { RunKey, RunRecord } from '#temporal/activities';
import type { Carried, ExecutionInput, Settled } from '#temporal/messages';
import { stateAttribute } from '#temporal/search-attributes';
import { runChild, tellParent } from './child.ts';
import { Blocks, blockTable, snapshotOf } from './details.ts';
import { carryOut, engineFault, evaluateOutside, isWork, local, type EffectResult } from './effects.ts';
import { Ledger } from './ledger.ts';
import { TaskBudget } from './task-budget.ts';
import { atWork, isLong, isOldBuild } from './history.ts';
import { type Event, EventQueue } from './event-queue.ts';
import { type PauseListener, OpenPauses } from './open-pauses.ts';
import { ActiveTime, cameLate, sleepUntil } from './time.ts';

/** Blocks that one stretch of workflow code runs at most; a stretch ends with a record, and so with one event. */
const stepsMax = 1000;

/** What a run has under way at most, of what ends by itself: Temporal refuses a task that makes 2,000 activities open. */
const workMax = 200;

/** Drives one `Run`: launches what it asks for, feeds back what happened, and has every settled state recorded. */
export class ExecutionDriver implements PauseListener {
  key: RunKey;
  private readonly events = new EventQueue();
  private readonly effects = new CancellationScope();
  ledger: Ledger;
  readonly pauses: OpenPauses;
  private readonly active: ActiveTime;
  /** Of effects inside of containers, which may end before the run does. */
  private readonly scopes = new Map<string, CancellationScope>();
  private readonly blocks: Blocks;
  private readonly budget = new TaskBudget();
  private readonly startedAtMs: number;
  /** What the rows say of the run; `queued` until the first record or the first effect. */
  private shown: RunRecord['status'] | 'queued';
  private settledState: Settled | null = null;
  /** What an earlier incarnation has launched and this one is to launch again. */
  private readonly takenUp: Effect[] = [];
  /** The history is long: nothing new is launched, so that the run can be handed on. */
  private leaving = false;
  /** Something has happened in this incarnation. */
  private touched = false;

  constructor(private readonly input: ExecutionInput) {
    this.key = { workspaceId: input.workspaceId, executionId: input.executionId };
    const { usedMs = 0, blocks = [], startedAtMs = Date.now(), shown = 'queued' } = input.carried ?? {};
    // When a run is reset to its first task, its clock stands later than what its predecessor wrote; its start does not.
    const { startTime, runStartTime, continuedFromExecutionRunId } = workflowInfo();
    this.stampRecord(continuedFromExecutionRunId ? runStartTime.getTime() : startTime.getTime() - 1);
    this.active = new ActiveTime(input.activeMsMax, usedMs, () => this.events.put({ kind: 'overtime' }));
    this.blocks = new Blocks(blocks);
    this.startedAtMs = startedAtMs;
    this.shown = shown;
    this.ledger = new Ledger(input.starter);
    this.pauses = new OpenPauses(this);
  }

  /**
   * Walks until nothing is left to do and gives the outcome, or until the history is long enough and gives what the
   * next incarnation needs. The last record is written even when the run is cancelled meanwhile.
   */
  async runToEnd(): Promise<Outcome | Carried> {
    const run = this.begin(this.input.plan ?? (await this.loadPlan()));
    try {
      if (cameLate(this.input) && (await local.cancelAsked(this.key))) run.cancel(Date.now());
      this.events.watch(this.effects);
      // Effects belong to this scope because they are launched in it: one scope for all costs least.
      const carried = await this.effects.run(() => this.drive(run));
      if (carried) return carried;
    } catch (error) {
      if (isCancellation(error)) run.cancel(Date.now());
      // A fault of the engine ends the run as failed: thrown on, it would make Temporal try the task for ever.
      else run.crash(error, Date.now());
    }
    await CancellationScope.nonCancellable(async () => {
      this.active.stop();
      this.effects.cancel();
      await this.record(run);
    });
    const outcome = run.outcome();
    if (!outcome) throw new Error('a run that was walked to its end has an outcome');
    return outcome;
  }

  answered(path: string, answers: JsonObject): void {
    this.events.put({ kind: 'answered', path, answers });
  }

  wake(): void {
    this.events.put({ kind: 'wake' });
  }

  expired(path: string): void {
    this.events.put({ kind: 'expired', path });
  }

  crashed(error: unknown): void {
    this.events.put({ kind: 'crashed', error });
  }

  private watch(path: string): void {
    const pause = this.ledger.at(path);
    if (pause) this.pauses.watch(pause);
  }

  childRests(path: string, resting: boolean): void {
    this.events.put({ kind: 'rests', path, resting });
  }

  /** The state of the run as soon as it has settled. */
  async settled(): Promise<Settled> {
    await condition(() => this.settledState !== null || this.leaving);
    return this.settledState ?? { status: 'running', resumes: this.ledger.resumes };
  }

  /** A plan that cannot be had: the run fails in Temporal, and the reconciler sees to its row. */
  private async loadPlan(): Promise<Plan> {
    try {
      return await CancellationScope.nonCancellable(() => local.loadPlan(this.key, this.input.planHash));
    } catch (error) {
      throw engineFault(error);
    }
  }

  private begin(plan: Plan): Run {
    const { executionId, workspaceId, workflowId, version, mode, trigger, inputs } = this.input;
    const startTime = new Date(this.startedAtMs).toISOString();
    const about = {
      id: executionId,
      executionId,
      workspaceId,
      workflowId,
      version,
      mode,
      trigger,
      startTime,
    };
    const { carried } = this.input;
    try {
      if (!carried) {
        this.ledger.recording = false;
        return Run.start(plan, { inputs, run: about, nowMs: this.startedAtMs });
      }
      return this.goOn(Run.restore(plan, carried.state), carried);
    } catch (error) {
      throw engineFault(error);
    }
  }

  /** Takes up what the last incarnation left: pauses are in the rows already, waits and held effects begin here. */
  private goOn(run: Run, carried: Carried): Run {
    const held = new Set(carried.state.launch);
    const open = run.openEffects.filter(({ visit }) => !held.has(visit.path));
    const pauses = open.filter((effect) => effect.kind === 'pause');
    this.ledger = Ledger.restore(carried.ledger, pauses, this.input.starter);
    this.ledger.recording = false;
    this.takenUp.push(...open);
    if (carried.shown === 'paused') this.settledState = { status: 'paused', resumes: 0 };
    return run;
  }

  private async drive(run: Run): Promise<Carried | null> {
    for (const effect of this.takenUp.splice(0)) {
      if (effect.kind !== 'pause') this.launch(run, effect);
      else this.watch(effect.visit.path);
      if (this.budget.full) await this.budget.endTask();
    }
    for (;;) {
      for (const effect of this.leaving ? [] : run.takeReady(Date.now(), this.room(run))) {
        this.launch(run, effect);
        if (this.budget.full) await this.budget.endTask();
      }
      this.dropCancelled(run);
      if (run.done) return null;
      if (this.stretchEnds(run) || this.mustRecord(run)) await this.record(run);
      this.leaving ||= isLong(run, this.input.eventsMax) || (this.touched && isOldBuild(run));
      const carried = this.leaving ? await this.packed(run) : null;
      if (carried) return carried;
      if (this.budget.full) await this.budget.endTask();
      if (!this.leaving && run.hasReady && this.events.isEmpty && this.room(run) > 0) continue;
      this.active.follow(atWork(run));
      await this.events.filled();
      for (const event of this.events.take()) this.apply(run, event);
    }
  }

  /** Ends outside what has ended inside, as a branch beside one that failed. */
  private dropCancelled(run: Run): void {
    for (const { path, kind } of run.takeCancelled()) {
      if (kind === 'pause') this.ledger.close(path);
      this.pauses.unwatch(path);
      this.scopes.get(path)?.cancel();
      this.scopes.delete(path);
    }
  }

  /** How many blocks may begin now. */
  private room(run: Run): number {
    return Math.min(stepsMax, workMax - run.inFlight.filter(isWork).length);
  }

  /** What the next incarnation needs, once nothing is under way that it could not take up. */
  private async packed(run: Run): Promise<Carried | null> {
    if (atWork(run) || !this.events.isEmpty) return null;
    if (this.ledger.unwritten || run.unlogged > 0) await this.record(run);
    if (!allHandlersFinished()) await condition(() => allHandlersFinished() || !this.events.isEmpty);
    if (!this.events.isEmpty) return null;
    this.active.stop();
    return {
      state: run.state,
      ledger: this.ledger.carried,
      blocks: this.blocks.all,
      usedMs: this.active.spentMs,
      startedAtMs: this.startedAtMs,
      shown: this.shown,
    };
  }

  private stretchEnds(run: Run): boolean {
    return run.unlogged >= stepsMax || (run.exhausted && run.unlogged > 0);
  }

  /** Effects show themselves in the rows when they begin, so a run that only works needs no record of its own. */
  private mustRecord(run: Run): boolean {
    const standsStill = run.waitingForPeople && this.shown !== 'paused';
    const unseen = this.shown === 'queued' && !run.inFlight.some(({ kind }) => kind === 'activity');
    return this.ledger.unwritten || standsStill || unseen;
  }

  private apply(run: Run, event: Event): void {
    const now = Date.now();
    this.touched = true;
    // A child's end is followed by local work, and that of a local activity came within the task.
    if (event.kind !== 'settled' || event.remote) this.budget.renew();
    if (event.kind === 'overtime') {
      run.abort({ code: 'EXECUTION_TIMEOUT', message: 'The execution used up its active time.' }, now);
    } else if (event.kind === 'wake') {
      // The next record tells it.
    } else if (event.kind === 'crashed') {
      throw event.error;
    } else if (event.kind === 'rests') {
      run.rest(event.path, event.resting);
    } else if (event.kind === 'answered') {
      this.pauses.unwatch(event.path);
      run.resume(event.path, event.answers, now);
    } else if (event.kind === 'due') {
      run.settle(event.path, null, now);
    } else if (event.kind === 'expired') {
      if (this.ledger.expire(event.path)) run.expire(event.path, now);
    } else {
      this.applyResult(run, event);
    }
  }

  private applyResult(run: Run, { path, result, evaluated }: Extract<Event, { kind: 'settled' }>): void {
    const now = Date.now();
    if (result.failure) run.fail(path, result.failure, now, result.attempts);
    else if (evaluated) run.evaluated(path, result.output, now);
    else run.settle(path, result.output, now, result.attempts);
  }

  /** Starts an effect; whatever becomes of it lands in the inbox, so that one place alone waits. */
  private launch(run: Run, effect: Effect): void {
    const { path } = effect.visit;
    if (effect.kind === 'activity') this.budget.add(effect);
    if (effect.kind === 'pause') {
      this.ledger.open(effect);
    } else if (effect.kind === 'wait') {
      const sleeping = () => sleepUntil(effect.untilMs, `${effect.name} · wait`);
      this.later(this.inScope(run, path, sleeping), { kind: 'due', path });
    } else {
      void this.inScope(run, path, () => this.outside(effect)).then(
        (result) => this.arrived(effect, result),
        ignoreCancellation,
      );
    }
  }

  private outside(effect: Exclude<Effect, PauseEffect | WaitEffect>): Promise<EffectResult> {
    switch (effect.kind) {
      case 'evaluate':
        return evaluateOutside(this.key, effect);
      case 'child':
        return runChild(this.input, effect);
      case 'activity':
        return carryOut(this.key, effect, this.input.queue);
    }
  }

  private arrived({ kind, visit: { path } }: Effect, result: EffectResult): void {
    this.scopes.delete(path);
    const remote = kind === 'activity';
    if (!remote) this.budget.add(result.output);
    this.events.put({ kind: 'settled', path, result, evaluated: kind === 'evaluate', remote });
  }

  /** A scope costs promises, and each of them time: only what may end before the run has one of its own. */
  private inScope<T>(run: Run, path: string, work: () => Promise<T>): Promise<T> {
    if (!run.mayEndEarly(path)) return work();
    const scope = new CancellationScope({ cancellable: true, parent: this.effects });
    this.scopes.set(path, scope);
    return scope.run(work);
  }

  private later(sleeping: Promise<void>, event: Event): void {
    void sleeping.then(() => this.events.put(event), ignoreCancellation);
  }

  /** Writes what changed into the rows; pauses are open to answers only after that. */
  private async record(run: Run): Promise<void> {
    const outcome = run.outcome();
    const status = outcome ? outcome.status : run.waitingForPeople ? 'paused' : 'running';
    const settled = status !== 'running';
    const visits = run.takeLog();
    for (const entry of visits) this.blocks.note(entry);
    setCurrentDetails(blockTable(status, this.input.detailUrl, this.blocks));
    const { parent } = this.input;
    const everPaused = this.ledger.everPaused;
    const change = this.ledger.take(settled);
    if (change.opened.length > 0) this.ledger.recording = true;
    const atMs = Date.now();
    const key = this.key;
    this.stampRecord(atMs);
    const contexts = await local.record({
      ...key,
      ...change,
      status,
      visits,
      atMs,
      startedAtMs: this.startedAtMs,
      ...(outcome ? { outcome, endedAtMs: Date.now() } : {}),
      ...(parent ? { rootId: parent.rootId } : {}),
      ...(everPaused && !parent ? { snapshot: snapshotOf(this.input, this.blocks, run.vars) } : {}),
    });
    const learnt = this.ledger.learn(contexts, change.opened, atMs);
    for (const pause of learnt) this.pauses.watch(pause);
    this.ledger.recording = false;
    if (everPaused && this.shown !== status) upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    if (parent && !outcome && (status === 'paused') !== (this.shown === 'paused'))
      await tellParent(parent, status === 'paused');
    this.shown = status;
    this.settledState = settled ? { status, resumes: this.ledger.resumes } : null;
  }

  /** Whatever is said from now on rests on the record of that moment: after a reset, later ones are another run's. */
  private stampRecord(lastRecordAtMs: number): void {
    const { workflowId, runId } = workflowInfo();
    if (workflowId === this.key.executionId)
      this.key = { ...this.key, temporal: { runId, keptMs: lastRecordAtMs } };
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
