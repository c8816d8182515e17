import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import type { Plan } from '#libs/language/definition/plan';
import {
  type LoggedEvent,
  LoggedRun,
  type LoggedStep,
  type RunSnapshot,
} from '#libs/language/engine/logged-run';
import { keepCounting, type RunEvent } from '#libs/language/engine/run-events';
import { buildFacts } from '#libs/language/engine/state';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { send, type Statement } from '#libs/platform/database/database';
import type { Json } from '#libs/platform/json/json';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { Deployments } from '#libs/runs/workflows/deployments';
import { type StartRow, toAccepted } from '../deliver/workflow-starter.ts';
import * as sql from './run-log.sql.ts';

/** A locked execution. */
export interface LockedExecution extends StartRow {
  status: string;
  started_at: Date | null;
  temporal_run: string | null;
  is_cancelled: boolean;
  root_id: string | null;
  parent_id: string | null;
}

/** A locked execution with the number of its last event. */
export interface LockedRun {
  row: LockedExecution;
  number: number;
  /** Its snapshot, if it has one, as the lock has found it. Absent when this process has the run in memory. */
  saved?: Record<string, unknown>[];
}

/** Thrown for a run whose plan or state this build cannot read. Every attempt would meet it. */
export class UnreadableRun extends Error {}

/** The runs in memory, in characters of their events. A process that goes on with a run need not read its events again. */
const memoryCharsMax = 64 * 1024 * 1024;
/** What a run takes in memory beside its events, in characters. */
const runChars = 32 * 1024;

/** A run with this many events since its last snapshot gets another, unless its state is larger than these events. */
const eventsMax = 200;
/** Characters of JSON. A run that waits for people gets a snapshot of at most this size, because any process may go on with it. */
const pausedCharsMax = 64 * 1024;

interface KnownRun {
  run: LoggedRun;
  /** The Temporal run that owned the rows then. A reset changes it, and takes events back. */
  owner: string | null;
  /** The events since the last snapshot, and their characters. */
  since: { events: number; chars: number };
  /** The characters of all that gives its state. */
  chars: number;
}

/** The logs of runs: reads a run from its events, and writes what is added to them. */
@Injectable()
export class RunLog {
  private readonly known = new LRUCache<string, KnownRun>({
    maxSize: memoryCharsMax,
    sizeCalculation: ({ chars }) => runChars + chars,
    ttl: 600_000,
  });

  constructor(private readonly deployments: Deployments) {}

  /** Locks the execution until the transaction ends. Null when there is none. */
  async lockRun(tx: EntityManager, executionId: string): Promise<LockedRun | null> {
    const [[row], [last], saved] = await Promise.all([
      send(tx, sql.lockExecution, [executionId]),
      send(tx, sql.lastNumber, [executionId]),
      this.known.has(executionId) ? undefined : send(tx, sql.snapshotOfRun, [executionId]),
    ]);
    if (!row) return null;
    const locked = { row: row as unknown as LockedExecution, number: Number(last?.['number']) };
    return saved ? { ...locked, saved } : locked;
  }

  /**
   * Reads the run of a locked execution, as it was after the event with the number. Takes it out of memory: `keepRun` puts it back, once the
   * transaction has committed.
   */
  async readRun(tx: EntityManager, locked: LockedRun): Promise<KnownRun> {
    const { row, number } = locked;
    const kept = this.known.get(row.id);
    this.known.delete(row.id);
    const isOfUse = kept && kept.owner === row.temporal_run && kept.run.number <= number;
    const known = isOfUse ? kept : await this.readSnapshot(tx, locked);
    if (known.run.number < number) {
      const events = await this.readEvents(tx, row.id, known.run.number);
      known.run.replay(keepCounting(events));
      note(
        known,
        events.map(({ event }) => event),
      );
    }
    return known;
  }

  /** Reads the events after the one with the number. */
  async readEvents(tx: EntityManager, executionId: string, after: number): Promise<LoggedEvent[]> {
    const rows = (await send(tx, sql.eventsAfter, [executionId, after])) as unknown as {
      number: number;
      event: RunEvent;
      at: Date;
    }[];
    return rows.map(({ number, event, at }) => ({ number, event, atMs: at.getTime() }));
  }

