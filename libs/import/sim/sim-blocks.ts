import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { sentHeaders } from '../sent-headers.ts';
import { NotMapped } from '../report.ts';
import { requireSandboxed } from '../sandbox.ts';
import { convertAgent, convertEvaluator, convertRouter, convertRoutes } from './sim-models.ts';
import type { SimContext, SimTaken } from './sim-context.ts';
import { toPairs, toRows } from './sim-fields.ts';
import { convertKnowledge, convertTable } from './sim-stores.ts';
import { isOn, parseNumber, parseJsonText, toText } from '../values.ts';

/** Every block that has a counterpart, by its type. */
export const simBlocks: Record<string, (context: SimContext) => SimTaken> = {
  agent: convertAgent,
  evaluator: convertEvaluator,
  router: convertRouter,
  router_v2: convertRoutes,
  function: convertFunction,
  condition: convertCondition,
  api: convertApi,
  response: convertResponse,
  loop: convertLoop,
  parallel: convertParallel,
  workflow: convertWorkflow,
  workflow_input: convertWorkflow,
  wait: convertWait,
  human_in_the_loop: convertHuman,
  knowledge: convertKnowledge,
  table: convertTable,
  variables: convertVariables,
  mcp: convertMcp,
};

const seconds: Record<string, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

function convertFunction(context: SimContext): SimTaken {
  const { fields } = context.block;
  const language = context.plain('language') || 'javascript';
  if (language !== 'javascript') throw new NotMapped(`It is written in ${language}; write it in JavaScript.`);
  const lines = toRows(fields['code']).map(({ content }) => toText(content));
  const code = lines.length > 0 ? lines.join('\n') : context.plain('code');
  requireSandboxed(code, [
    [/\bprocess\.|\benvironmentVariables\b/, 'It reads the environment; give it a secret by its input.'],
  ]);
  if (/["'`](?:<[\w.[\]-]+>|\{\{\w+\}\})["'`]/.test(code))
    throw new NotMapped('A reference stands in a quoted text of its code; take the quotes away.');
  const input: JsonObject = {};
  const written = context.expressions.replace(code, (hole) => {
    const known = Object.keys(input).find((name) => input[name] === hole);
    const name = known ?? `ref${Object.keys(input).length + 1}`;
    input[name] = hole;
    return `input.${name}`;
  });
  const timeout = parseNumber(fields['timeout']);
  return {
    block: {
      type: 'function',
      params: { code: written, ...(Object.keys(input).length > 0 ? { input } : {}) },
      ...(timeout && timeout >= 100 ? { timeout: Math.min(timeout / 1000, 3600) } : {}),
    },
  };
}

function convertCondition(context: SimContext): SimTaken {
  const ports = new Map<string, string>();
  const cases: JsonObject[] = [];
  for (const { id, title, value } of toRows(context.block.fields['conditions'])) {
    const isElse = toText(title).toLowerCase() === 'else';
    const port = isElse ? 'else' : `case_${cases.length + 1}`;
    ports.set(`condition-${toText(id)}`, port);
    if (!isElse) cases.push({ port, when: context.expressions.test(toText(value, 'false') || 'false') });
  }
  return { block: { type: 'condition', cases }, ports };
}

function convertApi(context: SimContext): SimTaken {
  const { expressions, block } = context;
  const { fields } = block;
  const method = (context.plain('method') || 'GET').toUpperCase();
  const filled = (value: Json | undefined): JsonObject =>
    Object.fromEntries(toPairs(value).map(([key, one]): [string, Json] => [key, expressions.template(one)]));
  const headers = sentHeaders(filled(fields['headers']), (note) => context.change(note));
  const query = filled(fields['params']);
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    fields['body'] !== undefined &&
    fields['body'] !== null &&
    fields['body'] !== '';
  const timeout = parseNumber(fields['timeout']);
  const retry = buildRetry(context);
  // It was sent again whatever its method, which a block here does only when that is harmless.
  const repeats = retry !== undefined && isOn(fields['retryNonIdempotent']);
  return {
    block: {
      type: 'http',
      params: {
        method,
        url: expressions.text(context.plain('url')),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
        ...(Object.keys(query).length > 0 ? { query } : {}),
        ...(hasBody
          ? {
              body: isForm(headers)
                ? buildForm(context, fields['body'] ?? null)
                : buildBody(context, fields['body'] ?? null),
            }
          : {}),
        ...(repeats ? { idempotent: true } : {}),
      },
      ...(timeout && timeout >= 100 ? { timeout: timeout / 1000 } : {}),
      ...(retry === undefined ? {} : { retry }),
    },
  };
}

function buildRetry(context: SimContext): JsonObject | undefined {
  const { fields } = context.block;
  const retries = parseNumber(fields['retries']) ?? 0;
  if (retries <= 0) return undefined;
  const delay = parseNumber(fields['retryDelayMs']);
  if (retries > 9) context.change(`It has ten attempts in place of ${retries + 1}; a block has no more.`);
  if (fields['retryMaxDelayMs'])
    context.change('The longest delay between its attempts is left out; each delay is twice the one before.');
  return {
    maxAttempts: Math.min(Math.floor(retries) + 1, 10),
    ...(delay === undefined ? {} : { initialDelay: Math.min(Math.max(delay / 1000, 0.1), 3600) }),
  };
}

const isForm = (headers: JsonObject) =>
  Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded/i.test(toText(value)),
  );

/** A body whose content type is a form: the text that is sent, or its members when the block is to encode their values. */
function buildForm(context: SimContext, body: Json): Json {
  const members = buildBody(context, body);
  if (!isObject(members)) return members;
  const nested = Object.entries(members).find(([, value]) => typeof value === 'object');
  if (nested)
    throw new NotMapped(
      `The member "${nested[0]}" of its form is no text: build the text in a function block.`,
    );
  const texts = Object.entries(members).map(([name, value]): [string, string] => [name, toText(value)]);
  if (texts.some(([, value]) => value.includes('{{'))) return members;
  return texts.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}

/** JSON as JSON, and any other text as text. */
function buildBody({ expressions }: SimContext, body: Json): Json {
  try {
    return expressions.json(body);
  } catch (error) {
    if (!(error instanceof NotMapped) || !error.message.startsWith('This is no JSON')) throw error;
    return expressions.template(body);
  }
}

function convertResponse(context: SimContext): SimTaken {
  const { expressions, block, around } = context;
  const { fields } = block;
  const isJson = context.plain('dataMode') === 'json';
  const data = isJson ? expressions.json(fields['data'] ?? null) : getBuilt(context, fields['builderData']);
  const headers = Object.fromEntries(
    toPairs(fields['headers']).map(([key, one]): [string, Json] => [key, expressions.template(one)]),
  );
  const status = context.plain('status');
  if (around.followers.size > 0) context.change('It ended the run; here the run goes on behind it.');
  context.change('X-Response-Mode: raw answers with its data alone.');
  return {
    block: {
      type: 'response',
      params: {
        data,
        ...(status ? { status: parseNumber(status) ?? expressions.template(status) } : {}),
        ...(Object.keys(headers).length > 0 ? { headers } : {}),
      },
    },
  };
}

/** The object that rows of names, types and values make. */
function getBuilt(context: SimContext, rows: Json | undefined): JsonObject {
  return Object.fromEntries(
    toRows(rows)
      .filter(({ name }) => toText(name) !== '' && toText(name) !== '__proto__')
      .map(({ name, type, value = null }): [string, Json] => [
        toText(name),
        toTyped(context, value, toText(type)),
      ]),
  );
}

function toTyped(context: SimContext, value: Json, type: string): Json {
  const { expressions } = context;
  if (
    Array.isArray(value) &&
    (type === 'object' || type === 'array') &&
    toRows(value).every((row) => 'value' in row && 'type' in row)
  ) {
    const made = toRows(value).map((row): [string, Json] => [
      toText(row['name']),
      toTyped(context, row['value'] ?? null, toText(row['type'])),
    ]);
    return type === 'array' ? made.map(([, one]) => one) : Object.fromEntries(made);
  }
  if (typeof value !== 'string') return expressions.template(value);
  if (type === 'number') return parseNumber(value) ?? expressions.template(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return type === 'object' || type === 'array' ? expressions.json(value) : expressions.template(value);
}

function convertLoop(context: SimContext): SimTaken {
  const { data } = context.block;
  const { collect } = context.around;
  const kind = toText(data['loopType'], 'for');
  const iterations = parseNumber(data['count']) ?? parseNumber(data['iterations']) ?? 5;
  const most = { maxIterations: 1000 };
  if (kind === 'while' || kind === 'doWhile')
    context.change(`It has at most ${most.maxIterations} passes; change maxIterations for more.`);
  const test = (name: string, wanted: 'true' | 'false') =>
    context.around.inside.test(toText(data[name]), wanted);
  if (kind === 'while')
    return { block: { type: 'loop', params: { while: test('whileCondition', 'true'), ...most, collect } } };
  if (kind === 'doWhile') {
    const name = toText(data['doWhileCondition']) ? 'doWhileCondition' : 'whileCondition';
    return { block: { type: 'loop', params: { until: test(name, 'false'), ...most, collect } } };
  }
  const over: JsonObject =
    kind === 'forEach' ? { forEach: toItems(context, data['collection']) } : { count: iterations };
  return { block: { type: 'loop', params: { ...over, collect } } };
}

function convertParallel(context: SimContext): SimTaken {
  const { data } = context.block;
  const isCount = toText(data['parallelType'], 'count') === 'count';
  const over: JsonObject = isCount
    ? { count: parseNumber(data['count']) ?? 1 }
    : { forEach: toItems(context, data['collection']) };
  const concurrency = parseNumber(data['batchSize']) ?? 20;
  return { block: { type: 'parallel', params: { ...over, concurrency, collect: context.around.collect } } };
}

function toItems({ expressions }: SimContext, value: Json | undefined): Json {
  const given = parseJsonText(value) ?? parseJsonText(toText(value).replaceAll("'", '"'));
  const made = given === undefined ? expressions.template(value ?? null) : expressions.template(given);
  if (Array.isArray(made) || (typeof made === 'string' && made.includes('{{'))) return made;
  throw new NotMapped('It runs over what is no list; give it a list.');
}

function convertWorkflow(context: SimContext): SimTaken {
  const { block, around, expressions } = context;
  const { name, fields } = block;
  const workflowId = around.surroundings.workflows.get(name);
  if (workflowId === undefined) {
    around.needs.addNeed(
      'workflow',
      name,
      `"${name}" runs it: import it first, under this name, and then this file again.`,
    );
    throw new NotMapped(
      `It runs a workflow, which is looked for under the name of the block, "${name}", and the workspace has none. Import that first, then this file again.`,
    );
  }
  context.change(`It runs the workflow that is called "${name}".`);
  const inputs = Object.fromEntries(
    toPairs(fields['inputMapping']).map(([key, one]): [string, Json] => [key, expressions.template(one)]),
  );
  const input: JsonObject = fields['input'] ? { input: expressions.template(fields['input']) } : {};
  return { block: { type: 'workflow', params: { workflowId, inputs: { ...input, ...inputs } } } };
}

function convertWait({ block: { fields }, expressions }: SimContext): SimTaken {
  const unit =
    fields['async'] === true
      ? toText(fields['timeUnitLong'], 'minutes')
      : toText(fields['timeUnit'], 'seconds');
  const factor = seconds[unit] ?? 1;
  const amount = parseNumber(fields['timeValue'] ?? 10);
  if (amount !== undefined) return { block: { type: 'wait', params: { duration: amount * factor } } };
  if (factor !== 1) throw new NotMapped(`Its time is a reference in ${unit}; give it in seconds.`);
  return { block: { type: 'wait', params: { duration: expressions.text(fields['timeValue']) } } };
}

function convertHuman(context: SimContext): SimTaken {
  const { fields, name } = context.block;
  if (toRows(fields['notification']).length > 0)
    context.change('Its notifications are left out; set notify, or send them by a block before it.');
  const shown = Object.entries(getBuilt(context, fields['builderData'])).map(([label, value]) => ({
    label,
    value,
  }));
  const form = toRows(fields['inputFormat']).map((field): JsonObject => {
    const type = toText(field['type'], 'string');
    const known = ['string', 'number', 'boolean'].includes(type);
    if (!known) context.change(`Its field "${toText(field['name'])}" takes text in place of ${type}.`);
    return {
      name: toText(field['name']),
      type: known ? type : 'text',
      ...(toText(field['label']) ? { label: toText(field['label']) } : {}),
      ...(toText(field['description']) ? { description: toText(field['description']) } : {}),
      ...(field['required'] === true ? { required: true } : {}),
    };
  });
  return {
    block: {
      type: 'human',
      params: {
        title: name,
        ...(shown.length > 0 ? { fields: shown } : {}),
        ...(form.length > 0 ? { form } : {}),
      },
    },
  };
}

function convertVariables(context: SimContext): SimTaken {
  const set = Object.fromEntries(
    toRows(context.block.fields['variables']).map(({ variableName, type, value = null }): [string, Json] => [
      context.around.declare(toText(variableName)),
      toTyped(context, value, toText(type)),
    ]),
  );
  return { block: { type: 'variables', params: { set } } };
}

function convertMcp(context: SimContext): SimTaken {
  const { block, around, expressions } = context;
  const url = context.plain('serverUrl', 'url', 'server');
  if (!/^https?:/.test(url)) {
    around.needs.addNeed(
      'mcpServer',
      block.name,
      `"${block.name}" calls it; an export does not hold its address.`,
    );
    throw new NotMapped(
      'An export does not hold the address of its server. Write an mcp block with the url.',
    );
  }
  const given = block.fields['arguments'];
  return {
    block: {
      type: 'mcp',
      params: {
        url: expressions.text(url),
        tool: context.plain('tool'),
        ...(given ? { arguments: expressions.json(given) } : {}),
      },
    },
  };
}
