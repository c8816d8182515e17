import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { type CelPlace, stepInto, template, writePath } from './cel-text.ts';
import type { N8nContext, ConvertedNode } from './n8n-context.ts';
import { convertCode } from './n8n-code.ts';
import { convertHttp } from './n8n-http.ts';
import { childOf } from './n8n-graph.ts';
import { testFor, testOf } from './n8n-tests.ts';
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
  stopAndError: convertStop,
};

/** A block that does nothing and lets its item through. */
export function passOn(context: N8nContext): ConvertedNode {
  return { block: { type: 'wait', params: { duration: 0 } }, out: context.expressions.incoming() };
}

function convertSet(context: N8nContext): ConvertedNode {
  const { parameters, version } = context.node;
  const { expressions, piece } = context;
  const fields = fieldsOf(context);
  const isOlder = version < 3;
  const keeps = isOlder
    ? parameters['keepOnlySet'] !== true
    : version < 3.3
      ? textOf(parameters['include'], 'all') !== 'none'
      : parameters['includeOtherFields'] === true;
  const plain = isObject(fields) && Object.keys(fields).every((name) => identifier.test(name));
  if (!keeps && plain && Object.keys(fields).length > 0) {
    for (const name of Object.keys(fields)) context.around.declare(name);
    context.change('Its fields are variables of the run.');
    return { block: { type: 'variables', params: { set: fields } } };
  }
  const input: JsonObject = keeps
    ? { json: template(writePath(expressions.incoming())), fields }
    : { fields };
  context.change('It is a function, which puts its fields together.');
  return {
    block: { type: 'function', params: { code: 'return { ...input.json, ...input.fields };', input } },
    out: { root: piece.id, steps: [] },
  };
}

function fieldsOf({ node: { parameters }, expressions }: N8nContext): Json {
  if (parameters['mode'] === 'raw') return expressions.json(parameters['jsonOutput'] ?? '{}');
  const assigned = listOf(objectOf(parameters['assignments'])['assignments']).filter(isObject);
  const listed = listOf(objectOf(parameters['fields'])['values'])
    .filter(isObject)
    .map((one): JsonObject => {
      const key = Object.keys(one).find((name) => name.endsWith('Value')) ?? '';
      return { name: one['name'] ?? '', value: one[key] ?? '', type: key.replace('Value', '') };
    });
  const older = Object.entries(objectOf(parameters['values'])).flatMap(([type, list]) =>
    listOf(list)
      .filter(isObject)
      .map((one): JsonObject => ({ ...one, type })),
  );
  const fields: JsonObject = {};
  for (const { name, value = '', type } of [...assigned, ...listed, ...older])
    place(fields, textOf(name).split('.'), expressions.template(typedValue(value, textOf(type))));
  return fields;
}

/** `a.b` names a member of a member. */
function place(fields: JsonObject, [first = '', ...rest]: string[], value: Json): void {
  if (first === '__proto__' || first === '') throw new NotMapped('A field has no name.');
  if (rest.length === 0) fields[first] = value;
  else {
    const inner = objectOf(fields[first]);
    place(inner, rest, value);
    fields[first] = inner;
  }
}

function typedValue(value: Json, type: string): Json {
  if (typeof value !== 'string' || value.startsWith('=')) return value;
  if (type === 'number') return numberOf(value) ?? value;
  if (type === 'boolean') return value === 'true';
  if (type !== 'array' && type !== 'object') return value;
  try {
    const parsed: Json = JSON.parse(value);
    return parsed;
  } catch {
    return value;
  }
}

function convertIf(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const when = testOf(
    objectOf(parameters['conditions']),
    parameters['combineOperation'],
    context.expressions,
  );
  return {
    block: { type: 'condition', cases: [{ port: 'yes', when }] },
    out: context.expressions.incoming(),
    ports: [['yes'], ['else']],
  };
}

function convertFilter(context: N8nContext): ConvertedNode {
  context.change('It is a condition: what does not pass takes no way on.');
  return { ...convertIf(context), ports: [['yes']] };
}

function convertSwitch(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { expressions } = context;
  if (textOf(parameters['mode'], 'rules') !== 'rules')
    throw new NotMapped('It calculates the number of its output; write a condition with a case for each.');
  const options = objectOf(parameters['options']);
  if (options['allMatchingOutputs'] === true)
    throw new NotMapped('It takes every way that matches; write a condition for each way, side by side.');
  const rules = objectOf(parameters['rules']);
  const newer = listOf(rules['values']).filter(isObject);
  const older = listOf(rules['rules']).filter(isObject);
  const ports: string[][] = [];
  const cases = [...newer, ...older].map((rule, i) => {
    const output = numberOf(rule['output']) ?? i;
    const port = `way_${i}`;
    (ports[output] ??= []).push(port);
    const conditions = objectOf(rule['conditions']);
    const value = textOf(parameters['dataType'], 'number');
    const when = isObject(rule['conditions'])
      ? testOf(conditions, undefined, expressions)
      : testFor(
          textOf(rule['operation'], value === 'number' ? 'smaller' : 'equal'),
          value,
          [parameters['value1'] ?? null, rule['value2'] ?? null],
          {
            expressions,
            ignoresCase: false,
          },
        );
    return { port, when };
  });
  const fallback = numberOf(options['fallbackOutput'] ?? parameters['fallbackOutput']);
  if (options['fallbackOutput'] === 'extra') ports[cases.length] = ['else'];
  else if (fallback !== undefined && fallback >= 0) (ports[fallback] ??= []).push('else');
  return { block: { type: 'condition', cases }, out: expressions.incoming(), ports };
}

function convertMerge(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const mode = textOf(parameters['mode'], 'append');
  if (
    mode === 'combineBySql' ||
    (mode === 'combine' &&
      /fields|keys/i.test(textOf(parameters['combineBy'] ?? parameters['combinationMode'])))
  )
    throw new NotMapped('It joins two lists by their fields; do that in a function block.');
  context.change('The items that come in are put together into one object, the later over the earlier.');
  return {
    block: {
      type: 'function',
      params: {
        code: "return Object.assign({}, ...input.items.filter((one) => one !== null && typeof one === 'object'));",
        input: { items: context.around.inputs.map((one: CelPlace) => template(writePath(one))) },
      },
    },
  };
}

function convertWait(context: N8nContext): ConvertedNode {
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
    const node = expressions.expression(parameters['amount'] ?? 1);
    const written = expressions.value(node, textOf(parameters['amount']));
    return { block: { type: 'wait', params: { duration: template(`${written} * ${factor}`) } }, out };
  }
  context.change(`It waited for a ${resume}; here a person or a program answers the pause.`);
  return { block: { type: 'human', params: { title: name } }, out };
}

function convertRespond(context: N8nContext): ConvertedNode {
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
  if (how === 'firstIncomingItem' || how === 'allIncomingItems')
    return template(writePath(expressions.incoming()));
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
  let out: CelPlace | undefined = context.expressions.incoming();
  for (const step of field.split('.')) out = out && stepInto(out, step);
  if (!out) throw new NotMapped(`There is no field "${field}" to split.`);
  context.change('The list goes on as it is: a loop behind it takes its items one by one.');
  return { block: { type: 'wait', params: { duration: 0 } }, out };
}

function convertStop(context: N8nContext): ConvertedNode {
  const message = context.expressions.template(context.node.parameters['errorMessage'] ?? 'Stopped.');
  context.change('It is a function that throws.');
  return {
    block: { type: 'function', params: { code: 'throw new Error(input.message);', input: { message } } },
  };
}
