import { type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import type { Column } from '../schema/columns.ts';
import { type Field, fieldNamed } from './fields.ts';
import { buildCell, type Parameters, buildText } from './filter.sql.ts';

const keysMax = 5;

export interface SortKey {
  field: Field;
  direction: 'asc' | 'desc';
}

/** Reads a sort: an object of directions by field, in order of priority. Throws `Invalid` for an unknown column and for the type json. */
export function readSort(columns: readonly Column[], input: ExactValue): SortKey[] {
  if (!isExactObject(input))
    throw Invalid.field('sort', 'must be an object of columns and directions', 'type');
  const entries = Object.entries(input);
  if (entries.length > keysMax)
    throw Invalid.field('sort', `must have at most ${keysMax} columns`, 'too_many');
  return entries.map(([name, direction]): SortKey => {
    const field = fieldNamed(columns, name);
    if (!field) throw Invalid.field(`sort.${name}`, 'is not a column of this table', 'unknown_column');
    if (field.type === 'json')
      throw Invalid.field(`sort.${name}`, 'has the type json, which has no order', 'operator');
    if (direction !== 'asc' && direction !== 'desc')
      throw Invalid.field(`sort.${name}`, 'must be asc or desc', 'enum');
    return { field, direction };
  });
}

/** SQL: the list after `order by` for rows `r`. Empty cells come last in both directions. Rows with equal values come by position. */
export function buildOrder(keys: SortKey[], parameters: Parameters): string {
  const parts = keys.map(({ field, direction }) => `${buildKey(field, parameters)} ${direction} nulls last`);
  return [...parts, 'r.position'].join(', ');
}

/** SQL: the value by which a field sorts. It cannot fail, whatever the row holds. */
export function buildKey(field: Field, parameters: Parameters): string {
  if (field.builtin) return builtinKeys[field.builtin];
  if (field.type === 'string' || field.type === 'date') return `${buildText(field, parameters)} collate "C"`;
  return `(case when jsonb_typeof(${buildCell(field, parameters)}) = '${field.type}' then ${buildCast(field, parameters)} end)`;
}

/**
 * SQL: the value of `buildKey`, at half of its cost or less. The statement fails with `wrongCell` when a cell does not have the type of its
 * column. For a field with a slot, `isElsewhere` tells whether the value could be wrong.
 */
export function buildFastKey(field: Field, parameters: Parameters): string {
  if (field.slot) return `r.${field.slot}`;
  const isCast = !field.builtin && (field.type === 'number' || field.type === 'boolean');
  return isCast ? buildCast(field, parameters) : buildKey(field, parameters);
}

/** The SQLSTATE of a statement that casts a cell to another type than it has. */
export const wrongCell = '22023';

function buildCast(field: Field, parameters: Parameters): string {
  return `(${buildCell(field, parameters)})::${field.type === 'number' ? 'numeric' : 'boolean'}`;
}

const builtinKeys = {
  id: 'r.id',
  position: 'r.position',
  createdAt: 'r.created_at',
  updatedAt: 'r.updated_at',
};

/** SQL: the condition on rows `r` that come after a row with these sort values and this position. */
export function buildAfter(
  keys: SortKey[],
  { values, position }: { values: (string | null)[]; position: string },
  parameters: Parameters,
): string {
  const last = `r.position > ${parameters.addParameter(position, 'bigint')}`;
  return keys.reduceRight((rest, { field, direction }, i) => {
    const value = values[i] ?? null;
    const key = buildKey(field, parameters);
    // Only empty cells come after an empty cell.
    if (value === null) return `(${key} is null and ${rest})`;
    const input = parameters.addParameter(value, sqlTypes[field.builtin ?? field.type]);
    const beyond = `${key} ${direction === 'asc' ? '>' : '<'} ${input}`;
    return `(coalesce(${beyond}, true) or (${key} = ${input} and ${rest}))`;
  }, last);
}

const sqlTypes = {
  string: 'text',
  date: 'text',
  number: 'numeric',
  boolean: 'boolean',
  json: 'jsonb',
  id: 'uuid',
  position: 'bigint',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
};
