import { Injectable, Logger } from '@nestjs/common';
import { effectKindOf } from '#libs/language/definition/blocks/registry';
import { type ActivityEffect, type Failure, mayRetry, type SentValue } from '#libs/language/engine/effects';
import type { RunEvent } from '#libs/language/engine/run-events';
import { noteDatabaseTime, readClockMs } from '#libs/platform/clock/database-clock';
import { actorContext } from '#libs/platform/database/actor-context';
import { Database } from '#libs/platform/database/database';
import { isUnavailable, retryWhileUnavailable } from '#libs/platform/database/violations';
import { holdsRef, type Json } from '#libs/platform/json/json';
import { Settings } from '#libs/platform/settings/settings';
import { runOnBehalfOf } from '#libs/platform/telemetry/tracing/origin';
import { InlineStartOutbox } from '../deliver/inline-start-outbox.ts';
import { pack } from '../record/pack.ts';
import type { DirectRun, RunStep } from './direct-run.ts';
import * as sql from './direct-runs.sql.ts';
import { WaitingCallers } from './waiting-callers.ts';
import type { EffectDoor } from './effect-door.ts';
import type { AcceptedExecution } from '../accept/accepted-execution.ts';
import type { Execution } from '../execution.entity.ts';
import { toCommittedRow } from '../record/committed-row.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LostRun, StepWriter } from './step-writer.ts';

/** The outcome of an effect waits this long for a database that is away. Then the run is taken over from its rows. */
const commitMsMax = 30_000;

/** A caller who waits gains when its run waits so long for a slot, in milliseconds, because the way through Temporal takes as long. */
const slotWaitMs = 100;

const renewEveryMs = 2000;
/** A lease that was renewed this long ago, in milliseconds, is too old for a new run. */
const freshMsMax = 5000;

/** A run that the rows give to a process. */
export interface OwnedRun {
  executionId: string;
  workspaceId: string;
  processId: string;
}

/** A run that its process does not work on. */
export interface UnworkedRun extends OwnedRun {
  /** True when the effect at the path may have begun. */
  mayHaveBegun: (path: string) => boolean;
}

/** The slots that a run holds, one for each queue of its effects. */
export class Slots {
  private readonly held = new Map<string, () => void>();

  constructor(
    private readonly door: EffectDoor,
    private readonly workspaceId: string,
    readonly executionId: string,
    private readonly onFree: (slots: Slots) => void,
  ) {}

  /** True when this process carries out the effect: the run holds a slot for it, or gets one now. */
  take(effect: ActivityEffect): boolean {
    const { type } = effect;
    const { queue } = effectKindOf(type);
    if (!this.door.carriesOut(effect)) return false;
    if (this.held.has(queue)) return true;
    const free = this.door.takeSlot(this.workspaceId, type);
    if (free) this.held.set(queue, free);
    return free !== null;
  }

  /** Like `take`, and waits for a slot for at most `waitMs`. */
  async takeSoon(effect: ActivityEffect, waitMs: number): Promise<boolean> {
    const { type } = effect;
    if (this.take(effect)) return true;
    if (waitMs === 0 || !this.door.carriesOut(effect)) return false;
    const free = await this.door.takeSlotSoon(this.workspaceId, type, waitMs);
    if (free) this.held.set(effectKindOf(type).queue, free);
    return free !== null;
  }

  free(): void {
    for (const free of this.held.values()) free();
    this.held.clear();
    this.onFree(this);
  }
}

/** Why the work on a run stops before its effect has ended. */
type Stop = 'overtime' | 'lost' | 'closing';

/**
 * Carries out runs in this process, as long as they are a straight line of effects: each output is committed before the next effect
 * begins. Temporal goes on with a run that forks, waits, asks a person, fails and is tried again, or takes longer than `DIRECT_MAX_MS`.
 */
