import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { template, writePath } from '../cel-text.ts';
import type { N8nContext, ConvertedNode } from './context.ts';
import { refuseItself, toChildName } from './graph.ts';
import { NotMapped } from '../report.ts';
import { toList, parseNumber, toText } from '../values.ts';

const seconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

/** A block that does nothing and lets its item through. */
export function convertDisabled(context: N8nContext): ConvertedNode {
  return { block: { type: 'wait', params: { duration: 0 } }, out: context.expressions.incoming() };
}

export function convertWait(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  const { parameters, name } = context.node;
  const { expressions } = context;
  const out = expressions.incoming();
  const resume = toText(parameters['resume']);
  if (resume === 'specificTime')
    return {
      block: { type: 'wait', params: { until: expressions.template(parameters['dateTime'] ?? '') } },
      out,
    };
  if (resume === 'timeInterval') {
    const factor = seconds[toText(parameters['unit'])] ?? 1;
    const amount = parseNumber(parameters['amount']);
    if (amount !== undefined) return { block: { type: 'wait', params: { duration: amount * factor } }, out };
    const value = expressions.computed(
      `Number(${expressions.javascript(parameters['amount'] ?? 0)}) * ${factor}`,
    );
    return { block: { type: 'wait', params: { duration: template(value) } }, out };
  }
  context.change(`It waited for a ${resume}; here a person or a program answers the pause.`);
  return { block: { type: 'human', params: { title: name } }, out };
}

export function convertRespond(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  const { parameters } = context.node;
  const { expressions } = context;
  const how = toText(parameters['respondWith']);
  const options = objectOf(parameters['options']);
  const status = options['responseCode'];
  const headers = Object.fromEntries(
    toList(objectOf(options['responseHeaders'])['entries'])
      .filter(isObject)
      .map(({ name, value = '' }): [string, Json] => [toText(name), expressions.template(value)]),
  );
  const data = responseData(how, parameters, context);
  context.change('The run goes on behind it, as in n8n; X-Response-Mode: raw answers with its data alone.');
  return {
    block: {
      type: 'response',
      params: {
        ...(data === undefined ? {} : { data }),
        ...(status === undefined ? {} : { status: parseNumber(status) ?? expressions.template(status) }),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
      },
    },
    out: expressions.incoming(),
  };
}

function responseData(how: string, parameters: JsonObject, { expressions }: N8nContext): Json | undefined {
  if (how === 'json') return expressions.json(parameters['responseBody'] ?? '{ "myField": "value" }');
  if (how === 'text') return expressions.template(parameters['responseBody'] ?? '');
  if (how === 'noData') return undefined;
  if (how === 'firstIncomingItem') return template(expressions.computed('itemsOf(input.json)[0]?.json'));
  if (how === 'allIncomingItems')
    return template(expressions.computed('itemsOf(input.json).map(({ json }) => json)'));
  throw new NotMapped(`It answers with ${how}; a response block gives JSON or text.`);
}

export function convertExecute(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const { expressions, around } = context;
  if (toText(parameters['source']) !== 'database')
    throw new NotMapped('It runs a workflow that it holds itself. Import that as a workflow of its own.');
  if (objectOf(parameters['options'])['waitForSubWorkflow'] === false)
    context.change('It waits until the other workflow ends.');
  const name = toChildName(parameters);
  refuseItself(name);
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
  if (Object.keys(given).length === 0)
    context.change('The called workflow gets the item as its input "input": read start.input there.');
  const inputs =
    Object.keys(given).length > 0
      ? expressions.template(given)
      : { input: template(writePath(expressions.incoming())) };
  return {
    block: { type: 'workflow', params: { workflowId: id, inputs } },
    takesAll: toText(parameters['mode']) === 'once',
  };
}

export function convertStop(context: N8nContext): ConvertedNode {
  context.expressions.script.takesFirst = true;
  if (toText(context.node.parameters['errorType']) !== 'errorMessage')
    throw new NotMapped('It fails with an object; throw an error in a function block.');
  const message = context.expressions.template(context.node.parameters['errorMessage'] ?? 'Stopped.');
  context.change('It is a function that throws.');
  return {
    block: { type: 'function', params: { code: 'throw new Error(input.message);', input: { message } } },
  };
}

/** The last page of a form as a response. */
export function convertForm(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  if (toText(parameters['operation']) !== 'completion' || toText(parameters['respondWith']) !== 'text')
    throw new NotMapped(
      'Use a human block, which shows a form and waits, or a response block with the address.',
    );
  context.expressions.script.takesFirst = true;
  context.change('Its page is a response with its title and its message; who shows the form shows them.');
  const { expressions } = context;
  const data = {
    title: expressions.template(parameters['completionTitle'] ?? ''),
    message: expressions.template(parameters['completionMessage'] ?? ''),
  };
  return { block: { type: 'response', params: { data } }, out: expressions.incoming() };
}
