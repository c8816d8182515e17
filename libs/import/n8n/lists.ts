import { isObject, objectOf } from '#libs/platform/json/json';
import type { ConvertedNode, N8nContext } from './context.ts';
import { convertLimit, convertAggregate, convertSplitOut, eachItem, itemsCode, parsePath } from './items.ts';
import { NotMapped } from '../report.ts';
import { toList, toText } from '../values.ts';

/** Code that declares `get`, which reads a member by the path of its name. */
const getter = ({ node: { parameters } }: N8nContext) =>
  objectOf(parameters['options'])['disableDotNotation'] === true
    ? 'const get = (json, path) => json[path.join(".")];\n'
    : 'const get = (json, path) => path.reduce((at, step) => at?.[step], json);\n';

/** A path as a constant of code. Where the name is calculated there is none. */
function toPath(name: string): string {
  if (name.startsWith('='))
    throw new NotMapped('It calculates the name of a field; do that in a function block.');
  return JSON.stringify(parsePath(name));
}

const toNames = (value: unknown) =>
  (Array.isArray(value) ? value : String(value ?? '').split(','))
    .map((one) => String(one).trim())
    .filter(Boolean);

/** A function over all items that come in. */
const overItems = (context: N8nContext, code: string): ConvertedNode => ({
  block: context.expressions.script.block(`${itemsCode(context.node)}${getter(context)}${code}`),
});

/** The items in the order of their fields: texts without regard to case, and the first field that differs decides. */
export function convertSort(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  if (toText(parameters['type']) !== 'simple')
    throw new NotMapped('It sorts by chance or by code; do that in a function block.');
  const fields = toList(objectOf(parameters['sortFieldsUi'])['sortField'])
    .map(objectOf)
    .map(
      ({ fieldName, order }) =>
        `[${toPath(toText(fieldName))}, ${toText(order, 'ascending') === 'ascending' ? 1 : -1}]`,
    );
  if (fields.length === 0) throw new NotMapped('It names no field.');
  return overItems(
    context,
    `const fields = [${fields.join(', ')}];
for (const [path] of fields) if (!items.some(({ json }) => get(json, path) !== undefined)) throw new Error('No item has the field "' + path.join('.') + '".');
const key = (json, path) => { const value = get(json, path); return typeof value === 'string' ? value.toLowerCase() : value; };
const isSame = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b)) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
const isLess = (a, b) => (typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b));
return giveItems([...items].sort((a, b) => {
  for (const [path, direction] of fields) {
    const [x, y] = [key(a.json, path), key(b.json, path)];
    if (!isSame(x, y)) return (isLess(x, y) ? -1 : 1) * direction;
  }
  return 0;
}));`,
  );
}

/** The items of which no other one before has the same fields. */
export function convertRemoveDuplicates(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  if (toText(parameters['operation'], 'removeDuplicateInputItems') !== 'removeDuplicateInputItems')
    throw new NotMapped('It knows the items of runs before; keep them in a table.');
  const how = toText(parameters['compare']);
  const options = objectOf(parameters['options']);
  if (how === 'allFieldsExcept')
    throw new NotMapped('It compares all fields but some; do that in a function block.');
  if (options['removeOtherFields'] === true)
    throw new NotMapped('It removes the fields that it does not compare; do that in a function block.');
  if (isObject(parameters['fieldsToCompare']))
    throw new NotMapped('It names its fields as older versions did; do that in a function block.');
  const paths = how === 'selectedFields' ? toNames(parameters['fieldsToCompare']).map(toPath) : undefined;
  return overItems(
    context,
    `const sorted = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : Array.isArray(value) ? value.map(sorted) : value);
const key = (json) => JSON.stringify(${paths ? `[${paths.join(', ')}].map((path) => sorted(get(json, path)) ?? ['none'])` : 'sorted(json)'});
const seen = new Set();
return giveItems(items.filter(({ json }) => !seen.has(key(json)) && seen.add(key(json))));`,
  );
}

