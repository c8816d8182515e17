import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { type CelPlace, literal, template, writePath } from './cel-text.ts';
import type { N8nContext, ConvertedNode } from './n8n-context.ts';
import { convertCode } from './n8n-code.ts';
import { convertHttp } from './n8n-http.ts';
import { childOf } from './n8n-graph.ts';
import { olderTest, testOf } from './n8n-tests.ts';
import { NotMapped } from './report.ts';
import { listOf, numberOf, textOf } from './values.ts';

export type ConvertNode = (context: N8nContext) => ConvertedNode;

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const seconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

/** Every node that has a counterpart, by its type. */
export const n8nNodes: Record<string, ConvertNode> = {
  httpRequest: convertHttp,
  code: convertCode,
  function: convertCode,
  functionItem: convertCode,
  set: convertSet,
  if: convertIf,
  filter: convertFilter,
  switch: convertSwitch,
  merge: convertMerge,
  wait: convertWait,
  respondToWebhook: convertRespond,
  executeWorkflow: convertExecute,
  noOp: passOn,
  splitOut: convertSplitOut,
  limit: convertLimit,
  aggregate: convertAggregate,
  stopAndError: convertStop,
};

/** A block that does nothing and lets its item through. */
export function passOn(context: N8nContext): ConvertedNode {
  return { block: { type: 'wait', params: { duration: 0 } }, out: context.expressions.incoming() };
}

/** Gives a value the type of its field, as the node does. */
const typedHelper = `const typed = (value, type, ignores, name) => {
  if (value === undefined || value === null) return null;
  const wrong = (wanted) => { if (ignores) return value; throw new Error('The field "' + name + '" wants ' + wanted + ' and got ' + JSON.stringify(value) + '.'); };
  const parsed = () => { if (typeof value !== 'string') return value; try { return JSON.parse(value); } catch { return undefined; } };
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (type === 'number') return Number.isNaN(Number(value)) ? wrong('a number') : Number(value);
  if (type === 'boolean') {
    const word = String(value).toLowerCase();
    if (word === 'true' || word === 'false') return word === 'true';
    return value !== '' && (Number(value) === 1 || Number(value) === 0) ? Number(value) === 1 : wrong('true or false');
  }
  if (type === 'array') return Array.isArray(parsed()) ? parsed() : wrong('a list');
  if (type === 'object') { const found = parsed(); return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : wrong('an object'); }
  return value;
};
`;
/** Writes a member by a path such as \`a.b[0].c\`. */
const putHelper = `const put = (target, path, value) => {
  let at = target;
  path.forEach((step, i) => {
    if (i === path.length - 1) { at[step] = value; return; }
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = typeof path[i + 1] === 'number' ? [] : {};
    at = at[step];
  });
};
`;

function convertSet(context: N8nContext): ConvertedNode {
  const { parameters, version, raw } = context.node;
  const { expressions } = context;
  const options = objectOf(parameters['options']);
  const fields = fieldsOf(context);
  const constants = constantsOf(fields);
  if (constants && !keepsOthers(context) && raw['executeOnce'] !== true) {
    for (const name of Object.keys(constants)) context.around.declare(name);
    context.change('Its fields are variables of the run.');
    return { block: { type: 'variables', params: { set: constants } } };
  }
  if (parameters['duplicateItem'] === true) context.change('Its copies of each item are left out.');
  const { script } = expressions;
  script.need('put', putHelper);
  script.need('typed', typedHelper);
  const lines = [`const out = ${keptMembers(context)};`];
  if (parameters['mode'] === 'raw')
    lines.push(
      `const made = ${expressions.javascript(parameters['jsonOutput'] ?? '{}')};`,
      `Object.assign(out, typed(made, 'object', false, 'JSON'));`,
    );
  for (const { name, value, type } of fields) {
    const path = options['dotNotation'] === false ? [name] : pathOf(name);
    if (path.includes('__proto__') || name === '') throw new NotMapped('A field has no name.');
    lines.push(
      `put(out, ${JSON.stringify(path)}, ${typedSource(expressions.javascript(value), type, { name, version, ignores: options['ignoreConversionErrors'] === true })});`,
    );
  }
  context.change('It is a function, which puts its fields together.');
  lines.push('return [{ json: out }];');
  return eachItem(context, lines.join('\n'));
}