  /** The run before its first event, so that any of its events can be applied again. */
  async openRun(tx: EntityManager, row: LockedExecution): Promise<LoggedRun> {
    return openRun(await this.deployments.planWithin(tx, row.workspace_id, row.plan_hash), row, undefined);
  }

  /** Reads the whole of what a visit has sent, other than a call, from the log of its run; undefined when the log does not lead to it. */
  async readSent(tx: EntityManager, executionId: string, path: string): Promise<Json | undefined> {
    const [row] = (await send(tx, sql.readExecution, [executionId])) as unknown as LockedExecution[];
    if (!row) return undefined;
    const logged = await this.openRun(tx, row);
    let found: Json | undefined;
    logged.run.watchSent((at, value) => void (at === path && (found = value)));
    const events = await this.readEvents(tx, executionId, 0);
    // A run that has ended where it was accepted has no events.
    const opening = { number: 1, event: { kind: 'started' as const }, atMs: logged.startedAtMs };
    logged.replay(events.length > 0 ? keepCounting(events) : [opening]);
    return found;
  }

  /** Keeps a run in memory, as the commit of its last step has left it. */
  keepRun(executionId: string, known: KnownRun): void {
    if (!known.run.run.done) this.known.set(executionId, known);
  }

  /** The statements that add a step to the log, with a snapshot when one is due. */
  buildStatements(row: LockedExecution, known: KnownRun, { logged, atMs }: LoggedStep): Statement[] {
    if (logged.length === 0) return [];
    const rows = logged.map(({ number, event }) => ({ number, event: toStoredJson(event) }));
    note(
      known,
      logged.map(({ event }) => event),
    );
    const snapshot = buildSnapshotIfDue(known);
    return [
      [sql.insertEvents, [row.id, row.workspace_id, JSON.stringify(rows), new Date(atMs)]],
      ...(snapshot
        ? [[sql.saveSnapshot, [row.id, row.workspace_id, known.run.number, snapshot]] satisfies Statement]
        : []),
    ];
  }

  private async readSnapshot(tx: EntityManager, { row, number, ...locked }: LockedRun): Promise<KnownRun> {
    const plan = await this.deployments.planWithin(tx, row.workspace_id, row.plan_hash);
    const [saved] = locked.saved ?? (await send(tx, sql.snapshotOfRun, [row.id]));
    const given = saved?.['snapshot'] ?? row.inputs;
    const about = {
      owner: row.temporal_run,
      since: { events: 0, chars: 0 },
      chars: JSON.stringify(given).length,
    };
    try {
      return {
        run: openRun(plan, row, saved && Number(saved['number']) <= number ? saved : undefined),
        ...about,
      };
    } catch (error) {
      throw new UnreadableRun(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The run as its snapshot has it, or before its first event. */
function openRun(plan: Plan, row: LockedExecution, saved: Record<string, unknown> | undefined): LoggedRun {
  if (saved) {
    const at = { number: Number(saved['number']), atMs: (saved['at'] as Date).getTime() };
    return LoggedRun.restore(plan, saved['snapshot'] as RunSnapshot, at);
  }
  const accepted = toAccepted(row);
  const nowMs = (row.started_at ?? new Date(Math.max(readClockMs(), accepted.acceptedAtMs))).getTime();
  return LoggedRun.open(plan, { inputs: accepted.inputs, run: buildFacts(accepted, nowMs), nowMs });
}

function note(known: KnownRun, events: RunEvent[]): void {
  const chars = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  known.since.events += events.length;
  known.since.chars += chars;
  known.chars += chars;
}

/** The snapshot as text, when it saves more than it costs; otherwise null. */
function buildSnapshotIfDue({ run, since }: KnownRun): string | null {
  const isPaused = run.run.waitingForPeople;
  if (run.run.done || (!isPaused && since.events < eventsMax)) return null;
  const text = toStoredJson(run.snapshot);
  if (text.length > Math.max(isPaused ? pausedCharsMax : 0, 2 * since.chars)) return null;
  since.events = 0;
  since.chars = 0;
  return text;
}
