import { Injectable } from '@nestjs/common';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database } from '#libs/platform/database/database';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Failure } from '#libs/language/engine/effects';
import { BlockLog, type ExecutionDetail } from '#libs/runs/executions/read/block-log';
import type { ExecutionStatus, VisitRow } from '#libs/runs/executions/execution.entity';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { selectEntries, picked, type ListPosition } from './entries.sql.ts';
import {
  countOfCosts,
  countOfDurations,
  isOfDurations,
  type LogFilters,
  needsUsage,
  FilterValues,
} from './filters.ts';
import { search } from './search.ts';

/** The log of one execution, at any moment of its life. */
export interface LogEntry {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  title: string | null;
  version: number;
  deploymentId: string | null;
  status: ExecutionStatus;
  isTest: boolean;
  trigger: string;
  /** The id of the trigger that started it; null when a caller or another execution did. */
  triggerId: string | null;
  /** The id of the person or the key. */
  startedById: string | null;
  /** Its name; null when none is kept. */
  startedBy: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  failure: Failure | null;
  /** True while a hold keeps it from starting. */
  held: boolean;
  waits: boolean;
  /** Null while nothing is booked. */
  cost: number | null;
  /** A deleted workflow has its name at the time of the execution. */
  workflow: { id: string; name: string; description: string; folder: string; deleted: boolean };
}

export type LogBlock = Omit<VisitRow, 'output' | 'executionId' | 'workspaceId'>;

export interface FullLogEntry extends LogEntry {
  /** The stored output: a large one is a reference. */
  output: Json;
  /** The first hundred. */
  blocks: LogBlock[];
  blocksCut: boolean;
}

export interface LogQuery extends LogFilters {
  order: 'asc' | 'desc';
  limit: number;
  cursor?: string;
}

export interface LogPage extends Page<LogEntry> {
  cut: boolean;
}

const blocksMax = 100;
/** Entries that an export reads at a time. */
const exportPage = 200;

