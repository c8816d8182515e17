import { exactJson, type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { Invalid, NotFound, Outdated, toUnknownField } from '#libs/platform/errors/errors';
import { readCell } from '../schema/cells.ts';
import { type Column, columnNamed } from '../schema/columns.ts';
import { isEmptyFilter, requireConditions } from '../filters/filter.ts';
import { noPatch, parsePatches, type Patch, RowParser } from './row-parser.ts';
import { type StoredRow } from '../reads/row.ts';
import { parseRowId, rowIds, rowIdText } from '../reads/row-ids.ts';
import { namedMax, type RowReach, type RowWriter } from './row-writer.ts';
import type { Table } from '../schema/table.ts';

/** Rows of a table, and the columns that say how to show them. */
export interface TableRows {
  columns: Column[];
  rows: StoredRow[];
}

/** An operation on the rows of a table. It runs in the transaction of the writer, which has locked the table. */
export type RowOperation<T> = (writer: RowWriter) => Promise<T>;

/** Rows to insert, as a caller sent them, with the path of each in its request. */
export interface NewRows {
  data: ExactValue[];
  paths: string[];
}

/** The rows of a request: `data` for a single row, or `rows` for 1 to 1,000. Throws `Invalid` for both, for none, and for another number. */
export function parseRowsInput({ data, rows }: { data?: ExactValue; rows?: ExactValue }): NewRows {
  if ((data === undefined) === (rows === undefined))
    throw Invalid.field('', 'must have either data or rows', 'required');
  if (data !== undefined) return { data: [data], paths: ['data'] };
  if (!Array.isArray(rows)) throw Invalid.field('rows', 'must be a list', 'type');
  requireCount(rows.length, 'rows');
  return { data: rows, paths: rows.map((_, index) => `rows.${index}`) };
}

/**
 * Inserts rows at the end of the table. The id of each row follows from `firstId`; without it the ids are new.
 * The operation throws `Invalid` for rows that do not fit the columns, and for a full table.
 */
export function insertion(input: NewRows, firstId?: string): RowOperation<TableRows> {
  return async (writer) => {
    const rows = parseNewRows(writer.table, input);
    const ids = rowIds(rows.length, firstId);
    writer.setRowsToWrite({ ids, data: rows, paths: input.paths });
    return { columns: writer.table.columns, rows: await writer.writeNewRows(rows, ids) };
  };
}

/** Changes a row. Throws `NotFound` without the row, `Invalid` for wrong data, and `Outdated` when the row has another version. */
export function buildUpdate(id: string, data: ExactValue, versions?: string[]): RowOperation<TableRows> {
  return async (writer) => {
    const row = await writer.requireRow(id);
    requireVersion(row, versions);
    const [patch] = parsePatches(writer.table.columns, [{ data, path: 'data' }]);
    if (!patch) throw new NotFound('row');
    writer.setRowsToWrite({ ids: [row.id], data: [patch.set], paths: ['data'] });
    return { columns: writer.table.columns, rows: await writer.updateRows([{ id: row.id, patch }]) };
  };
}

/**
 * Changes each row of the list with its own data, and returns the ids. Changes all rows or none.
 * Throws `Invalid` for a wrong list, wrong data or an unknown row. Throws `Outdated` when a row has another version than its update names.
 */
export function buildUpdates(updates: ExactValue): RowOperation<string[]> {
  const changes = parseUpdates(updates);
  const paths = changes.map((_, index) => `updates.${index}.data`);
  return async (writer) => {
    const patches = parsePatches(
      writer.table.columns,
      changes.map(({ data }, i) => ({ data, path: paths[i] ?? '' })),
    );
    const found = await writer.byId(changes.map(({ rowId }) => rowId));
    const known = new Set(found.map(({ id }) => rowIdText(id)));
    const missing = changes.flatMap(({ rowId }, i) =>
      known.has(rowId)
        ? []
        : [{ path: `updates.${i}.rowId`, message: 'is no row of this table', code: 'unknown_row' }],
    );
    if (missing.length > 0) throw new Invalid(missing);
    requireVersions(found, changes);
    const ids = changes.map(({ rowId }) => parseRowId(rowId) ?? '');
    writer.setRowsToWrite({ ids, data: patches.map(({ set }) => set), paths });
    await writer.updateRows(ids.map((id, i) => ({ id, patch: patches[i] ?? noPatch })));
    return changes.map(({ rowId }) => rowId);
  };
}

/** Writes the same cells into all rows that the filter matches, and returns their ids. Throws `Invalid` for an empty filter without `all`. */
export function updateWhere(reach: RowReach, data: ExactValue | undefined): RowOperation<string[]> {
  requireReach(reach);
  return async (writer) => {
    const ids = await writer.updateWhere(reach, data);
    return ids.map(rowIdText);
  };
}

export interface UpsertTerms {
  /** When set, the row must exist. With versions, it must also have one of them. */
  expected?: { versions?: string[] };
  /** The id of the row if it is inserted. A retry of the call finds the row of the first try by this id. */
  firstId?: string;
  /** True when an earlier try of the same request may have written. A row that holds what is asked for is then that try's. */
  isRetry?: boolean;
}

/**
 * Changes the row that has the same value in a unique column, or inserts a row. `target` names the column; it is optional when the table
 * has a single unique column. Throws `Invalid` for wrong data or a wrong column, and `Outdated` when `expected` is not met.
 */
export function buildUpsert(
  data: ExactValue,
  target: string | undefined,
  { expected, firstId, isRetry = false }: UpsertTerms = {},
): RowOperation<TableRows & { inserted: boolean }> {
  return async (writer) => {
    const { table } = writer;
    const column = targetColumn(table, target);
    const input =
      isExactObject(data) && Object.hasOwn(data, column.name) ? (data[column.name] ?? null) : null;
    if (isExactObject(data) && input === null)
      throw Invalid.field(`data.${column.name}`, 'is required: it identifies the row', 'required');
    const cell = input === null ? undefined : readCell(column.type, input);
    const id = cell && !cell.fault ? await writer.idByKey(column.id, cell.value) : undefined;
    const insert = insertion({ data: [data], paths: ['data'] }, firstId);
    if (id === undefined && !expected) return { ...(await insert(writer)), inserted: true };
    const [row] = id !== undefined && (expected || firstId) ? await writer.byId([rowIdText(id)]) : [];
    if (row && isFirst(row, firstId)) return { columns: table.columns, rows: [row], inserted: true };
    const [patch = noPatch] = parsePatches(table.columns, [{ data, path: 'data' }]);
    if (id === undefined) throw new Outdated('There is no row with this value, and If-Match asks for one.');
    // The condition was met when the earlier try wrote, and its own write has changed the version since.
    if (row && isRetry && holds(row, patch)) return { columns: table.columns, rows: [row], inserted: false };
    if (row) requireVersion(row, expected?.versions);
    writer.setRowsToWrite({ ids: [id], data: [patch.set], paths: ['data'] });
    return { columns: table.columns, rows: await writer.updateRows([{ id, patch }]), inserted: false };
  };
}

/** Deletes a row, and returns its id. Throws `NotFound` without the row, and `Outdated` when the row has another version. */
export function buildDeletion(id: string, versions?: string[]): RowOperation<string[]> {
  return async (writer) => {
    const row = await writer.requireRow(id);
    requireVersion(row, versions);
    return (await writer.deleteRows([row.id])).map(rowIdText);
  };
}

/**
 * Deletes rows by their ids or by a filter, and returns the ids of the deleted rows. Unknown ids are ignored.
 * Throws `Invalid` for ids together with a filter, for more than 1,000 ids, and for an empty filter without `all`.
 */
export function buildDeletions({
  rowIds: named,
  ...reach
}: RowReach & { rowIds?: string[] }): RowOperation<string[]> {
  if (named === undefined) {
    requireReach(reach);
    return async (writer) => (await writer.deleteWhere(reach)).map(rowIdText);
  }
  if (reach.filter !== undefined || reach.all !== undefined)
    throw Invalid.field('rowIds', 'must not be there together with a filter', 'conflict');
  requireCount(named.length, 'rowIds');
  const ids = [...new Set(named.flatMap((id) => parseRowId(id) ?? []))];
  return async (writer) => (await writer.deleteRows(ids)).map(rowIdText);
}

/** The maximum number of cells that one call inserts: rows times columns, with the empty cells. */
const cellsMax = 250_000;

/** The new rows as they are stored, in the same order: cells by column id. Throws `Invalid` with the faults of all rows. */
export function parseNewRows({ columns }: Table, { data, paths }: NewRows): ExactObject[] {
  if (data.length * columns.length > cellsMax)
    throw Invalid.field(
      'rows',
      `are too many for one call: ${data.length} rows of ${columns.length} columns have more than ${cellsMax} cells, and the answer shows all of them`,
      'too_many',
    );
  const parser = new RowParser(columns);
  const rows = data.map((one, i) => parser.parseRow(one, paths[i] ?? ''));
  parser.throwFaults();
  return rows;
}

function requireCount(count: number, path: string): void {
  if (count === 0) throw Invalid.field(path, 'must have at least one item', 'length');
  if (count > namedMax)
    throw Invalid.field(path, `must have at most ${namedMax} items, not ${count}`, 'too_many');
}

/** Throws `Invalid` for a filter with an empty part. `reachOf` checks a filter that is empty as a whole, together with `all`. */
function requireReach({ filter }: RowReach): void {
  if (!isEmptyFilter(filter)) requireConditions(filter ?? null);
}

function targetColumn({ columns }: Table, target: string | undefined): Column {
  const unique = columns.filter((column) => column.unique);
  const [only, second] = unique;
  if (target !== undefined) {
    const column = columnNamed(unique, target);
    if (!column)
      throw Invalid.field('conflictTarget', 'is not a unique column of this table', 'unknown_column');
    return column;
  }
  if (only && !second) return only;
  const message = only
    ? 'is required: the table has several unique columns'
    : 'is not possible: no column is unique';
  throw Invalid.field('conflictTarget', message, 'required');
}

interface Update {
  rowId: string;
  data: ExactValue;
  version?: string;
}

function parseUpdates(updates: ExactValue): Update[] {
  if (!Array.isArray(updates)) throw Invalid.field('updates', 'must be a list', 'type');
  requireCount(updates.length, 'updates');
  const seen = new Set<string>();
  return updates.map((update, i) => {
    const { rowId, data = null, version, ...rest } = isExactObject(update) ? update : {};
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw new Invalid([toUnknownField(`updates.${i}.${unknown}`, ['rowId', 'data', 'version'])]);
    if (typeof rowId !== 'string') throw Invalid.field(`updates.${i}.rowId`, 'must be text', 'type');
    if (seen.has(rowId)) throw Invalid.field(`updates.${i}.rowId`, 'is in the list twice', 'duplicate');
    seen.add(rowId);
    if (version === undefined) return { rowId, data };
    if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0)
      throw Invalid.field(`updates.${i}.version`, 'must be the version of a row, a whole number', 'type');
    return { rowId, data, version: String(version) };
  });
}

/** True when the row was inserted by a call with this first id. */
function isFirst({ id }: StoredRow, firstId: string | undefined): boolean {
  return firstId !== undefined && rowIds(1, firstId).map(rowIdText).includes(rowIdText(id));
}

/** True when the row has every cell as the patch would write it. */
function holds({ data }: StoredRow, { set, drop }: Patch): boolean {
  return (
    drop.every((id) => data[id] === undefined) &&
    Object.entries(set).every(([id, cell]) => exactJson(data[id] ?? null) === exactJson(cell))
  );
}

function requireVersions(rows: StoredRow[], updates: Update[]): void {
  const versions = new Map(rows.map(({ id, version }) => [rowIdText(id), version]));
  const outdated = updates.flatMap(({ rowId, version }, i) => {
    const now = versions.get(rowId);
    if (version === undefined || now === version) return [];
    return [{ path: `updates.${i}.version`, message: `${rowId} has the version ${now}`, code: 'outdated' }];
  });
  if (outdated.length > 0)
    throw new Outdated('Rows have changed since they were read; nothing was written.', outdated);
}

function requireVersion({ version }: StoredRow, expected: string[] | undefined): void {
  if (expected?.includes(version) === false)
    throw new Outdated('The row has changed since it was read; read it again.');
}
