// An agent and its tools, which are built by the same names.
import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { getFirst, template, writePath } from '../../cel-text.ts';
import type { DraftBlock, DraftStep } from '../../draft.ts';
import { NotUnderstood, parseExpression } from '../../javascript.ts';
import { type ConvertedNode, N8nContext } from '../context.ts';
import { parsePieces } from '../expressions.ts';
import { type N8nNode, refuseItself, toChildName } from '../graph.ts';
import { readStore } from './knowledge.ts';
import type { Parts } from './parts.ts';
import { withDefaults } from '../table.ts';
import { NotMapped } from '../../report.ts';
import { requireSandboxed } from '../../sandbox.ts';
import { toSecretName } from '../../secrets.ts';
import { toList, parseNumber, toText, toWords } from '../../values.ts';

/** One tool of an agent: what the model reads of it, and the block that carries it out. */
interface AgentTool {
  name: string;
  description: string;
  /** The arguments by their names, with what they mean. */
  args: Record<string, string>;
  /** Builds the blocks from the templates of its arguments; the last is named `id`, or follows on that. */
  build(id: string, read: ReadArgument): { steps: DraftStep[]; result: string };
}

type ReadArgument = (arg: string) => string;
export type ToolBody = Omit<AgentTool, 'name' | 'description'>;

/** A tool of one block. */
const toOne = (
  args: AgentTool['args'],
  block: (read: ReadArgument) => JsonObject,
  result = '',
): ToolBody => ({
  args,
  build: (id, read) => ({ steps: [{ id, block: block(read) }], result: `${id}${result}` }),
});

/**
 * An agent with tools, as a loop: each pass asks the model which tool to use, runs the block of that tool, and adds its answer to the messages,
 * until the model answers.
 */
export function convertToolAgent(context: N8nContext, parts: Parts, asked: JsonObject[]): ConvertedNode {
  const tools = parts.tools.map((node) => readTool(context, node));
  const { id } = context.piece;
  const [messages, answer] = [`${id}_messages`, `${id}_answer`];
  context.around.declare(messages);
  context.around.declare(answer);
  const turn = context.idFor('turn');
  const pick = context.idFor('pick');
  const begin: DraftStep = {
    id: context.idFor('begin'),
    block: {
      type: 'variables',
      params: {
        set: {
          [messages]: [{ role: 'system', content: instructionsFor(tools) }, ...asked],
          [answer]: null,
        },
      },
    },
  };
  const blocks: JsonObject[] = [
    {
      id: turn,
      type: 'llm',
      params: {
        ...parts.model,
        messages: template(`vars.${messages}`),
        responseSchema: toAnswerSchema(tools, parts),
      },
    },
    {
      id: pick,
      type: 'condition',
      cases: tools.map(({ name }, i) => ({
        port: `tool_${i}`,
        when: `${turn}.data.tool == ${JSON.stringify(name)}`,
      })),
    },
  ];
  const edges: JsonObject[] = [
    { from: 'start', to: turn },
    { from: turn, to: pick },
  ];
  const notes = tools.map((tool, i) => {
    const [run, note] = [context.idFor(tool.name), context.idFor(`${tool.name} answer`)];
    const { steps, result } = tool.build(run, (arg) =>
      template(`${turn}.data[${JSON.stringify(tool.name)}][${JSON.stringify(arg)}]`),
    );
    blocks.push(...steps.map(({ id: step, block }) => ({ id: step, name: tool.name, ...block })), {
      id: note,
      type: 'function',
      params: {
        code: `const answer = input.failure ?? input.result;
const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
return [...input.messages, { role: 'assistant', content: input.said }, { role: 'user', content: 'The tool ' + input.name + ' answers: ' + String(text).slice(0, 20000) }];`,
        input: {
          name: tool.name,
          messages: template(`vars.${messages}`),
          said: template(`${turn}.content`),
          result: template(result),
          failure: template(writePath(getFirst(steps.map((step) => ({ root: step.id, steps: ['error'] }))))),
        },
      },
    });
    const way = [...steps.map((step) => step.id), note];
    const all = steps.flatMap((step, at): JsonObject[] => [
      { from: step.id, to: way[at + 1] ?? note },
      { from: step.id, to: note, port: 'error' },
    ]);
    edges.push({ from: pick, to: way[0] ?? note, port: `tool_${i}` }, ...all);
    return note;
  });
  const [keep, end] = [context.idFor('keep'), context.idFor('end')];
  const noted = getFirst(notes.map((root) => ({ root, steps: [] })));
  blocks.push(
    { id: keep, type: 'variables', params: { set: { [messages]: template(writePath(noted)) } } },
    {
      id: end,
      type: 'variables',
      params: { set: { [answer]: template(`${turn}.data.answer${parts.parser?.steps[1] ? '.items' : ''}`) } },
    },
  );
  edges.push(...notes.map((from) => ({ from, to: keep })), { from: pick, to: end, port: 'else' });
  context.change(
    `It is a loop: an llm block names a tool, and the block of that tool runs, until the model answers. The tools are ${tools.map(({ name }) => name).join(', ')}.`,
  );
  return {
    before: [begin],
    block: {
      type: 'loop',
      params: {
        until: `vars.${answer} != null`,
        maxIterations: parseNumber(objectOf(context.node.parameters['options'])['maxIterations']) ?? 10,
      },
      body: { blocks, edges },
    },
    out: { root: id, steps: [], members: { output: { root: 'vars', steps: [answer] } } },
  };
}

