import { Injectable } from '@nestjs/common';
import { isEffectType } from '#libs/language/definition/blocks/registry';
import type { EntityManager } from 'typeorm';
import type { Effect } from '#libs/language/engine/effects';
import { toAskedPath } from '#libs/language/engine/launch';
import type { LoggedEvent, LoggedRun } from '#libs/language/engine/logged-run';
import { keepCounting, type RunEvent } from '#libs/language/engine/run-events';
import { Database, send } from '#libs/platform/database/database';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { type LockedExecution, RunLog } from '../advance/run-log.ts';
import { saveSnapshot } from '../advance/run-log.sql.ts';
import { toRecord } from '../advance/run-step.ts';
import { placeInFlow } from '../accept/flows.ts';
import { type Hold, toHeldRefusal } from '../accept/holds.ts';
import { holdOfStart } from '../accept/holds.sql.ts';
import { buildChildId } from '../accept/children.ts';
import { toRetriedStart } from '../deliver/workflow-starter.ts';
import { recountPauses } from '../record/record.sql.ts';
import { buildEffectKey } from '../record/effect-key.ts';
import { Recorder } from '../record/recorder.ts';
import { rewindPauses, rewindVisits } from '../record/resets.sql.ts';
import { findOfWorkflow } from '../executions.ts';
import { visitsOf } from './run-forks.sql.ts';
import * as sql from './run-retries.sql.ts';
import { findSentKeys } from './sent-keys.ts';

/** A visit that a retry runs anew. */
export interface RepeatedVisit {
  executionId: string;
  path: string;
  blockId: string;
  name: string;
  type: string;
  /** The attempts that it had. */
  attempts: number;
  /** The new key of its call, which may happen again at its receiver; null for a child. */
  key: string | null;
}

/** What a retry does, or would do. */
export interface RetryPlan {
  executionId: string;
  /** The visits whose results are kept. */
  kept: number;
  /** The calls that are kept, also those of children that go on. */
  keptCalls: KeptCall[];
  repeated: RepeatedVisit[];
}

/** A call that a retry does not make again. */
export interface KeptCall {
  executionId: string;
  path: string;
  /** Null where nobody knows it any more. */
  key: string | null;
}

/** One statement puts back at most this many visits. */
const visitsMax = 10_000;

/** Lets failed runs go on from the visit that failed. */
@Injectable()
export class RunRetries {
  constructor(
    private readonly database: Database,
    private readonly log: RunLog,
    private readonly recorder: Recorder,
  ) {}

  /**
   * Lets a failed execution go on, with all that it has done. The calls that failed, or were stopped by the failure, are made anew under new keys.
   * Throws a conflict for an execution that has not failed, and for one that would fail again at once. With `isPreview` nothing changes.
   * `along` writes in the same transaction.
   */
  async retryExecution(
    workspaceId: string,
    id: string,
    {
      workflowId,
      isPreview = false,
      along,
    }: { workflowId: string; isPreview?: boolean; along?: (tx: EntityManager) => Promise<void> },
  ): Promise<RetryPlan> {
    return this.database.within(workspaceId, async (tx) => {
      const execution = await findOfWorkflow(tx, id, workflowId);
      if (execution.parentId !== null)
        throw new Conflict(
          `This execution was started by ${execution.rootId}. Retry that one: it goes on with this one.`,
          'RETRY_THE_PARENT',
        );
      const [hold] = (await send(tx, holdOfStart, [workspaceId, workflowId, null])) as unknown as Hold[];
      if (hold && hold.releasedAt === null) throw toHeldRefusal(hold);
      const repeated: RepeatedVisit[] = [];
      const keptCalls: KeptCall[] = [];
      const given = { repeated, keptCalls, isPreview, mayBeCancelled: false };
      const reopened = await this.reopen(tx, execution.id, given);
      if (!isPreview) {
        const { row, number } = reopened;
        const start = JSON.stringify(toRetriedStart(number, row.origin));
        if ((await placeInFlow(tx, row.id, start)) === 'start')
          await send(tx, sql.enqueueRetriedStart, [row.id, workspaceId, start]);
        await along?.(tx);
      }
      const [{ kept = 0 } = {}] = await send(tx, sql.countKept, [
        execution.id,
        repeated.map(({ path }) => path),
      ]);
      return { executionId: execution.id, kept: Number(kept), keptCalls, repeated };
    });
  }

