import { exactJson, type ExactValue } from '#libs/platform/json/exact-json';
import type { RowFilter, Test } from '../filters/filter.ts';
import { type Parameters, buildWhere } from '../filters/filter.sql.ts';

/** The length to which `table_sort_key` cuts texts. A shorter text compares with a cut text as it does with the whole text. */
const keyCharsMax = 200;

/** A filter that is a single test, which an index can answer alone. */
export type IndexTest = RowFilter & { kind: 'test' };

/** The whole filter, when it is a single test and an index answers it. */
export function wholeIndexTest(filter: RowFilter): IndexTest | undefined {
  return filter.kind === 'test' && isLook(filter) ? filter : undefined;
}

/** The first wanted test that every matching row passes: the filter itself, or a part of an `all`. */
function testIn(filter: RowFilter, isWanted: (look: IndexTest) => boolean): IndexTest | undefined {
  if (filter.kind === 'all') return filter.of.flatMap((one) => testIn(one, isWanted) ?? [])[0];
  return filter.kind === 'test' && isWanted(filter) ? filter : undefined;
}

/** True when the unique values in `table_keys` answer the test. */
function isKeyed({ field, test }: IndexTest): boolean {
  return field.unique === true && (test.is === 'equal' || test.is === 'among');
}

function isLook({ field, test }: IndexTest): boolean {
  return field.indexed === true && getValues(test).length > 0 && getValues(test).every(isShort);
}

function getValues(test: Test): ExactValue[] {
  if (test.is === 'equal') return [test.to];
  if (test.is === 'order') return [test.than];
  return test.is === 'among' ? test.values : [];
}

function isShort(value: ExactValue): boolean {
  return typeof value !== 'string' || value.length < keyCharsMax;
}

/**
 * The SQL condition of a filter on rows `r` of the table with the number `$3`. It finds the rows through the keys of a unique column, or
 * through an index, when they answer one of the tests.
 */
export function buildCondition(filter: RowFilter, parameters: Parameters): string {
  const where = buildWhere(filter, parameters);
  const keyed = testIn(filter, isKeyed);
  if (keyed) return `r.id = any(array(${buildKeys(keyed, parameters)})) and ${where}`;
  const look = testIn(filter, isLook);
  if (!look) return where;
  return `r.id in (select x.row_id from table_index x where ${buildEntries(look, parameters)}) and ${where}`;
}

/** SQL: the ids of the rows that have one of the values in a unique column. `$3` is the table's number. */
function buildKeys({ field, test }: IndexTest, parameters: Parameters): string {
  const values = parameters.addParameter(getValues(test).map(exactJson), 'jsonb[]');
  return `select k.row_id from table_keys k where k.table_no = $3::bigint and k.column_id = ${parameters.addParameter(field.column, 'text')}
    and k.key = any(array(select table_key(v) from unnest(${values}) as v))`;
}

/** The SQL condition of a test on entries `x` of the index. `$3` is the table's number. */
export function buildEntries({ field, test }: IndexTest, parameters: Parameters): string {
  const column = `x.table_no = $3::bigint and x.column_id = ${parameters.addParameter(field.column, 'text')}`;
  if (test.is === 'among') {
    const values = parameters.addParameter(test.values.map(exactJson), 'jsonb[]');
    return `${column} and x.key = any(array(select table_sort_key(v) from unnest(${values}) as v))`;
  }
  const [value = null] = getValues(test);
  // Without a sub-select the planner computes the key first, and so estimates the number of entries from the statistics.
  const key = `table_sort_key(${parameters.addParameter(exactJson(value), 'jsonb')})`;
  return `${column} and x.key ${test.is === 'order' ? test.by : '='} ${key} collate "C"`;
}