@Injectable()
export class DirectRunner {
  private readonly log = new Logger(DirectRunner.name);
  private door: EffectDoor | null = null;
  private leaseAtMs = -Infinity;
  private wasBusy = false;
  private closing = false;
  /** By execution: what stops the work on a run. */
  private readonly active = new Map<string, (why: Stop) => void>();
  /** The slots of the runs in `active`, and of runs that are being accepted. */
  private readonly slotsInUse = new Set<Slots>();
  /** By execution whose work ended by an error of ours: the path of the effect that may have begun. */
  private readonly left = new Map<string, string | null>();
  /** The runs that the last look has found in the rows, and nobody at work on them. */
  private suspects = new Set<string>();
  /** True when a run may be without work, so that the next turn looks. */
  private looksSoon = false;
  private idle = () => undefined as void;

  constructor(
    private readonly database: Database,
    private readonly writer: StepWriter,
    private readonly inlineStarts: InlineStartOutbox,
    private readonly callers: WaitingCallers,
    private readonly keeper: LeaseKeeper,
    private readonly settings: Settings,
  ) {}

  /** Carries out effects from now on. */
  useDoor(door: EffectDoor): void {
    this.door = door;
  }

  /** Takes a slot for the first effect of a run. Null when Temporal must carry out the run. */
  async takeSlots(
    { workspaceId, executionId, mode }: Pick<AcceptedExecution, 'workspaceId' | 'executionId' | 'mode'>,
    effect: ActivityEffect,
  ): Promise<Slots | null> {
    if (!this.door || !this.mayBegin) return null;
    const slots = new Slots(this.door, workspaceId, executionId, (freed) => this.noteFreed(freed));
    if (!(await slots.takeSoon(effect, mode === 'sync' ? slotWaitMs : 0))) return null;
    if (!this.mayBegin) {
      slots.free();
      return null;
    }
    this.slotsInUse.add(slots);
    this.keeper.begin(this.writer.processId);
    return slots;
  }

  /** Looks soon for a run whose acceptance had no answer: it may be committed, and nobody has begun it. */
  noteUnanswered(): void {
    this.looksSoon = true;
  }

  /**
   * Carries out a run whose acceptance is committed. Resolves to its row when it has ended here, and to null when it goes on elsewhere.
   * Never rejects.
   */
  begin(run: DirectRun, effect: ActivityEffect, slots: Slots): Promise<Execution | null> {
    const { executionId, origin } = run.execution;
    // The work is done for the run and not for the caller, whose request may end before.
    return actorContext.exit(() =>
      runOnBehalfOf(origin, executionId, () => this.carryOut(run, effect, slots)),
    );
  }

  /**
   * Renews the lease when it is due, or when the process has become busy or quiet. Stops work on runs that the rows no longer give to
   * this process. Returns those that they give to it and that nobody here works on, at two looks in a row.
   */
  async renewLease(): Promise<UnworkedRun[]> {
    this.keeper.noteTurn();
    const nowMs = performance.now();
    const isBusy = this.callers.isBusy();
    const isDue = isBusy !== this.wasBusy || nowMs - this.leaseAtMs >= renewEveryMs;
    if (!isDue && !this.looksSoon) return [];
    this.looksSoon = false;
    const [active, left, working] = [[...this.active], [...this.left.keys()], this.working];
    const runs = await this.readLease(isBusy);
    this.wasBusy = isBusy;
    // After a pause of the process others may have its runs. They are stopped before it trusts its lease again.
    const owned = new Set(runs.map(({ executionId }) => executionId));
    for (const [id, stop] of active) if (!owned.has(id)) stop('lost');
    for (const id of left) if (!owned.has(id)) this.left.delete(id);
    this.leaseAtMs = nowMs;
    const unworked = runs.filter(({ executionId: id }) => !working.has(id) && !this.working.has(id));
    const again = unworked.filter(({ executionId }) => this.suspects.has(executionId));
    this.suspects = new Set(unworked.map(({ executionId }) => executionId));
    this.looksSoon ||= again.length < unworked.length;
    return again;
  }

  /** Stops the work on a run that has ended meanwhile. */
  stopRun(executionId: string): void {
    this.active.get(executionId)?.('lost');
  }

  /** Begins no further run, hands over those under way after their effects, and stops those that last longer than `graceMs`. */
  async finish(graceMs: number): Promise<void> {
    this.closing = true;
    const isIdle = new Promise<void>((resolve) => (this.idle = resolve));
    if (this.slotsInUse.size === 0) return;
    const timer = setTimeout(() => {
      for (const stop of this.active.values()) stop('closing');
    }, graceMs);
    await isIdle;
    clearTimeout(timer);
  }

