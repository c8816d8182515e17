import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { Invalid } from '#libs/faults/faults';
import { Cursors } from '#libs/pages/cursor';
import type { TableRows } from './changes.ts';
import { frameBytesOf, pageBytesMax } from './page.sql.ts';
import type { Place } from './row-changes.ts';
import { type Row, rowColumns, rowOf } from './row.ts';
import { rowIdText } from './row-ids.ts';
import { readTable } from './table.ts';

/** What the id of a deleted row takes in an answer. */
const deletionBytes = 45;
/** How long deleted rows are told. */
export const deletionsKeptDays = 7;

/** What has changed in a table since a token. */
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
export class TableChanges {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** The token of a version: what comes after it is told. */
  tokenOf(tableId: string, version: string, last = '~'): string {
    return this.cursors.seal({ at: last, id: version }, scopeOf(tableId));
  }

  /** What was written or deleted after the token: `limit` changes at most, and fewer when they have many bytes. */
  async since({ workspaceId, tableId }: Place, token: string, limit: number): Promise<ChangedRows> {
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
    if (forgotten > BigInt(place.id))
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
  async forgetOld(): Promise<void> {
    await this.database.systemTransaction(async (client) => {
      await client.query(forgetDeletions);
    });
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
          null::timestamptz as updated_at, null as data
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

const forgetDeletions = /* sql */ `
with old as (
  select table_no, max(version) as version from table_deletions
  where deleted_at < now() - make_interval(days => ${deletionsKeptDays}) group by table_no
), told as (
  update tables t set changes_from = greatest(t.changes_from, old.version) from old where t.no = old.table_no
)
delete from table_deletions d using old where d.table_no = old.table_no and d.version <= old.version`;
