import { Injectable, Module } from '@nestjs/common';
import { Database, DatabaseModule } from '#libs/database/database';
import type { Json, JsonObject } from '#libs/definition/values';
import type { Failure } from '#libs/engine/effects';
import { BlockLog, type ExecutionDetail } from '#libs/executions/block-log';
import type { ExecutionStatus, Visit } from '#libs/executions/execution.entity';
import { ExecutionsModule } from '#libs/executions/executions.module';
import { NotFound } from '#libs/faults/faults';
import { Cursors, type Page } from '#libs/pages/cursor';
import { conditionsOf, type LogFilters, needsUsage, Values } from './filters.ts';

/** The log of one execution, at any moment of its life. */
export interface LogEntry {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  deploymentId: string | null;
  status: ExecutionStatus;
  trigger: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  failure: Failure | null;
  /** Null while nothing is booked. */
  cost: number | null;
  /** With its name at that time when it has been deleted since. */
  workflow: { id: string; name: string; description: string; deleted: boolean };
}

/** A visit without its output. */
export type LogBlock = Omit<Visit, 'output' | 'executionId' | 'workspaceId'>;

export interface FullLogEntry extends LogEntry {
  /** As it is stored: a large one is a reference. */
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

const blocksMax = 100;
/** Entries that an export reads at a time. */
const exportPage = 200;

/** What has happened: one entry for each execution, from the rows that the execution itself lives in. */
@Injectable()
export class Logs {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly log: BlockLog,
  ) {}

  /** One page over all of the workspaces, in the order in which the executions were accepted. */
  async list(
    workspaceIds: string[],
    { order, limit, cursor, ...filters }: LogQuery,
  ): Promise<Page<LogEntry>> {
    if (workspaceIds.length === 0) return { items: [], nextCursor: null };
    const scope = `logs ${workspaceIds.toSorted().join()} ${order} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope);
    const values = new Values();
    const text = pageOf(filters, { order, limit: limit + 1, after, workspaceIds }, values);
    const rows = await this.database.statement<LogEntry & { cost: string | null }>(
      workspaceIds,
      text,
      values.all,
      'shaped by a caller',
    );
    const entries = rows.map((row) => ({ ...row, cost: row.cost === null ? null : Number(row.cost) }));
    return this.cursors.page(entries, limit, scope, ({ createdAt, executionId }) => ({
      at: createdAt.toISOString(),
      id: executionId,
    }));
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

  /** Every entry, page by page, as fast as they are taken. One that is accepted after the begin is not among them. */
  async *all(workspaceIds: string[], query: Omit<LogQuery, 'limit' | 'cursor'>): AsyncGenerator<LogEntry[]> {
    const to = new Date(Math.min(Date.now(), query.to?.getTime() ?? Infinity));
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
    page: { limit: number; cursor?: string },
  ): Promise<{ entry: LogEntry; execution: ExecutionDetail }> {
    const entry = await this.one(workspaceId, executionId);
    const execution = await this.log.detail(workspaceId, executionId, entry.workflowId, page);
    return { entry, execution };
  }

  /** One entry, with the definition that ran; null when it went with its workflow. */
  async withDefinition(
    workspaceId: string,
    executionId: string,
  ): Promise<{ entry: LogEntry; definition: JsonObject | null }> {
    const entry = await this.one(workspaceId, executionId);
    const [row] = await this.database.statement<{ definition: JsonObject }>(
      workspaceId,
      'select definition from deployments where id = $1',
      [entry.deploymentId],
    );
    return { entry, definition: row?.definition ?? null };
  }

  private async one(workspaceId: string, executionId: string): Promise<LogEntry> {
    const { items } = await this.list([workspaceId], { executionId, order: 'desc', limit: 1 });
    if (!items[0]) throw new NotFound('log');
    return items[0];
  }
}

interface OutputRow {
  executionId: string;
  output: Json;
}

type BlockRow = LogBlock & { executionId: string };

interface Place {
  order: 'asc' | 'desc';
  limit: number;
  after: { at: string; id: string } | null;
  workspaceIds: string[];
}

/** Reads no more of each workspace than the page has, and then what belongs to those few. */
function pageOf(filters: LogFilters, { order, limit, after, workspaceIds }: Place, values: Values): string {
  const [workspaces, most] = [values.add(workspaceIds), values.add(limit)];
  const conditions = ['e.workspace_id = w.id', ...conditionsOf(filters, values)];
  if (after) {
    const behind = order === 'desc' ? '<' : '>';
    conditions.push(
      `(e.created_at, e.id) ${behind} (${values.add(after.at)}::timestamptz, ${values.add(after.id)})`,
    );
  }
  const usage = needsUsage(filters)
    ? 'join usage_entries u on u.execution_id = e.id and u.workspace_id = w.id'
    : '';
  return /* sql */ `
select e.id as "executionId", e.workspace_id as "workspaceId", e.workflow_id as "workflowId", d.id as "deploymentId", e.status,
  e.trigger, e.created_at as "createdAt", e.started_at as "startedAt", e.completed_at as "endedAt", e.failure, u.cost,
  json_build_object('id', e.workflow_id, 'name', coalesce(f.name, e.workflow_name),
    'description', coalesce(f.description, ''), 'deleted', f.id is null) as workflow
from (
  select e.* from unnest(${workspaces}::text[]) w (id) cross join lateral (
    select e.id, e.workspace_id, e.workflow_id, e.workflow_name, e.version, e.status, e.trigger, e.created_at, e.started_at,
      e.completed_at, e.failure
    from executions e ${usage} where ${conditions.join(' and ')}
    order by e.created_at ${order}, e.id ${order} limit ${most}
  ) e order by e.created_at ${order}, e.id ${order} limit ${most}
) e
left join workflows f on f.id = e.workflow_id
left join deployments d on d.workflow_id = e.workflow_id and d.version = e.version
left join usage_entries u on u.execution_id = e.id
order by e.created_at ${order}, e.id ${order}`;
}

const outputsOf = /* sql */ `
select id as "executionId", output from executions where id = any ($1)`;

const blocksOf = /* sql */ `
select v.execution_id as "executionId", v.path, v.seq, v.block_id as "blockId", v.name, v.type, v.status,
  v.started_at as "startedAt", v.ended_at as "endedAt", v.attempts, v.failure, v.port
from unnest($1::text[]) e (id) cross join lateral (
  select * from visits where execution_id = e.id order by seq, started_at, path limit $2
) v`;

@Module({ imports: [DatabaseModule, ExecutionsModule], providers: [Logs], exports: [Logs] })
export class LogsModule {}
