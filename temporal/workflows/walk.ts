import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Plan } from '#libs/definition/plan';
import type { JsonObject } from '#libs/definition/values';
import type { Effect, Outcome, VisitEntry } from '#libs/engine/effects';
import { Run } from '#libs/engine/run';
import type { RunKey, RunRecord } from '#temporal/activities';
import type { ExecutionInput, ResumeMessage, Settled } from '#temporal/messages';
import { blockTable } from './details.ts';
import { carryOut, evaluateOutside, local, type Settlement } from './effects.ts';
import { Ledger } from './ledger.ts';
import { ActiveTime, sleepUntil } from './time.ts';

/** What happened outside, in the order in which Temporal told it. Handlers and effects only add to it. */
type Event =
  | { kind: 'settled'; path: string; settlement: Settlement; evaluated: boolean }
  | { kind: 'answered'; path: string; answers: JsonObject }
  | { kind: 'due'; path: string }
  | { kind: 'expired'; path: string }
  | { kind: 'overtime' };

const stateAttribute = defineSearchAttributeKey('HoldfastState', 'KEYWORD');

/** Drives one `Run`: launches what it asks for, feeds back what happened, and has every settled state recorded. */
export class Walk {
  private key: RunKey;
  private readonly inbox: Event[] = [];
  private readonly effects = new CancellationScope();
  private readonly ledger = new Ledger();
  private readonly active: ActiveTime;
  private readonly deadlines = new Map<string, CancellationScope>();
  private readonly entries = new Map<string, VisitEntry>();
  private readonly startedAtMs = Date.now();
  /** What the rows say of the run; `queued` until the first record or the first effect. */
  private shown: RunRecord['status'] | 'queued' = 'queued';
  private standing: Settled | null = null;

  constructor(private readonly input: ExecutionInput) {
    this.key = { workspaceId: input.workspaceId, executionId: input.executionId };
    // When a run is reset to its first task, its clock stands later than what its predecessor wrote; its start does not.
    const { startTime, runStartTime, continuedFromExecutionRunId } = workflowInfo();
    this.keep(continuedFromExecutionRunId ? runStartTime.getTime() : startTime.getTime() - 1);
    this.active = new ActiveTime(input.activeMsMax, () => this.inbox.push({ kind: 'overtime' }));
  }

