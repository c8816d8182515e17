import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { afterCommit, Database, send, setLocal, type Statement } from '#libs/platform/database/database';
import type { Json } from '#libs/platform/json/json';
import { sqlState } from '#libs/platform/database/violations';
import { NotFound } from '#libs/platform/errors/errors';
import { newId, newUnguessableId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { runBesideEffects, runOnBehalfOf, type Origin } from '#libs/platform/telemetry/tracing/origin';
import type { RunKey, RunRecord } from '#temporal/activities';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { countRecord } from './count-record.ts';
import { Payloads } from './payloads.ts';
import * as sql from './record.sql.ts';
import { ReplacedRun, requireRunStatements, Resets } from './resets.ts';
import { noExecution } from './resets.sql.ts';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';

/** An entry of the ledger, with the visit of a call. */
interface UsageEntry {
  kind: 'execution' | 'call';
  cost: number;
  path?: string;
  type?: string;
}

/**
 * Writes the records of runs. The engine changes rows only through it, and the same record twice changes nothing.
 * After each commit it wakes the waiting callers and counts the record.
 */
@Injectable()
export class Recorder {
  constructor(
    private readonly database: Database,
    private readonly payloads: Payloads,
    private readonly notifier: CompletionNotifier,
    private readonly settings: Settings,
    private readonly resets: Resets,
  ) {}

  /** Commits a record whose run Temporal has closed from outside. Drops the record of a Temporal run that a reset has replaced. */
  async recordRun(change: RunRecord): Promise<void> {
    const results = await this.commit(change, await this.buildStatements(change));
    if (results) this.wakeWaiters(change, isAwaited(results));
  }

  /**
   * Writes the record within a transaction, after other statements. Its spans belong to `origin`, the call that
   * started the execution; without it, to the current work.
   */
  async recordWithin(
    tx: EntityManager,
    change: RunRecord,
    { along, origin }: { along: Statement[]; origin?: Origin | null | undefined },
  ): Promise<void> {
    const statements = [...along, ...(await this.buildStatements(change))];
    const awaited = isAwaited(await Promise.all(statements.map((statement) => send(tx, ...statement))));
    const wake = () => this.wakeWaiters(change, awaited);
    afterCommit(tx, () =>
      origin === undefined ? runBesideEffects(wake) : runOnBehalfOf(origin, change.executionId, wake),
    );
  }

  /**
   * Writes pauses and usage, because the accept statement has already written the execution and its block log. Runs in the transaction that accepts
   * the execution. The caller calls `wakeWaiters` after the commit.
   */
  async recordAccepted(tx: EntityManager, change: RunRecord): Promise<void> {
    const statements = [
      ...(await this.openPauseStatements(change)),
      ...this.bookUsageStatements(change),
      ...settlePauseStatements(change),
    ];
    await Promise.all(statements.map((statement) => send(tx, ...statement)));
  }

  /** True when accepting an execution in this state takes more than its row and its block log. */
  needsMoreStatements(change: Pick<RunRecord, 'opened' | 'outcome' | 'calls'>): boolean {
    return change.opened.length > 0 || this.priceUsage(change) !== undefined;
  }

  /** After the commit: wakes the waiting callers, with `awaited` also in other processes, and counts the record. */
  wakeWaiters(change: RunRecord, awaited = false): void {
    const { status, executionId } = change;
    if (status !== 'running') this.notifier.notifyLocal(executionId);
    if (awaited) void this.notifier.notifyOthers(executionId);
    countRecord(change);
  }

  private async buildStatements(change: RunRecord): Promise<Statement[]> {
    return [
      ...(await this.openPauseStatements(change)),
      ...takeAnswerStatements(change),
      ...this.writeRunStatements(change),
      ...settlePauseStatements(change),
    ];
  }

  /**
   * Shows an effect in the block log while it is under way. A lost machine may lose this row; the record writes it
   * later.
   */
  async beginVisit(
    run: RunKey,
    visit: { path: string; blockId: string; name: string; type: string },
    attempt: number,
  ): Promise<void> {
    const { path, blockId, name, type } = visit;
    const values = [run.executionId, run.workspaceId, path, blockId, name, type, attempt, run.process];
    await this.commit(run, [setLocal('synchronous_commit', 'off'), [sql.insertRunningVisit, values]]);
  }

  /** Keeps the lines that a block wrote to its console. */
  async keepLogs(
    run: RunKey,
    { path, blockId, name, type }: { path: string; blockId: string; name: string; type: string },
    lines: string[],
  ): Promise<void> {
    const logs = toStoredJson(lines);
    const values = [run.executionId, run.workspaceId, path, blockId, name, type, logs, run.process];
    await this.commit(run, [setLocal('synchronous_commit', 'off'), [sql.upsertLogs, values]]);
  }

  /** Counts that a worker failed when an attempt at this visit had just ended. */
  async noteWorkerEnd(
    run: RunKey,
    { path, blockId, name, type }: { path: string; blockId: string; name: string; type: string },
  ): Promise<void> {
    const values = [run.executionId, run.workspaceId, path, blockId, name, type];
    await this.commit(run, [[sql.countWorkerEnd, values]]);
  }

  /** Returns how many workers failed when an attempt at the visit had just ended. */
  async workerEnds({ workspaceId, executionId }: RunKey, path: string): Promise<number> {
    const [row] = await this.database.statement(workspaceId, sql.workerEnds, [executionId, path]);
    return Number(row?.['worker_ends'] ?? 0);
  }

  /** Shows that an effect in the block log has completed, before the run's next record. `output` is packed. */
  async endVisit(run: RunKey, path: string, output: Json): Promise<void> {
    await this.commit(run, [
      setLocal('synchronous_commit', 'off'),
      [sql.completeRunningVisit, [run.executionId, path, toStoredJson(output), run.process]],
    ]);
  }

  /** True if this Temporal run owns the rows; after a reset, takes them over first. */
  async ownsRows(run: RunKey): Promise<boolean> {
    return (await this.commit(run, [])) !== null;
  }

  /** Commits the notices of an open pause, one for each receiver and occasion; the escalation also adds its people. */
  async enqueueNotifications(run: RunKey, path: string, occasion: string): Promise<void> {
    const { executionId } = run;
    const escalates: Statement[] = occasion === 'escalated' ? [[sql.escalate, [executionId, path]]] : [];
    await this.commit(run, [...escalates, [sql.tellPeople, [executionId, path, occasion]]]);
  }

  /**
   * Commits the statements in one transaction of the Temporal run that owns the rows. Null when another run owns them
   * now.
   */
  private async commit(run: RunKey, statements: Statement[]): Promise<Record<string, unknown>[][] | null> {
    const all = [...requireRunStatements(run), ...statements];
    try {
      return await this.resets.commitAsOwner(run, () => this.database.batch(run.workspaceId, all));
    } catch (error) {
      if (error instanceof ReplacedRun) return null;
      if (sqlState(error) === noExecution) throw new NotFound('execution');
      throw error;
    }
  }

  /** Writes status, output and block log in one statement, with the notice for waiting callers. */
  private writeRunStatements(change: RunRecord): Statement[] {
    const { status, output, failure, response, startedAt, endedAt } = toStateColumns(change);
    const values = [
      change.executionId,
      change.workspaceId,
      status,
      output,
      failure,
      response,
      startedAt,
      endedAt,
      toStoredJson(change.visits.map(visitRow)),
      change.status !== 'running',
      change.temporal?.runId ?? null,
      new Date(change.atMs),
    ];
    return [[sql.writeRun, values], ...this.bookUsageStatements(change)];
  }

  private bookUsageStatements(change: RunRecord): Statement[] {
    const entries = this.priceUsage(change);
    return entries ? [[sql.bookUsage, [change.executionId, JSON.stringify(entries)]]] : [];
  }

  /** What the record costs: the end of the execution, and each call in the commit that logs its success. Undefined when all is free. */
  priceUsage({ outcome, calls }: Pick<RunRecord, 'outcome' | 'calls'>): UsageEntry[] | undefined {
    const { callPrices, pricePerExecution } = this.settings;
    const entries: UsageEntry[] = [
      ...(outcome ? [{ kind: 'execution' as const, cost: pricePerExecution }] : []),
      ...calls.map(({ path, type }) => ({ kind: 'call' as const, path, type, cost: callPrices[type] ?? 0 })),
    ].filter(({ cost }) => cost > 0);
    return entries.length > 0 ? entries : undefined;
  }

  private async openPauseStatements(change: RunRecord): Promise<Statement[]> {
    const { workspaceId, executionId, rootId = executionId, opened, atMs } = change;
    if (opened.length === 0) return [];
    const points = opened.map(async (pause): Promise<Statement> => {
      const { visit, name, title, message, fields, form, asking, agentMayAnswer, scopes, expiresAtMs } =
        pause;
      // A person must see the values of this moment, so the row holds values and no references.
      const shownFields = await this.payloads.resolve({ workspaceId, executionId }, fields);
      const values = [
        newUnguessableId('ctx'),
        workspaceId,
        executionId,
        visit.path,
        visit.blockId,
        toStoredJson({
          name,
          title,
          message,
          fields: shownFields,
          scopes,
          ...(agentMayAnswer ? { agentMayAnswer } : {}),
        }),
        toStoredJson(form),
        expiresAtMs === null ? null : new Date(expiresAtMs),
        rootId,
        new Date(atMs),
        asking ? toStoredJson(asking) : null,
      ];
      return [sql.openPoint, values];
    });
    const paused: Statement = [sql.ensurePaused, [newId('pause'), workspaceId, rootId]];
    const notified = opened.filter(({ asking }) => asking);
    const notices = notified.map(({ visit }): Statement => [
      sql.tellPeople,
      [executionId, visit.path, 'opened'],
    ]);
    return [paused, ...(await Promise.all(points)), ...notices];
  }
}

function takeAnswerStatements({ executionId, claimed, expired, closed, atMs }: RunRecord): Statement[] {
  const statements = claimed.flatMap((entry): Statement[] => {
    const { entryId, contextId, claimedAtMs, answers } = entry;
    const values = [entryId, new Date(claimedAtMs), contextId, toStoredJson(answers)];
    return [[sql.takeAnswer, values]];
  });
  const at = new Date(atMs);
  if (expired.length > 0) statements.push([sql.expirePoints, [executionId, expired, at]]);
  if (closed.length > 0) statements.push([sql.cancelPoints, [executionId, closed, at]]);
  return statements;
}

/** The pause statements that must follow all others. */
function settlePauseStatements(change: RunRecord): Statement[] {
  const { executionId, rootId = executionId, status, snapshot, hasPaused, atMs } = change;
  const hasEnded = status === 'cancelled' || status === 'failed';
  if (!hasPaused && !hasEnded) return [];
  return [
    ...(hasPaused && status !== 'running' ? [[sql.completeEntries, [executionId]] satisfies Statement] : []),
    ...(hasEnded ? [[sql.closePoints, [executionId, status, new Date(atMs)]] satisfies Statement] : []),
    [sql.recountPauses, [rootId, snapshot ? toStoredJson(snapshot) : null]],
  ];
}

function isAwaited(results: Record<string, unknown>[][]): boolean {
  return results.flat().some(({ awaited }) => awaited === true);
}

/** A change that touches no pause. */
export const noPauses = { opened: [], claimed: [], expired: [], closed: [] };

/** The state of the execution for its columns, with values as JSON text. */
export function toStateColumns({ status, outcome, startedAtMs, endedAtMs }: RunRecord) {
  return {
    status,
    output: outcome ? toStoredJson(outcome.output) : null,
    failure: outcome && 'failure' in outcome ? toStoredJson(outcome.failure) : null,
    response: outcome && 'response' in outcome && outcome.response ? toStoredJson(outcome.response) : null,
    startedAt: new Date(startedAtMs),
    endedAt: endedAtMs === undefined ? null : new Date(endedAtMs),
  };
}

/** A visit as the columns of its row. */
export function visitRow(entry: RunRecord['visits'][number]) {
  const { path, seq, blockId, name, type, status, attempts, output, failure, port, sent } = entry;
  return {
    path,
    seq,
    block_id: blockId,
    name,
    type,
    status,
    attempts,
    output,
    failure,
    port,
    sent,
    started_at: new Date(entry.startedAtMs),
    ended_at: entry.endedAtMs === null ? null : new Date(entry.endedAtMs),
  };
}