  /** Returns the runs that the rows give to this process, once it works on none. */
  readUnworked(): Promise<UnworkedRun[]> {
    return this.readLease(false);
  }

  /** Ends the lease, so that other processes take over what is left. */
  async endLease(): Promise<void> {
    await this.keeper.end();
    await this.database.systemUnflushed(sql.endLease, [this.writer.processId]);
  }

  private get mayBegin(): boolean {
    return !this.closing && this.isFresh;
  }

  private get isFresh(): boolean {
    return performance.now() - this.leaseAtMs < freshMsMax;
  }

  /** The executions that are carried out here, or are being accepted. */
  private get working(): Set<string> {
    return new Set([...this.slotsInUse].map(({ executionId }) => executionId));
  }

  private noteFreed(slots: Slots): void {
    this.slotsInUse.delete(slots);
    if (this.closing && this.slotsInUse.size === 0) this.idle();
  }

  private async readLease(isBusy: boolean): Promise<UnworkedRun[]> {
    const { processId } = this.writer;
    const sentMs = Date.now();
    const [renewed] = await this.database.systemUnflushed<{
      now_ms: string;
      runs: Omit<OwnedRun, 'processId'>[];
    }>(sql.renewLease, [processId, isBusy]);
    if (!renewed) return [];
    noteDatabaseTime(Number(renewed.now_ms), sentMs, Date.now());
    // This process alone has begun anything of its runs, and knows what: nothing of a run whose acceptance had no answer.
    return renewed.runs.map((run) => ({
      ...run,
      processId,
      mayHaveBegun: (path) => this.left.get(run.executionId) === path,
    }));
  }

  private async owns(executionId: string): Promise<boolean> {
    const rows = await this.database.system(sql.findOwnRun, [executionId, this.writer.processId]);
    return rows.length > 0;
  }

  private async carryOut(run: DirectRun, first: ActivityEffect, slots: Slots): Promise<Execution | null> {
    const { executionId, mode, activeMsMax } = run.execution;
    const line = new Line(slots, this.settings.directMaxMs, () => this.closing);
    const stop = (why: Stop) => line.stop(why);
    this.active.set(executionId, stop);
    const leftMs =
      Math.min(activeMsMax ?? Infinity, this.settings.activeMsMax[mode]) -
      (readClockMs() - run.logged.startedAtMs);
    const overtime = setTimeout(() => stop('overtime'), Math.max(1, leftMs));
    try {
      for (let next = first; ;) {
        const step = await this.takeStep(run, next, line);
        if (!step.next) return step.outcome ? toEndedRow(run, step) : null;
        ({ next } = step);
      }
    } catch (error) {
      this.left.set(executionId, line.begun);
      if (!(error instanceof LostRun)) {
        this.log.warn(`${executionId} is left to its rows: ${String(error)}`);
        this.looksSoon = true;
      }
      return null;
    } finally {
      clearTimeout(overtime);
      this.active.delete(executionId);
      slots.free();
    }
  }

