import { exactJson, type ExactObject, type ExactValue, isExactObject } from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import { type ColumnType, readCell } from '../schema/cells.ts';
import { type Field, fieldNamed } from './fields.ts';
import type { Column } from '../schema/columns.ts';

const depthMax = 8;
const leavesMax = 100;
const listMax = 1000;
const charsMax = 64 * 1024;

/** A checked filter. Each test is true or false for a row, and never unknown. An empty cell passes only `empty` and `missing`. */
export type RowFilter =
  | { kind: 'all' | 'any'; of: RowFilter[] }
  | { kind: 'not'; of: RowFilter }
  | { kind: 'test'; field: Field; test: Test };

export type Test =
  | { is: 'equal'; to: ExactValue }
  | { is: 'among'; values: ExactValue[] }
  | { is: 'order'; than: ExactValue; by: '>' | '>=' | '<' | '<=' }
  | { is: 'contains' | 'starts' | 'ends'; text: string }
  | { is: 'like'; pattern: string; anyCase: boolean }
  /** `empty` matches empty cells and empty texts. `missing` matches only empty cells. */
  | { is: 'empty' | 'missing' };

/** Matches every row. */
export const everything: RowFilter = { kind: 'all', of: [] };

/**
 * Reads the filter of a caller. Throws `Invalid` for every unknown part. A filter that ignored an unknown condition would match too many
 * rows, and a change would reach them.
 */
export function readFilter(columns: readonly Column[], input: ExactValue, path = 'filter'): RowFilter {
  if (!isExactObject(input)) throw Invalid.field(path, 'must be an object of conditions', 'type');
  if (exactJson(input).length > charsMax)
    throw Invalid.field(path, `must have at most ${charsMax} characters`, 'too_large');
  return new Reader(columns).clauses(input, path, 1);
}

class Reader {
  private leaves = 0;

  constructor(private readonly columns: readonly Column[]) {}

  clauses(input: ExactObject, path: string, depth: number): RowFilter {
    requireDepth(path, depth);
    const of = Object.entries(input).map(([name, condition]) =>
      name.startsWith('$')
        ? this.group(name, condition, `${path}.${name}`, depth)
        : this.conditions(this.field(name, `${path}.${name}`), condition, `${path}.${name}`, depth),
    );
    return of.length === 1 && of[0] ? of[0] : { kind: 'all', of };
  }

  private field(name: string, path: string): Field {
    const field = fieldNamed(this.columns, name);
    if (!field) throw Invalid.field(path, 'is not a column of this table', 'unknown_column');
    return field;
  }

  private group(name: string, input: ExactValue, path: string, depth: number): RowFilter {
    if (name === '$not') {
      if (!isExactObject(input)) throw Invalid.field(path, 'must be an object of conditions', 'type');
      return { kind: 'not', of: this.clauses(input, path, depth + 1) };
    }
    if (name !== '$and' && name !== '$or')
      throw Invalid.field(path, 'is not known; known are $and, $or and $not', 'unknown_operator');
    if (!Array.isArray(input) || input.length === 0)
      throw Invalid.field(path, 'must be a list of at least one object of conditions', 'type');
    const of = input.map((one, i) => {
      if (!isExactObject(one)) throw Invalid.field(`${path}.${i}`, 'must be an object of conditions', 'type');
      return this.clauses(one, `${path}.${i}`, depth + 1);
    });
    return { kind: name === '$and' ? 'all' : 'any', of };
  }

  /** Reads the conditions of a field: a value that the cell must equal, or operators that must all hold. */
  private conditions(field: Field, input: ExactValue, path: string, depth: number): RowFilter {
    requireDepth(path, depth);
    if (!isExactObject(input) || (field.type === 'json' && !isOperators(input)))
      return this.operator(field, ['$eq', input], path, depth);
    const entries = Object.entries(input);
    if (entries.length === 0) throw Invalid.field(path, 'must have an operator, such as $eq', 'type');
    const of = entries.map(([name, operand]) =>
      this.operator(field, [name, operand], `${path}.${name}`, depth),
    );
    return of.length === 1 && of[0] ? of[0] : { kind: 'all', of };
  }

  private operator(
    field: Field,
    [name, operand]: [string, ExactValue],
    path: string,
    depth: number,
  ): RowFilter {
    if (++this.leaves > leavesMax)
      throw Invalid.field('filter', `must have at most ${leavesMax} conditions`, 'too_large');
    if (name === '$not') {
      if (!isExactObject(operand) || !isOperators(operand))
        throw Invalid.field(path, 'must be an object of operators', 'type');
      return { kind: 'not', of: this.conditions(field, operand, path, depth + 1) };
    }
    const known = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (!known)
      throw Invalid.field(
        path,
        `is not known; known are ${Object.keys(operators).join(', ')}`,
        'unknown_operator',
      );
    return known({ field, operand, path });
  }
}

