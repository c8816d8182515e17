import { Injectable } from '@nestjs/common';
import { deleteInBatches, isDue, TurnBounds, workOnEach } from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { Invalid } from '#libs/platform/errors/errors';
import { Cursors } from '#libs/platform/cursors/cursor';
import type { TableRows } from '../writes/row-operations.ts';
import { frameBytesOf, pageBytesMax } from './page.sql.ts';
import type { TableRef } from '../writes/row-changes.ts';
import type { RowQuery } from './rows.ts';
import { type Row, rowColumns, rowOf } from './row.ts';
import { rowIdText } from './row-ids.ts';
import { readTable } from '../schema/table.ts';

/** The bytes of a deleted row's id in an answer. */
const deletionBytes = 45;
/** The days for which deleted rows are told. */
export const deletionsKeptDays = 7;

/** Deletions of one statement, for which the writers of their table wait. */
const batch = 10_000;
/** Tables that are looked at together. */
const tablesMax = 1000;

interface OldDeletions extends Record<string, unknown> {
  no: string;
  workspace_id: string;
  old: boolean;
}

/** The changes of a table since a token. */
export interface ChangedRows extends TableRows {
  /** Rows as they are now, each once, in the order in which they were written last. */
  rows: Row[];
  deletedRowIds: string[];
  /** For the next call. */
  changeToken: string;
  /** True when there is more to read at once. */
  hasMore: boolean;
  totalCount: number;
}

/**
 * Follows tables. Every write raises the version of its table under the table's lock, and so versions are committed in
 * their order: who has seen one has seen all before it.
 */
@Injectable()
export class ChangeFeed {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** The token of a version: what comes after it is told. */
  tokenOf(tableId: string, version: string, last = '~'): string {
    return this.cursors.seal({ at: last, id: version }, scopeOf(tableId));
  }

  /** Reads the changes after the token: at most `limit`, and fewer when they have many bytes. A query must ask for nothing else. */
  async listChanges(
    { workspaceId, tableId }: TableRef,
    token: string,
    { filter, sort, cursor, offset, limit }: RowQuery,
  ): Promise<ChangedRows> {
    if (filter !== undefined || sort !== undefined || cursor !== undefined || offset > 0)
      throw Invalid.field('changedSince', 'goes with limit alone', 'conflict');
    const place = this.placeOf(token, tableId);
    const { no, columns } = await readTable(this.database, workspaceId, tableId);
    const lines = await this.database.statement(workspaceId, readChanges, [
      no,
      place.id,
      place.at,
      limit + 1,
      frameBytesOf(columns),
    ]);
    const [first] = lines;
    const forgotten = BigInt(String(first?.['changes_from'] ?? 0));
    // Some deletions of the token's version may not be told yet, and are forgotten.
    const untold = place.at.startsWith('d') && forgotten === BigInt(place.id);
    if (forgotten > BigInt(place.id) || untold)
      throw Invalid.field(
        'changedSince',
        'is too old: deletions since then are forgotten. Read the rows anew',
        'expired',
      );
    const found = lines.filter(({ id }) => id !== null);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = Number(first?.['fetched'] ?? 0) > shown.length;
    const next =
      hasMore && last
        ? this.tokenOf(tableId, String(last['version']), String(last['tie']))
        : this.tokenOf(tableId, String(first?.['table_version'] ?? place.id));
    return {
      columns,
      rows: shown.filter(({ data }) => data !== null).map(rowOf),
      deletedRowIds: shown.filter(({ data }) => data === null).map(({ id }) => rowIdText(String(id))),
      changeToken: next,
      hasMore,
      totalCount: Number(first?.['row_count'] ?? 0),
    };
  }

  /** Forgets deletions that are older than a week. Whoever comes with a token from before is told so. */
  async forgetOld(bounds = new TurnBounds(), rowsMax = batch): Promise<void> {
    for (let after: string | null = '-1'; after !== null && !bounds.over;) {
      const items: OldDeletions[] = await this.database.system<OldDeletions>(tablesWithOld, [
        after,
        tablesMax,
      ]);
      await workOnEach(
        this.database,
        {
          kind: 'deletions of a table',
          items: items.filter(({ old }) => old),
          id: ({ no }) => no,
          work: (one, within) => this.forgetOf(one, within, rowsMax),
        },
        bounds,
      );
      after = items.length < tablesMax ? null : (items.at(-1)?.no ?? null);
    }
  }

