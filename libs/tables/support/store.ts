import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import type { ColumnInput } from '../schema/columns.ts';
import { RowChanges } from '../writes/row-changes.ts';
import { Rows } from '../reads/rows.ts';
import { TableLocked } from '../writes/table-write-lock.ts';
import { TableColumns } from '../schema/table-columns.ts';
import { Tables } from '../schema/tables.ts';
import { TablesModule } from '../tables.module.ts';

/** The services of tables on a database for a single test file, with the workspaces `ws_a` and `ws_b`. */
export interface GivenTables extends GivenStore {
  tables: Tables;
  columns: TableColumns;
  rows: Rows;
  changes: RowChanges;
}

export async function givenTables(settings: Record<string, string> = {}): Promise<GivenTables> {
  const store = await givenStore(TablesModule, settings);
  await store.owner.query(`insert into workspaces (id, name) values ('ws_a', 'ours'), ('ws_b', 'theirs')`);
  const { app } = store;
  return {
    ...store,
    tables: app.get(Tables),
    columns: app.get(TableColumns),
    rows: app.get(Rows),
    changes: app.get(RowChanges),
  };
}

/** Repeats a write that waited too long for its table, as callers do after a 503. Other tests may occupy the processor. */
export async function repeatWhileLocked<T>(write: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TableLocked)) throw error;
    }
}

export const ours = 'ws_a';
export const theirs = 'ws_b';

/** Columns that take all slots, so that later columns get none. */
export const slotTakers: ColumnInput[] = (['number', 'string'] as const).flatMap((type) =>
  [1, 2, 3, 4].map((n) => ({ name: `${type}${n}`, type })),
);