/** A function block whose body is carried out for each item, with the values that n8n has there. */
function eachItem(context: N8nContext, body: string): ConvertedNode {
  const { script } = context.expressions;
  const first = context.node.raw['executeOnce'] === true ? '.slice(0, 1)' : '';
  const code = `const items = (input.json === undefined ? [{ json: {} }] : itemsOf(input.json))${first};
return giveItems(items.flatMap((item, $itemIndex) => {
const $json = item.json;
const $runIndex = input.index ?? 0;
const $input = { item, first: () => items[0], last: () => items.at(-1), all: () => items };
${body}
}));`;
  return {
    block: { type: 'function', params: { code: script.text(code, { item: false }), input: script.input() } },
  };
}

interface Field {
  name: string;
  value: Json;
  type: string;
}

function fieldsOf({ node: { parameters } }: N8nContext): Field[] {
  if (parameters['mode'] === 'raw') return [];
  const assigned = listOf(objectOf(parameters['assignments'])['assignments']).filter(isObject);
  const listed = listOf(objectOf(parameters['fields'])['values'])
    .filter(isObject)
    .map((one): JsonObject => {
      const type = textOf(one['type'], 'stringValue');
      return { name: one['name'] ?? '', value: one[type] ?? '', type: type.replace('Value', '') };
    });
  const older = Object.entries(objectOf(parameters['values'])).flatMap(([type, list]) =>
    listOf(list)
      .filter(isObject)
      .map((one): JsonObject => ({ ...one, type: `older ${type}` })),
  );
  return [...assigned, ...listed, ...older].map(({ name, value = '', type }) => ({
    name: textOf(name),
    value,
    type: textOf(type, 'string'),
  }));
}

function typedSource(
  value: string,
  type: string,
  { name, version, ignores }: { name: string; version: number; ignores: boolean },
): string {
  if (type === 'older boolean') return `Boolean(${value})`;
  if (type === 'older number' && version >= 2)
    return `((value) => (typeof value === 'string' && value !== '' && !Number.isNaN(Number(value)) ? Number(value) : value))(${value})`;
  if (type === 'older string' && version >= 2)
    return `((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))(${value})`;
  return type.startsWith('older')
    ? value
    : `typed(${value}, ${JSON.stringify(type)}, ${ignores}, ${JSON.stringify(name)})`;
}

/** The fields when all are texts that stand in the file; undefined otherwise. */
function constantsOf(fields: Field[]): JsonObject | undefined {
  const plain = fields.every(
    ({ name, value, type }) =>
      identifier.test(name) && /string$/.test(type) && typeof value === 'string' && !value.startsWith('='),
  );
  if (!plain || fields.length === 0) return undefined;
  return Object.fromEntries(fields.map(({ name, value }): [string, Json] => [name, literal(textOf(value))]));
}

function keepsOthers({ node: { parameters, version } }: N8nContext): boolean {
  if (version < 3) return parameters['keepOnlySet'] !== true;
  return version < 3.3
    ? textOf(parameters['include'], 'all') !== 'none'
    : parameters['includeOtherFields'] === true;
}

/** The members of the item that stay, in JavaScript. */
function keptMembers(context: N8nContext): string {
  if (!keepsOthers(context)) return '{}';
  const { parameters } = context.node;
  const named = (value: Json | undefined) =>
    JSON.stringify(
      textOf(value)
        .split(',')
        .map((one) => one.trim()),
    );
  const include = textOf(parameters['include'], 'all');
  if (include === 'selected')
    return `Object.fromEntries(Object.entries($json).filter(([name]) => ${named(parameters['includeFields'])}.includes(name)))`;
  if (include === 'except')
    return `Object.fromEntries(Object.entries($json).filter(([name]) => !${named(parameters['excludeFields'])}.includes(name)))`;
  // The members are changed below.
  return 'JSON.parse(JSON.stringify($json))';
}

