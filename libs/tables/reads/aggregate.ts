import {
  exactNumber,
  type ExactObject,
  type ExactValue,
  isExactObject,
} from '#libs/platform/json/exact-json';
import { Invalid } from '#libs/platform/errors/errors';
import type { ColumnType } from '../schema/cells.ts';
import type { Column } from '../schema/columns.ts';
import { type Field, fieldNamed } from '../filters/fields.ts';
import type { RowFilter } from '../filters/filter.ts';
import { buildCell, type Parameters } from '../filters/filter.sql.ts';
import { rowIdText } from './row-ids.ts';
import { isElsewhere, isSlotted } from '../schema/slots.ts';
import { buildFastKey, buildKey } from '../filters/sort.ts';

const groupColumnsMax = 2;
const measuresMax = 20;
const groupsMax = 1000;
const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,49}$/;

/** The request of a caller: a filter as for rows, columns to group by, and the wanted values by names that the caller chooses. */
export interface AggregateInput {
  filter?: ExactValue;
  groupBy?: string[];
  aggregates: ExactValue;
}

type Function = 'count' | 'sum' | 'avg' | 'min' | 'max';

interface Measure {
  name: string;
  by: Function;
  /** Absent for `count` of all rows. */
  field?: Field;
}

export interface Aggregate {
  groupBy: Field[];
  measures: Measure[];
}

/** A group: the values of its columns in `by`, and the computed values of its rows in `values`. */
export interface RowGroup {
  by: ExactObject;
  values: ExactObject;
}

const possible: Record<Function, readonly ColumnType[]> = {
  count: ['string', 'number', 'boolean', 'date', 'json'],
  sum: ['number'],
  avg: ['number'],
  min: ['string', 'number', 'date'],
  max: ['string', 'number', 'date'],
};

/** Checks the request of a caller. Throws `Invalid` for an unknown column, and for a function that is not possible for a type. */
export function readAggregate(
  columns: readonly Column[],
  { groupBy = [], aggregates }: AggregateInput,
): Aggregate {
  if (groupBy.length > groupColumnsMax)
    throw Invalid.field('groupBy', `must have at most ${groupColumnsMax} columns`, 'too_many');
  if (!isExactObject(aggregates)) throw Invalid.field('aggregates', 'must be an object', 'type');
  const entries = Object.entries(aggregates);
  if (entries.length === 0 || entries.length > measuresMax)
    throw Invalid.field('aggregates', `must have 1 to ${measuresMax} members`, 'length');
  return {
    groupBy: groupBy.map((name, i) => {
      const field = known(columns, name, `groupBy.${i}`);
      if (field.type !== 'json') return field;
      throw Invalid.field(`groupBy.${i}`, 'has the type json, by which nothing is grouped', 'operator');
    }),
    measures: entries.map(([name, input]) => readMeasure(columns, name, input)),
  };
}

function readMeasure(columns: readonly Column[], name: string, input: ExactValue): Measure {
  const path = `aggregates.${name}`;
  if (!namePattern.test(name)) throw Invalid.field(path, 'has a name that no column could have', 'pattern');
  const [entry, second] = isExactObject(input) ? Object.entries(input) : [];
  if (!entry || second)
    throw Invalid.field(path, 'must be one function and a column, as { "sum": "amount" }', 'type');
  const [by, column] = entry;
  if (!isFunction(by))
    throw Invalid.field(
      `${path}.${by}`,
      `is not known; known are ${Object.keys(possible).join(', ')}`,
      'unknown_operator',
    );
  if (typeof column !== 'string')
    throw Invalid.field(`${path}.${by}`, 'must be the name of a column', 'type');
  if (by === 'count' && column === '*') return { name, by };
  const field = known(columns, column, `${path}.${by}`);
  if (!possible[by].includes(field.type) || (field.builtin === 'id' && by !== 'count'))
    throw Invalid.field(`${path}.${by}`, `is not possible for the type ${field.type}`, 'operator');
  return { name, by, field };
}

function known(columns: readonly Column[], name: string, path: string): Field {
  const field = fieldNamed(columns, name);
  if (!field) throw Invalid.field(path, 'is not a column of this table', 'unknown_column');
  return field;
}

function isFunction(name: string): name is Function {
  return Object.hasOwn(possible, name);
}

/**
 * SQL: a line for each group. Without groups, a single line without `found` says that the columns are as they were read; no line says that
 * they have changed. $1 is the table, $2 the schema version, $3 the table's number.
 *
 * With `isFast` the statement reads slots and casts cells. When the result could be wrong, it fails with `wrongCell`, or a group has
 * `doubt`. Run the statement without `isFast` then. A marker in a slot sorts before or among the values that it replaces. So the limit
 * of groups keeps a group in doubt exactly when it would keep a group of these values.
 */
