import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { firstOf, template, writePath } from '../cel-text.ts';
import type { Step } from '../draft.ts';
import { NotUnderstood } from '../javascript.ts';
import type { ConvertedNode, N8nContext } from './context.ts';
import { type N8nNode, toChildName } from './graph.ts';
import { readStoreTool } from './knowledge.ts';
import { getPrompt, type Parts } from './models.ts';
import { NotMapped } from '../report.ts';
import { requireSandboxed } from '../sandbox.ts';
import { secretNameOf } from '../secrets.ts';
import { listOf, numberOf, textOf, wordsOf } from '../values.ts';

/** One tool of an agent: what the model reads of it, and the block that carries it out. */
interface Tool {
  name: string;
  description: string;
  /** The arguments by their names, with what they mean. */
  args: Record<string, string>;
  /** Builds the block from the templates of its arguments. */
  build(read: (arg: string) => string): JsonObject;
  /** The steps into its output to what the model reads. */
  result: string;
}

/**
 * An agent with tools, as a loop: each pass asks the model which tool to use, runs the block of that tool, and adds its answer to the messages,
 * until the model answers.
 */
export function convertToolAgent(context: N8nContext, parts: Parts, system: Json): ConvertedNode {
  const tools = parts.tools.map((node) => readTool(context, node));
  const { id } = context.piece;
  const [messages, answer] = [`${id}_messages`, `${id}_answer`];
  context.around.declare(messages);
  context.around.declare(answer);
  const turn = context.idFor('turn');
  const pick = context.idFor('pick');
  const begin: Step = {
    id: context.idFor('begin'),
    block: {
      type: 'variables',
      params: {
        set: {
          [messages]: [
            { role: 'system', content: `${String(system)}\n\n${instructionsFor(tools)}` },
            { role: 'user', content: getPrompt(context) },
          ],
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
    blocks.push(
      {
        id: run,
        name: tool.name,
        ...tool.build((arg) =>
          template(`${turn}.data[${JSON.stringify(tool.name)}][${JSON.stringify(arg)}]`),
        ),
      },
      {
        id: note,
        type: 'function',
        params: {
          code: `const text = typeof input.result === 'string' ? input.result : JSON.stringify(input.failure ?? input.result);
return [...input.messages, { role: 'assistant', content: input.said }, { role: 'user', content: 'The tool ' + input.name + ' answers: ' + String(text).slice(0, 20000) }];`,
          input: {
            name: tool.name,
            messages: template(`vars.${messages}`),
            said: template(`${turn}.content`),
            result: template(`${run}${tool.result}`),
            failure: template(`${run}.error`),
          },
        },
      },
    );
    edges.push(
      { from: pick, to: run, port: `tool_${i}` },
      { from: run, to: note },
      { from: run, to: note, port: 'error' },
    );
    return note;
  });
  const [keep, end] = [context.idFor('keep'), context.idFor('end')];
  const noted = firstOf(notes.map((root) => ({ root, steps: [] })));
  blocks.push(
    { id: keep, type: 'variables', params: { set: { [messages]: template(writePath(noted)) } } },
    { id: end, type: 'variables', params: { set: { [answer]: template(`${turn}.data.answer`) } } },
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
        maxIterations: numberOf(objectOf(context.node.parameters['options'])['maxIterations']) ?? 10,
      },
      body: { blocks, edges },
    },
    out: { root: id, steps: [], members: { output: { root: 'vars', steps: [answer] } } },
  };
}

const instructionsFor = (tools: Tool[]) =>
  `You have tools. Name one in "tool", with its arguments in the member of its name, and you get what it answers. Name "answer" in "tool" when you can answer, with your answer in "answer".\n${tools.map(({ name, description }) => `${name}: ${description}`).join('\n')}`;

