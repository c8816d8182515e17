import { rowColumns } from '../reads/row.ts';
import { maxRowsOf } from '../schema/table.ts';

/**
 * Inserts rows at the end of a table, with their unique values and index entries. Returns the rows in the order of their positions.
 * Returns and writes nothing when there is no such table, when its schema version is not $2, or when it has no room for all rows.
 *
 * $1 table, $2 schema version, $3 number of rows, $4 ids, $5 list of data, $6 unique columns, $7 indexed columns, $8 call of each row,
 * $9 the execution that writes, or null.
 *
 * $8 numbers the calls from 1, in ascending order. So its last element, `($8::int[])[$3::int]`, is the number of calls.
 * Each call raises the version of the table by 1, and its rows get this version.
 *
 * `t`: the table after the counters were raised, with the position of the first new row (`base`) and the version before this statement.
 * `r`: the inserted rows. `k` writes their unique values, and `x` writes their index entries.
 */
export const insertRows = /* sql */ `
with t as (
  update tables t set row_count = t.row_count + $3::int, next_position = t.next_position + $3::int,
    version = t.version + ($8::int[])[$3::int], updated_at = now()
  from workspaces w
  where t.id = $1 and w.id = t.workspace_id and t.schema_version = $2 and t.row_count + $3::int <= ${maxRowsOf}
  returning t.no, t.workspace_id, t.next_position - $3::int as base, t.version - ($8::int[])[$3::int] as version
), r as (
  insert into table_rows as r (id, table_no, position, version, workspace_id, execution_id, data)
  select o.id, t.no, t.base + o.ord - 1, t.version + o.call, t.workspace_id, $9, o.data
  from t, rows from (unnest($4::uuid[]), jsonb_array_elements($5::jsonb), unnest($8::int[])) with ordinality as o (id, data, call, ord)
  returning r.id, r.table_no, r.workspace_id, r.position, r.version, r.created_at, r.updated_at, r.execution_id, r.data
), k as (
  insert into table_keys (table_no, row_id, column_id, key, workspace_id)
  select r.table_no, r.id, c.id, table_key(r.data -> c.id), r.workspace_id from r, unnest($6::text[]) as c (id)
  where r.data ? c.id
), x as (
  insert into table_index (table_no, position, row_id, column_id, key, workspace_id)
  select r.table_no, r.position, r.id, c.id, table_sort_key(r.data -> c.id), r.workspace_id from r, unnest($7::text[]) as c (id)
  where r.data ? c.id
)
select ${rowColumns} from r order by r.position`;

/**
 * Changes each row with its own patch. Returns the changed rows by position, each with its size in `bytes`. Unknown ids are ignored.
 * $1 table, $2 its number, $3 ids of rows, $4 list of patches `{ set, drop }`, $5 the execution that writes
 *
 * `t`: the new version of the table. `r`: the changed rows. `u`: an id with its patch.
 */
export const updateRows = /* sql */ `
with t as (
  update tables set version = version + 1, updated_at = now() where id = $1 returning version
), r as (
  update table_rows r set version = t.version, updated_at = now(), execution_id = $5,
    data = (r.data || (u.patch -> 'set')) - array(select jsonb_array_elements_text(u.patch -> 'drop'))
  from t, rows from (unnest($3::uuid[]), jsonb_array_elements($4::jsonb)) as u (id, patch)
  where r.table_no = $2 and r.id = u.id
  returning r.id, r.position, r.version, r.created_at, r.updated_at, r.execution_id, r.data
)
select ${rowColumns}, octet_length(r.data::text) as bytes from r order by r.position`;

/**
 * Writes the same cells into many rows. Returns the size of the largest changed row in `bytes`.
 * $1 table, $2 its number, $3 ids of rows, $4 `set`, $5 columns that become empty, $6 the execution that writes
 */
export const updateAlike = /* sql */ `
with t as (
  update tables set version = version + 1, updated_at = now() where id = $1 returning version
), r as (
  update table_rows r set version = t.version, updated_at = now(), execution_id = $6, data = (r.data || $4::jsonb) - $5::text[]
  from t where r.table_no = $2 and r.id = any($3::uuid[])
  returning r.data
)
select max(octet_length(r.data::text)) as bytes from r`;

/** Deletes unique values of rows. $1 table's number, $2 ids of rows, $3 columns */
export const dropKeys = /* sql */ `
delete from table_keys where table_no = $1 and row_id = any($2::uuid[]) and column_id = any($3::text[])`;

