import type { Statement } from '#libs/platform/database/database';
import { exactJson } from '#libs/platform/json/exact-json';
import type { Column } from '../schema/columns.ts';
import type { RowFilter } from '../filters/filter.ts';
import type { Parameters } from '../filters/filter.sql.ts';
import { conditionOf, entriesOf, type IndexTest, wholeIndexTest } from '../schema/index.sql.ts';
import { type Row, rowColumns } from './row.ts';
import { isSlotted, slotCosts } from '../schema/slots.ts';
import { afterOf, orderOf, type SortKey } from '../filters/sort.ts';

/** One page may have a thousand rows of 400 KB each: it ends after this many bytes, and its cursor says that there are more. */
export const pageBytesMax = 5 * 1024 * 1024;

export interface PageQuery {
  workspaceId: string;
  filter: RowFilter;
  keys: SortKey[];
  /** The page begins after the row with these values. */
  after: { values: (string | null)[]; position: string } | null;
  limit: number;
  offset: number;
  /** The bytes of a row in an answer beside its cells. */
  frameBytes: number;
}

/** A row is shown with the names of all columns, also of those in which it has no cell. */
export function frameBytesOf(columns: Column[]): number {
  return columns.reduce((sum, { name }) => sum + name.length + '"":null,'.length, 260);
}

/**
 * One page and the exact count, in one statement, and so of one moment. Nothing comes back when the columns have
 * changed since they were read; one line without an id when there are no rows.
 * $1 table, $2 schema version, $3 table's number
 */
export function pageSql(page: PageQuery, parameters: Parameters): string {
  const { filter, limit } = page;
  const bytes = `octet_length(s.data) + ${parameters.addParameter(page.frameBytes, 'int')}`;
  const found = lookOf(page);
  const entries = found && entriesOf(found, parameters);
  const where = entries ? '' : conditionOf(filter, parameters);
  const rows = entries ? indexedRows(page, entries, parameters) : scannedRows(page, where, parameters);
  return /* sql */ `
select ${totalOf(filter, entries, where)} as total, t.version as table_version, p.* from tables t left join lateral (
  select * from (
    select s.*, row_number() over () as n, count(*) over () as fetched,
      sum(${bytes}) over (rows unbounded preceding) - (${bytes}) as before
    from (${rows}) s
  ) measured
  where n <= ${parameters.addParameter(limit, 'int')} and before < ${pageBytesMax}
) p on true
where t.id = $1 and t.schema_version = $2
order by p.n`;
}

/** Settings of Postgres for the statement. The statistics may be older than the index, and then know nothing of it. */
export function settingsOf(page: PageQuery): Statement[] {
  if (lookOf(page)) return [['set local enable_seqscan = off']];
  return isNarrow(page) ? [slotCosts] : [];
}

/** The test that an index answers alone, in the order of the page. */
function lookOf({ filter, keys, after }: PageQuery): IndexTest | undefined {
  return keys.length === 0 && !after ? wholeIndexTest(filter) : undefined;
}

function totalOf(filter: RowFilter, entries: string | undefined, where: string): string {
  if (isEverything(filter)) return 't.row_count';
  if (entries) return `(select count(*) from table_index x where ${entries})`;
  return `(select count(*) from table_rows r where r.table_no = $3::bigint and ${where})`;
}

/** The index knows the positions, so only the rows of the page are read. */
function indexedRows({ limit, offset }: PageQuery, entries: string, parameters: Parameters): string {
  return /* sql */ `
      select ${rowColumns} from (
        select x.row_id from table_index x where ${entries}
        order by x.position limit ${parameters.addParameter(limit + 1, 'int')} offset ${parameters.addParameter(offset, 'bigint')}
      ) x join table_rows r on r.table_no = $3::bigint and r.id = x.row_id
      order by r.position`;
}

function scannedRows(page: PageQuery, where: string, parameters: Parameters): string {
  const { keys, after, limit, offset } = page;
  const beyond = after ? `and ${afterOf(keys, after, parameters)}` : '';
  const found = (columns: string, tenant: string) => /* sql */ `
      select ${columns} from table_rows r
      where r.table_no = $3::bigint and ${tenant} ${where} ${beyond}
      order by ${orderOf(keys, parameters)}
      limit ${parameters.addParameter(limit + 1, 'int')} offset ${parameters.addParameter(offset, 'bigint')}`;
  if (!isNarrow(page)) return found(rowColumns, '');
  // The index of the slots has its positions in order within one workspace.
  const tenant = `r.workspace_id = ${parameters.addParameter(page.workspaceId, 'text')} and`;
  return /* sql */ `
      select ${rowColumns} from (${found('r.position', tenant)}) x
      join table_rows r on r.table_no = $3::bigint and r.position = x.position
      order by r.position`;
}

/** Whether the index of the slots knows which rows the page has. */
function isNarrow({ filter, keys }: PageQuery): boolean {
  return keys.length === 0 && isSlotted(filter) && !isEverything(filter);
}

function isEverything(filter: RowFilter): boolean {
  return filter.kind === 'all' && filter.of.length === 0;
}

/** The values by which a row is sorted, as text. */
export function valuesOf(keys: SortKey[], row: Row): (string | null)[] {
  return keys.map(({ field }) => {
    if (field.builtin === 'id' || field.builtin === 'position') return row[field.builtin];
    if (field.builtin) return row[field.builtin].toISOString();
    const value = row.data[field.column ?? ''] ?? null;
    return typeof value === 'string' || value === null ? value : exactJson(value);
  });
}
