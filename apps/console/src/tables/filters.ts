import type { TableColumn } from './cells.ts';

export interface FilterCondition {
  column: string;
  operator: string;
  value: string;
}
export interface ColumnOrder {
  column: string;
  isDown: boolean;
}

type ColumnKind = TableColumn['type'] | 'id';
const equality = ['$eq', '$ne', '$in', '$nin'];
const order = ['$gt', '$gte', '$lt', '$lte'];
const emptiness = ['$isNull', '$isNotNull'];
const forms = ['$contains', '$ncontains', '$startsWith', '$endsWith', '$like', '$nlike', '$ilike', '$nilike'];
const operatorsOf: Record<ColumnKind, string[]> = {
  string: ['$eq', '$ne', ...forms, '$in', '$nin', ...order, '$empty', '$filled', ...emptiness],
  number: [...equality.slice(0, 2), ...order, ...equality.slice(2), ...emptiness],
  date: [...order, ...equality, ...emptiness],
  boolean: ['$eq', '$ne', ...emptiness],
  json: emptiness,
  id: ['$eq', '$in'],
};

/** Operators that say everything by themselves. */
const bare: Record<string, object> = {
  $isNull: { $isNull: true },
  $isNotNull: { $isNotNull: true },
  $empty: { $empty: true },
  $filled: { $empty: false },
};

export const takesValue = (operator: string): boolean => !Object.hasOwn(bare, operator);
export const takesList = (operator: string): boolean => operator === '$in' || operator === '$nin';

/** The fields for filters and sorts: the columns, and the facts of a row whose names no column takes. */
export function askableOf(columns: TableColumn[]): { name: string; kind: ColumnKind }[] {
  const facts: { name: string; kind: ColumnKind }[] = [
    { name: 'position', kind: 'number' },
    { name: 'createdAt', kind: 'date' },
    { name: 'updatedAt', kind: 'date' },
    { name: 'id', kind: 'id' },
  ];
  const own = columns.map(({ name, type }) => ({ name, kind: type }));
  return [...own, ...facts.filter(({ name }) => !columns.some((column) => column.name === name))];
}

export const operatorsFor = (kind: ColumnKind | undefined): string[] => operatorsOf[kind ?? 'string'];

/** The filter of the API for these conditions; one without its value is not finished, and asks nothing. */
export function filterOf(
  conditions: FilterCondition[],
  isAny: boolean,
  columns: TableColumn[],
): Record<string, unknown> | undefined {
  const kinds = new Map(askableOf(columns).map(({ name, kind }) => [name, kind]));
  const tests = conditions
    .filter(({ operator, value }) => !takesValue(operator) || value.trim() !== '')
    .map(({ column, operator, value }) => ({
      [column]: bare[operator] ?? { [operator]: parseValue(value, operator, kinds.get(column)) },
    }));
  if (tests.length === 0) return undefined;
  return { [isAny ? '$or' : '$and']: tests };
}

export function sortOf(keys: ColumnOrder[]): Record<string, 'asc' | 'desc'> | undefined {
  if (keys.length === 0) return undefined;
  return Object.fromEntries(keys.map(({ column, isDown }) => [column, isDown ? 'desc' : 'asc'] as const));
}

/** The conditions in the address. Mistyped parts are ignored. */
export function readConditions(text: string): FilterCondition[] {
  try {
    const list: unknown = JSON.parse(text || '[]');
    if (!Array.isArray(list)) return [];
    return list
      .filter(
        (item): item is string[] => Array.isArray(item) && item.every((part) => typeof part === 'string'),
      )
      .map(([column = '', operator = '', value = '']) => ({ column, operator, value }));
  } catch {
    return [];
  }
}

export const writeConditions = (conditions: FilterCondition[]): string =>
  conditions.length === 0
    ? ''
    : JSON.stringify(conditions.map(({ column, operator, value }) => [column, operator, value]));

export function readSort(text: string): ColumnOrder[] {
  return text
    .split(',')
    .filter(Boolean)
    .map((part) => ({ column: part.replace(/^-/, ''), isDown: part.startsWith('-') }));
}

export const writeSort = (keys: ColumnOrder[]): string =>
  keys.map(({ column, isDown }) => (isDown ? `-${column}` : column)).join(',');

function parseValue(text: string, operator: string, kind: ColumnKind | undefined): unknown {
  if (takesList(operator))
    return text
      .split(',')
      .map((part) => one(part.trim(), kind))
      .filter((part) => part !== '');
  return one(kind === 'string' ? text : text.trim(), kind);
}

function one(text: string, kind: ColumnKind | undefined): unknown {
  if (kind === 'boolean') return text === 'true';
  // A number that JavaScript cannot hold whole goes as text, with all its digits.
  if (kind === 'number' && String(Number(text)) === text) return Number(text);
  return text;
}
