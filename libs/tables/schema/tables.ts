import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { guardName } from '#libs/platform/database/violations';
import { exactJson } from '#libs/platform/json/exact-json';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { getPlanLimits } from '#libs/platform/settings/plans';
import { Settings } from '#libs/platform/settings/settings';
import { cutText } from '#libs/platform/text/whole-text';
import { beginIndex } from './column-indexes.ts';
import { type ColumnInput, newColumns } from './columns.ts';
import { lockTable, readTable, selectTables, type Table, toTable } from './table.ts';
import { TableWriteLock } from '../writes/table-write-lock.ts';

export interface TableInput {
  name: string;
  description?: string;
  columns: ColumnInput[];
  /** A limit of rows below the limit of the plan. */
  maxRows?: number;
}

/** The tables of workspaces, without their rows. */
@Injectable()
export class Tables {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly writeLock: TableWriteLock,
  ) {}

  /** Creates a table without rows. Throws `Invalid` for wrong columns or too many tables, and `NameTaken`. */
  async create(workspaceId: string, input: TableInput): Promise<Table> {
    return guardTableName(input.name, () =>
      this.database.within(workspaceId, (tx) => this.createWithin(tx, workspaceId, input)),
    );
  }

  /** Creates a table in the transaction of the caller, who guards its name. The table stays locked until the end of the transaction. */
  async createWithin(
    tx: EntityManager,
    workspaceId: string,
    { name, description = '', columns, maxRows }: TableInput,
  ): Promise<Table> {
    const { columns: made, next } = newColumns(columns, 'schema.columns');
    const id = newId('tbl');
    await this.requireRoom(tx, workspaceId);
    await send(tx, insertTable, [
      id,
      workspaceId,
      name,
      description,
      exactJson(made),
      next.column,
      next.number,
      next.text,
      maxRows ?? null,
    ]);
    const table = await lockTable(tx, workspaceId, id);
    for (const { id: column, index } of made) if (index) await beginIndex(tx, table, column, workspaceId);
    return table;
  }

  async list(workspaceId: string): Promise<Table[]> {
    const sql = `${selectTables} where t.workspace_id = $1 order by t.created_at, t.id`;
    return (await this.database.statement(workspaceId, sql, [workspaceId])).map(toTable);
  }

  async countTables(workspaceId: string): Promise<number> {
    const [row] = await this.database.statement(workspaceId, countTables, [workspaceId]);
    return Number(row?.['n']);
  }

  get(workspaceId: string, id: string): Promise<Table> {
    return readTable(this.database, workspaceId, id);
  }

  /** Finds a table by its id, or by its name without regard to case. Throws `NotFound`. */
  async findTable(workspaceId: string, named: string): Promise<Table> {
    const sql = `${selectTables} where t.workspace_id = $1 and (t.id = $2 or lower(t.name) = lower($2)) order by t.id = $2 desc`;
    const [row] = await this.database.statement(workspaceId, sql, [workspaceId, named]);
    if (!row) throw new NotFound(`table "${cutText(named, 100)}"`);
    return toTable(row);
  }

  async update(
    workspaceId: string,
    id: string,
    { name, description }: { name?: string; description?: string },
  ): Promise<Table> {
    return guardTableName(name ?? '', () =>
      this.writeLock.withLock(id, () =>
        this.database.within(workspaceId, async (tx) => {
          await send(tx, updateTable, [workspaceId, id, name ?? null, description ?? null]);
          return lockTable(tx, workspaceId, id);
        }),
      ),
    );
  }

  /** Deletes a table. Callers no longer see it from now on, and a worker removes its rows later. Throws `NotFound` and `TableLocked`. */
  async delete(workspaceId: string, id: string): Promise<void> {
    const gone = await this.writeLock.withLock(id, () =>
      this.database.statement(workspaceId, deleteTable, [workspaceId, id]),
    );
    if (gone.length === 0) throw new NotFound('table');
  }

  /** Locks the row of the workspace, so that two calls at the same time cannot both create the last allowed table. */
  private async requireRoom(tx: EntityManager, workspaceId: string): Promise<void> {
    const [workspace] = await send(tx, lockWorkspace, [workspaceId]);
    if (!workspace) throw new NotFound('workspace');
    const [count] = await send(tx, countTables, [workspaceId]);
    const tablesMax = getPlanLimits(String(workspace['plan']), this.settings).maxTables;
    if (Number(count?.['n']) >= tablesMax)
      throw Invalid.field(
        '',
        `the workspace has ${tablesMax} tables, as many as its plan allows`,
        'max_tables',
      );
  }
}

/** Runs work that names a table. Throws `NameTaken` when another table has the name. */
export function guardTableName<T>(name: string, work: () => Promise<T>): Promise<T> {
  return guardName({ constraint: 'tables_name', thing: 'table', name }, work);
}

const lockWorkspace = 'select plan from workspaces where id = $1 for no key update';
/** Separate from `lockWorkspace`: a statement that waits for a lock would count the tables from before its wait. */
const countTables = 'select count(*) as n from tables where workspace_id = $1';

const insertTable = /* sql */ `
insert into tables (id, workspace_id, name, description, columns, next_column, next_number, next_text, max_rows)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const updateTable = /* sql */ `
update tables set name = coalesce($3, name), description = coalesce($4, description), updated_at = now()
where workspace_id = $1 and id = $2`;

const deleteTable = /* sql */ `
with gone as (delete from tables where workspace_id = $1 and id = $2 returning no, workspace_id)
insert into table_orphans (table_no, workspace_id) select no, workspace_id from gone returning 1`;