  /** Carries out one effect and commits what follows. */
  private async takeStep(run: DirectRun, effect: ActivityEffect, line: Line): Promise<RunStep> {
    const { door } = this;
    if (!door) throw new Error('no effects are carried out here');
    const { path } = effect.visit;
    const { workspaceId, executionId } = run.execution;
    line.begun = null;
    // The process was frozen for so long that others may have the run.
    if (!this.isFresh && !(await this.owns(executionId))) throw new LostRun(executionId);
    line.begun = path;
    const done: { step?: RunStep; awaited: boolean; isOver: boolean } = {
      awaited: false,
      isOver: false,
    };
    // An attempt that was given up may still come to its end. By then the run has gone on without it.
    const succeed = (output: Json, sent: SentValue | undefined): RunStep => {
      if (done.isOver) throw new LostRun(executionId);
      return run.applyEvents([{ kind: 'succeeded', path, output, ...(sent ? { sent } : {}) }], line.mayGoOn);
    };
    const key = { workspaceId, executionId, process: this.writer.processId };
    const failed = await door.tryEffect(key, effect, {
      signal: line.signal,
      storeOutput: async ({ value, payloads }, sent) => {
        // A repetition after an outage commits the same step.
        done.step ??= succeed(value, sent);
        done.awaited = await this.writer.commitStep(run, done.step, payloads);
      },
      commitWrite: (write, sent) =>
        this.database.within(workspaceId, async (tx) => {
          await this.writer.lockRun(tx, executionId);
          const { value, payloads } = pack(await write(tx));
          done.step = succeed(value, sent);
          done.awaited = await this.writer.writeStep(tx, run, done.step, { payloads });
          return value;
        }),
    });
    done.isOver = true;
    if (failed && isUnsent(failed.failure)) line.begun = null;
    if (failed && done.step)
      throw new Error(`the output of ${path} could not be committed: ${failed.failure.code}`);
    const step = done.step ?? this.stepAfter(run, effect, line, failed);
    if (!done.step)
      done.awaited = await retryWhileUnavailable(
        () => this.writer.commitStep(run, step),
        line.signal,
        commitMsMax,
      );
    // After the effect, so that the spans of the blocks behind it do not belong to it.
    this.writer.wakeWaiters(step, done.awaited);
    if (step.carried) this.startInTemporal(run);
    return step;
  }

  private stepAfter(
    run: DirectRun,
    effect: ActivityEffect,
    { stopped, mayGoOn }: Line,
    failed: Awaited<ReturnType<EffectDoor['tryEffect']>>,
  ): RunStep {
    const { path } = effect.visit;
    if (!failed) throw new Error(`the effect ${path} has ended without a step`);
    const { failure, about } = failed;
    if (stopped === 'lost') throw new LostRun(run.execution.executionId);
    if (stopped === 'overtime') return run.applyEvents([{ kind: 'overtime' }], mayGoOn);
    if (stopped === 'closing') return run.leaveLost();
    // Temporal tries again when there is a slot, the database is back, or the hold is released.
    if (isUnsent(failure)) return run.leave();
    if (mayRetry(effect, { attempt: 1, failure, about })) return run.leave({ path, failure, about });
    const { sent } = about;
    const event: RunEvent = { kind: 'failed', path, failure, ...(sent ? { sent } : {}) };
    return run.applyEvents([event], mayGoOn);
  }

  /** Starts the run in Temporal at once. When that fails, the outbox does it. */
  private startInTemporal({ execution: { workspaceId, executionId } }: DirectRun): void {
    this.inlineStarts.ensureStarted(workspaceId, executionId).catch((error: unknown) => {
      if (!isUnavailable(error)) this.log.warn(`${executionId} is not started yet: ${String(error)}`);
    });
  }
}

/** True for a failure before anything of the effect was sent. */
const isUnsent = ({ code }: Failure): boolean => ['WORKSPACE_BUSY', 'DATABASE_AWAY', 'HELD'].includes(code);

/** The committed row of a run that has ended; null when its output must be read from the store. */
function toEndedRow(run: DirectRun, step: RunStep): Execution | null {
  const { outcome } = step;
  return outcome && !holdsRef(outcome.output)
    ? toCommittedRow(run.execution, step.record, run.createdAt)
    : null;
}

/** The work on one run: its slots, its time, and whether it must stop. */
class Line {
  private readonly stopping = new AbortController();
  private readonly endsAtMs: number;
  stopped: Stop | null = null;
  /** The path of the effect that may have begun since the last commit. */
  begun: string | null = null;

  constructor(
    private readonly slots: Slots,
    directMaxMs: number,
    private readonly isClosing: () => boolean,
  ) {
    this.endsAtMs = performance.now() + directMaxMs;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  stop(why: Stop): void {
    this.stopped ??= why;
    this.stopping.abort(new Error(`The work on the run stops: ${why}.`));
  }

  /** True when this process may carry out the next effect of the run. */
  readonly mayGoOn = (next: ActivityEffect): boolean =>
    !this.isClosing() && this.stopped === null && performance.now() < this.endsAtMs && this.slots.take(next);
}