/** Writes the unique values of rows as they are now. $1 table's number, $2 ids of rows, $3 columns */
export const addKeys = /* sql */ `
insert into table_keys (table_no, row_id, column_id, key, workspace_id)
select r.table_no, r.id, c.id, table_key(r.data -> c.id), r.workspace_id
from table_rows r, unnest($3::text[]) as c (id)
where r.table_no = $1 and r.id = any($2::uuid[]) and r.data ? c.id`;

/** Deletes index entries of rows. $1 table's number, $2 ids of rows, $3 columns */
export const dropIndexed = /* sql */ `
delete from table_index where table_no = $1 and row_id = any($2::uuid[]) and column_id = any($3::text[])`;

/** Writes the index entries of rows as they are now. $1 table's number, $2 ids of rows, $3 columns */
export const addIndexed = /* sql */ `
insert into table_index (table_no, position, row_id, column_id, key, workspace_id)
select r.table_no, r.position, r.id, c.id, table_sort_key(r.data -> c.id), r.workspace_id
from table_rows r, unnest($3::text[]) as c (id)
where r.table_no = $1 and r.id = any($2::uuid[]) and r.data ? c.id`;

/**
 * Deletes rows with their unique values and index entries. Returns the ids of the deleted rows.
 * $1 table, $2 its number, $3 ids of rows, $4 indexed columns
 *
 * `r`: the deleted rows. `k` deletes unique values, `x` deletes index entries. `t`: the new version of the table.
 * `d` notes each deletion with this version for the change feed.
 */
export const deleteRows = /* sql */ `
with r as (
  delete from table_rows where table_no = $2 and id = any($3::uuid[]) returning id, workspace_id
), k as (
  delete from table_keys where table_no = $2 and row_id = any($3::uuid[])
), x as (
  delete from table_index where table_no = $2 and row_id = any($3::uuid[]) and column_id = any($4::text[])
), t as (
  update tables set row_count = row_count - (select count(*) from r), version = version + 1, updated_at = now()
  where id = $1 returning version
), d as (
  insert into table_deletions (table_no, version, row_id, workspace_id)
  select $2, t.version, r.id, r.workspace_id from t, r
)
select id from r`;

/** The rows with these ids, by position. $1 table's number, $2 ids of rows */
export const rowsById = /* sql */ `
select ${rowColumns} from table_rows r where r.table_no = $1 and r.id = any($2::uuid[]) order by r.position`;

/** The id of the row that has a value in a unique column. $1 table's number, $2 column, $3 value */
export const rowByKey = /* sql */ `
select row_id as id from table_keys where table_no = $1 and column_id = $2 and key = table_key($3::jsonb)`;

/**
 * Finds new rows with a value that is taken by a stored row, or by a new row before them in the list.
 * Returns the place of each such row in the list, from 1, as `ord`, and the column of the value as `column_id`.
 * $1 table's number, $2 list of data, $3 unique columns
 *
 * `k`: the values of the new rows in unique columns. `numbered`: these values, with equal values of a column numbered from 1 in `n`.
 */
export const takenRows = /* sql */ `
with k as (
  select o.ord, c.id as column_id, table_key(o.data -> c.id) as key
  from jsonb_array_elements($2::jsonb) with ordinality as o (data, ord), unnest($3::text[]) as c (id)
  where o.data ? c.id
), numbered as (
  select k.*, row_number() over (partition by column_id, key order by ord) as n from k
)
select ord, column_id from numbered k
where n > 1 or exists (select from table_keys x where x.table_no = $1 and x.column_id = k.column_id and x.key = k.key)`;

/**
 * Finds rows with a value that a stored row outside of the list has, or that another row of the list has. Returns at most 101 values.
 * Returns the place of each such row in the list, from 1, as `ord`, and the column of the value as `column_id`.
 * $1 table's number, $2 ids of rows, $3 list of data, $4 unique columns
 *
 * `k`: the values of the rows in unique columns.
 */
export const clashes = /* sql */ `
with k as (
  select o.ord, c.id as column_id, table_key(o.data -> c.id) as key
  from rows from (unnest($2::uuid[]), jsonb_array_elements($3::jsonb)) with ordinality as o (id, data, ord), unnest($4::text[]) as c (id)
  where o.data ? c.id
)
select k.ord, k.column_id from k
where exists (select from table_keys x
    where x.table_no = $1 and x.column_id = k.column_id and x.key = k.key and x.row_id <> all($2::uuid[]))
  or exists (select from k as other where other.column_id = k.column_id and other.key = k.key and other.ord <> k.ord)
order by k.ord limit 101`;
