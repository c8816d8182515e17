import type { Statement } from '#libs/platform/database/database';
import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { ColumnType } from './cells.ts';
import type { Field } from '../filters/fields.ts';
import type { RowFilter, Test } from '../filters/filter.ts';
import type { Parameters } from '../filters/filter.sql.ts';

/**
 * Slots are columns of `table_rows` that Postgres computes from the data of the row: the cells of the column whose id is the name of the
 * slot. An index holds them, so what asks for slots alone reads no rows. What is too long for a slot stands in it as something that
 * equals no ordinary value; the migration 0030 says as what.
 */
const slotsMax = 4;
const textCharsMax = 40;
const elsewhere = '\u0001';
const ordinaryNumber = /^-?\d{1,18}(\.\d{1,12})?$/;

/** The numbers of the next ids of a table, none of which is given twice. */
export interface NextIds {
  column: number;
  number: number;
  text: number;
}

/** An id for a column, and the numbers for those after it. What is unique is found by its keys and needs no slot. */
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

/** The slot of a column. One whose type has changed since it got its id has none, until the type changes back. */
export function slotOf({ id, type }: { id: string; type: ColumnType }): string | undefined {
  const named = { number: /^n[1-4]$/, string: /^s[1-4]$/ };
  return (type === 'number' || type === 'string') && named[type].test(id) ? id : undefined;
}

/** Whether the slots, and the position, tell of each row whether it passes. */
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

/** What is to be set where slots answer: the pages of their index are read in the order in which they were written, so none costs more than one of a whole table. */
export const slotCosts: Statement = ['set local random_page_cost = 1'];

/** The condition of a test on the slot of its field; null when the slot cannot tell. */
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

/** True when a value that was found in slots, or added up from them, stands for what is not in them. */
export function isElsewhere(field: Field, value: string): string {
  if (field.type === 'string') return `coalesce(${value} = E'\\x01', false)`;
  return `(${value} is not null and coalesce(scale(${value}) > 12, true))`;
}