  private async forgetOf(
    { no, workspace_id: workspaceId }: OldDeletions,
    bounds: TurnBounds,
    rowsMax: number,
  ): Promise<boolean> {
    const { complete } = await deleteInBatches(rowsMax, bounds, (rows) =>
      this.database.within(workspaceId, async (tx) => {
        const [table] = await send(tx, 'select from tables where no = $1 for no key update skip locked', [
          no,
        ]);
        if (!table) throw new Error('Somebody writes the table.');
        const [gone] = await send(tx, forgetDeletions, [no, rows]);
        return Number(gone?.['n'] ?? 0);
      }),
    );
    return complete;
  }

  private placeOf(token: string, tableId: string): { at: string; id: string } {
    try {
      const place = this.cursors.open(token, scopeOf(tableId));
      if (place) return place;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
    }
    throw Invalid.field('changedSince', 'is no changeToken of this table', 'cursor');
  }
}

const scopeOf = (tableId: string) => `changes ${tableId}`;

/**
 * Changes in their order: by version, and within one the deletions before the rows, since `d` comes before `r`. One statement, so the
 * version of the table is that of the changes. `fetched` counts them before those beyond the bytes of a page are left out.
 * $1 table's number, $2 version, $3 last of it that was told, $4 changes at most, $5 bytes that a row is shown with beside its cells
 */
const readChanges = /* sql */ `
select t.version as table_version, t.row_count, t.changes_from, c.* from tables t left join lateral (
  select * from (
    select u.*, count(*) over () as fetched,
      sum(u.bytes) over (order by u.version, u.tie collate "C" rows unbounded preceding) - u.bytes as before
    from (
      select *, coalesce(octet_length(data) + $5::int, ${deletionBytes}) as bytes from (
        (select 'd' || d.row_id as tie, d.row_id as id, 0 as position, d.version, null::timestamptz as created_at,
          null::timestamptz as updated_at, null as execution_id, null as data
        from table_deletions d
        where d.table_no = $1 and d.version >= $2 and (d.version > $2 or 'd' || d.row_id > $3 collate "C")
        order by d.version, d.row_id limit $4)
        union all
        (select 'r' || lpad(r.position::text, 20, '0'), ${rowColumns} from table_rows r
        where r.table_no = $1 and r.version >= $2 and (r.version > $2 or 'r' || lpad(r.position::text, 20, '0') > $3 collate "C")
        order by r.version, r.position limit $4)
      ) both_kinds
      order by version, tie collate "C" limit $4
    ) u
  ) measured
  where before < ${pageBytesMax}
) c on true
where t.no = $1
order by c.version, c.tie collate "C"`;

const isOld = (deletion: string) =>
  `${deletion}.deleted_at < now() - make_interval(days => ${deletionsKeptDays})`;

/**
 * Tables in the order of their numbers, and whether the first deletion of each is old: versions grow with the time.
 * $1 the number before the first, $2 how many
 */
const tablesWithOld = /* sql */ `
select t.no, t.workspace_id, coalesce(
  (select ${isOld('d')} from table_deletions d where d.table_no = t.no order by d.version limit 1), false)
  and ${isDue('deletions of a table', 't.no::text')} as old
from tables t where t.no > $1 order by t.no limit $2`;

/** The first of the deletions; what follows a younger one stays with it. $1 table's number, $2 how many */
const forgetDeletions = /* sql */ `
with first as (
  select ctid, version, ${isOld('d')} as old from table_deletions d where table_no = $1 order by version, row_id limit $2
), gone as (
  delete from table_deletions where table_no = $1 and ctid = any (array(select ctid from first where old)) returning version
), told as (
  update tables t set changes_from = greatest(t.changes_from, (select max(version) from gone)) where t.no = $1 and exists (select from gone)
)
select count(*)::int as n from gone`;