const instructionsFor = (tools: AgentTool[]) =>
  `You have tools. Name one in "tool", with its arguments in the member of its name, and you get what it answers. Name "answer" in "tool" when you can answer, with your answer in "answer".\n${tools.map(({ name, description }) => `${name}: ${description}`).join('\n')}`;

/** The schema of a turn: a tool with its arguments, or the answer. */
function toAnswerSchema(tools: AgentTool[], { parser }: Parts): JsonObject {
  const properties = Object.fromEntries(
    tools.map(({ name, args }): [string, Json] => [
      name,
      {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(args).map(([arg, description]) => [arg, { type: 'string', description }]),
        ),
      },
    ]),
  );
  return {
    type: 'object',
    properties: {
      tool: { type: 'string', enum: [...tools.map(({ name }) => name), 'answer'] },
      ...properties,
      answer: parser?.schema ?? { type: 'string' },
    },
    required: ['tool'],
  };
}

/** The tool Wikipedia. */
export const readWikipedia = (): ToolBody =>
  toOne(
    { query: 'What to look for.' },
    (read) => ({
      type: 'http',
      params: {
        url: 'https://en.wikipedia.org/w/api.php?action=query&generator=search&gsrlimit=3&prop=extracts&exintro=1&explaintext=1&format=json',
        query: { gsrsearch: read('query') },
      },
    }),
    '.data',
  );

/** The tool SerpApi. */
export function readSearch(context: N8nContext, node: N8nNode): ToolBody {
  const key = template(readCredential(context, node, 'The key of SerpApi.'));
  return toOne(
    { query: 'What to look for.' },
    (read) => ({
      type: 'http',
      params: { url: 'https://serpapi.com/search.json', query: { q: read('query'), api_key: key } },
    }),
    '.data',
  );
}

/** A tool that searches a store of vectors. */
export function readStoreTool(context: N8nContext, node: N8nNode): ToolBody {
  const search = readStore(context, node);
  return toOne({ query: 'What to look for.' }, (read) => search(read('query')), '.results');
}

function readTool(context: N8nContext, node: N8nNode): AgentTool {
  const { parameters } = node;
  const part = context.around.getRow(node)?.part;
  const body = part?.read?.(context, node) ?? readNodeTool(context, node);
  const description =
    parameters['toolDescription'] ?? parameters['description'] ?? part?.note ?? `Does ${node.name}.`;
  return {
    name: toWords(toText(parameters['name'] ?? parameters['toolName'], node.name)),
    description: String(context.expressions.template(description)),
    ...body,
  };
}

/** The name and the meaning of a parameter that is `$fromAI("name", "what it means")` and nothing else. */
function parseFromModel(source: string): string[] {
  let call;
  try {
    call = parseExpression(source);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return [];
  }
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== '$fromAI')
    return [];
  return call.arguments.map((one) => {
    if (one.type === 'TemplateLiteral')
      return one.quasis.map(({ value: { cooked } }) => cooked ?? '').join('');
    return one.type === 'Literal' && typeof one.value === 'string' ? one.value : '';
  });
}