  /**
   * Lets a retried execution that still waits in its line fail again, as it had failed. Throws a conflict when it may have run anything.
   * `along` writes in the same transaction.
   */
  async undoRetry(
    workspaceId: string,
    id: string,
    { workflowId, along }: { workflowId: string; along: (tx: EntityManager) => Promise<void> },
  ): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const execution = await findOfWorkflow(tx, id, workflowId, 'for_no_key_update');
      await send(tx, sql.lockLine, [execution.id]);
      const [place] = await send(tx, sql.waitingPlace, [execution.id]);
      if (!place || !(await this.endAgain(tx, execution.id))) throw toBegunRefusal(execution.id);
      await along(tx);
    });
  }

  /** Ends an execution whose last event is a retry by the event that had ended it, after its children. Returns false for another one. */
  private async endAgain(tx: EntityManager, executionId: string): Promise<boolean> {
    const locked = await this.log.lockRun(tx, executionId);
    if (!locked) throw new NotFound('execution');
    const { row } = locked;
    const events = await this.log.readEvents(tx, executionId, 0);
    if (events.at(-1)?.event.kind !== 'retried') return false;
    const { end } = await this.runBeforeEnd(tx, row, keepCounting(events.slice(0, -1)));
    const known = await this.log.readRun(tx, locked);
    for (const { kind, visit } of known.run.run.openEffects)
      if (kind === 'child') await this.endAgain(tx, buildChildId(executionId, visit.path));
    const step = known.run.advance([end.event], readClockMs());
    await this.recorder.recordWithin(tx, toRecord(row, known.run, step), {
      along: this.log.buildStatements(row, known, step),
      origin: row.origin,
    });
    return true;
  }

  /** Puts an ended execution, and the children that it waited for, back to the moment before its end. */
  private async reopen(
    tx: EntityManager,
    executionId: string,
    given: {
      repeated: RepeatedVisit[];
      keptCalls: KeptCall[];
      isPreview: boolean;
      mayBeCancelled: boolean;
    },
  ): Promise<{ row: LockedExecution; number: number }> {
    const locked = await this.log.lockRun(tx, executionId);
    if (!locked) throw new NotFound('execution');
    const { row, number: last } = locked;
    const { repeated, keptCalls, isPreview, mayBeCancelled } = given;
    if (row.status !== 'failed' && !(mayBeCancelled && row.status === 'cancelled')) throw notFailed(row);
    const events = keepCounting(await this.log.readEvents(tx, executionId, 0));
    const { run, at } = await this.runBeforeEnd(tx, row, events);
    const open = run.run.openEffects;
    const attempts = await this.readAttempts(tx, executionId, open);
    const known = { run, owner: null, since: { events: 0, chars: 0 }, chars: 0 };
    run.number = last;
    run.lastAtMs = Math.max(run.lastAtMs, ...events.map(({ atMs }) => atMs));
    const step = run.advance([{ kind: 'retried', to: at.number, attempts }], readClockMs());
    for (const effect of run.run.openEffects) {
      const { kind, visit } = effect;
      if (kind !== 'activity' && kind !== 'child') continue;
      const { name, type } = step.visits.find(({ path }) => path === visit.path) ?? { name: '', type: kind };
      const key = kind === 'activity' ? buildEffectKey({ executionId }, effect) : null;
      repeated.push({ executionId, ...visit, name, type, attempts: attempts[visit.path] ?? 0, key });
    }
    for (const child of await send(tx, sql.endedChildren, [executionId])) {
      const id = String(child['id']);
      const isOpen = open.some(
        ({ kind, visit }) => kind === 'child' && buildChildId(executionId, visit.path) === id,
      );
      if (isOpen) await this.reopen(tx, id, { ...given, mayBeCancelled: true });
    }
    if (isPreview) {
      keptCalls.push(...(await this.findKeptCalls(tx, executionId, events, at)));
      return { row, number: run.number };
    }
    const since = new Date(at.atMs);
    const opened = await send(tx, sql.openAgain, [executionId]);
    if (opened.length === 0)
      throw new Conflict('The records of this execution are being deleted.', 'EXECUTION_FORGOTTEN');
    for (let found = visitsMax; found >= visitsMax;) {
      const [rewound] = await send(tx, rewindVisits, [executionId, since, visitsMax]);
      found = Number(rewound?.['n'] ?? 0);
    }
    await send(tx, rewindPauses, [executionId, since]);
    await send(tx, recountPauses, [row.root_id ?? executionId, null]);
    await this.recorder.recordWithin(tx, toRecord(row, run, step), {
      along: [
        ...this.log.buildStatements(row, known, step),
        [saveSnapshot, [executionId, row.workspace_id, run.number, toStoredJson(run.snapshot)]],
      ],
      origin: row.origin,
    });
    return { row, number: run.number };
  }

  /** The calls that have succeeded until a retry goes on, in their order. */
  private async findKeptCalls(
    tx: EntityManager,
    executionId: string,
    events: LoggedEvent[],
    at: LoggedEvent,
  ): Promise<KeptCall[]> {
    const counting = events.filter(({ number }) => number <= at.number);
    const ended = new Set(counting.flatMap(({ event }) => (event.kind === 'succeeded' ? [event.path] : [])));
    const visits = (await send(tx, visitsOf, [executionId])) as unknown as { path: string; type: string }[];
    const calls = visits.flatMap(({ path, type }) => (ended.has(path) && isEffectType(type) ? [path] : []));
    const keys = await findSentKeys(tx, this.log, { executionId, events: counting }, calls);
    return calls.map((path) => ({ executionId, path, key: keys.get(path) ?? null }));
  }

  /** The run as it was before the event that ended it. Throws when the same would follow again. */
  private async runBeforeEnd(
    tx: EntityManager,
    row: LockedExecution,
    events: LoggedEvent[],
  ): Promise<{ run: LoggedRun; at: LoggedEvent; end: LoggedEvent }> {
    const whole = await this.log.openRun(tx, row);
    if (whole.plan.script) throw wouldAnswerAlike(row);
    const end = events.findIndex((event) => {
      whole.replay([event]);
      return whole.run.done;
    });
    const [before, last] = [events[end - 1], events[end]];
    if (!before || !last || !mayGoOtherwise(last.event)) throw wouldFailAgain(row, last?.event);
    const run = await this.log.openRun(tx, row);
    run.replay(events.slice(0, end));
    return { run, at: before, end: last };
  }

  private async readAttempts(
    tx: EntityManager,
    executionId: string,
    open: Effect[],
  ): Promise<Record<string, number>> {
    const paths = open.map(({ visit }) => visit.path);
    const rows = await send(tx, sql.attemptsOf, [executionId, paths]);
    const known = new Map(rows.map((row) => [row['path'], Number(row['attempts'])]));
    return Object.fromEntries(paths.map((path) => [path, known.get(path) ?? 0]));
  }
}

