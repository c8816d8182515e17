import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  deleteInBatches,
  deletionOf,
  isDue,
  TurnBounds,
  workOnEach,
} from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { isUnavailable } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';
import type { Column, IndexState } from './columns.ts';
import { lockNumbered, type Table, writeColumns } from './table.ts';

/** Rows of one step. Writers of the table wait for a step, and for no more. */
const batch = 2000;
/** Rows that one statement deletes at most while a change of columns holds the table, and how long all of them may take. */
const [deletedAtOnce, deletedWithinMs] = [50_000, 300_000];

interface Build {
  table_no: string;
  column_id: string;
  workspace_id: string;
}

/**
 * Builds the indexes of columns in short steps. Writers keep the cells of their own rows in the index from the moment at which it is
 * wanted, so a step only adds rows that nobody has written since. A worker that dies leaves a step done or not.
 */
@Injectable()
export class ColumnIndexes {
  private readonly log = new Logger(ColumnIndexes.name);

  constructor(private readonly database: Database) {}

  /** Builds what is to be built, and returns how many indexes are ready. Any number of processes may take turns at the same time. */
  async buildDueIndexes(bounds = new TurnBounds()): Promise<number> {
    const items = await this.database.system<Build & Record<string, unknown>>(dueBuilds);
    const id = ({ table_no: no, column_id: column }: Build) => `${no} ${column}`;
    const work = (build: Build, within: TurnBounds) => this.build(build, within);
    return workOnEach(this.database, { kind: 'index of a table', items, id, work }, bounds);
  }

  private async build(build: Build, bounds: TurnBounds): Promise<boolean> {
    try {
      for (let ready = false; !ready;) {
        if (bounds.over) return false;
        ready = await this.step(build);
      }
      return true;
    } catch (error) {
      // A table that is held, or a database that is away, says nothing of the index.
      if (isUnavailable(error)) throw error;
      this.log.error(`An index of the table ${build.table_no} failed: ${String(error)}`);
      await this.within(build, (tx, table) => finish(tx, table, build.column_id, 'failed'));
      return false;
    }
  }

  /** True when there is nothing left to do. */
  private step(build: Build): Promise<boolean> {
    return this.within(build, async (tx, table) => {
      const { no, columns } = table;
      const wanted = columns.some(({ id, index }) => id === build.column_id && index === 'building');
      const [added] = wanted ? await send(tx, addStep, [no, build.column_id, batch]) : [];
      if (wanted && added?.['last'] !== null) return false;
      await finish(tx, table, build.column_id, 'ready');
      return true;
    });
  }

  private async within<T>(
    { workspace_id: workspaceId, table_no: no, column_id: column }: Build,
    work: (tx: EntityManager, table: Table) => Promise<T | boolean>,
  ): Promise<T | boolean> {
    return this.database.within(workspaceId, async (tx) => {
      const table = await lockNumbered(tx, workspaceId, no);
      if (table) return work(tx, table);
      await send(tx, dropBuild, [no, column]);
      return true;
    });
  }
}

async function finish(
  tx: EntityManager,
  table: Table,
  columnId: string,
  state: IndexState,
): Promise<boolean> {
  await send(tx, dropBuild, [table.no, columnId]);
  const built = (one: Column) => one.id === columnId && one.index === 'building';
  if (table.columns.some(built)) {
    const columns = table.columns.map((one) => (built(one) ? { ...one, index: state } : one));
    await writeColumns(tx, table, columns);
  }
  return true;
}

/** Wants the index of a column: from now on writers keep it, and a worker adds the rows that are there. */
export async function beginIndex(
  tx: EntityManager,
  { no }: Table,
  columnId: string,
  workspaceId: string,
): Promise<void> {
  await send(tx, addBuild, [no, columnId, workspaceId]);
}

export async function dropIndex(tx: EntityManager, { no }: Table, columnId: string): Promise<void> {
  await deleteAll(tx, indexOfColumn, [no, columnId]);
  await send(tx, dropBuild, [no, columnId]);
}

/**
 * Deletes in the caller's transaction what the statement finds, in batches: one statement for all rows of a large table might not end in
 * time. Throws `Unavailable` when all of it takes longer than a change of columns may.
 */
export async function deleteAll(tx: EntityManager, statement: string, values: unknown[]): Promise<void> {
  // Each batch has a savepoint, so that a smaller one may follow one that the time-out ended.
  const remove = (rows: number) =>
    tx.transaction(async (part) => Number((await send(part, statement, [...values, rows]))[0]?.['n'] ?? 0));
  const { complete } = await deleteInBatches(deletedAtOnce, new TurnBounds(deletedWithinMs), remove);
  if (!complete)
    throw new Unavailable('The former keys or the index of the column are too many; nothing was changed.');
}

const addBuild = /* sql */ `
insert into table_index_builds (table_no, column_id, workspace_id) values ($1, $2, $3)
on conflict (table_no, column_id) do update set position = -1`;

/** In no order, so that a hundred large ones do not keep others waiting. */
const dueBuilds = /* sql */ `
select b.table_no, b.column_id, b.workspace_id from table_index_builds b
where ${isDue('index of a table', `b.table_no || ' ' || b.column_id`)} order by random() limit 100`;

/** $3 rows at most */
const indexOfColumn = deletionOf('table_index', 'table_no = $1 and column_id = $2', '$3');

const dropBuild = 'delete from table_index_builds where table_no = $1 and column_id = $2';

/**
 * How far it is built is one value and no join: with statistics that are new the planner read the table from its beginning in each step.
 * $1 table's number, $2 column, $3 rows at most
 */
const addStep = /* sql */ `
with b as (
  select position from table_index_builds where table_no = $1 and column_id = $2 for update
), chosen as (
  select r.id, r.position, r.workspace_id, r.data -> $2 as cell from table_rows r
  where r.table_no = $1 and r.position > (select position from b) order by r.position limit $3
), added as (
  insert into table_index (table_no, position, row_id, column_id, key, workspace_id)
  select $1, c.position, c.id, $2, table_sort_key(c.cell), c.workspace_id from chosen c where c.cell is not null
  on conflict do nothing
), moved as (
  update table_index_builds set position = (select max(position) from chosen)
  where table_no = $1 and column_id = $2 and exists (select from chosen)
)
select max(position) as last from chosen`;
