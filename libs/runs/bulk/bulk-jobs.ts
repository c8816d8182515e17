import { Injectable } from '@nestjs/common';
import { actorContext } from '#libs/platform/database/actor-context';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { checkAnswers } from '#libs/language/definition/answers';
import type { FormField } from '#libs/language/definition/forms';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { JsonObject } from '#libs/platform/json/json';
import type { LogFilters } from '#libs/runs/history/filters';
import { Logs } from '#libs/runs/history/logs';
import type { Payer } from '#libs/workspace/limits/limits';
import * as sql from './bulk-jobs.sql.ts';

export const bulkVerbs = ['retry', 'cancel', 'answer', 'fork', 'delete'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

/** The verb of a job that takes back what another has done comes from no filter. */
export const bulkJobVerbs = [...bulkVerbs, 'undo'] as const;
export type BulkJobVerb = (typeof bulkJobVerbs)[number];
export type UndoableVerb = 'retry' | 'fork';

/** How a fork of a job is made, or what it answers. */
export interface BulkOptions {
  /** Where forks go on: at their start, or at the visit that failed. */
  from?: 'start' | 'failure';
  /** The version that forks run: the live one, or that of the execution. */
  version?: 'live' | 'same';
  /** The answers to the open pause of each execution. */
  answers?: JsonObject;
  /** The block whose pause is answered; left out: the only open one. */
  block?: string;
  /** The job that an undo takes back, and its verb. */
  job?: string;
  undoes?: UndoableVerb;
}

/** A job that a caller wants. */
export interface BulkWish {
  verb: BulkVerb;
  options: BulkOptions;
  filters: LogFilters;
  /** The filter as the caller wrote it. */
  written: JsonObject;
  perSecond: number;
}

/** What a filter finds. */
export interface BulkCounts {
  found: number;
  /** To how many of them the verb can be done. */
  eligible: number;
  byStatus: Record<string, number>;
}

export interface BulkJob {
  id: string;
  workspaceId: string;
  verb: BulkJobVerb;
  options: BulkOptions;
  filter: JsonObject;
  status: 'running' | 'completed' | 'aborted';
  total: number;
  done: number;
  refused: number;
  /** How many of the done ones another job has taken back. */
  undone: number;
  perSecond: number;
  actor: JsonObject;
  waitsFor: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

export const bulkOutcomes = ['done', 'refused'] as const;

/** One execution of a job. */
export interface BulkItem {
  number: number;
  executionId: string;
  madeId: string | null;
  outcome: (typeof bulkOutcomes)[number] | null;
  code: string | null;
  message: string | null;
  at: Date | null;
  undoneAt: Date | null;
}

/** One job takes at most so many executions. */
export const itemsMax = 10_000;
/** A workspace has at most so many jobs under way. */
const runningMax = 20;
/** The forms of so many executions are read at once. */
const formsMax = 500;
/** A filter is read for at most this time, in milliseconds. */
const findMsMax = 8000;
const pageMax = 1000;
const batch = 20;

/** Jobs that do one thing to all executions that a filter finds. `BulkOutbox` carries them out. */
@Injectable()
export class BulkJobs {
  constructor(
    private readonly database: Database,
    private readonly logs: Logs,
    private readonly cursors: Cursors,
  ) {}

  /** Counts what a job would do, and writes nothing. Throws for a filter that finds too much, or names what there is not. */
  async countBulk(
    workspaceId: string,
    wish: Pick<BulkWish, 'verb' | 'options' | 'filters'>,
    actor: JsonObject,
  ): Promise<BulkCounts> {
    return this.count(workspaceId, wish, { found: await this.find(workspaceId, wish.filters), actor });
  }

  /** Accepts a job over what the filter finds now. Executions that come later are not in it. */
  async createBulkJob(
    workspaceId: string,
    id: string,
    wish: BulkWish,
    { actor, payer }: { actor: JsonObject; payer: Payer },
  ): Promise<{ job: BulkJob; counts: BulkCounts }> {
    const { verb, options, written, perSecond } = wish;
    const found = await this.find(workspaceId, wish.filters);
    const counts = await this.count(workspaceId, wish, { found, actor });
    const made = found.map(() => (verb === 'fork' ? newId('exec') : null));
    const json = [options, written].map((value) => JSON.stringify(value));
    await this.insertJob(workspaceId, [
      sql.insertJob(verb),
      [id, workspaceId, verb, ...json, perSecond, ...toOwn({ actor, payer }), found, made],
    ]);
    return { job: await this.getBulk(workspaceId, id), counts };
  }

  /** Counts of the acts of a job that nobody has taken back: all, and those whose executions have run nothing meanwhile. */
  async countUndo(workspaceId: string, id: string): Promise<BulkCounts> {
    const { undoes } = await this.readUndone(workspaceId, id);
    return toCounts(await this.database.statement<CountRow>(workspaceId, sql.countUndo(undoes), [id]));
  }

  /** Accepts a job that takes back what another has done, as far as nothing ran meanwhile. */
  async createUndo(
    workspaceId: string,
    id: string,
    { job, perSecond }: { job: string; perSecond: number },
    by: { actor: JsonObject; payer: Payer },
  ): Promise<{ job: BulkJob; counts: BulkCounts }> {
    const { undoes } = await this.readUndone(workspaceId, job);
    const counts = await this.countUndo(workspaceId, job);
    const options = JSON.stringify({ job, undoes } satisfies BulkOptions);
    await this.insertJob(workspaceId, [
      sql.insertUndo(undoes),
      [id, workspaceId, options, perSecond, ...toOwn(by), job],
    ]);
    return { job: await this.getBulk(workspaceId, id), counts };
  }

  /** The verb of a job to undo. Throws for one that runs, and for a verb that cannot be taken back. */
  private async readUndone(workspaceId: string, id: string): Promise<{ undoes: UndoableVerb }> {
    const { verb, status } = await this.getBulk(workspaceId, id);
    if (verb !== 'retry' && verb !== 'fork') throw new Conflict(notUndoable[verb], 'NOT_UNDOABLE');
    if (status === 'running')
      throw new Conflict('The job is still running. Abort it, and undo it then.', 'BULK_JOB_RUNNING');
    return { undoes: verb };
  }

  private async insertJob(workspaceId: string, insert: Statement): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const [running] = await send(tx, sql.countRunning, [workspaceId]);
      if (Number(running?.['n']) >= runningMax)
        throw new Conflict(
          `The workspace has ${runningMax} bulk jobs under way, which is the most. Wait for one, or abort one.`,
          'BULK_JOBS_FULL',
        );
      await send(tx, ...insert);
    });
  }

  async getBulk(workspaceId: string, id: string): Promise<BulkJob> {
    const [job] = await this.database.statement<BulkJob>(workspaceId, sql.jobById, [workspaceId, id]);
    if (!job) throw new NotFound('bulk job');
    return job;
  }

  /** The jobs of the workspace, the newest first. */
  async listBulk(
    workspaceId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<BulkJob>> {
    const scope = `bulk ${workspaceId}`;
    const after = this.cursors.open(cursor, scope);
    const values = [workspaceId, after?.at ?? null, after?.id ?? null, limit + 1];
    const rows = await this.database.statement<BulkJob>(workspaceId, sql.jobsPage, values);
    return this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  /** What became of the executions of a job, in their order. */
  async listItems(
    workspaceId: string,
    id: string,
    { outcome, limit, cursor }: { outcome?: BulkItem['outcome']; limit: number; cursor?: string },
  ): Promise<Page<BulkItem>> {
    await this.getBulk(workspaceId, id);
    const scope = `items ${id} ${outcome ?? ''}`;
    const after = this.cursors.open(cursor, scope);
    const values = [id, outcome ?? null, Number(after?.at ?? 0), limit + 1];
    const rows = await this.database.statement<BulkItem>(workspaceId, sql.itemsPage, values);
    return this.cursors.page(rows, limit, scope, ({ number, executionId }) => ({
      at: String(number),
      id: executionId,
    }));
  }

  /** Ends a job after the acts under way. What it has done stays done. Throws when it has ended. */
  async abortBulk(workspaceId: string, id: string): Promise<BulkJob> {
    const rows = await this.database.statement(workspaceId, sql.abortJob, [workspaceId, id]);
    const job = await this.getBulk(workspaceId, id);
    if (rows.length === 0 && job.status !== 'aborted')
      throw new Conflict(`The job is ${job.status} already.`, 'BULK_JOB_ENDED');
    return job;
  }

  /** Deletes jobs that ended long ago, with their items. */
  async forgetEndedJobs(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...sql.oldJobs, values: [], rowsMax: batch }, bounds);
  }

  /** The executions that the filter finds. Throws when they are too many, or take too long to find. */
  private async find(workspaceId: string, filters: LogFilters): Promise<string[]> {
    await this.requireKnown(workspaceId, filters);
    const endsAtMs = performance.now() + findMsMax;
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.logs.list([workspaceId], { ...filters, order: 'asc', limit: pageMax, cursor });
      found.push(...page.items.map(({ executionId }) => executionId));
      cursor = page.nextCursor ?? undefined;
      if (found.length > itemsMax)
        throw Invalid.field(
          'filter',
          `finds more than ${itemsMax} executions, which is the most for one job: narrow it, for example by startDate and endDate`,
          'range',
        );
      if (cursor !== undefined && performance.now() > endsAtMs)
        throw Invalid.field('filter', 'takes too long to read: narrow it, for example by status', 'range');
    } while (cursor !== undefined);
    return found;
  }

  /** Throws for a workflow or an execution that the workspace does not have, because a mistyped id would find nothing. */
  private async requireKnown(workspaceId: string, filters: LogFilters): Promise<void> {
    try {
      await this.logs.requireKnown([workspaceId], filters);
    } catch (error) {
      throw error instanceof Invalid ? error.under('filter') : error;
    }
    const { executionId = null, parentExecutionId = null } = filters;
    const values = [workspaceId, executionId, parentExecutionId];
    const unknown = await this.database.statement<{ field: string; id: string }>(
      workspaceId,
      sql.unknownInFilter,
      values,
    );
    if (unknown.length > 0)
      throw new Invalid(
        unknown.map(({ field, id }) => ({
          path: `filter.${field}`,
          message: `names nothing of this workspace: ${id}`,
          code: 'unknown',
        })),
      );
  }

  private async count(
    workspaceId: string,
    { verb, options }: Pick<BulkWish, 'verb' | 'options'>,
    { found, actor }: { found: string[]; actor: JsonObject },
  ): Promise<BulkCounts> {
    const rows = await this.database.statement<CountRow>(workspaceId, sql.countByStatus(verb), [found]);
    const counts = toCounts(rows);
    if (verb !== 'answer') return counts;
    return { ...counts, eligible: await this.countAnswerable(workspaceId, found, { ...options, actor }) };
  }

  /**
   * Counts the executions with one open pause that is meant and whose form takes the answers. A pause with approvals takes those of persons alone.
   * Throws for a block at which none of the executions waits.
   */
  private async countAnswerable(
    workspaceId: string,
    found: string[],
    { answers = {}, block, actor }: BulkOptions & { actor: JsonObject },
  ): Promise<number> {
    const blocks = new Set<string>();
    let answerable = 0;
    for (let at = 0; at < found.length; at += formsMax) {
      const values = [found.slice(at, at + formsMax), block ?? null];
      const rows = await this.database.statement<OpenForms>(workspaceId, sql.openForms, values);
      for (const { blockIds, form, n, hasApprovals } of rows) {
        for (const id of blockIds) blocks.add(id);
        if (form === null || (hasApprovals && actor['kind'] !== 'user')) continue;
        if (checkAnswers(form, answers).details.length === 0) answerable += n;
      }
    }
    if (block !== undefined && blocks.size > 0 && !blocks.has(block))
      throw Invalid.field(
        'block',
        `is not a block at which these executions wait: they wait at ${[...blocks].slice(0, 20).join(', ')}`,
        'unknown_block',
      );
    return answerable;
  }
}