/** The ends of a run after which another try may go differently: a call failed, time was used up, or a parent stopped it. */
const repeatable = new Set(['failed', 'overtime', 'crashed', 'cancelled']);

/** True after such an end, and when an operator gave a failed call up: they are asked again. */
const mayGoOtherwise = (event: RunEvent): boolean =>
  repeatable.has(event.kind) ||
  (event.kind === 'answered' && toAskedPath(event.path) !== event.path && event.answers['action'] === 'fail');

/** The refusal to undo a retry or a fork of which something may have run. */
export const toBegunRefusal = (id: string) =>
  new Conflict(`${id} has begun meanwhile, so it cannot be undone. Cancel it instead.`, 'HAS_BEGUN');

const notFailed = ({ status }: LockedExecution) =>
  new Conflict(
    status === 'completed' || status === 'cancelled'
      ? `The execution is ${status}. Only a failed one can be retried; fork it to run a part of it again.`
      : `The execution is ${status}: it has not failed. Two retries at once are one.`,
    'NOT_FAILED',
  );

const wouldFailAgain = ({ id }: LockedExecution, last: RunEvent | undefined) =>
  new Conflict(
    last?.kind === 'expired'
      ? `The pause ${last.path} of ${id} has expired, so it would expire again at once. Fork the execution from that pause: it is asked anew, or gets the output that you give.`
      : `The block that failed in ${id} only computes, so it would fail again. Correct the workflow, deploy it, and fork the execution from that block.`,
    'WOULD_FAIL_AGAIN',
  );

const wouldAnswerAlike = ({ id }: LockedExecution) =>
  new Conflict(
    `The scenario answers the calls of ${id}, so it would fail again. Correct the draft or the scenario, and test again.`,
    'WOULD_FAIL_AGAIN',
  );
