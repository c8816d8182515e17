import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { afterCommit, Database, send, setLocal, type Statement } from '#libs/platform/database/database';
import type { Json } from '#libs/platform/json/json';
import { sqlState } from '#libs/platform/database/violations';
import { NotFound } from '#libs/platform/errors/errors';
import { newId, newUnguessableId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { runOnBehalfOf, type Origin } from '#libs/platform/telemetry/tracing/origin';
import type { RunKey, RunRecord } from '#temporal/activities';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { countRecord } from './count-record.ts';
import { Payloads } from './payloads.ts';
import * as sql from './record.sql.ts';
import { ReplacedRun, requireRunStatements, Resets } from './resets.ts';
import { noExecution } from './resets.sql.ts';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';

/**
 * The mode of a record decides which of its statements are written.
 *
 * | mode | written with | statements |
 * |---|---|---|
 * | `whole` | nothing | `openPause`, `takeAnswer`, `keepOwnership`, `writeRun`, `requireCaughtUp`, `settlePause` |
 * | `end` | other statements, for a run that never paused | `writeRun` |
 * | `accepted` | the row and the block log, by the statement that accepts the execution | `openPause`, `bookUsage`, `settlePause` |
 */
type RecordMode = 'whole' | 'end' | 'accepted';

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

  /**
   * Commits one record in one round trip. Returns the context id of every pause of the run by visit path. Drops the
   * record of a Temporal run that a reset has replaced.
   */
  async recordRun(change: RunRecord): Promise<Record<string, string>> {
    const results = await this.commit(change, await this.statementsFor(change, 'whole')).catch(
      (error: unknown) => {
        if (sqlState(error) !== sql.rowsAhead) throw error;
        // The database already holds everything up to the answer that was applied inline.
        return this.commit(change, [contextsStatement(change.executionId, change.opened)]);
      },
    );
    if (!results) return {};
    this.wakeWaiters(change, isAwaited(results));
    return contextsIn(results.at(-1) ?? []);
  }

  /**
   * Writes the record within a transaction, after other statements. Its spans belong to `origin`, the call that
   * started the execution.
   */
  async recordWithin(
    tx: EntityManager,
    change: RunRecord,
    { along, origin }: { along: Statement[]; origin: Origin | null },
  ): Promise<void> {
    const statements = [...along, ...(await this.statementsFor(change, 'whole'))];
    const awaited = isAwaited(await Promise.all(statements.map((statement) => send(tx, ...statement))));
    afterCommit(tx, () => runOnBehalfOf(origin, change.executionId, () => this.wakeWaiters(change, awaited)));
  }

  /**
   * Commits the end of a run that never paused, together with other statements. `awaited` means that a caller waits
   * without a mark in the row. Returns false and writes nothing when a reset has replaced the Temporal run.
   */
  async recordEnd(change: RunRecord, along: Statement[], awaited: boolean): Promise<boolean> {
    const results = await this.commit(change, [...along, ...(await this.statementsFor(change, 'end'))]);
    if (results) this.wakeWaiters(change, awaited || isAwaited(results));
    return results !== null;
  }

  /**
   * Writes pauses and usage, because the accept statement has already written the execution and its block log. Runs in the transaction that accepts
   * the execution. Returns the context id of every pause by visit path. The caller calls `wakeWaiters` after
   * the commit.
   */
  async recordAccepted(tx: EntityManager, change: RunRecord): Promise<Record<string, string>> {
    const statements = await this.statementsFor(change, 'accepted');
    const results = await Promise.all(statements.map((statement) => send(tx, ...statement)));
    return contextsIn(results.at(-1) ?? []);
  }

  /** True when accepting an execution in this state takes more than its row and its block log. */
  needsMoreStatements(change: Pick<RunRecord, 'opened' | 'outcome'>): boolean {
    return change.opened.length > 0 || this.getPrice(change) > 0;
  }

  /** After the commit: wakes the waiting callers, with `awaited` also in other processes, and counts the record. */
  wakeWaiters(change: RunRecord, awaited = false): void {
    const { status, executionId } = change;
    if (status !== 'running') this.notifier.notifyLocal(executionId);
    if (awaited) void this.notifier.notifyOthers(executionId);
    countRecord(change);
  }

  /** All writers lock pauses before executions, so the order of the statements is the same in every mode. */
  private async statementsFor(change: RunRecord, mode: RecordMode): Promise<Statement[]> {
    if (mode === 'end') return this.writeRunStatements(change);
    if (mode === 'accepted')
      return [
        ...(await this.openPauseStatements(change)),
        ...this.bookUsageStatements(change),
        ...settlePauseStatements(change),
      ];
    return [
      ...(await this.openPauseStatements(change)),
      ...takeAnswerStatements(change),
      ...keepOwnershipStatements(change),
      ...this.writeRunStatements(change),
      ...requireCaughtUpStatements(change),
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
    const { executionId, workspaceId, temporal } = run;
    await this.commit(run, [
      setLocal('synchronous_commit', 'off'),
      [
        sql.insertRunningVisit,
        [executionId, workspaceId, path, blockId, name, type, temporal?.runId ?? null, attempt],
      ],
    ]);
  }

  /** Keeps the lines that a block wrote to its console. */
  async keepLogs(
    run: RunKey,
    { path, blockId, name, type }: { path: string; blockId: string; name: string; type: string },
    lines: string[],
  ): Promise<void> {
    const values = [run.executionId, run.workspaceId, path, blockId, name, type, toStoredJson(lines)];
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
      [sql.completeRunningVisit, [run.executionId, path, toStoredJson(output)]],
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

  /** The statements that book the price of an ended execution; none without a price. */
  bookUsageStatements(change: RunRecord): Statement[] {
    const price = this.getPrice(change);
    return price > 0 ? [[sql.bookUsage, [change.workspaceId, change.executionId, price]]] : [];
  }

  private getPrice({ outcome }: Pick<RunRecord, 'outcome'>): number {
    return outcome ? this.settings.pricePerExecution : 0;
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
    const { entryId, contextId, claimedAtMs, answers, decides } = entry;
    const values = [entryId, new Date(claimedAtMs), contextId, toStoredJson(answers), decides];
    return [[sql.takeAnswer, values]];
  });
  const at = new Date(atMs);
  if (expired.length > 0) statements.push([sql.expirePoints, [executionId, expired, at]]);
  if (closed.length > 0) statements.push([sql.cancelPoints, [executionId, closed, at]]);
  return statements;
}

/** The pause statements that must follow all others. The last one returns the contexts. */
function settlePauseStatements(change: RunRecord): Statement[] {
  const { executionId, rootId = executionId, status, opened, completed, atMs } = change;
  const { snapshot, resumePoint, appliedInline = null } = change;
  if (!touchesPauses(change)) return [];
  return [
    ...(completed.length > 0 ? [[sql.completeEntries, [completed]] satisfies Statement] : []),
    ...(status === 'cancelled' || status === 'failed'
      ? [[sql.closePoints, [executionId, status, new Date(atMs)]] satisfies Statement]
      : []),
    [sql.recountPauses, [rootId, jsonOf(snapshot), jsonOf(resumePoint), appliedInline]],
    contextsStatement(executionId, opened),
  ];
}

const jsonOf = (value: object | undefined) => (value ? toStoredJson(value) : null);

function contextsStatement(executionId: string, opened: RunRecord['opened']): Statement {
  return [sql.contextsOf, [executionId, opened.map(({ visit }) => visit.path)]];
}

/** Fails the record of a paused run that is behind the database. An end from outside is always recorded. */
function requireCaughtUpStatements({
  executionId,
  rootId,
  status,
  snapshot,
  claimed,
  appliedInline,
}: RunRecord): Statement[] {
  if (!snapshot || rootId || appliedInline || (status !== 'running' && status !== 'paused')) return [];
  return [[sql.requireCaughtUp, [executionId, claimed.map(({ entryId }) => entryId)]]];
}

/** Statements for a run that takes an answer which was already applied inline. */
function keepOwnershipStatements({ executionId, temporal, claimed, opened, atMs }: RunRecord): Statement[] {
  if (!temporal || !claimed.some(({ applied }) => applied)) return [];
  const paths = opened.map(({ visit }) => visit.path);
  return [
    [sql.keepClock, [executionId, paths, new Date(atMs)]],
    [sql.ownRows, [executionId, temporal.runId]],
  ];
}

function isAwaited(results: Record<string, unknown>[][]): boolean {
  return results.flat().some(({ awaited }) => awaited === true);
}

function contextsIn(rows: Record<string, unknown>[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap(({ path, context_id: id }) => (typeof path === 'string' ? [[path, String(id)]] : [])),
  );
}

/** True when the change may affect pauses. A failed or cancelled run may leave pauses open. */
function touchesPauses(change: RunRecord): boolean {
  const { status, opened, claimed, completed, expired, closed, snapshot } = change;
  if (status === 'failed' || status === 'cancelled' || snapshot !== undefined) return true;
  return [opened, claimed, completed, expired, closed].some((list) => list.length > 0);
}

/** A change that touches no pause. */
export const noPauses = { opened: [], claimed: [], completed: [], expired: [], closed: [] };

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
  const { path, seq, blockId, name, type, status, attempts, output, failure, port } = entry;
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
    started_at: new Date(entry.startedAtMs),
    ended_at: entry.endedAtMs === null ? null : new Date(entry.endedAtMs),
  };
}