/** A node of the table as a tool: its blocks run with the arguments of the model. */
function readNodeTool(context: N8nContext, node: N8nNode): ToolBody {
  const bare = { ...node, type: node.type.replace(/Tool$/, '') };
  const row = context.around.getRow(bare);
  if (!row?.convert || bare.type === node.type)
    throw new NotMapped(
      `Its tool "${node.name}" is of ${node.type}, which no block does here. Write an http, mcp or function block behind a router.`,
    );
  const args: Record<string, string> = {};
  const mark = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(mark);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mark(one)]));
    if (typeof value !== 'string' || !value.includes('$fromAI')) return value;
    const one = (source: string): string | undefined => {
      const [name = '', meaning] = parseFromModel(source);
      if (name === '') return undefined;
      const arg = toWords(name);
      args[arg] = meaning || name;
      return `zz${arg}zz`;
    };
    const parts = parsePieces(value.slice(1)).map((part) =>
      'text' in part ? part.text : (one(part.source) ?? `{{ ${part.source} }}`),
    );
    const text = parts.join('');
    if (text.includes('$fromAI'))
      throw new NotMapped(
        `The tool "${node.name}" calculates with what the model says. Say it in one parameter.`,
      );
    return text.includes('{{') ? `=${text}` : text;
  };
  const marked = { ...bare, parameters: objectOf(mark(bare.parameters)) };
  const filled = withDefaults(marked, row.parameters);
  const { convert } = row;
  const valuesId = context.idFor(`${node.name} values`);
  return {
    args,
    build: (id, read) => {
      const piece: DraftBlock = { ...context.piece, id, name: node.name, before: [], after: [] };
      const expressions = context.expressions.forBlock(valuesId);
      const inner = new N8nContext(filled, piece, expressions, context.around, (word) =>
        context.idFor(`${node.name} ${word}`),
      );
      inner.parameters = row.parameters ?? {};
      const { block, before = [], after = [], out } = convert(inner);
      const values = expressions.script.isEmpty
        ? []
        : [{ id: valuesId, block: expressions.script.valuesBlock() }];
      const steps = [...values, ...before, { id, block }, ...after].map((step) => ({
        id: step.id,
        block: withArguments(step.block, args, read),
      }));
      return { steps, result: typeof out === 'object' ? writePath(out) : id };
    },
  };
}

/** Puts the arguments into the places that are marked: into code by its input, and elsewhere as templates. */
function withArguments(block: JsonObject, args: Record<string, string>, read: ReadArgument): JsonObject {
  const names = Object.keys(args);
  const fill = (value: Json): Json => {
    if (typeof value === 'string')
      return names.reduce((text, arg) => text.replaceAll(`zz${arg}zz`, () => read(arg)), value);
    if (Array.isArray(value)) return value.map(fill);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one)]))
      : value;
  };
  if (block['type'] !== 'function') return objectOf(fill(block));
  const params = objectOf(block['params']);
  const code = names.reduce(
    (text, arg) =>
      text
        .replaceAll(`"zz${arg}zz"`, `input.args[${JSON.stringify(arg)}]`)
        .replaceAll(`zz${arg}zz`, `" + input.args[${JSON.stringify(arg)}] + "`),
    toText(params['code']),
  );
  const given = Object.fromEntries(names.map((arg) => [arg, read(arg)]));
  return { ...block, params: { code, input: { ...objectOf(fill(params['input'] ?? {})), args: given } } };
}

function readCredential(context: N8nContext, node: N8nNode, note: string): string {
  const [credential] = Object.values(objectOf(node.raw['credentials']));
  const label = toText(objectOf(credential)['name'], `${node.name} key`);
  const name = toSecretName(label);
  context.change(`The credential "${label}" of "${node.name}" is the secret ${name}.`);
  return context.readSecret(name, note);
}

/** The names in braces that the model fills in. */
const placeholder = /(?<!\{)\{\s*([A-Za-z_]\w*)\s*\}(?!\})/g;

type Fill = (read: (arg: string) => string) => Json;

/** Puts the arguments into the places that are in braces. */
function fillIn(value: Json, read: (arg: string) => string): Json {
  if (typeof value === 'string') return value.replace(placeholder, (_, name: string) => read(name));
  if (Array.isArray(value)) return value.map((one) => fillIn(one, read));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillIn(one, read)]));
}

