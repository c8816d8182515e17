import { Injectable } from '@nestjs/common';
import { deleteInBatches, isDue, TurnBounds, workOnEach } from '#libs/platform/database/bounded-deletion';
import { Database, send } from '#libs/platform/database/database';
import { Invalid } from '#libs/platform/errors/errors';
import { Cursors } from '#libs/platform/cursors/cursor';
import type { TableRows } from '../writes/row-operations.ts';
import { countFrameBytes, pageBytesMax } from './page.sql.ts';
import type { TableRef } from '../writes/row-changes.ts';
import type { RowQuery } from './rows.ts';
import { type StoredRow, rowColumns, toRow } from './row.ts';
import { rowIdText } from './row-ids.ts';
import { readTable } from '../schema/table.ts';

/** The bytes of the id of a deleted row in a response. */
const deletionBytes = 45;
/** The number of days for which the feed reports deleted rows. */
export const deletionsKeptDays = 7;

/** The maximum number of deletions that one statement forgets. Writers of the table wait for this statement. */
const batch = 10_000;
/** The number of tables that one statement checks. */
const tablesMax = 1000;

interface OldDeletions extends Record<string, unknown> {
  no: string;
  workspace_id: string;
  old: boolean;
}

/** The changes of a table since a token. */
export interface ChangedRows extends TableRows {
  /** Changed rows as they are now, each once, in the order of their last change. */
  rows: StoredRow[];
  deletedRowIds: string[];
  /** The token for the next call. */
  changeToken: string;
  /** True when more changes can be read now. */
  hasMore: boolean;
  totalCount: number;
}

/**
 * Reads the changes of tables. Every write raises the version of its table while it holds the lock of the table. So versions are committed
 * in their order, and a reader that has seen a version has seen all earlier versions.
 */
@Injectable()
export class ChangeFeed {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** The token for `listChanges` after a version. `last` is the last reported change of this version; by default all are reported. */
  buildToken(tableId: string, version: string, last = '~'): string {
    return this.cursors.seal({ at: last, id: version }, toScope(tableId));
  }

  /**
   * Reads the changes after the token: at most `limit`, or fewer when they have many bytes. Throws `Invalid` for a wrong or too old token,
   * and for a query with a filter, a sort, a cursor or an offset. Throws `NotFound` without the table.
   */
  async listChanges(
    { workspaceId, tableId }: TableRef,
    token: string,
    { filter, sort, cursor, offset, limit }: RowQuery,
  ): Promise<ChangedRows> {
    if (filter !== undefined || sort !== undefined || cursor !== undefined || offset > 0)
      throw Invalid.field('changedSince', 'goes with limit alone', 'conflict');
    const place = this.parseToken(token, tableId);
    const { no, columns } = await readTable(this.database, workspaceId, tableId);
    const lines = await this.database.statement(workspaceId, readChanges, [
      no,
      place.id,
      place.at,
      limit + 1,
      countFrameBytes(columns),
    ]);
    const [first] = lines;
    const forgotten = BigInt(String(first?.['changes_from'] ?? 0));
    // Some deletions of this version were not reported yet, and they are forgotten now.
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
        ? this.buildToken(tableId, String(last['version']), String(last['tie']))
        : this.buildToken(tableId, String(first?.['table_version'] ?? place.id));
    return {
      columns,
      rows: shown.filter(({ data }) => data !== null).map(toRow),
      deletedRowIds: shown.filter(({ data }) => data === null).map(({ id }) => rowIdText(String(id))),
      changeToken: next,
      hasMore,
      totalCount: Number(first?.['row_count'] ?? 0),
    };
  }

  /** Forgets deletions that are older than a week. `listChanges` refuses tokens from before. Several processes may call it at the same time. */
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
          work: (one, within) => this.deleteOld(one, within, rowsMax),
        },
        bounds,
      );
      after = items.length < tablesMax ? null : (items.at(-1)?.no ?? null);
    }
  }

  private async deleteOld(
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

  private parseToken(token: string, tableId: string): { at: string; id: string } {
    try {
      const place = this.cursors.open(token, toScope(tableId));
      if (place) return place;
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
    }
    throw Invalid.field('changedSince', 'is no changeToken of this table', 'cursor');
  }
}

const toScope = (tableId: string) => `changes ${tableId}`;

/**
 * The changes of a table by version. Within a version, deletions (`tie` begins with `d`) come before rows (`tie` begins with `r`).
 * A single statement reads the version of the table and the changes, so both show the same moment.
 * `fetched` counts the changes before the limit of bytes applies.
 * $1 table's number, $2 version, $3 `tie` of the last reported change of this version, $4 maximum number of changes,
 * $5 bytes of a row in a response, without its cells
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
 * The next tables by number. `old` is true when the first deletion of the table is old; versions rise with time, so it is the oldest.
 * $1 number of the table before them, $2 maximum number of tables
 */
const tablesWithOld = /* sql */ `
select t.no, t.workspace_id, coalesce(
  (select ${isOld('d')} from table_deletions d where d.table_no = t.no order by d.version limit 1), false)
  and ${isDue('deletions of a table', 't.no::text')} as old
from tables t where t.no > $1 order by t.no limit $2`;

/**
 * Deletes old deletions, and returns their number as `n`. $1 table's number, $2 maximum number of deletions
 *
 * `first`: the first deletions by version, with `old`. `gone` deletes the old deletions. `told` notes in the table up to which version
 * deletions are forgotten.
 */
const forgetDeletions = /* sql */ `
with first as (
  select ctid, version, ${isOld('d')} as old from table_deletions d where table_no = $1 order by version, row_id limit $2
), gone as (
  delete from table_deletions where table_no = $1 and ctid = any (array(select ctid from first where old)) returning version
), told as (
  update tables t set changes_from = greatest(t.changes_from, (select max(version) from gone)) where t.no = $1 and exists (select from gone)
)
select count(*)::int as n from gone`;
