import type { ColumnType } from '../schema/cells.ts';
import { type Column, columnNamed } from '../schema/columns.ts';
import { getSlot } from '../schema/slots.ts';

/** A field by which rows are filtered, sorted or aggregated: a column, or a built-in member that every row has. */
export interface Field {
  name: string;
  type: ColumnType;
  /** The id of the column; absent for a built-in member. */
  column?: string;
  /** True when the column has an index that is ready. */
  indexed?: boolean;
  /** True when no two rows have the same value. */
  unique?: boolean;
  /** The slot that holds the cells of the column; absent when it has no slot. */
  slot?: string;
  builtin?: Builtin;
}

export type Builtin = 'id' | 'position' | 'createdAt' | 'updatedAt';

const builtins: Record<Builtin, ColumnType> = {
  id: 'string',
  position: 'number',
  createdAt: 'date',
  updatedAt: 'date',
};

/** The field with this name, or undefined. A column hides a built-in member of the same name: tables from files often have a column `id`. */
export function fieldNamed(columns: readonly Column[], name: string): Field | undefined {
  const column = columnNamed(columns, name);
  if (column) {
    const slot = getSlot(column);
    const { type, unique } = column;
    const field = { name, type, column: column.id, indexed: column.index === 'ready', unique };
    return slot ? { ...field, slot } : field;
  }
  if (!Object.hasOwn(builtins, name)) return undefined;
  const builtin = name as Builtin;
  return { name, type: builtins[builtin], builtin };
}