/** The tool HTTP Request: a call with places that the model fills in. */
export function readCall(context: N8nContext, node: N8nNode): ToolBody {
  const { parameters } = node;
  const args: Record<string, string> = {};
  const definitions = toList(objectOf(parameters['placeholderDefinitions'])['values']).map(objectOf);
  const describe = (name: string) => {
    args[name] ??= toText(definitions.find((one) => one['name'] === name)?.['description'], name);
  };
  const prepare = (prepared: Json): Fill => {
    for (const [, name = ''] of JSON.stringify(prepared).matchAll(placeholder)) describe(name);
    return (read) => fillIn(prepared, read);
  };
  const pairs = (kind: string) => {
    if (parameters[`send${kind}`] !== true) return undefined;
    const how = toText(parameters[`specify${kind}`], 'keypair');
    if (how === 'model')
      throw new NotMapped(
        `The model makes up the ${kind.toLowerCase()} of its tool "${node.name}". Say its members.`,
      );
    if (how === 'json') return prepare(context.expressions.json(parameters[`json${kind}`] ?? '{}'));
    return toList(objectOf(parameters[`parameters${kind}`])['values'])
      .filter(isObject)
      .map((one) => {
        const name = toText(one['name']);
        if (toText(one['valueProvider'], 'modelRequired') === 'fieldValue')
          return [name, prepare(context.expressions.template(one['value'] ?? ''))] as const;
        describe(name);
        const fill: Fill = (read) => read(name);
        return [name, fill] as const;
      });
  };
  const url = prepare(context.expressions.template(parameters['url'] ?? ''));
  const [query, headers, body] = [pairs('Query'), pairs('Headers'), pairs('Body')];
  const authorized: JsonObject =
    toText(parameters['authentication'], 'none') === 'none' && node.raw['credentials'] === undefined
      ? {}
      : {
          Authorization: `Bearer ${template(readCredential(context, node, `The token of "${node.name}"; see how its API takes it.`))}`,
        };
  const build = (part: ReturnType<typeof pairs>, read: ReadArgument): Json | undefined =>
    typeof part === 'function'
      ? part(read)
      : part && Object.fromEntries(part.map(([name, write]): [string, Json] => [name, write(read)]));
  const toObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
  return toOne(
    args,
    (read) => {
      const all: JsonObject = { ...authorized, ...toObject(build(headers, read)) };
      const asked = toObject(build(query, read));
      const sent = build(body, read);
      return {
        type: 'http',
        params: {
          method: toText(parameters['method'], 'GET'),
          url: url(read),
          ...(Object.keys(all).length > 0 ? { headers: all } : {}),
          ...(Object.keys(asked).length > 0 ? { query: asked } : {}),
          ...(sent === undefined ? {} : { body: sent }),
        },
      };
    },
    '.data',
  );
}

/** The tool Code: a function of the text `query`. */
export function readCode(context: N8nContext, node: N8nNode): ToolBody {
  const { parameters } = node;
  if (
    toText(parameters['language'], 'javaScript') !== 'javaScript' ||
    parameters['specifyInputSchema'] === true
  )
    throw new NotMapped(
      `Its tool "${node.name}" is written in Python, or has a schema. Write a function block.`,
    );
  const code = toText(parameters['jsCode']);
  requireSandboxed(code);
  let checked: string;
  try {
    checked = context.expressions.script.code(code, ['query']);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    throw new NotMapped(`The code of its tool "${node.name}" cannot run here: ${error.message}.`);
  }
  return toOne({ query: 'The text that the tool gets.' }, (read) => ({
    type: 'function',
    params: { code: `const query = input.query;\n${checked}`, input: { query: read('query') } },
  }));
}

/** The tool that runs another workflow. */
export function readChild(context: N8nContext, node: N8nNode): ToolBody {
  const name = toChildName(node.parameters);
  refuseItself(name);
  const id = context.around.surroundings.workflows.get(name);
  if (id === undefined) {
    context.around.needs.addNeed(
      'workflow',
      name,
      `"${node.name}" runs it: import it first, under this name, and then this file again.`,
    );
    throw new NotMapped(
      `Its tool "${node.name}" runs the workflow "${name}", which the workspace does not have. Import that first, then this file again.`,
    );
  }
  return toOne({ query: 'The text that the workflow gets.' }, (read) => ({
    type: 'workflow',
    params: { workflowId: id, inputs: { query: read('query') } },
  }));
}