/** The steps of a path such as \`a.b[0]\`. */
const pathOf = (name: string): (string | number)[] =>
  [...name.matchAll(/[^.[\]]+|\[(\d+)\]|\["([^"]*)"\]/g)].map(([text, index, quoted]) =>
    index === undefined ? (quoted ?? text) : Number(index),
  );

function convertIf(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const test = testOf(objectOf(parameters['conditions']), parameters['combineOperation'], context);
  const values = context.expressions.block(
    splitBy(
      context,
      test,
      `if (yes.length > 0 && no.length > 0) throw new Error(yes.length + ' items take one way and ' + no.length + ' the other: put a loop around this block.');
return { yes: yes.length > 0 };`,
    ),
  );
  return {
    block: { type: 'condition', cases: [{ port: 'yes', when: `${values}.yes` }] },
    out: context.expressions.incoming(),
    ports: [['yes'], ['else']],
  };
}

function convertFilter(context: N8nContext): ConvertedNode {
  context.change('It is a condition: what does not pass takes no way on.');
  const { parameters } = context.node;
  const test = testOf(objectOf(parameters['conditions']), parameters['combineOperation'], context);
  const values = context.expressions.block(
    splitBy(context, test, 'return { yes: yes.length > 0, items: giveItems(yes) };'),
  );
  return {
    block: { type: 'condition', cases: [{ port: 'yes', when: `${values}.yes` }] },
    out: { root: values, steps: ['items'] },
    ports: [['yes']],
  };
}

/** Code that puts the items into the lists \`yes\` and \`no\`. */
function splitBy(context: N8nContext, test: string, then: string): string {
  const first = context.node.raw['executeOnce'] === true ? '.slice(0, 1)' : '';
  return `const items = (input.json === undefined ? [{ json: {} }] : itemsOf(input.json))${first};
const [yes, no] = [[], []];
items.forEach((item, $itemIndex) => {
const $json = item.json;
const $runIndex = input.index ?? 0;
const $input = { item, first: () => items[0], last: () => items.at(-1), all: () => items };
(${test} ? yes : no).push(item);
});
${then}`;
}

function convertSwitch(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { expressions } = context;
  if (textOf(parameters['mode'], 'rules') !== 'rules') return switchByNumber(context);
  const options = objectOf(parameters['options']);
  if (options['allMatchingOutputs'] === true)
    throw new NotMapped('It takes every way that matches; write a condition for each way, side by side.');
  const rules = objectOf(parameters['rules']);
  const newer = listOf(rules['values'] ?? rules['rules']).filter(
    (one) => isObject(one) && isObject(one['conditions']),
  );
  const older = newer.length > 0 ? [] : listOf(rules['rules']).filter(isObject);
  const ports: string[][] = [];
  const cases = [...newer, ...older].filter(isObject).map((rule, i) => {
    // A rule of an older version that names no output leads to the first.
    const output = isObject(rule['conditions']) ? i : (numberOf(rule['output']) ?? 0);
    const port = `way_${i}`;
    (ports[output] ??= []).push(port);
    const kind = textOf(parameters['dataType'], 'number');
    const test = isObject(rule['conditions'])
      ? testOf(objectOf(rule['conditions']), undefined, context)
      : olderTest(
          textOf(rule['operation'], kind === 'number' ? 'smaller' : kind === 'dateTime' ? 'after' : 'equal'),
          kind,
          [parameters['value1'] ?? null, rule['value2'] ?? null],
          context,
        );
    return { port, when: expressions.computed(test) };
  });
  if (cases.length === 0) throw new NotMapped('It has no rule.');
  const fallback = numberOf(options['fallbackOutput'] ?? parameters['fallbackOutput']);
  if (options['fallbackOutput'] === 'extra') ports[cases.length] = ['else'];
  else if (fallback !== undefined && fallback >= 0) (ports[fallback] ??= []).push('else');
  return { block: { type: 'condition', cases }, out: expressions.incoming(), ports };
}

