import type { Json, JsonObject } from '#libs/platform/json/json';
import { NotMapped, type Needs } from '../report.ts';
import { readSecret, toSecretName } from '../secrets.ts';
import { template } from '../cel-text.ts';
import type { SimContext, SimTaken } from './sim-context.ts';
import { getFormat, toRows } from './sim-fields.ts';
import { parseNumber, toText } from '../values.ts';

/** The parameters that every block with a model has. */
function getModel(context: SimContext): JsonObject {
  const { fields } = context.block;
  const model = context.plain('model');
  if (model === '') throw new NotMapped('It names no model.');
  const setting = (name: string) =>
    context.plain(name) === ''
      ? undefined
      : (parseNumber(fields[name]) ?? context.expressions.text(fields[name]));
  const [temperature, maxTokens] = [setting('temperature'), setting('maxTokens')];
  const others = ['reasoningEffort', 'verbosity', 'thinkingLevel'].filter(
    (name) => !/^(auto|none)?$/.test(context.plain(name)),
  );
  if (others.length > 0) context.change(`It also says ${others.join(', ')}, which nothing reads here.`);
  return {
    model: context.expressions.text(model),
    ...getKey(context, context.around.needs),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** A key that stands in the file is not taken over: every copy of a definition would hold it. */
function getKey(context: SimContext, needs: Needs): JsonObject {
  const key = context.plain('apiKey');
  if (key === '') return {};
  if (/^\{\{\s*\w+\s*\}\}$/.test(key)) return { apiKey: context.expressions.text(key) };
  const name = toSecretName(`${context.block.name} key`);
  context.change(`Its key is the secret ${name}.`);
  return { apiKey: template(readSecret(needs, name, `The key of the model of "${context.block.name}".`)) };
}

export function convertAgent(context: SimContext): SimTaken {
  const { block, expressions } = context;
  const { fields } = block;
  if (toRows(fields['tools']).length > 0)
    throw new NotMapped(
      'It calls tools. Use an llm block with a responseSchema, and http, mcp or function blocks behind a router.',
    );
  const memory = context.plain('memoryType');
  if (memory !== '' && memory !== 'none')
    throw new NotMapped(
      'It remembers earlier runs. Keep the messages in a table, and give them to an llm block.',
    );
  if (toRows(fields['skills']).length > 0 || toRows(fields['files']).length > 0)
    throw new NotMapped('It uses skills or files. Put their text into the prompt of an llm block.');
  const schema = getFormat(fields['responseFormat']);
  const written = toRows(fields['messages']).map(({ role, content }) => ({
    role: toText(role, 'user'),
    content: expressions.text(content),
  }));
  const [system, prompt] = [context.plain('systemPrompt'), context.plain('userPrompt')];
  if (written.length === 0 && prompt === '') throw new NotMapped('It has no prompt.');
  return {
    block: {
      type: 'llm',
      params: {
        ...getModel(context),
        ...(system ? { system: expressions.text(system) } : {}),
        ...(written.length > 0 ? { messages: written } : { prompt: expressions.text(prompt) }),
        ...(schema ? { responseSchema: schema } : {}),
      },
    },
  };
}

export function convertEvaluator(context: SimContext): SimTaken {
  const { fields } = context.block;
  const metrics = toRows(fields['metrics']).map(({ name, description, range }): JsonObject => {
    const { min = 0, max = 10 } =
      typeof range === 'object' && range !== null && !Array.isArray(range) ? range : {};
    return {
      name: toText(name),
      description: toText(description) || toText(name),
      min: parseNumber(min) ?? 0,
      max: parseNumber(max) ?? 10,
    };
  });
  const content: Json = context.expressions.template(fields['content'] ?? '');
  return { block: { type: 'evaluator', params: { ...getModel(context), content, metrics } } };
}

/** The older router, whose routes are the blocks to which its ways lead. */
export function convertRouter(context: SimContext): SimTaken {
  const { followers } = context.around;
  const ports = new Map([...followers.keys()].map((id, i) => [`to ${id}`, `route_${i + 1}`]));
  const routes = [...followers].map(([id, name]) => ({
    port: ports.get(`to ${id}`) ?? '',
    description: name,
  }));
  context.change('Its routes have the names of the blocks behind them as descriptions; write better ones.');
  return routed(context, 'prompt', routes, ports);
}

export function convertRoutes(context: SimContext): SimTaken {
  const ports = new Map<string, string>();
  const routes = toRows(context.block.fields['routes']).map(({ id, title, description, value }, i) => {
    const port = `route_${i + 1}`;
    ports.set(`router-${toText(id)}`, port);
    return { port, description: toText(value) || toText(description) || toText(title) };
  });
  return routed(context, 'context', routes, ports);
}

function routed(
  context: SimContext,
  field: string,
  routes: { port: string; description: string }[],
  ports: Map<string, string>,
): SimTaken {
  const input = context.expressions.template(context.block.fields[field] ?? '');
  const described = routes.map(({ port, description }) => ({
    port,
    description: context.expressions.text(description),
  }));
  return { block: { type: 'router', params: { ...getModel(context), input, routes: described } }, ports };
}