export function aggregateSql(
  { groupBy, measures }: Aggregate,
  where: string,
  parameters: Parameters,
  isFast: boolean,
): string {
  const key = isFast ? buildFastKey : buildKey;
  const groups = groupBy.map((field, i) => `${key(field, parameters)} as g${i}`);
  const values = measures.map((measure, i) => `${buildValue(measure, parameters, key)} as m${i}`);
  const doubts = isFast ? [...groupBy.flatMap(groupDoubt), ...measures.flatMap(measureDoubt)] : [];
  const places = groupBy.map((_, i) => i + 1).join(', ');
  const wanted = [
    ...groupBy.map((field, i) => `${wireText(field, `a.g${i}`)} as g${i}`),
    ...measures.map(
      ({ by, field }, i) => `${by === 'count' ? `a.m${i}::text` : wireText(field, `a.m${i}`)} as m${i}`,
    ),
  ];
  // Sorts by arrays. For a sort by the columns themselves the planner would sort all rows first, because it does not know the number of groups.
  const order = groupBy.map((_, i) => `array[g.g${i}]`).join(', ');
  return /* sql */ `
select ${[...wanted, 'a.found', 'a.doubt'].join(', ')} from tables t left join lateral (
  select * from (
    select ${[...groups, ...values, 'true as found', `${doubts.join(' or ') || 'false'} as doubt`].join(', ')} from table_rows r
    where r.table_no = $3::bigint and ${where}
    ${places ? `group by ${places}` : ''}
  ) g ${order ? `order by ${order}` : ''} limit ${groupsMax + 1}
) a on true
where t.id = $1 and t.schema_version = $2`;
}

/** SQL: a value as text. A time of a row becomes ISO 8601 in UTC. */
function wireText(field: Field | undefined, value: string): string {
  const isTime = field?.builtin === 'createdAt' || field?.builtin === 'updatedAt';
  return isTime ? `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : `${value}::text`;
}

/** True when slots alone answer the aggregate with its filter. */
export function isSlottedAggregate({ groupBy, measures }: Aggregate, filter: RowFilter): boolean {
  const fields = [...groupBy, ...measures.flatMap(({ field }) => field ?? [])];
  return fields.every(({ slot }) => slot !== undefined) && isSlotted(filter);
}

function groupDoubt(field: Field): string[] {
  return field.slot ? [isElsewhere(field, `r.${field.slot}`)] : [];
}

/** SQL: true when the value of the measure could be wrong. A marker may replace the greatest text, so any marker makes `min` and `max` doubtful. */
function measureDoubt({ by, field }: Measure): string[] {
  if (!field?.slot || by === 'count') return [];
  const slot = `r.${field.slot}`;
  if (field.type === 'string') return [`bool_or(${isElsewhere(field, slot)})`];
  return [isElsewhere(field, `${by === 'avg' ? 'sum' : by}(${slot})`)];
}

function buildValue({ by, field }: Measure, parameters: Parameters, key: typeof buildKey): string {
  if (!field) return 'count(*)';
  if (by === 'count')
    return field.builtin
      ? 'count(*)'
      : `count(${key === buildFastKey && field.slot ? `r.${field.slot}` : buildCell(field, parameters)})`;
  const value = `${by}(${key(field, parameters)})`;
  return field.type === 'number' ? `trim_scale(${value}::numeric)` : value;
}

/** The groups in the lines of `aggregateSql`: at most 1,000. `hasMore` is true when there are more. */
export function toGroups(
  { groupBy, measures }: Aggregate,
  lines: Record<string, unknown>[],
): { groups: RowGroup[]; hasMore: boolean } {
  const found = lines.filter(({ found: is }) => is === true);
  const groups = found.slice(0, groupsMax).map((line) => ({
    by: Object.fromEntries(groupBy.map((field, i) => [field.name, shown(field, line[`g${i}`])])),
    values: Object.fromEntries(
      measures.map(({ name, by, field }, i) => [
        name,
        by === 'count' || !field ? Number(line[`m${i}`]) : shown(field, line[`m${i}`]),
      ]),
    ),
  }));
  return { groups, hasMore: found.length > groupsMax };
}

function shown(field: Field, text: unknown): ExactValue {
  if (typeof text !== 'string') return null;
  if (field.builtin === 'id') return rowIdText(text);
  if (field.type === 'number') return exactNumber(text);
  if (field.type === 'boolean') return text === 'true';
  return text;
}
