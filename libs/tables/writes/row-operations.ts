import { type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { Invalid, NotFound, Outdated } from '#libs/platform/errors/errors';
import { readCell } from '../schema/cells.ts';
import { type Column, columnNamed } from '../schema/columns.ts';
import { isEmptyFilter, requireConditions } from '../filters/filter.ts';
import { noPatch, parsePatches, RowParser } from './row-parser.ts';
import { type Row } from '../reads/row.ts';
import { rowIdOf, rowIds, rowIdText } from '../reads/row-ids.ts';
import { namedMax, type RowReach, type RowWriter } from './row-writer.ts';
import type { Table } from '../schema/table.ts';

/** Rows of a table, and the columns that say how to show them. */
export interface TableRows {
  columns: Column[];
  rows: Row[];
}

/** Reads or changes rows of a table. It runs in the transaction of the writer, which has locked the table. */
export type RowOperation<T> = (writer: RowWriter) => Promise<T>;

/** Rows to insert, as a caller sent them, with the path of each in its request. */
export interface NewRows {
  data: ExactValue[];
  paths: string[];
}

/** One row as `data`, or 1 to 1,000 as `rows`. Throws `Invalid` for both, for none, and for another number of them. */
export function newRowsOf({ data, rows }: { data?: ExactValue; rows?: ExactValue }): NewRows {
  if ((data === undefined) === (rows === undefined))
    throw Invalid.field('', 'must have either data or rows', 'required');
  if (data !== undefined) return { data: [data], paths: ['data'] };
  if (!Array.isArray(rows)) throw Invalid.field('rows', 'must be a list', 'type');
  requireCount(rows.length, 'rows');
  return { data: rows, paths: rows.map((_, index) => `rows.${index}`) };
}

/** Inserts rows at the end. */
export function insertion(given: NewRows, firstId?: string): RowOperation<TableRows> {
  return async (writer) => {
    const rows = parseNewRows(writer.table, given);
    const ids = rowIds(rows.length, firstId);
    writer.noteWrite({ ids, data: rows, paths: given.paths });
    return { columns: writer.table.columns, rows: await writer.writeNewRows(rows, ids) };
  };
}

/** Changes one row; with `version` only when nobody has changed it since. */
export function updateOf(id: string, data: ExactValue, version?: string): RowOperation<TableRows> {
  return async (writer) => {
    const row = await writer.one(id);
    requireVersion(row, version);
    const [patch] = parsePatches(writer.table.columns, [{ data, path: 'data' }]);
    if (!patch) throw new NotFound('row');
    writer.noteWrite({ ids: [row.id], data: [patch.set], paths: ['data'] });
    return { columns: writer.table.columns, rows: await writer.updateRows([{ id: row.id, patch }]) };
  };
}

/** Changes rows by their ids, each in its own way, and gives the ids. None is changed when one has another version than its update names. */
export function updatesOf(updates: ExactValue): RowOperation<string[]> {
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
    const ids = changes.map(({ rowId }) => rowIdOf(rowId) ?? '');
    writer.noteWrite({ ids, data: patches.map(({ set }) => set), paths });
    await writer.updateRows(ids.map((id, i) => ({ id, patch: patches[i] ?? noPatch })));
    return changes.map(({ rowId }) => rowId);
  };
}

/** Gives all rows of a filter the same cells, and gives their ids. */
export function updateWhere(reach: RowReach, data: ExactValue | undefined): RowOperation<string[]> {
  requireReach(reach);
  return async (writer) => {
    const ids = await writer.updateWhere(reach, data);
    return ids.map(rowIdText);
  };
}

export interface UpsertTerms {
  /** There must be a row to change, in this version when one is named. */
  expected?: { version?: string };
  /** The id of a row that is inserted. A repetition finds by it what its first try has inserted. */
  firstId?: string;
}

