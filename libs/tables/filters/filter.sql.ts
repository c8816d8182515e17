import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { Field } from './fields.ts';
import type { RowFilter, Test } from './filter.ts';
import { parseRowId } from '../reads/row-ids.ts';
import { slotTest } from '../schema/slots.ts';

/** The parameters of a statement. Every value of a caller becomes a parameter, so none becomes part of the SQL text. */
export class Parameters {
  constructor(readonly values: unknown[] = []) {}

  /** Adds a value, and returns its placeholder with its type, such as `$4::text`. */
  addParameter(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * The SQL condition of a filter on rows `r`. It is true or false, and never null. It casts no stored value, because a single value of a
 * wrong type would fail the whole statement.
 */
export function buildWhere(filter: RowFilter, parameters: Parameters): string {
  if (filter.kind === 'not') return `not ${buildWhere(filter.of, parameters)}`;
  if (filter.kind === 'test') return buildTest(filter.field, filter.test, parameters);
  if (filter.of.length === 0) return filter.kind === 'all' ? 'true' : 'false';
  const parts = filter.of.map((one) => buildWhere(one, parameters));
  return `(${parts.join(filter.kind === 'all' ? ' and ' : ' or ')})`;
}

/** SQL: the cell of a row as JSON; null when it is empty. */
export function buildCell(field: Field, parameters: Parameters): string {
  return `r.data -> ${parameters.addParameter(field.column, 'text')}`;
}

/** SQL: the cell of a row as text; null when it is empty. */
export function buildText(field: Field, parameters: Parameters): string {
  return `(r.data ->> ${parameters.addParameter(field.column, 'text')})`;
}

function buildTest(field: Field, test: Test, parameters: Parameters): string {
  const condition = field.builtin
    ? builtinTest(field, test, parameters)
    : (slotTest(field, test, parameters) ?? columnTest(field, test, parameters));
  return test.is === 'missing' || test.is === 'empty' ? condition : `coalesce(${condition}, false)`;
}

function columnTest(field: Field, test: Test, parameters: Parameters): string {
  switch (test.is) {
    case 'missing':
      return `(${buildCell(field, parameters)}) is null`;
    case 'empty':
      return `coalesce(${buildText(field, parameters)}, '') = ''`;
    case 'equal':
      return `${buildCell(field, parameters)} = ${jsonb(test.to, parameters)}`;
    case 'among':
      return `${buildCell(field, parameters)} = any(${parameters.addParameter(test.values.map(exactJson), 'jsonb[]')})`;
    case 'order':
      return orderTest(field, test, parameters);
    default:
      return wordTest(buildText(field, parameters), test, parameters);
  }
}

function orderTest(field: Field, test: Test & { is: 'order' }, parameters: Parameters): string {
  if (field.type !== 'number')
    return `${buildText(field, parameters)} collate "C" ${test.by} ${parameters.addParameter(test.than, 'text')}`;
  const cell = buildCell(field, parameters);
  // JSON values of all types compare with each other. So the type is checked too, after the comparison, for the few rows that pass it.
  return `${cell} ${test.by} ${jsonb(test.than, parameters)} and jsonb_typeof(${cell}) = 'number'`;
}

function wordTest(
  text: string,
  test: Test & { is: 'contains' | 'starts' | 'ends' | 'like' },
  parameters: Parameters,
): string {
  if (test.is === 'like') {
    const pattern = parameters.addParameter(likePattern(test.pattern), 'text');
    return test.anyCase ? `lower(${text}) like lower(${pattern})` : `${text} like ${pattern}`;
  }
  const wanted = `lower(${parameters.addParameter(test.text, 'text')})`;
  if (test.is === 'contains') return `strpos(lower(${text}), ${wanted}) > 0`;
  if (test.is === 'starts') return `starts_with(lower(${text}), ${wanted})`;
  return `right(lower(${text}), length(${wanted})) = ${wanted}`;
}

/** The LIKE pattern of a pattern in which `*` stands for any text, and every other character for itself. */
function likePattern(pattern: string): string {
  return pattern.replaceAll(/[\\%_]/g, (char) => `\\${char}`).replaceAll('*', '%');
}

function builtinTest(field: Field, test: Test, parameters: Parameters): string {
  const { sql, type } = builtinColumns[field.builtin ?? 'id'];
  const value = (one: ExactValue) => builtinValue(field, one);
  switch (test.is) {
    case 'equal':
      return `${sql} = ${parameters.addParameter(value(test.to), type)}`;
    case 'among':
      return `${sql} = any(${parameters.addParameter(test.values.map(value), `${type}[]`)})`;
    case 'order':
      return `${sql} ${test.by} ${parameters.addParameter(value(test.than), type)}`;
    default:
      return 'false';
  }
}

/** The SQL of built-in members, and the types of values that are compared with them. A position compares with numbers of any size. */
const builtinColumns = {
  id: { sql: 'r.id', type: 'uuid' },
  position: { sql: 'r.position', type: 'numeric' },
  createdAt: { sql: 'r.created_at', type: 'timestamptz' },
  updatedAt: { sql: 'r.updated_at', type: 'timestamptz' },
};

/** The value as a parameter. A text that is no row id becomes null, which equals no id. */
function builtinValue({ builtin }: Field, value: ExactValue): string | null {
  if (builtin === 'id') return parseRowId(String(value));
  return builtin === 'position' ? exactJson(value) : String(value);
}

export function jsonb(value: ExactValue, parameters: Parameters): string {
  return parameters.addParameter(exactJson(value), 'jsonb');
}