/** Executions that wait at pauses with one form. The form is null when it is not clear which pause is meant. */
interface OpenForms {
  blockIds: string[];
  form: FormField[] | null;
  hasApprovals: boolean;
  n: number;
}

interface CountRow {
  status: string;
  n: number;
  eligible: number;
}

const toCounts = (rows: CountRow[]): BulkCounts => ({
  found: rows.reduce((sum, { n }) => sum + n, 0),
  eligible: rows.reduce((sum, { eligible }) => sum + eligible, 0),
  byStatus: Object.fromEntries(rows.map(({ status, n }) => [status, n])),
});

/** Whose job it is, for whom it acts and who pays, as JSON. */
const toOwn = ({ actor, payer }: { actor: JsonObject; payer: Payer }): string[] =>
  [actor, actorContext.getStore() ?? { actor }, payer].map((value) => JSON.stringify(value));

/** Why the acts of a verb are not taken back. */
const notUndoable: Record<Exclude<BulkJobVerb, UndoableVerb>, string> = {
  cancel: 'A cancel cannot be undone. Fork the cancelled executions to run them again.',
  answer: 'An answer cannot be undone: the run has gone on with it.',
  delete: 'A delete cannot be undone: the executions and their logs are gone.',
  undo: 'An undo cannot be undone. Start the job of its retries or forks anew.',
};
