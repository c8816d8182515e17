import { isObject, objectOf } from '#libs/platform/json/json';
import type { ConvertedNode, N8nContext } from './context.ts';
import { convertLimit, convertAggregate, convertSplitOut, eachItem, overItems, toPath } from './items.ts';
import { NotMapped } from '../report.ts';
import { toList, toText } from '../values.ts';

const toNames = (value: unknown) =>
  (Array.isArray(value) ? value : String(value ?? '').split(','))
    .map((one) => String(one).trim())
    .filter(Boolean);

/** Compares and sorts as n8n does. A list with values that have no order comes out as there while it is shorter than 64. */
const ordering = `const canonical = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, canonical(value[name])])) : Array.isArray(value) ? value.map(canonical) : value);
const isSame = (a, b) => a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(canonical(a)) === JSON.stringify(canonical(b)));
const compareBy = (a, b) => (isSame(a, b) ? 0 : (typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b)) ? -1 : 1);
const ordered = (list, compare) => {
  if (list.length < 2 || list.length >= 64) return [...list].sort(compare);
  const made = [...list];
  const falls = compare(made[1], made[0]) < 0;
  let run = 2;
  while (run < made.length && compare(made[run], made[run - 1]) < 0 === falls) run++;
  if (falls) made.splice(0, run, ...made.slice(0, run).reverse());
  for (let at = run; at < made.length; at++) {
    let [low, high] = [0, at];
    while (low < high) { const middle = (low + high) >> 1; if (compare(made[at], made[middle]) < 0) high = middle; else low = middle + 1; }
    made.splice(low, 0, ...made.splice(at, 1));
  }
  return made;
};
`;

/** Code that fails where no item has a field. */
const requireFields = (paths: string[]) =>
  `for (const path of [${paths.join(', ')}]) if (!items.some(({ json }) => get(json, path) !== undefined)) throw new Error('No item has the field "' + path[0] + '".');\n`;

/** The items in the order of their fields: texts without regard to case, and the first field that differs decides. */
export function convertSort(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  if (toText(parameters['type']) !== 'simple')
    throw new NotMapped('It sorts by chance or by code; do that in a function block.');
  const fields = toList(objectOf(parameters['sortFieldsUi'])['sortField'])
    .map(objectOf)
    .map(({ fieldName, order }) => ({
      path: toPath(toText(fieldName)),
      direction: toText(order, 'ascending') === 'ascending' ? 1 : -1,
    }));
  if (fields.length === 0) throw new NotMapped('It names no field.');
  context.expressions.script.need('ordering', ordering);
  return overItems(
    context,
    `${requireFields(fields.map(({ path }) => path))}const key = (json, path) => { const value = get(json, path); return typeof value === 'string' ? value.toLowerCase() : value; };
return giveItems(ordered(items, (a, b) => {
  for (const [path, direction] of [${fields.map(({ path, direction }) => `[${path}, ${direction}]`).join(', ')}]) {
    const result = compareBy(key(a.json, path), key(b.json, path));
    if (result !== 0) return result * direction;
  }
  return 0;
}));`,
  );
}

