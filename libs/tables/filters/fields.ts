import type { ColumnType } from '../schema/cells.ts';
import { type Column, columnNamed } from '../schema/columns.ts';
import { slotOf } from '../schema/slots.ts';

/** A name in a filter, a sort or an aggregate: a column, or a member that every row has. */
export interface Field {
  name: string;
  type: ColumnType;
  /** The id of the column; absent for what every row has. */
  column?: string;
  /** True when the column has an index that is ready. */
  indexed?: boolean;
  /** True when each of its values is in one row at most. */
  unique?: boolean;
  /** The slot that holds its cells; absent when there is none. */
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

/** The field of a name. A column that has the name of a built-in one hides it: tables from files often have a column `id`. */
export function fieldNamed(columns: readonly Column[], name: string): Field | undefined {
  const column = columnNamed(columns, name);
  if (column) {
    const slot = slotOf(column);
    const { type, unique } = column;
    const field = { name, type, column: column.id, indexed: column.index === 'ready', unique };
    return slot ? { ...field, slot } : field;
  }
  if (!Object.hasOwn(builtins, name)) return undefined;
  const builtin = name as Builtin;
  return { name, type: builtins[builtin], builtin };
}
