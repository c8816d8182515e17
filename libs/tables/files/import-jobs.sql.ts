import { notifyEnd } from '#libs/platform/database/completion-notifier';

const columns = `i.id, i.table_id, i.format, i.mode, i.size, i.status, i.error, i.line_count, i.inserted_count, i.refused_count, i.refused,
  i.options, i.taken, i.tries, i.created_at, i.started_at, i.completed_at`;

/** An import that has not ended. */
const open = `i.status in ('pending', 'processing')`;

export const countOpen = `select count(*) as n from table_imports i where i.table_id = $1 and ${open}`;

/** Inserts an import, and returns it. $1 id, $2 workspace, $3 table, $4 format, $5 mode, $6 bytes of the file, $7 options */
export const insertImport = /* sql */ `
insert into table_imports as i (id, workspace_id, table_id, format, mode, size, options) values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`;

/** Ties a file to its import, so that both are deleted together. $1 file, $2 import */
export const keepFile = 'update files set import_id = $2 where id = $1';
export const findFile = 'select id from files where import_id = $1';
export const dropFile = 'delete from files where import_id = $1';

/** $1 table, $2 import */
export const findImport = `select ${columns} from table_imports i where i.table_id = $1 and i.id = $2`;

/** Returns the import of an earlier call with the same key. $1 import */
export const findRepeated = `select ${columns} from table_imports i where i.id = $1`;

/** A page of imports, the newest first. $1 table, $2 and $3 time and id of the last import of the page before, or null, $4 limit */
export const listImports = /* sql */ `
select ${columns} from table_imports i
where i.table_id = $1 and ($2::timestamptz is null or (i.created_at, i.id) < ($2::timestamptz, $3::text))
order by i.created_at desc, i.id desc limit $4`;

/** Cancels an open import, and deletes its file. Returns nothing when the import has ended. $1 table, $2 import */
export const cancelImport = /* sql */ `
with i as (
  update table_imports i set status = 'cancelled', completed_at = now() where i.table_id = $1 and i.id = $2 and ${open} returning ${columns}
), gone as (
  delete from files f using i where f.import_id = i.id
)
select ${columns}, ${notifyEnd('i.id')} from i`;

/** Counts a try, and returns the import. Returns nothing when the import has ended. $1 import */
export const beginImport = /* sql */ `
update table_imports i set status = 'processing', started_at = coalesce(i.started_at, now()), tries = i.tries + 1
where i.id = $1 and ${open} returning ${columns}`;

/** Notes how the file is read, at the first attempt. $1 import, $2 format, $3 what was taken */
export const saveTaken = `update table_imports set format = $2, taken = coalesce(taken, $3::jsonb) where id = $1 and ${open.replaceAll('i.', '')}`;

/** Resets the tries. $1 import */
export const forgetAttempt = `update table_imports set tries = 0 where id = $1`;

/** Locks an import that is in progress. Returns nothing when it has ended or has another line count. $1 import, $2 processed lines */
export const holdImport = `select from table_imports where id = $1 and status = 'processing' and line_count = $2 for update`;

/**
 * Adds the report of a batch to an import, and resets the tries.
 * $1 import, $2 more lines, $3 more rows, $4 more refused lines, $5 the refused lines, $6 maximum number of listed refused lines
 */
export const addToImport = /* sql */ `
update table_imports i set line_count = i.line_count + $2::bigint, inserted_count = i.inserted_count + $3::bigint,
  refused_count = i.refused_count + $4::bigint, tries = 0,
  refused = (select coalesce(jsonb_agg(line order by n), '[]') from jsonb_array_elements(i.refused || $5::jsonb) with ordinality as l (line, n)
    where n <= $6::int)
where i.id = $1`;

/** Sets the progress. Returns nothing when the import has ended. $1 import, $2 processed lines */
export const showProgress = `update table_imports set line_count = $2 where id = $1 and status = 'processing' returning id`;

/** Completes an import, and notifies waiting callers. $1 import */
export const completeImport = /* sql */ `
update table_imports set status = 'completed', completed_at = now() where id = $1 returning ${notifyEnd('id')}`;

/** Fails an open import, and notifies waiting callers. $1 import, $2 reason, $3 number of further refused lines, $4 the first of these lines */
export const failImport = /* sql */ `
update table_imports i set status = 'failed', error = $2, completed_at = now(), refused_count = i.refused_count + $3::bigint,
  refused = i.refused || $4::jsonb
where i.id = $1 and ${open} returning ${notifyEnd('i.id')}`;

/** Claims open imports that may have no workflow in Temporal. Each is claimed again later while it is open. $1 maximum number */
/** Imports that ended before $1 days. */
export const oldImports = {
  kind: 'import',
  table: 'table_imports',
  id: 't.id',
  where: 't.completed_at < now() - make_interval(days => $1::int)',
  order: 't.completed_at',
} as const;

/** Reports of imports that are older than two days. An idempotency key is kept for a day, and a call with it may still run after that. */
export const oldReports = {
  kind: 'import report',
  table: 'import_reports',
  id: 't.id',
  where: `t.created_at < now() - interval '2 days'`,
  order: 't.created_at',
  values: [] as unknown[],
} as const;
