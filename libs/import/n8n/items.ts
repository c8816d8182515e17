import { isObject, objectOf } from '#libs/platform/json/json';
import { type CelPlace, template, writePath } from '../cel-text.ts';
import type { ConvertedNode, N8nContext } from './context.ts';
import type { N8nNode } from './graph.ts';
import { NotMapped } from '../report.ts';
import { toList, parseNumber, toText } from '../values.ts';

export function convertMerge(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const mode = toText(parameters['mode'], 'append');
  const how = toText(parameters['combineBy'] ?? parameters['combinationMode'], 'combineByFields');
  const inputs = { lists: context.around.inputs.map((one: CelPlace) => template(writePath(one))) };
  const block = (code: string) => ({ block: context.expressions.script.block(code, inputs) });
  if (mode === 'append') return block('return giveItems(input.lists.flatMap(itemsOf));');
  if (mode === 'chooseBranch' || mode === 'passThrough' || mode === 'wait') {
    context.change('It gives the items of the first way that ran.');
    return block('return input.lists.find((one) => one !== null) ?? {};');
  }
  if (mode === 'mergeByIndex' || (mode === 'combine' && /position/i.test(how))) {
    context.change('Items at the same place are put together into one, the later over the earlier.');
    return block(`const lists = input.lists.map(itemsOf).filter((one) => one.length > 0);
const length = Math.min(...lists.map((one) => one.length));
return giveItems(Array.from({ length }, (_, i) => ({ json: Object.assign({}, ...lists.map((one) => one[i].json)) })));`);
  }
  if (mode === 'multiplex' || (mode === 'combine' && /all|multiplex/i.test(how)))
    return block(`const lists = input.lists.map(itemsOf);
return giveItems(lists.reduce((made, list) => made.flatMap(({ json }) => list.map((one) => ({ json: { ...json, ...one.json } }))), [{ json: {} }]));`);
  throw new NotMapped('It joins two lists by their fields; do that in a function block.');
}

export function convertSplitOut(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const field = toText(parameters['fieldToSplitOut'])
    .trim()
    .replace(/^\$json\./, '');
  if (
    field === '' ||
    field === '$binary' ||
    field.includes(',') ||
    toText(parameters['include'], 'noOtherFields') !== 'noOtherFields'
  )
    throw new NotMapped(
      'It splits files, or several fields, or keeps others beside them; do that in a function block.',
    );
  const target = requireName(toText(objectOf(parameters['options'])['destinationFieldName']).trim());
  const spread = target === '' ? "typeof one === 'object' && one !== null ? { ...one } : " : '';
  return eachItem(
    context,
    `${getter(context)}const found = get($json, ${toPath(field)});
const list = found === undefined ? [] : typeof found === 'object' && found !== null ? Object.values(found) : [found];
return list.map((one) => ({ json: ${spread}{ ${JSON.stringify(target || field)}: one } }));`,
  );
}

/** The first or the last items. */
export function convertLimit(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const most = parseNumber(parameters['maxItems'] ?? 1);
  if (most === undefined)
    throw new NotMapped('The number of items is calculated; do that in a function block.');
  const ends = toText(parameters['keep'], 'firstItems') === 'lastItems';
  return overItems(
    context,
    `return giveItems(items.slice(${ends ? `Math.max(items.length - ${most}, 0)` : `0, ${most}`}));`,
  );
}