  /** Walks until nothing is left to do. The last record is written even when the run is cancelled meanwhile. */
  async toItsEnd(): Promise<Outcome> {
    const run = this.begin(this.input.plan ?? (await this.loadPlan()));
    try {
      if (this.input.cancelled) run.cancel(Date.now());
      await this.walk(run);
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

  /** Refuses an answer that cannot be taken. While a pause is being recorded its context is not known here yet. */
  refuseAnswer({ contextId, entryId }: ResumeMessage): void {
    if (this.ledger.recording || this.ledger.knows(entryId)) return;
    const refusal = this.ledger.refusalOf(contextId);
    if (refusal) throw refusal;
  }

  /** Takes an answer. The same entry again is taken once. */
  async answer({ entryId, contextId, answers }: ResumeMessage): Promise<{ accepted: true }> {
    await condition(() => !this.ledger.recording);
    if (this.ledger.knows(entryId)) return { accepted: true };
    const refusal = this.ledger.refusalOf(contextId);
    if (refusal) throw refusal;
    this.take({ entryId, contextId, answers }, false);
    return { accepted: true };
  }

  /** An answer that nobody waits for: what cannot be taken is dropped. */
  async answerSignalled(
    message: Partial<ResumeMessage> & { contextId: string; input?: JsonObject },
  ): Promise<void> {
    await condition(() => !this.ledger.recording);
    const { contextId, answers = message.input ?? {}, entryId = `res_${contextId.slice(4)}` } = message;
    if (this.ledger.refusalOf(contextId)) return;
    const fitting = this.ledger.fitting(contextId, answers);
    if (!fitting) return log.warn('a signalled answer does not fit the form and was dropped', { contextId });
    this.take({ entryId, contextId, answers: fitting }, message.entryId === undefined);
  }

  /** The state of the run as soon as it has settled. */
  async settled(): Promise<Settled> {
    await condition(() => this.standing !== null);
    return this.standing ?? { status: 'paused', resumes: 0 };
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
    this.ledger.recording = false;
    try {
      return Run.start(plan, { inputs, run: about, nowMs: this.startedAtMs });
    } catch (error) {
      throw engineFault(error);
    }
  }

  private async walk(run: Run): Promise<void> {
    for (;;) {
      for (const effect of run.takeReady(Date.now())) this.launch(effect);
      if (run.done) return;
      if (this.mustRecord(run)) await this.record(run);
      this.active.follow(run.inFlight.some(({ kind }) => kind === 'activity' || kind === 'evaluate'));
      await condition(() => this.inbox.length > 0);
      for (const event of this.inbox.splice(0)) this.apply(run, event);
    }
  }

  /** Effects show themselves in the rows when they begin, so a run that only works needs no record of its own. */
  private mustRecord(run: Run): boolean {
    const standsStill = run.waitingForPeople && this.shown !== 'paused';
    const unseen = this.shown === 'queued' && !run.inFlight.some(({ kind }) => kind === 'activity');
    return this.ledger.unwritten || standsStill || unseen;
  }

  private apply(run: Run, event: Event): void {
    const now = Date.now();
    if (event.kind === 'overtime') {
      run.abort({ code: 'EXECUTION_TIMEOUT', message: 'The execution used up its active time.' }, now);
    } else if (event.kind === 'answered') {
      this.deadlines.get(event.path)?.cancel();
      run.resume(event.path, event.answers, now);
    } else if (event.kind === 'due') {
      run.settle(event.path, null, now);
    } else if (event.kind === 'expired') {
      if (this.ledger.expire(event.path)) run.expire(event.path, now);
    } else {
      this.applySettlement(run, event);
    }
  }

  private applySettlement(
    run: Run,
    { path, settlement, evaluated }: Extract<Event, { kind: 'settled' }>,
  ): void {
    const now = Date.now();
    if (settlement.failure) run.fail(path, settlement.failure, now, settlement.attempts);
    else if (evaluated) run.evaluated(path, settlement.output, now);
    else run.settle(path, settlement.output, now, settlement.attempts);
  }

  /** Starts an effect; whatever becomes of it lands in the inbox, so that one place alone waits. */
  private launch(effect: Effect): void {
    const { path } = effect.visit;
    if (effect.kind === 'pause') {
      this.ledger.open(effect);
    } else if (effect.kind === 'wait') {
      this.later(this.effects, () => sleepUntil(effect.untilMs, `${effect.name} · wait`), {
        kind: 'due',
        path,
      });
    } else {
      const evaluated = effect.kind === 'evaluate';
      void this.effects
        .run(() =>
          evaluated ? evaluateOutside(this.key, effect) : carryOut(this.key, effect, this.input.queue),
        )
        .then((settlement) => this.inbox.push({ kind: 'settled', path, settlement, evaluated }))
        .catch(ignoreCancellation);
    }
  }

  private later(scope: CancellationScope, sleeping: () => Promise<void>, event: Event): void {
    void scope
      .run(sleeping)
      .then(() => this.inbox.push(event))
      .catch(ignoreCancellation);
  }

  private take({ entryId, contextId, answers }: ResumeMessage, signalled: boolean): void {
    const path = this.ledger.claim(entryId, contextId, answers, signalled);
    if (path) this.inbox.push({ kind: 'answered', path, answers });
  }

  /** Writes what changed into the rows; pauses are open to answers only after that. */
  private async record(run: Run): Promise<void> {
    const outcome = run.outcome();
    const status = outcome ? outcome.status : run.waitingForPeople ? 'paused' : 'running';
    const settled = status !== 'running';
    const visits = run.takeLog();
    for (const entry of visits) this.entries.set(entry.path, entry);
    setCurrentDetails(blockTable(status, this.input.detailUrl, this.entries.values()));
    const everPaused = this.ledger.everPaused;
    const change = this.ledger.take(settled);
    if (change.opened.length > 0) this.ledger.recording = true;
    const atMs = Date.now();
    const key = this.key;
    this.keep(atMs);
    const contexts = await local.record({
      ...key,
      ...change,
      status,
      visits,
      atMs,
      startedAtMs: this.startedAtMs,
      ...(outcome ? { outcome, endedAtMs: Date.now() } : {}),
      ...(everPaused ? { snapshot: this.snapshot(run) } : {}),
    });
    for (const { path, expiresAtMs } of this.ledger.learn(contexts, change.opened))
      this.watch(path, expiresAtMs);
    this.ledger.recording = false;
    if (everPaused && this.shown !== status) upsertSearchAttributes([{ key: stateAttribute, value: status }]);
    this.shown = status;
    this.standing = settled ? { status, resumes: this.ledger.resumes } : null;
  }

  /** Whatever is said from now on rests on the record of that moment: after a reset, later ones are another run's. */
  private keep(keptMs: number): void {
    const { workflowId, runId } = workflowInfo();
    if (workflowId === this.key.executionId) this.key = { ...this.key, temporal: { runId, keptMs } };
  }

  private watch(path: string, expiresAtMs: number): void {
    const scope = new CancellationScope();
    this.deadlines.set(path, scope);
    this.later(scope, () => sleepUntil(expiresAtMs, `${path} · expiry`), { kind: 'expired', path });
  }

  /** The run's public state; what it holds is never used to go on. */
  private snapshot(run: Run): JsonObject {
    const { workflowId, version, planHash } = this.input;
    const blocks = [...this.entries.values()].map(({ path, blockId, type, status, attempts }) => ({
      path,
      blockId,
      type,
      status,
      attempts,
    }));
    return { workflowId, version, planHash, blocks, variables: run.state.vars };
  }
}

function engineFault(error: unknown): ApplicationFailure {
  const message = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.nonRetryable(message, 'ENGINE_FAULT');
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