/** Inserts a row, or changes the one that has its value in a unique column. */
export function upsertOf(
  data: ExactValue,
  target: string | undefined,
  { expected, firstId }: UpsertTerms = {},
): RowOperation<TableRows & { inserted: boolean }> {
  return async (writer) => {
    const { table } = writer;
    const column = targetColumn(table, target);
    const given =
      isExactObject(data) && Object.hasOwn(data, column.name) ? (data[column.name] ?? null) : null;
    if (isExactObject(data) && given === null)
      throw Invalid.field(`data.${column.name}`, 'is required: it identifies the row', 'required');
    const cell = given === null ? undefined : readCell(column.type, given);
    const id = cell && !cell.fault ? await writer.idByKey(column.id, cell.value) : undefined;
    const insert = insertion({ data: [data], paths: ['data'] }, firstId);
    if (id === undefined && !expected) return { ...(await insert(writer)), inserted: true };
    const [row] = id !== undefined && (expected || firstId) ? await writer.byId([rowIdText(id)]) : [];
    if (row && isFirst(row, firstId)) return { columns: table.columns, rows: [row], inserted: true };
    const [patch = noPatch] = parsePatches(table.columns, [{ data, path: 'data' }]);
    if (id === undefined) throw new Outdated('There is no row with this value, and If-Match asks for one.');
    if (row) requireVersion(row, expected?.version);
    writer.noteWrite({ ids: [id], data: [patch.set], paths: ['data'] });
    return { columns: table.columns, rows: await writer.updateRows([{ id, patch }]), inserted: false };
  };
}

/** Deletes one row; with `version` only when nobody has changed it since. */
export function deletionOf(id: string, version?: string): RowOperation<string[]> {
  return async (writer) => {
    const row = await writer.one(id);
    requireVersion(row, version);
    return (await writer.deleteRows([row.id])).map(rowIdText);
  };
}

/** Deletes rows by their ids, or those of a filter, and gives the ids of those that were there. */
export function deletionsOf({
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
  const ids = [...new Set(named.flatMap((id) => rowIdOf(id) ?? []))];
  return async (writer) => (await writer.deleteRows(ids)).map(rowIdText);
}

/** Cells of the rows that one call inserts, the empty ones too. */
const cellsMax = 250_000;

/** New rows as they are stored. Throws `Invalid` with every fault of all of them. */
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

/** An empty filter alone is looked at where `all` is. */
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
      throw Invalid.field(`updates.${i}.${unknown}`, 'is not a field of this request', 'unknown_field');
    if (typeof rowId !== 'string') throw Invalid.field(`updates.${i}.rowId`, 'must be text', 'type');
    if (seen.has(rowId)) throw Invalid.field(`updates.${i}.rowId`, 'is in the list twice', 'duplicate');
    seen.add(rowId);
    if (version === undefined) return { rowId, data };
    if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0)
      throw Invalid.field(`updates.${i}.version`, 'must be the version of a row, a whole number', 'type');
    return { rowId, data, version: String(version) };
  });
}

/** Whether a row was inserted under this first id. */
function isFirst({ id }: Row, firstId: string | undefined): boolean {
  return firstId !== undefined && rowIds(1, firstId).map(rowIdText).includes(rowIdText(id));
}

function requireVersions(rows: Row[], updates: Update[]): void {
  const versions = new Map(rows.map(({ id, version }) => [rowIdText(id), version]));
  const outdated = updates.flatMap(({ rowId, version }, i) => {
    const now = versions.get(rowId);
    if (version === undefined || now === version) return [];
    return [{ path: `updates.${i}.version`, message: `${rowId} has the version ${now}`, code: 'outdated' }];
  });
  if (outdated.length > 0)
    throw new Outdated('Rows have changed since they were read; nothing was written.', outdated);
}

function requireVersion({ version }: Row, expected: string | undefined): void {
  if (expected !== undefined && expected !== version)
    throw new Outdated('The row has changed since it was read; read it again.');
}
