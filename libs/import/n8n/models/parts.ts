import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { template } from '../../cel-text.ts';
import type { N8nContext } from '../context.ts';
import type { N8nNode } from '../graph.ts';
import { NotMapped } from '../../report.ts';
import { toSecretName } from '../../secrets.ts';
import { toPlain } from '../services/service.ts';
import { findUnread, type N8nPart } from '../table.ts';
import { parseNumber, parseJsonText, toText } from '../../values.ts';

/** The key of a model, as a template that reads a secret. */
export function getKey(context: N8nContext, node: N8nNode): string {
  const [kind] = Object.values(objectOf(node.raw['credentials']));
  const label = toText(objectOf(kind)['name'], `${node.name} key`);
  const name = toSecretName(label);
  context.change(`Its credential "${label}" is the secret ${name}.`);
  return template(context.readSecret(name, `The key of the model of "${context.node.name}".`));
}

const byName = (nodes: N8nNode[]) => nodes.map(({ name }) => `"${name}"`).join(', ');

/** The parts of a node: its model as parameters of a block, the schema of its answer, and its tools. */
export interface Parts {
  model: JsonObject;
  /** The schema, the steps into the output to the value, and whether n8n has it as the member `output`. */
  parser?: { schema: JsonObject; steps: string[]; isWrapped: boolean };
  tools: N8nNode[];
  retriever?: N8nNode;
}

/** Reads what is attached to a node; `own` is the model of a node that is one itself. Throws NotMapped for what an llm block does not have. */
export function readParts(context: N8nContext, own?: JsonObject): Parts {
  const all = context.attached;
  const ofKind = (kind: N8nPart['kind'] | undefined) =>
    all.filter((node) => context.around.getRow(node)?.part?.kind === kind);
  const [model, ...others] = ofKind('model');
  const [retriever] = ofKind('retriever');
  const isTool = ({ type }: N8nNode) => type.endsWith('Tool');
  const unknown = ofKind(undefined).filter((node) => !isTool(node));
  const memories = ofKind('memory');
  if (unknown.length > 0)
    throw new NotMapped(
      `It uses ${byName(unknown)} (${unknown.map(({ type }) => type).join(', ')}), which no block does here.`,
    );
  if (!model && !own) throw new NotMapped('No model is attached to it. Name one in an llm block.');
  if (others.length > 0) throw new NotMapped('It has several models. Write an llm block for each.');
  if (memories.length > 0)
    context.change(
      `Its memory ${byName(memories)} is left out: each run begins without the messages before. Keep them in a table, and give them as messages.`,
    );
  const parser = readParser(context, ofKind('parser'));
  return {
    model: model ? readModel(context, model) : (own ?? {}),
    ...(parser ? { parser } : {}),
    ...(retriever ? { retriever } : {}),
    tools: all.filter((node) => isTool(node) || context.around.getRow(node)?.part?.kind === 'tool'),
  };
}

function readModel(context: N8nContext, node: N8nNode): JsonObject {
  const row = context.around.getRow(node);
  const part = row?.part;
  const named = toPlain(node.parameters['model'] ?? node.parameters['modelName'] ?? '');
  const options = objectOf(node.parameters['options']);
  const url = toText(options['baseURL']) || part?.baseUrl;
  if (part?.note) context.change(part.note);
  const unread = findUnread(node, row?.parameters);
  if (unread.length > 0)
    context.change(`"${node.name}" also says ${unread.join(', ')}, which nothing reads here.`);
  return {
    model: toText(context.expressions.template(named)).replace(/^models\//, ''),
    ...(part?.isOpen ? {} : { apiKey: getKey(context, node) }),
    ...(url ? { baseUrl: url } : {}),
    ...readSettings(context, options),
  };
}

/** The settings of a model, which may be calculated. */
export function readSettings({ expressions }: N8nContext, options: JsonObject): JsonObject {
  const read = (value: Json | undefined) =>
    toText(value).startsWith('=') ? expressions.template(value ?? null) : parseNumber(value);
  const temperature = read(options['temperature']);
  const maxTokens = read(options['maxTokens'] ?? options['maxTokensToSample'] ?? options['maxOutputTokens']);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined || Number(maxTokens) <= 0 ? {} : { maxTokens }),
  };
}