function requireDepth(path: string, depth: number): void {
  if (depth > depthMax) throw Invalid.field(path, `must not nest deeper than ${depthMax} levels`, 'too_deep');
}

interface Operand {
  field: Field;
  operand: ExactValue;
  path: string;
}

const operators: Record<string, (input: Operand) => RowFilter> = {
  $eq: equal,
  $ne: (input) => not(equal(input)),
  $gt: (input) => order(input, '>'),
  $gte: (input) => order(input, '>='),
  $lt: (input) => order(input, '<'),
  $lte: (input) => order(input, '<='),
  $in: among,
  $nin: (input) => not(among(input)),
  $contains: (input) => words(input, 'contains'),
  $ncontains: (input) => not(words(input, 'contains')),
  $startsWith: (input) => words(input, 'starts'),
  $endsWith: (input) => words(input, 'ends'),
  $like: (input) => like(input, false),
  $ilike: (input) => like(input, true),
  $nlike: (input) => not(like(input, false)),
  $nilike: (input) => not(like(input, true)),
  $empty: (input) => presence(input, 'empty', true),
  $isNull: (input) => presence(input, 'missing', true),
  $isNotNull: (input) => presence(input, 'missing', false),
  $exists: (input) => presence(input, 'missing', false),
};

function equal({ field, operand, path }: Operand): RowFilter {
  if (operand === null) return test(field, { is: 'missing' });
  return test(field, { is: 'equal', to: parseOperand(field, operand, path) });
}

function among({ field, operand, path }: Operand): RowFilter {
  if (!Array.isArray(operand)) throw Invalid.field(path, 'must be a list', 'type');
  if (operand.length > listMax)
    throw Invalid.field(path, `must have at most ${listMax} values, not ${operand.length}`, 'too_many');
  const values = operand
    .filter((value) => value !== null)
    .map((value, i) => parseOperand(field, value, `${path}.${i}`));
  const found = test(field, { is: 'among', values });
  return operand.includes(null) ? { kind: 'any', of: [found, test(field, { is: 'missing' })] } : found;
}

const ordered: readonly ColumnType[] = ['string', 'number', 'date'];

function order({ field, operand, path }: Operand, by: '>' | '>=' | '<' | '<='): RowFilter {
  if (!ordered.includes(field.type) || field.builtin === 'id')
    throw Invalid.field(path, `is not possible for ${field.name}, which has no order`, 'operator');
  return test(field, { is: 'order', than: parseOperand(field, operand, path), by });
}

function words(input: Operand, is: 'contains' | 'starts' | 'ends'): RowFilter {
  return test(input.field, { is, text: formatOperand(input) });
}

function like(input: Operand, anyCase: boolean): RowFilter {
  return test(input.field, { is: 'like', pattern: formatOperand(input), anyCase });
}

function formatOperand({ field, operand, path }: Operand): string {
  if (field.type !== 'string' || field.builtin)
    throw Invalid.field(path, `is possible for columns of text, and ${field.name} is none`, 'operator');
  if (typeof operand !== 'string' || operand === '')
    throw Invalid.field(path, 'must be a text that is not empty', 'type');
  return operand;
}

function presence({ field, operand, path }: Operand, is: 'empty' | 'missing', positive: boolean): RowFilter {
  if (typeof operand !== 'boolean') throw Invalid.field(path, 'must be true or false', 'type');
  const found = test(field, { is });
  return operand === positive ? found : not(found);
}

/** The operand as a value of the type of the column. It is read in the same way as a cell of a row. */
function parseOperand({ type }: Field, operand: ExactValue, path: string): ExactValue {
  if (operand === null) throw Invalid.field(path, 'must be a value', 'type');
  const cell = readCell(type, operand);
  if (cell.fault) throw Invalid.field(path, cell.fault.message, cell.fault.code);
  return cell.value;
}

function test(field: Field, one: Test): RowFilter {
  return { kind: 'test', field, test: one };
}

function not(of: RowFilter): RowFilter {
  return { kind: 'not', of };
}

function isOperators(input: ExactObject): boolean {
  const names = Object.keys(input);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

/** True for a filter without any condition, which would match every row. */
export function isEmptyFilter(input: ExactValue | undefined): boolean {
  return input === undefined || input === null || (isExactObject(input) && Object.keys(input).length === 0);
}

/**
 * Throws `Invalid` for a filter that is empty or has an empty part, because a change with it could reach every row.
 * Values in comparisons may be empty.
 */
export function requireConditions(input: ExactValue, path = 'filter'): void {
  if (isEmptyFilter(input))
    throw Invalid.field(
      path,
      'must have a condition; all: true in place of a filter means every row',
      'required',
    );
  if (!isExactObject(input)) return;
  for (const [name, part] of Object.entries(input)) {
    if (name === '$not') requireConditions(part, `${path}.$not`);
    if ((name === '$and' || name === '$or') && Array.isArray(part))
      for (const [i, one] of part.entries()) requireConditions(one, `${path}.${name}.${i}`);
  }
}