/** A Switch that calculates the number of its output. */
function switchByNumber({ node: { parameters }, expressions }: N8nContext): ConvertedNode {
  const count = numberOf(parameters['numberOutputs'] ?? parameters['outputsAmount']) ?? 4;
  const value = expressions.javascript(parameters['output'] ?? 0);
  const number = expressions.computed(
    `((value) => { if (!(value >= 0 && value < ${count})) throw new Error('There is no output ' + value + '.'); return Number(value); })(${value})`,
  );
  const ports = Array.from({ length: count }, (_, i) => [`way_${i}`]);
  const cases = ports.map(([port = ''], i) => ({ port, when: `${number} == ${i}` }));
  return { block: { type: 'condition', cases }, out: expressions.incoming(), ports };
}

function convertMerge(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const mode = textOf(parameters['mode'], 'append');
  const how = textOf(parameters['combineBy'] ?? parameters['combinationMode'], 'combineByFields');
  const inputs = { lists: context.around.inputs.map((one: CelPlace) => template(writePath(one))) };
  const block = (code: string) => ({
    block: {
      type: 'function',
      params: { code: context.expressions.script.text(code, { item: false }), input: inputs },
    },
  });
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

function convertWait(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  const { parameters, name } = context.node;
  const { expressions } = context;
  const out = expressions.incoming();
  const resume = textOf(parameters['resume'], 'timeInterval');
  if (resume === 'specificTime')
    return {
      block: { type: 'wait', params: { until: expressions.template(parameters['dateTime'] ?? '') } },
      out,
    };
  if (resume === 'timeInterval') {
    const factor = seconds[textOf(parameters['unit'], 'hours')] ?? 1;
    const amount = numberOf(parameters['amount'] ?? 1);
    if (amount !== undefined) return { block: { type: 'wait', params: { duration: amount * factor } }, out };
    const value = expressions.computed(
      `Number(${expressions.javascript(parameters['amount'] ?? 1)}) * ${factor}`,
    );
    return { block: { type: 'wait', params: { duration: template(value) } }, out };
  }
  context.change(`It waited for a ${resume}; here a person or a program answers the pause.`);
  return { block: { type: 'human', params: { title: name } }, out };
}

function convertRespond(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  const { parameters } = context.node;
  const { expressions } = context;
  const how = textOf(parameters['respondWith'], 'firstIncomingItem');
  const options = objectOf(parameters['options']);
  const status = options['responseCode'];
  const headers = Object.fromEntries(
    listOf(objectOf(options['responseHeaders'])['entries'])
      .filter(isObject)
      .map(({ name, value = '' }): [string, Json] => [textOf(name), expressions.template(value)]),
  );
  const data = responseData(how, parameters, context);
  context.change('The run goes on behind it, as in n8n; X-Response-Mode: raw answers with its data alone.');
  return {
    block: {
      type: 'response',
      params: {
        ...(data === undefined ? {} : { data }),
        ...(status === undefined ? {} : { status: numberOf(status) ?? expressions.template(status) }),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
      },
    },
    out: expressions.incoming(),
  };
}

function responseData(how: string, parameters: JsonObject, { expressions }: N8nContext): Json | undefined {
  if (how === 'json') return expressions.json(parameters['responseBody'] ?? '{}');
  if (how === 'text') return expressions.template(parameters['responseBody'] ?? '');
  if (how === 'noData') return undefined;
  if (how === 'firstIncomingItem') return template(expressions.computed('itemsOf(input.json)[0]?.json'));
  if (how === 'allIncomingItems')
    return template(expressions.computed('itemsOf(input.json).map(({ json }) => json)'));
  throw new NotMapped(`It answers with ${how}; a response block gives JSON or text.`);
}

function convertExecute(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { expressions, around } = context;
  const name = childOf(parameters);
  const id = around.surroundings.workflows.get(name);
  if (id === undefined) {
    around.needs.addNeed(
      'workflow',
      name,
      `"${context.node.name}" runs it: import it first, under this name, and then this file again.`,
    );
    throw new NotMapped(
      `It runs the workflow "${name}", which the workspace does not have. Import that first, then this file again.`,
    );
  }
  const given = objectOf(objectOf(parameters['workflowInputs'])['value']);
  const inputs =
    Object.keys(given).length > 0
      ? expressions.template(given)
      : { input: template(writePath(expressions.incoming())) };
  return { block: { type: 'workflow', params: { workflowId: id, inputs } } };
}

function convertSplitOut(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const field = textOf(parameters['fieldToSplitOut']);
  if (
    field === '' ||
    field.includes(',') ||
    textOf(parameters['include'], 'noOtherFields') !== 'noOtherFields'
  )
    throw new NotMapped(
      'It splits several fields, or keeps others beside them; do that in a function block.',
    );
  const target = textOf(
    objectOf(parameters['options'])['destinationFieldName'],
    pathOf(field).at(-1)?.toString(),
  );
  const steps = pathOf(field.replace(/^\$json\./, ''));
  return eachItem(
    context,
    `const list = ${JSON.stringify(steps)}.reduce((at, step) => at?.[step], $json);
return (Array.isArray(list) ? list : list === undefined || list === null ? [] : Object.values(list)).map((one) => ({ json: typeof one === 'object' && one !== null ? one : { ${JSON.stringify(target)}: one } }));`,
  );
}

/** The first or the last items. */
function convertLimit(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const most = numberOf(parameters['maxItems'] ?? 1);
  if (most === undefined)
    throw new NotMapped('The number of items is calculated; do that in a function block.');
  const ends = textOf(parameters['keep'], 'firstItems') === 'lastItems';
  const { script } = context.expressions;
  const code = `const items = itemsOf(input.json);\nreturn giveItems(items.slice(${ends ? -most : `0, ${most}`}));`;
  return {
    block: { type: 'function', params: { code: script.text(code, { item: false }), input: script.input() } },
  };
}

/** All items in one list. */
function convertAggregate(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { script } = context.expressions;
  if (textOf(parameters['aggregate'], 'aggregateIndividualFields') === 'aggregateAllItemData') {
    const include = textOf(parameters['include'], 'allFields');
    if (include !== 'allFields')
      throw new NotMapped('It keeps some fields alone; do that in a function block.');
    const name = textOf(parameters['destinationFieldName'], 'data');
    const code = `return { ${JSON.stringify(name)}: itemsOf(input.json).map(({ json }) => json) };`;
    return {
      block: {
        type: 'function',
        params: { code: script.text(code, { item: false }), input: script.input() },
      },
    };
  }
  const fields = listOf(objectOf(parameters['fieldsToAggregate'])['fieldToAggregate']).filter(isObject);
  if (fields.length === 0 || Object.keys(objectOf(parameters['options'])).length > 0)
    throw new NotMapped('It gathers fields with options; do that in a function block.');
  const members = fields.map((one) => {
    const path = pathOf(textOf(one['fieldToAggregate']));
    const name = one['renameField'] === true ? textOf(one['outputFieldName']) : String(path.at(-1));
    return `${JSON.stringify(name)}: itemsOf(input.json).map(({ json }) => ${JSON.stringify(path)}.reduce((at, step) => at?.[step], json)).filter((one) => one !== undefined && one !== null)`;
  });
  const code = `return { ${members.join(', ')} };`;
  return {
    block: { type: 'function', params: { code: script.text(code, { item: false }), input: script.input() } },
  };
}

function convertStop(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  const message = context.expressions.template(context.node.parameters['errorMessage'] ?? 'Stopped.');
  context.change('It is a function that throws.');
  return {
    block: { type: 'function', params: { code: 'throw new Error(input.message);', input: { message } } },
  };
}
