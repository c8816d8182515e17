import { setLocal, type Statement } from '#libs/platform/database/database';
import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { ColumnType } from './cells.ts';
import type { Field } from '../filters/fields.ts';
import type { RowFilter, Test } from '../filters/filter.ts';
import type { Parameters } from '../filters/filter.sql.ts';

/**
 * Slots are the columns `n1` to `n4` and `s1` to `s4` of `table_rows`. Postgres computes each slot from the data of the row: it holds the
 * cell of the column whose id is the name of the slot. An index holds all slots, so a query of slots alone reads no rows.
 * A slot cannot hold a long text or a number with many digits. It then holds a marker that equals no ordinary value.
 * `platform/database/schema/tables.sql` defines the slots and the markers.
 */
const slotsMax = 4;
const textCharsMax = 40;
const elsewhere = '\u0001';
const ordinaryNumber = /^-?\d{1,18}(\.\d{1,12})?$/;

/** The numbers for the next column ids of a table. No number is used twice. */
export interface NextIds {
  column: number;
  number: number;
  text: number;
}

/** The id for a new column, and the numbers for later columns. A unique column gets no slot, because queries find its values by their keys. */
export function nextId(
  next: NextIds,
  { type, unique }: { type: ColumnType; unique?: boolean },
): { id: string; next: NextIds } {
  const after = { ...next, column: next.column + 1 };
  if (!unique && type === 'number' && next.number <= slotsMax)
    return { id: `n${next.number}`, next: { ...after, number: next.number + 1 } };
  if (!unique && type === 'string' && next.text <= slotsMax)
    return { id: `s${next.text}`, next: { ...after, text: next.text + 1 } };
  return { id: `c${next.column}`, next: after };
}

/** The slot of a column. A column whose type has changed since its creation has no slot, until its type changes back. */
export function getSlot({ id, type }: { id: string; type: ColumnType }): string | undefined {
  const named = { number: /^n[1-4]$/, string: /^s[1-4]$/ };
  return (type === 'number' || type === 'string') && named[type].test(id) ? id : undefined;
}

/** True when the slots and the position are enough to decide for each row whether it matches the filter. */
export function isSlotted(filter: RowFilter): boolean {
  if (filter.kind === 'not') return isSlotted(filter.of);
  if (filter.kind !== 'test') return filter.of.every(isSlotted);
  return filter.field.builtin === 'position' || isSlotTest(filter.field, filter.test);
}

function isSlotTest(field: Field, test: Test): boolean {
  if (field.slot === undefined) return false;
  if (test.is === 'missing' || test.is === 'empty') return true;
  if (test.is === 'equal') return isOrdinary(test.to);
  if (test.is === 'among') return test.values.every(isOrdinary);
  return test.is === 'order' && field.type === 'number' && isOrdinary(test.than);
}

function isOrdinary(value: ExactValue): boolean {
  if (typeof value === 'string') return value.length <= textCharsMax && !value.startsWith(elsewhere);
  return ordinaryNumber.test(exactJson(value));
}

/**
 * The setting for a statement that the index of the slots answers. Postgres reads the pages of this index in the order in which they were
 * written. So a page of the index costs no more than a page in a scan of the whole table.
 */
export const slotCosts: Statement = setLocal('random_page_cost', '1');

/** The SQL condition of a test on the slot of its field; null when the slot cannot decide the test. */
export function slotTest(field: Field, test: Test, parameters: Parameters): string | null {
  if (!isSlotTest(field, test)) return null;
  const slot = `r.${field.slot}`;
  const type = field.type === 'number' ? 'numeric' : 'text';
  const value = (one: ExactValue) => (typeof one === 'string' ? one : exactJson(one));
  switch (test.is) {
    case 'equal':
      return `${slot} = ${parameters.addParameter(value(test.to), type)}`;
    case 'among':
      return `${slot} = any(${parameters.addParameter(test.values.map(value), `${type}[]`)})`;
    case 'order':
      return `${slot} ${test.by} ${parameters.addParameter(value(test.than), type)}`;
    default:
      return test.is === 'empty' && type === 'text' ? `coalesce(${slot}, '') = ''` : `${slot} is null`;
  }
}

/** SQL: true when `value` is a marker, or was computed from a marker. `value` is SQL for a slot, or for a sum, minimum or maximum of slots. */
export function isElsewhere(field: Field, value: string): string {
  if (field.type === 'string') return `coalesce(${value} = E'\\x01', false)`;
  return `(${value} is not null and coalesce(scale(${value}) > 12, true))`;
}
