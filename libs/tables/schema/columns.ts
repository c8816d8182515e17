import type { ExactValue } from '#libs/platform/json/exact-json';
import { Invalid, type Detail } from '#libs/platform/errors/errors';
import { type ColumnType, readCell } from './cells.ts';
import { nextId, type NextIds } from './slots.ts';

export const columnsMax = 1000;
export const columnNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const columnNameMax = 50;

/** A column as a caller describes it. */
export interface ColumnInput {
  name: string;
  type: ColumnType;
  required?: boolean;
  unique?: boolean;
  /** The value of a row that is inserted without one. */
  default?: ExactValue;
  indexed?: boolean;
}

/** An index is built while others write. Filters use it when it is ready. */
export type IndexState = 'building' | 'ready' | 'failed';

/** A column of a table. Rows hold its cells by its id, so a rename changes no row. No later column gets the same id. */
export interface Column {
  id: string;
  name: string;
  type: ColumnType;
  required: boolean;
  unique: boolean;
  default?: ExactValue;
  /** Absent when the column has no index. */
  index?: IndexState;
}

/** The columns of a new table as they are stored, and the next ids. Throws `Invalid` with all faults. */
export function newColumns(wishes: ColumnInput[], path: string): { columns: Column[]; next: NextIds } {
  const details: Detail[] = [];
  let next: NextIds = { column: 1, number: 1, text: 1 };
  const seen = new Set<string>();
  const columns = wishes.map((input, i): Column => {
    const at = `${path}.${i}`;
    if (seen.has(input.name.toLowerCase()))
      details.push({ path: `${at}.name`, message: nameTaken(input.name), code: 'duplicate' });
    seen.add(input.name.toLowerCase());
    const slot = nextId(next, input);
    next = slot.next;
    const column = buildColumn(input, slot.id);
    details.push(...columnErrors(column, at));
    return column;
  });
  if (details.length > 0) throw new Invalid(details);
  return { columns, next };
}

export function buildColumn(input: ColumnInput, id: string): Column {
  const { name, type, required, unique, default: fallback, indexed } = input;
  const column: Column = {
    id,
    name,
    type,
    required: required ?? false,
    unique: unique ?? false,
    ...(indexed ? { index: 'building' } : {}),
  };
  if (fallback === undefined || fallback === null) return column;
  const cell = readCell(type, fallback);
  return { ...column, default: cell.fault === undefined ? cell.value : fallback };
}

/** The faults of a column, without regard to other columns. `path` is its path in the request. */
export function columnErrors(column: Column, path: string): Detail[] {
  const details: Detail[] = [];
  // In JavaScript, an assignment to `__proto__` adds no member to an object.
  if (column.name === '__proto__')
    details.push({ path: `${path}.name`, message: 'is no name for a column', code: 'forbidden' });
  if (column.unique && column.type === 'json')
    details.push({ path: `${path}.unique`, message: 'is not possible for the type json', code: 'unique' });
  if (column.index && column.type === 'json')
    details.push({ path: `${path}.indexed`, message: 'is not possible for the type json', code: 'indexed' });
  if (column.default === undefined) return details;
  const { fault } = readCell(column.type, column.default);
  if (fault) details.push({ path: `${path}.default`, ...fault });
  else if (column.unique)
    details.push({ path: `${path}.default`, message: 'is not possible for a unique column', code: 'unique' });
  return details;
}

function nameTaken(name: string): string {
  return `there is a column ${name} already; upper and lower case do not count`;
}

/** The columns whose cells writers keep in the index, also while it is being built. */
export function indexedIds(columns: readonly Column[]): string[] {
  return columns.filter(({ index }) => index === 'building' || index === 'ready').map(({ id }) => id);
}

/** The column with exactly this name. Case counts, as it does in the data of a row. */
export function columnNamed(columns: readonly Column[], name: string): Column | undefined {
  return columns.find((column) => column.name === name);
}