/** The items of which no other one before has the same fields. All must have them, and of one type. */
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
  if (paths?.length === 0) throw new NotMapped('It names no field.');
  context.expressions.script.need('ordering', ordering);
  // The node Item Lists has the versions 3 and 3.1.
  const { version } = context.node;
  const isTyped = version !== 3.1;
  const nulls = version === 1 || version === 3 ? '' : '.filter((one) => one !== null)';
  const leaves = `[...new Set(items.flatMap(({ json }) => leavesOf(json, [])))].map((name) => [name, ...(name === '' ? [] : name.split('.'))])`;
  return overItems(
    context,
    `const leavesOf = (value, path) => (value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name])) : [path.join('.')]);
const paths = ${paths ? `[${paths.join(', ')}]` : leaves};
const kindOf = (value) => (${isTyped} ? '' : value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);
const compare = (a, b) => {
  for (const path of paths) {
    const [x, y] = [get(a.json, path), get(b.json, path)];
    const result = compareBy(kindOf(x), kindOf(y)) || compareBy(x, y);
    if (result !== 0) return result;
  }
  return 0;
};
for (const path of paths) {
  const values = items.map(({ json }) => get(json, path));
  if (values.includes(undefined)) throw new Error('An item does not have the field "' + path[0] + '".');
  if (${isTyped} && new Set(values${nulls}.map((one) => typeof one)).size > 1) throw new Error('The field "' + path[0] + '" has values of several types.');
}
const kept = new Set();
ordered(items, compare).reduce((before, one) => (before && paths.every((path) => isSame(get(before.json, path), get(one.json, path))) ? before : (kept.add(one), one)), undefined);
return giveItems(items.filter((one) => kept.has(one)));`,
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
  const written = (name: string) => name.replace(/[[\]"]/g, '').replace(/[ .]/g, '_');
  const fields = toList(objectOf(parameters['fieldsToSummarize'])['values']).filter(isObject);
  const named = fields.map(({ field }) => toText(field)).filter(Boolean);
  if (named.length === 0) throw new NotMapped('It names no field.');
  // The node Item Lists has the versions 3 and 3.1, and its groups in the order of the members of an object.
  const [isFirst, isOlder] = [context.node.version === 1, context.node.version >= 3];
  const members = fields.map((one) => {
    const [how, field] = [toText(one['aggregation'], 'count'), toText(one['field'])];
    if (!Object.hasOwn(prefixes, how))
      throw new NotMapped(`It gathers by ${how}; do that in a function block.`);
    const separator = one['separateBy'] === 'other' ? (one['customSeparator'] ?? '') : one['separateBy'];
    return `[${JSON.stringify(written((prefixes[how] ?? '') + field))}, gather(all, ${toPath(field)}, ${JSON.stringify(how)}, ${String(one['includeEmpty'] === true && !(isOlder && how.startsWith('count')))}, ${context.expressions.javascript(separator ?? ',')})]`;
  });
  const groups = splits.map((name) => `[${toPath(name)}, ${JSON.stringify(written(name))}]`);
  const required = isFirst && options['continueIfFieldNotFound'] !== true ? named.map(toPath) : [];
  return overItems(
    context,
    `${requireFields(required)}const isEmpty = (value) => value === undefined || value === null || value === '';
const gather = (all, path, how, withEmpty, separator) => {
  const values = all.map(({ json }) => get(json, path));
  const some = withEmpty ? values : values.filter((one) => !isEmpty(one));
  const numbers = values.filter((one) => typeof one === 'number');
  const least = (isBetter) => some.filter((one) => !isEmpty(one)).reduce((best, one) => (best === undefined || isBetter(one, best) ? one : best), undefined) ?? null;
  return {
    append: () => some.map((one) => (one === undefined ? null : one)),
    concatenate: () => some.map((one) => (one !== null && typeof one === 'object' ? JSON.stringify(one) : String(one))).join(separator),
    sum: () => numbers.reduce((total, one) => total + one, 0),
    average: () => (numbers.length === 0 ? null : numbers.reduce((total, one) => total + one, 0) / numbers.length),
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
    if (typeof value === 'object' && (value || ${isOlder})) value = JSON.stringify(value);
    ${isFirst ? 'value = String(value);' : ''}
    ${options['skipEmptySplitFields'] === true ? "if (typeof value !== 'number' && !value) continue;" : ''}
    ${isOlder ? 'value = String(value);' : ''}
    groups.set(value, [...(groups.get(value) ?? []), item]);
  }
  return ${isOlder ? 'Object.entries(Object.fromEntries(groups))' : '[...groups]'}.flatMap(([value, some]) => split(some, rest).map((made) => ({ ...made, [first[1]]: value })));
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