/** The schema of a turn: a tool with its arguments, or the answer. */
function toAnswerSchema(tools: Tool[], { parser }: Parts): JsonObject {
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

const readers: Record<string, (context: N8nContext, node: N8nNode) => Omit<Tool, 'name' | 'description'>> = {
  toolHttpRequest: readCall,
  toolCode: readCode,
  toolWorkflow: readChild,
  toolVectorStore: readStoreTool,
  ...Object.fromEntries(
    ['Qdrant', 'Pinecone', 'Supabase', 'InMemory', 'PGVector'].map((name) => [
      `vectorStore${name}`,
      readStoreTool,
    ]),
  ),
  toolWikipedia: () => ({
    args: { query: 'What to look for.' },
    build: (read) => ({
      type: 'http',
      params: {
        url: 'https://en.wikipedia.org/w/api.php?action=query&generator=search&gsrlimit=3&prop=extracts&exintro=1&explaintext=1&format=json',
        query: { gsrsearch: read('query') },
      },
    }),
    result: '.data',
  }),
  toolSerpApi: (context, node) => ({
    args: { query: 'What to look for.' },
    build: (read) => ({
      type: 'http',
      params: {
        url: 'https://serpapi.com/search.json',
        query: { q: read('query'), api_key: template(readCredential(context, node, 'The key of SerpApi.')) },
      },
    }),
    result: '.data',
  }),
};

function readTool(context: N8nContext, node: N8nNode): Tool {
  const kind = node.type.replace(/^.*\./, '');
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (!read)
    throw new NotMapped(
      `Its tool "${node.name}" is of ${kind}. Write an http, mcp or function block behind a router.`,
    );
  const { parameters } = node;
  const known: Record<string, string> = {
    toolWikipedia: 'Looks up Wikipedia.',
    toolSerpApi: 'Searches the web.',
  };
  const description = parameters['toolDescription'] ?? parameters['description'] ?? known[kind] ?? '';
  return {
    name: wordsOf(textOf(parameters['name'] ?? parameters['toolName'], node.name)),
    description: String(context.expressions.template(description)),
    ...read(context, node),
  };
}

function readCredential(context: N8nContext, node: N8nNode, note: string): string {
  const [credential] = Object.values(objectOf(node.raw['credentials']));
  const label = textOf(objectOf(credential)['name'], `${node.name} key`);
  const name = secretNameOf(label);
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
function readCall(context: N8nContext, node: N8nNode): Omit<Tool, 'name' | 'description'> {
  const { parameters } = node;
  const args: Record<string, string> = {};
  const definitions = listOf(objectOf(parameters['placeholderDefinitions'])['values']).map(objectOf);
  const describe = (name: string) => {
    args[name] ??= textOf(definitions.find((one) => one['name'] === name)?.['description'], name);
  };
  const prepare = (prepared: Json): Fill => {
    for (const [, name = ''] of JSON.stringify(prepared).matchAll(placeholder)) describe(name);
    return (read) => fillIn(prepared, read);
  };
  const pairs = (kind: string) => {
    if (parameters[`send${kind}`] !== true) return undefined;
    const how = textOf(parameters[`specify${kind}`], 'keypair');
    if (how === 'model')
      throw new NotMapped(
        `The model makes up the ${kind.toLowerCase()} of its tool "${node.name}". Say its members.`,
      );
    if (how === 'json') return prepare(context.expressions.json(parameters[`json${kind}`] ?? '{}'));
    return listOf(objectOf(parameters[`parameters${kind}`])['values'])
      .filter(isObject)
      .map((one) => {
        const name = textOf(one['name']);
        if (textOf(one['valueProvider'], 'modelRequired') === 'fieldValue')
          return [name, prepare(context.expressions.template(one['value'] ?? ''))] as const;
        describe(name);
        const fill: Fill = (read) => read(name);
        return [name, fill] as const;
      });
  };
  const url = prepare(context.expressions.template(parameters['url'] ?? ''));
  const [query, headers, body] = [pairs('Query'), pairs('Headers'), pairs('Body')];
  const authorized: JsonObject =
    textOf(parameters['authentication'], 'none') === 'none' && node.raw['credentials'] === undefined
      ? {}
      : {
          Authorization: `Bearer ${template(readCredential(context, node, `The token of "${node.name}"; see how its API takes it.`))}`,
        };
  const build = (part: ReturnType<typeof pairs>, read: Parameters<Fill>[0]): Json | undefined =>
    typeof part === 'function'
      ? part(read)
      : part && Object.fromEntries(part.map(([name, write]): [string, Json] => [name, write(read)]));
  const toObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
  return {
    args,
    build: (read) => {
      const all: JsonObject = { ...authorized, ...toObject(build(headers, read)) };
      const asked = toObject(build(query, read));
      const sent = build(body, read);
      return {
        type: 'http',
        params: {
          method: textOf(parameters['method'], 'GET'),
          url: url(read),
          ...(Object.keys(all).length > 0 ? { headers: all } : {}),
          ...(Object.keys(asked).length > 0 ? { query: asked } : {}),
          ...(sent === undefined ? {} : { body: sent }),
        },
      };
    },
    result: '.data',
  };
}

/** The tool Code: a function of the text `query`. */
function readCode(context: N8nContext, node: N8nNode): Omit<Tool, 'name' | 'description'> {
  const { parameters } = node;
  if (
    textOf(parameters['language'], 'javaScript') !== 'javaScript' ||
    parameters['specifyInputSchema'] === true
  )
    throw new NotMapped(
      `Its tool "${node.name}" is written in Python, or has a schema. Write a function block.`,
    );
  const code = textOf(parameters['jsCode']);
  requireSandboxed(code);
  let checked: string;
  try {
    checked = context.expressions.script.code(code, ['query']);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    throw new NotMapped(`The code of its tool "${node.name}" cannot run here: ${error.message}.`);
  }
  return {
    args: { query: 'The text that the tool gets.' },
    build: (read) => ({
      type: 'function',
      params: { code: `const query = input.query;\n${checked}`, input: { query: read('query') } },
    }),
    result: '',
  };
}

/** The tool that runs another workflow. */
function readChild(context: N8nContext, node: N8nNode): Omit<Tool, 'name' | 'description'> {
  const name = toChildName(node.parameters);
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
  return {
    args: { query: 'The text that the workflow gets.' },
    build: (read) => ({ type: 'workflow', params: { workflowId: id, inputs: { query: read('query') } } }),
    result: '',
  };
}
