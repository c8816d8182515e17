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
  const field = toText(parameters['fieldToSplitOut']);
  if (
    field === '' ||
    field.includes(',') ||
    toText(parameters['include'], 'noOtherFields') !== 'noOtherFields'
  )
    throw new NotMapped(
      'It splits several fields, or keeps others beside them; do that in a function block.',
    );
  const target = toText(
    objectOf(parameters['options'])['destinationFieldName'],
    parsePath(field).at(-1)?.toString(),
  );
  const steps = parsePath(field.replace(/^\$json\./, ''));
  return eachItem(
    context,
    `const list = ${JSON.stringify(steps)}.reduce((at, step) => at?.[step], $json);
return (Array.isArray(list) ? list : list === undefined || list === null ? [] : Object.values(list)).map((one) => ({ json: typeof one === 'object' && one !== null ? one : { ${JSON.stringify(target)}: one } }));`,
  );
}

/** The first or the last items. */
export function convertLimit(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const most = parseNumber(parameters['maxItems'] ?? 1);
  if (most === undefined)
    throw new NotMapped('The number of items is calculated; do that in a function block.');
  const ends = toText(parameters['keep'], 'firstItems') === 'lastItems';
  const { script } = context.expressions;
  const code = `const items = itemsOf(input.json);\nreturn giveItems(items.slice(${ends ? -most : `0, ${most}`}));`;
  return { block: script.block(code) };
}

/** All items in one list. */
export function convertAggregate(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { script } = context.expressions;
  if (toText(parameters['aggregate'], 'aggregateIndividualFields') === 'aggregateAllItemData') {
    const include = toText(parameters['include'], 'allFields');
    if (include !== 'allFields')
      throw new NotMapped('It keeps some fields alone; do that in a function block.');
    const name = toText(parameters['destinationFieldName'], 'data');
    const code = `return { ${JSON.stringify(name)}: itemsOf(input.json).map(({ json }) => json) };`;
    return { block: script.block(code) };
  }
  const fields = toList(objectOf(parameters['fieldsToAggregate'])['fieldToAggregate']).filter(isObject);
  if (fields.length === 0 || Object.keys(objectOf(parameters['options'])).length > 0)
    throw new NotMapped('It gathers fields with options; do that in a function block.');
  const members = fields.map((one) => {
    const path = parsePath(toText(one['fieldToAggregate']));
    const name = one['renameField'] === true ? toText(one['outputFieldName']) : String(path.at(-1));
    return `${JSON.stringify(name)}: itemsOf(input.json).map(({ json }) => ${JSON.stringify(path)}.reduce((at, step) => at?.[step], json)).filter((one) => one !== undefined && one !== null)`;
  });
  const code = `return { ${members.join(', ')} };`;
  return { block: script.block(code) };
}

/** Code that declares `items`: all that come in, or the first alone for a node that runs once. */
export const itemsCode = ({ raw }: N8nNode): string =>
  `const items = (input.json === undefined ? [{ json: {} }] : itemsOf(input.json))${raw['executeOnce'] === true ? '.slice(0, 1)' : ''};\n`;

/** Code that declares what n8n gives to an expression, where `item` and `$itemIndex` are there. */
export const itemScope = `const $json = item.json;
const $runIndex = input.index ?? 0;
const $input = { item, first: () => items[0], last: () => items.at(-1), all: () => items };`;

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
  [...name.matchAll(/[^.[\]]+|\[(\d+)\]|\["([^"]*)"\]/g)].map(([text, index, quoted]) =>
    index === undefined ? (quoted ?? text) : Number(index),
  );