/** The schema of what parses the answer; one that corrects the answer has the parser that it corrects. */
function readParser(context: N8nContext, [first]: N8nNode[]): Parts['parser'] {
  if (!first) {
    if (context.node.parameters['hasOutputParser'] === true)
      context.change('It has no parser, so its answer is a text.');
    return undefined;
  }
  const inner = context.around
    .attachedTo(first.name)
    .find((node) => context.around.getRow(node)?.part?.kind === 'parser');
  const node = inner ?? first;
  const { parameters, version } = node;
  context.change('Its answer is checked by a responseSchema.');
  const schema = toSchema(parameters, version, version >= 1.3);
  // A model is asked for an object, so a list is a member of one.
  const isList = schema['type'] === 'array';
  return {
    schema: isList ? { type: 'object', properties: { items: schema }, required: ['items'] } : schema,
    steps: isList ? ['data', 'items'] : ['data'],
    isWrapped: version >= 1.1,
  };
}

/** A schema that is written as JSON, or that an example of an answer shows. */
export function toSchema(parameters: JsonObject, version: number, allRequired: boolean): JsonObject {
  const isExample = version >= 1.2 && toText(parameters['schemaType'], 'fromJson') === 'fromJson';
  const written = isExample
    ? parameters['jsonSchemaExample']
    : (parameters['inputSchema'] ?? parameters['jsonSchema']);
  const parsed = parseJsonText(written);
  if (!isObject(parsed) && !Array.isArray(parsed))
    throw new NotMapped('The schema of its answer is calculated, or no JSON.');
  return isExample ? describe(parsed, allRequired) : objectOf(withoutNames(parsed));
}

/** The schema of an example. */
function describe(value: Json, allRequired: boolean): JsonObject {
  if (Array.isArray(value))
    return { type: 'array', ...(value[0] === undefined ? {} : { items: describe(value[0], allRequired) }) };
  if (!isObject(value)) return { type: value === null ? 'null' : typeof value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, describe(one, allRequired)]),
  );
  return { type: 'object', properties, ...(allRequired ? { required: Object.keys(properties) } : {}) };
}

/** Members that name a schema, and say nothing of a value. */
function withoutNames(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]): [string, Json][] =>
      /^\$(schema|id)$|^(examples|default)$/.test(name) && !isObject(one) ? [] : [[name, withoutNames(one)]],
    ),
  );
}

/** The prompt of a chain or an agent: what it defines, else what the item brings. */
export function getPrompt({ node: { parameters }, expressions }: N8nContext): Json {
  const defines = toText(parameters['promptType']) !== 'auto';
  const written = parameters['text'] ?? parameters['prompt'] ?? parameters['query'];
  if (toText(parameters['promptType']) === 'guardrails')
    throw new NotMapped('Its prompt comes from a node of guardrails.');
  return expressions.template(defines && written !== undefined ? written : '={{ $json.chatInput }}');
}

/** The text that a loader of documents takes from its item, as an expression of n8n. */
export function getDocument(loader: N8nNode | undefined): Json {
  if (!loader)
    throw new NotMapped('It has no loader of documents. Use a knowledge block with the operation add.');
  const { dataType, jsonMode, jsonData = '', pointers } = loader.parameters;
  if (
    !/\.document(DefaultDataLoader|JsonInputLoader)$/.test(loader.type) ||
    toText(dataType, 'json') === 'binary'
  )
    throw new NotMapped(
      'It reads a file of the run. Give the address of the file to a knowledge block, or its text to an llm block.',
    );
  if (toText(jsonMode) === 'expressionData') return jsonData;
  const steps = toText(pointers).split('/').slice(1);
  if (toText(pointers).includes(','))
    throw new NotMapped('Its loader takes several parts of the item. Put them together before it.');
  return steps.length > 0
    ? `={{ $json${steps.map((step) => `?.[${JSON.stringify(step)}]`).join('')} }}`
    : '={{ JSON.stringify($json) }}';
}