/** All items in one list. */
export function convertAggregate(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  if (toText(parameters['aggregate'], 'aggregateIndividualFields') === 'aggregateAllItemData') {
    const include = toText(parameters['include'], 'allFields');
    if (include !== 'allFields')
      throw new NotMapped('It keeps some fields alone; do that in a function block.');
    const name = context.expressions.javascript(parameters['destinationFieldName'] ?? 'data');
    return overItems(context, `return { [${name}]: items.map(({ json }) => json) };`);
  }
  const fields = toList(objectOf(parameters['fieldsToAggregate'])['fieldToAggregate']).filter(isObject);
  if (fields.length === 0 || Object.keys(objectOf(parameters['options'])).length > 0)
    throw new NotMapped('It gathers fields with options; do that in a function block.');
  const outputs = fields.map(({ renameField, outputFieldName, fieldToAggregate }) =>
    toText(renameField === true ? outputFieldName : fieldToAggregate),
  );
  if (new Set(outputs).size < outputs.length) throw new NotMapped('It gives one name to two fields.');
  const members = fields
    .map((one): [string, string] => [toText(one['fieldToAggregate']), toText(one['outputFieldName'])])
    .filter(([field]) => field !== '')
    .map(([field, renamed]) => {
      const name = requireName(renamed || (field.split('.').at(-1) ?? ''));
      return `[${JSON.stringify(parsePath(name))}, gather(${toPath(field)})]`;
    });
  return overItems(
    context,
    `const gather = (path) => items.map(({ json }) => get(json, path)).filter((one) => one !== undefined && one !== null).map((one) => (Array.isArray(one) ? one.filter((inner) => inner !== null) : one));
const put = (at, [step, ...rest], list) => { at[step] = rest.length === 0 ? list : put(Object(at[step]) === at[step] ? at[step] : typeof rest[0] === 'number' ? [] : {}, rest, list); return at; };
const made = {};
for (const [path, list] of [${members.join(', ')}]) put(made, path, list);
return made;`,
  );
}

/** Code that declares `get`, which reads a member by a path: a member with the whole name goes before. */
const getter = ({ node: { parameters } }: N8nContext) =>
  objectOf(parameters['options'])['disableDotNotation'] === true
    ? 'const get = (json, [name]) => json?.[name];\n'
    : 'const get = (json, [name, ...steps]) => (Object.hasOwn(Object(json), name) ? json[name] : steps.reduce((at, step) => at?.[step], json));\n';

function requireName(name: string): string {
  if (!name.startsWith('=')) return name;
  throw new NotMapped('It calculates the name of a field; do that in a function block.');
}

/** A name and the steps of its path as a constant of code. Where the name is calculated there is none. */
export function toPath(name: string): string {
  const steps = parsePath(requireName(name));
  return JSON.stringify([name, ...(steps.length > 0 ? steps : [name])]);
}

/** A function over all items that come in. Nothing comes of none, as in n8n. */
export const overItems = (context: N8nContext, code: string): ConvertedNode => ({
  block: context.expressions.script.block(
    `${itemsCode(context.node)}if (items.length === 0) return [];
${firstScope}${getter(context)}${code}`,
  ),
});

/** Code that declares `items`: all that come in, or the first alone for a node that runs once. */
export const itemsCode = ({ raw }: N8nNode): string =>
  `const items = (input.json === undefined ? [{ json: {} }] : itemsOf(input.json))${raw['executeOnce'] === true ? '.slice(0, 1)' : ''};\n`;

/** Code that declares what n8n gives to an expression, where `item` and `$itemIndex` are there. */
export const itemScope = `const $json = item.json;
const $runIndex = input.index ?? 0;
const $input = { item, first: () => items[0], last: () => items.at(-1), all: () => items };`;

/** Code that declares it for the first item, where the items are there. */
export const firstScope =
  'const [$itemIndex, $runIndex, item, $json] = [0, input.index ?? 0, items[0], items[0]?.json];\n';

/** A function block whose body is carried out for each item, with the values that n8n has there. */
export function eachItem(context: N8nContext, body: string): ConvertedNode {
  const { script } = context.expressions;
  const code = `${itemsCode(context.node)}return giveItems(items.flatMap((item, $itemIndex) => {
${itemScope}
${body}
}));`;
  return { block: script.block(code) };
}

/** The steps of a path such as `a.b[0]`. */
export const parsePath = (name: string): (string | number)[] =>
  [...name.matchAll(/[^.[\]]+|\[(\d+)\]|\[(["'])(.*?)\2\]/g)].map(([text, index, , quoted]) =>
    index === undefined ? (quoted ?? text) : Number(index),
  );