const prefixes: Record<string, string> = {
  append: 'appended_',
  average: 'average_',
  concatenate: 'concatenated_',
  count: 'count_',
  countUnique: 'unique_count_',
  max: 'max_',
  min: 'min_',
  sum: 'sum_',
};

/** One item, or one for each group, with numbers and texts of all items. */
export function convertSummarize(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const options = objectOf(parameters['options']);
  const splits = toNames(parameters['fieldsToSplitBy']);
  if (splits.length > 0 && toText(options['outputFormat'], 'separateItems') !== 'separateItems')
    throw new NotMapped('It puts its groups into one item; do that in a function block.');
  const written = (name: string) => name.replace(/[\][\\"]/g, '').replace(/[ .]/g, '_');
  const fields = toList(objectOf(parameters['fieldsToSummarize'])['values']).filter(isObject);
  if (fields.length === 0) throw new NotMapped('It names no field.');
  const members = fields.map((one) => {
    const [how, field] = [toText(one['aggregation'], 'count'), toText(one['field'])];
    if (!Object.hasOwn(prefixes, how))
      throw new NotMapped(`It gathers by ${how}; do that in a function block.`);
    const separator =
      toText(one['separateBy'], ',') === 'other'
        ? toText(one['customSeparator'])
        : toText(one['separateBy'], ',');
    return `[${JSON.stringify(written((prefixes[how] ?? '') + field))}, gather(all, ${toPath(field)}, ${JSON.stringify(how)}, ${String(one['includeEmpty'] === true)}, ${JSON.stringify(separator)})]`;
  });
  const groups = splits.map((name) => `[${toPath(name)}, ${JSON.stringify(written(name))}]`);
  return overItems(
    context,
    `const isEmpty = (value) => value === undefined || value === null || value === '';
const gather = (all, path, how, withEmpty, separator) => {
  const values = all.map(({ json }) => get(json, path));
  const some = withEmpty ? values : values.filter((one) => !isEmpty(one));
  const numbers = values.filter((one) => typeof one === 'number');
  const least = (isBetter) => some.filter((one) => !isEmpty(one)).reduce((best, one) => (best === undefined || isBetter(one, best) ? one : best), undefined) ?? null;
  return {
    append: () => some.map((one) => (one === undefined ? null : one)),
    concatenate: () => some.map((one) => (one !== null && typeof one === 'object' ? JSON.stringify(one) : String(one))).join(separator),
    sum: () => numbers.reduce((total, one) => total + one, 0),
    average: () => numbers.reduce((total, one) => total + one, 0) / numbers.length,
    min: () => least((a, b) => a < b),
    max: () => least((a, b) => a > b),
    countUnique: () => new Set(some).size,
    count: () => some.length,
  }[how]();
};
const split = (all, [first, ...rest]) => {
  if (!first) return [Object.fromEntries([${members.join(', ')}])];
  const groups = new Map();
  for (const item of all) {
    let value = get(item.json, first[0]);
    if (value && typeof value === 'object') value = JSON.stringify(value);
    ${options['skipEmptySplitFields'] === true ? "if (typeof value !== 'number' && !value) continue;" : ''}
    groups.set(value, [...(groups.get(value) ?? []), item]);
  }
  return [...groups].flatMap(([value, some]) => split(some, rest).map((made) => ({ ...made, [first[1]]: value })));
};
return giveItems(split(items, [${groups.join(', ')}]).map((json) => ({ json })));`,
  );
}

/** The node Item Lists, before each of its operations was a node. */
export function convertItemLists(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const operation = toText(parameters['operation']);
  const ways: Record<string, (one: N8nContext) => ConvertedNode> = {
    splitOutItems: convertSplitOut,
    limit: convertLimit,
    sort: convertSort,
    removeDuplicates: convertRemoveDuplicates,
    concatenateItems: convertAggregate,
    aggregateItems: convertAggregate,
    summarize: convertSummarize,
  };
  const convert = Object.hasOwn(ways, operation) ? ways[operation] : undefined;
  if (!convert) throw new NotMapped(`Its operation is ${operation}; do that in a function block.`);
  Object.assign(parameters, { operation: undefined });
  return convert(context);
}

/** The node HTML, as far as it writes a page from its item. */
export function convertHtml(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const operation = toText(parameters['operation']);
  if (operation !== 'generateHtmlTemplate')
    throw new NotMapped('It reads parts of a page, or makes a table. Cut the text in a function block.');
  context.change('A value that is missing is an empty text in its page.');
  return eachItem(
    context,
    `return [{ json: { html: ${context.expressions.javascript(toExpression(toText(parameters['html'])))} } }];`,
  );
}

/** Braces in a page are expressions also without the sign of equality before it. */
const toExpression = (text: string) => (text.startsWith('=') ? text : `=${text}`);

/** The node Rename Keys: fields under new names. */
export function convertRename(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const pairs = toList(objectOf(parameters['keys'])['key'])
    .map(objectOf)
    .map(({ currentKey, newKey }) => [toText(currentKey), toText(newKey)]);
  if (
    Object.keys(objectOf(parameters['additionalOptions'])).length > 0 ||
    pairs.some(([from = '', to = '']) => /[.[]|^=/.test(from + to))
  )
    throw new NotMapped('It renames by a pattern, or by paths; do that in a function block.');
  return eachItem(
    context,
    `const out = JSON.parse(JSON.stringify($json));
for (const [from, to] of ${JSON.stringify(pairs)}) if (from !== '' && to !== '' && from !== to && out[from] !== undefined) { out[to] = out[from]; delete out[from]; }
return [{ json: out }];`,
  );
}

/** The node Date & Time, as far as it says the date of now, or adds to a date. */
export function convertDate(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const operation = toText(parameters['operation']);
  const options = objectOf(parameters['options']);
  if (options['timezone'] !== undefined && options['timezone'] !== '')
    throw new NotMapped('It takes a time zone; dates are in UTC here.');
  if (operation === 'getTimeBetweenDates') return toDifference(context);
  const isNow = operation === 'getCurrentDate';
  if (!isNow && operation !== 'addToDate' && operation !== 'subtractFromDate')
    throw new NotMapped(`Its operation is ${operation}; use Date in a function block.`);
  const source = isNow ? (parameters['includeTime'] === false ? '$today' : '$now') : 'DateTime.now()';
  const now = context.expressions.javascript(`={{ ${source} }}`);
  const js = (name: string) => context.expressions.javascript(parameters[name] ?? '');
  const sign = operation === 'subtractFromDate' ? '-' : '';
  const value = isNow
    ? now
    : `Moment.of(${js('magnitude')}).plus({ [${js('timeUnit')}]: ${sign}Number(${js('duration')}) }).toISO()`;
  const name = toText(parameters['outputFieldName']) || (isNow ? 'currentDate' : 'newDate');
  const kept = options['includeInputFields'] === true ? '...$json, ' : '';
  return eachItem(context, `return [{ json: { ${kept}${JSON.stringify(name)}: ${value} } }];`);
}

/** The time between two dates, in one unit that is always as long. */
function toDifference(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const [unit, ...others] = toList(parameters['units'] ?? ['day']).map((one) => toText(one));
  const options = objectOf(parameters['options']);
  if (
    unit === undefined ||
    others.length > 0 ||
    !/^(week|day|hour|minute|second)$/.test(unit) ||
    options['isoString'] === true
  )
    throw new NotMapped('It counts in months, years or several units; use Date in a function block.');
  const js = (name: string) => context.expressions.javascript(parameters[name] ?? '');
  // Reads the runtime of dates into the block.
  context.expressions.javascript('={{ $now }}');
  const name = toText(parameters['outputFieldName']) || 'timeDifference';
  const kept = options['includeInputFields'] === true ? '...$json, ' : '';
  return eachItem(
    context,
    `return [{ json: { ${kept}${JSON.stringify(name)}: { ${unit}s: (Moment.of(${js('endDate')}) - Moment.of(${js('startDate')})) / units.${unit} } } }];`,
  );
}
