import { setLocal, type Statement } from '#libs/platform/database/database';
import { exactJson } from '#libs/platform/json/exact-json';
import type { Column } from '../schema/columns.ts';
import type { RowFilter } from '../filters/filter.ts';
import type { Parameters } from '../filters/filter.sql.ts';
import { buildCondition, buildEntries, type IndexTest, wholeIndexTest } from '../schema/index.sql.ts';
import { type StoredRow, rowColumns } from './row.ts';
import { isSlotted, slotCosts } from '../schema/slots.ts';
import { buildAfter, buildOrder, type SortKey } from '../filters/sort.ts';

/** The maximum size of a page. A thousand rows may have 400 KB each, so a page ends after this many bytes, and its cursor leads on. */
export const pageBytesMax = 5 * 1024 * 1024;

export interface PageQuery {
  workspaceId: string;
  filter: RowFilter;
  keys: SortKey[];
  /** The page begins after the row with these values. */
  after: { values: (string | null)[]; position: string } | null;
  limit: number;
  offset: number;
  /** The bytes of a row in a response, without its cells. */
  frameBytes: number;
}

/** The bytes of a row in a response, without its cells. A row has the names of all columns, also for empty cells. */
export function countFrameBytes(columns: Column[]): number {
  return columns.reduce((sum, { name }) => sum + name.length + '"":null,'.length, 260);
}

/**
 * SQL: a page and the exact count, in a single statement, so both show the same moment. Returns a line for each row of the page.
 * Returns a single line without an id when there are no rows, and no line when the columns have changed since they were read.
 * $1 table, $2 schema version, $3 table's number
 */
export function pageSql(page: PageQuery, parameters: Parameters): string {
  const { filter, limit } = page;
  const bytes = `octet_length(s.data) + ${parameters.addParameter(page.frameBytes, 'int')}`;
  const found = findIndexTest(page);
  const entries = found && buildEntries(found, parameters);
  const where = entries ? '' : buildCondition(filter, parameters);
  const rows = entries ? indexedRows(page, entries, parameters) : scannedRows(page, where, parameters);
  return /* sql */ `
select ${buildTotal(filter, entries, where)} as total, t.version as table_version, p.* from tables t left join lateral (
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

/** The settings of Postgres for the statement of a page. Statistics may be older than an index, so the planner may not choose the index. */
export function buildSettings(page: PageQuery): Statement[] {
  if (findIndexTest(page)) return [setLocal('enable_seqscan', 'off')];
  return isNarrow(page) ? [slotCosts] : [];
}

/** The test of the page that an index answers alone, in the order of positions. Undefined when there is none. */
function findIndexTest({ filter, keys, after }: PageQuery): IndexTest | undefined {
  return keys.length === 0 && !after ? wholeIndexTest(filter) : undefined;
}

function buildTotal(filter: RowFilter, entries: string | undefined, where: string): string {
  if (isEverything(filter)) return 't.row_count';
  if (entries) return `(select count(*) from table_index x where ${entries})`;
  return `(select count(*) from table_rows r where r.table_no = $3::bigint and ${where})`;
}

/** SQL: the rows of a page by an index. The index has the positions, so Postgres reads only the rows of the page. */
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
  const beyond = after ? `and ${buildAfter(keys, after, parameters)}` : '';
  const found = (columns: string, tenant: string) => /* sql */ `
      select ${columns} from table_rows r
      where r.table_no = $3::bigint and ${tenant} ${where} ${beyond}
      order by ${buildOrder(keys, parameters)}
      limit ${parameters.addParameter(limit + 1, 'int')} offset ${parameters.addParameter(offset, 'bigint')}`;
  if (!isNarrow(page)) return found(rowColumns, '');
  // The index of the slots has the positions in order only within a workspace.
  const tenant = `r.workspace_id = ${parameters.addParameter(page.workspaceId, 'text')} and`;
  return /* sql */ `
      select ${rowColumns} from (${found('r.position', tenant)}) x
      join table_rows r on r.table_no = $3::bigint and r.position = x.position
      order by r.position`;
}

/** True when the index of the slots alone decides which rows the page has. */
function isNarrow({ filter, keys }: PageQuery): boolean {
  return keys.length === 0 && isSlotted(filter) && !isEverything(filter);
}

function isEverything(filter: RowFilter): boolean {
  return filter.kind === 'all' && filter.of.length === 0;
}

/** The values of the sort keys of a row, as text; null for an empty cell. */
export function getSortValues(keys: SortKey[], row: StoredRow): (string | null)[] {
  return keys.map(({ field }) => {
    if (field.builtin === 'id' || field.builtin === 'position') return row[field.builtin];
    if (field.builtin) return row[field.builtin].toISOString();
    const value = row.data[field.column ?? ''] ?? null;
    return typeof value === 'string' || value === null ? value : exactJson(value);
  });
}
