import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  deleteInBatches,
  buildDeletion,
  isDue,
  TurnBounds,
  workOnEach,
} from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { isUnavailable } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';
import type { Column, IndexState } from './columns.ts';
import { lockNumbered, type Table, writeColumns } from './table.ts';

/** Rows of one step. A writer of the table waits for at most one step. */
const batch = 2000;
/**
 * For deletions while a change of columns holds the lock of the table: the maximum number of rows in one statement, and the maximum time
 * of all statements in milliseconds.
 */
const [deletedAtOnce, deletedWithinMs] = [50_000, 300_000];

interface Build {
  table_no: string;
  column_id: string;
  workspace_id: string;
}

/**
 * Builds the indexes of columns in short steps. From the start of a build, writers put the cells of their own rows into the index. So a
 * step only adds rows that no writer has changed since. Each step is a transaction, so a crash of the worker leaves no half step.
 */
@Injectable()
export class ColumnIndexes {
  readonly due = `exists (select from table_index_builds b where ${isBuildDue})`;
  private readonly log = new Logger(ColumnIndexes.name);

  constructor(private readonly database: Database) {}

  /** Builds the due indexes within the bounds, and returns the number of finished indexes. Several processes may call it at the same time. */
  async buildDueIndexes(bounds = new TurnBounds()): Promise<number> {
    const items = await this.database.system<Build>(dueBuilds);
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
      // A locked table or an unreachable database is no fault of the index.
      if (isUnavailable(error)) throw error;
      this.log.error(`An index of the table ${build.table_no} failed: ${String(error)}`);
      await this.within(build, (tx, table) => finish(tx, table, build.column_id, 'failed'));
      return false;
    }
  }

  /** Runs a step, and returns true when the build has ended. */
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

/** Starts the build of an index. From now on writers keep it up to date, and a worker adds the existing rows. */
export async function beginIndex(
  tx: EntityManager,
  { no }: Table,
  columnId: string,
  workspaceId: string,
): Promise<void> {
  await send(tx, addBuild, [no, columnId, workspaceId]);
}

/** Deletes the entries of an index and stops its build. Throws `Unavailable` as `deleteAll` does. */
export async function dropIndex(tx: EntityManager, { no }: Table, columnId: string): Promise<void> {
  await deleteAll(tx, indexOfColumn, [no, columnId]);
  await send(tx, dropBuild, [no, columnId]);
}

/**
 * Deletes all rows that the statement finds, in batches, in the transaction of the caller. A single statement for all rows of a large table
 * could exceed its timeout. Throws `Unavailable` when the batches together take longer than five minutes.
 */
export async function deleteAll(tx: EntityManager, statement: string, values: unknown[]): Promise<void> {
  // Each batch has a savepoint, so that a smaller batch can follow after a timeout.
  const remove = (rows: number) =>
    tx.transaction(async (part) => Number((await send(part, statement, [...values, rows]))[0]?.['n'] ?? 0));
  const { complete } = await deleteInBatches(deletedAtOnce, new TurnBounds(deletedWithinMs), remove);
  if (!complete)
    throw new Unavailable('The former keys or the index of the column are too many; nothing was changed.');
}

const addBuild = /* sql */ `
insert into table_index_builds (table_no, column_id, workspace_id) values ($1, $2, $3)
on conflict (table_no, column_id) do update set position = -1`;

const isBuildDue = isDue('index of a table', `b.table_no || ' ' || b.column_id`);

/** In random order, so that a hundred large builds do not delay the others. */
const dueBuilds = /* sql */ `
select b.table_no, b.column_id, b.workspace_id from table_index_builds b
where ${isBuildDue} order by random() limit 100`;

/** Deletes entries of an index. $1 table's number, $2 column, $3 maximum number of rows */
const indexOfColumn = buildDeletion('table_index', 'table_no = $1 and column_id = $2', '$3');

const dropBuild = 'delete from table_index_builds where table_no = $1 and column_id = $2';

/**
 * Adds the next rows to an index. Returns their highest position as `last`, or null when no rows are left.
 * $1 table's number, $2 column, $3 maximum number of rows
 *
 * `b`: the position up to which the index is built, locked. `chosen`: the next rows. `added` writes their entries. `moved` notes the new
 * position. The position is read in a sub-select: with a join, the planner read the table from its beginning in each step.
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
