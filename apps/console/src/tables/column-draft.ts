import { cellOf, type TableColumn, textOfCell } from './cells.ts';

/** A column as a form holds it. */
export interface ColumnDraft {
  name: string;
  type: TableColumn['type'];
  required: boolean;
  unique: boolean;
  indexed: boolean;
  fallback: string;
}

export const emptyColumn = (name = ''): ColumnDraft => ({
  name,
  type: 'string',
  required: false,
  unique: false,
  indexed: false,
  fallback: '',
});

export const draftOf = (column: TableColumn): ColumnDraft => ({
  name: column.name,
  type: column.type,
  required: column.required,
  unique: column.unique,
  indexed: column.index !== undefined,
  fallback: textOfCell(column.default, column),
});

/** The column as the API takes it. */
export function columnOf(draft: ColumnDraft) {
  const { name, type, required, unique, indexed } = draft;
  const rules = type === 'json' ? { required } : { required, unique, indexed };
  const value = cellOf(draft.fallback, draft);
  return { name: name.trim(), type, ...rules, ...(value === null ? {} : { default: value as never }) };
}

/** The changed members of a column. */
export function updatesOf(draft: ColumnDraft, column: TableColumn) {
  const before = draftOf(column);
  const now = columnOf(draft);
  const updates = Object.fromEntries(
    Object.entries(now).filter(([name, value]) =>
      name === 'default'
        ? draft.fallback !== before.fallback
        : value !== (before as unknown as Record<string, unknown>)[name],
    ),
  );
  return draft.fallback === '' && before.fallback !== '' ? { ...updates, default: null } : updates;
}