/** The log: one entry for each execution, read from the rows of the execution itself. */
@Injectable()
export class Logs {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly log: BlockLog,
  ) {}

  /** Throws `Invalid` for a workflow that the workspaces do not have, and of which they have no executions either. */
  async requireKnown(
    workspaceIds: string[],
    { workflowIds }: { workflowIds?: string[] | null },
  ): Promise<void> {
    if (!workflowIds) return;
    const values = [workspaceIds, workflowIds];
    const [row] = await this.database.statement<{ id: string }>(workspaceIds, findUnknownWorkflow, values);
    if (row)
      throw Invalid.field('workflowIds', `names no workflow that you can read: "${row.id}"`, 'unknown');
  }

  /**
   * One page over all of the workspaces, in the order of acceptance. A search may end before its page is full: then
   * the page is `cut`, and its cursor goes on from there.
   */
  async list(workspaceIds: string[], { order, limit, cursor, ...filters }: LogQuery): Promise<LogPage> {
    if (workspaceIds.length === 0) return { items: [], nextCursor: null, cut: false };
    const scope = `logs ${workspaceIds.toSorted().join()} ${order} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope);
    const place = { order, limit, after, workspaceIds, by: await this.fewBy(workspaceIds, filters) };
    if (filters.search !== undefined) return this.searched(filters, place, scope);
    const values = new FilterValues();
    const source = picked(filters, { ...place, limit: limit + 1 }, values);
    const entries = await this.entries(place, source, values);
    const page = this.cursors.page(entries, limit, scope, ({ createdAt, executionId }) => ({
      at: createdAt.toISOString(),
      id: executionId,
    }));
    return { ...page, cut: false };
  }

  /** The filter by whose index the few matches are found; undefined when the page walks along the list. */
  private async fewBy(workspaceIds: string[], filters: LogFilters): Promise<ListPosition['by']> {
    const by = needsUsage(filters) ? 'cost' : isOfDurations(filters) ? 'duration' : undefined;
    if (!by) return undefined;
    const values = new FilterValues();
    const text = (by === 'cost' ? countOfCosts : countOfDurations)(filters, workspaceIds, values);
    const [row] = await this.database.statement<{ few: boolean }>(
      workspaceIds,
      text,
      values.all,
      'shaped by a caller',
    );
    return row?.few ? by : undefined;
  }

  private async searched(filters: LogFilters, place: ListPosition, scope: string): Promise<LogPage> {
    const { ids, last, cut } = await search(this.database, filters, place);
    const values = new FilterValues();
    const source = `select * from executions where id = any (${values.add(ids)})`;
    const items = ids.length > 0 ? await this.entries(place, source, values) : [];
    return { items, nextCursor: last && this.cursors.seal(last, scope), cut };
  }

  private async entries(
    { workspaceIds, order }: ListPosition,
    source: string,
    values: FilterValues,
  ): Promise<LogEntry[]> {
    const rows = await this.database.statement<LogEntry & { cost: string | null }>(
      workspaceIds,
      selectEntries(source, order),
      values.all,
      'shaped by a caller',
    );
    return rows.map((row) => ({ ...row, cost: row.cost === null ? null : Number(row.cost) / 1_000_000 }));
  }

  /** Adds to each entry its output and its first hundred blocks. */
  async full(workspaceIds: string[], entries: LogEntry[]): Promise<FullLogEntry[]> {
    if (entries.length === 0) return [];
    const ids = entries.map(({ executionId }) => executionId);
    const [outputs = [], visits = []] = await this.database.batch<OutputRow & BlockRow>(workspaceIds, [
      [outputsOf, [ids]],
      [blocksOf, [ids, blocksMax + 1]],
    ]);
    return entries.map((entry) => {
      const blocks = visits.filter(({ executionId }) => executionId === entry.executionId);
      return {
        ...entry,
        output: outputs.find(({ executionId }) => executionId === entry.executionId)?.output ?? null,
        blocks: blocks.slice(0, blocksMax),
        blocksCut: blocks.length > blocksMax,
      };
    });
  }

  /**
   * Yields every entry, page by page, at the reader's pace. Executions that are accepted after the begin are left
   * out.
   */
  async *all(workspaceIds: string[], query: Omit<LogQuery, 'limit' | 'cursor'>): AsyncGenerator<LogEntry[]> {
    const to = new Date(Math.min(readClockMs(), query.to?.getTime() ?? Infinity));
    let cursor: string | undefined;
    do {
      const page = await this.list(workspaceIds, { ...query, to, limit: exportPage, cursor });
      yield page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** One entry with its output and a page of its block log. */
  async detail(
    workspaceId: string,
    executionId: string,
    page: { limit: number; cursor?: string; seesValues: boolean },
  ): Promise<{ entry: LogEntry; execution: ExecutionDetail }> {
    const entry = await this.one(workspaceId, executionId);
    const execution = await this.log.detail(workspaceId, entry.executionId, entry.workflowId, page);
    return { entry, execution };
  }

  /** One entry, with the definition that ran; null when the definition was deleted with its workflow. */
  async withDefinition(
    workspaceId: string,
    executionId: string,
  ): Promise<{ entry: LogEntry; definition: JsonObject | null }> {
    const entry = await this.one(workspaceId, executionId);
    const [row] = await this.database.statement<{ definition: JsonObject | null }>(
      workspaceId,
      executedDefinition,
      [entry.deploymentId, entry.executionId],
    );
    return { entry, definition: row?.definition ?? null };
  }

  private async one(workspaceId: string, executionId: string): Promise<LogEntry> {
    const { items } = await this.list([workspaceId], { executionId, order: 'desc', limit: 1 });
    if (!items[0]) throw new NotFound('log');
    return items[0];
  }
}

/** The definition of a version, or of a tested draft. $1 deployment, $2 execution */
const executedDefinition = /* sql */ `
select coalesce((select definition from deployments where id = $1),
  (select p.definition from executions e join plans p on p.workspace_id = e.workspace_id and p.hash = e.plan_hash where e.id = $2)) as definition`;

interface OutputRow {
  executionId: string;
  output: Json;
}

type BlockRow = LogBlock & { executionId: string };

const outputsOf = /* sql */ `
select id as "executionId", output from executions where id = any ($1)`;

const blocksOf = /* sql */ `
select v.execution_id as "executionId", v.path, v.seq, v.block_id as "blockId", v.name, v.type, v.status,
  v.started_at as "startedAt", v.ended_at as "endedAt", v.attempts, v.failure, v.port
from unnest($1::text[]) e (id) cross join lateral (
  select * from visits where execution_id = e.id order by seq, started_at, path limit $2
) v`;

/** A deleted workflow is known for as long as the log has executions of it. $1 workspaces, $2 ids */
const findUnknownWorkflow = /* sql */ `
select given.id from unnest($2::text[]) given (id)
where not exists (select from workflows w where w.id = given.id and w.workspace_id = any ($1))
  and not exists (select from executions e where e.workflow_id = given.id and e.workspace_id = any ($1)) limit 1`;
