import type { Json, JsonObject } from '#libs/platform/json/json';
import { NotMapped, type Needs } from './report.ts';
import { readSecret, secretNameOf } from './secrets.ts';
import { template } from './cel-text.ts';
import type { SimContext, SimTaken } from './sim-context.ts';
import { formatOf, rowsOf } from './sim-fields.ts';
import { numberOf, textOf } from './values.ts';

/** The parameters that every block with a model has. */
function modelOf(context: SimContext): JsonObject {
  const { fields } = context.block;
  const model = context.plain('model');
  if (model === '') throw new NotMapped('It names no model.');
  const temperature = numberOf(fields['temperature']);
  const maxTokens = numberOf(fields['maxTokens']);
  return {
    model: context.expressions.text(model),
    ...keyOf(context, context.around.needs),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** A key that stands in the file is not taken over: every copy of a definition would hold it. */
function keyOf(context: SimContext, needs: Needs): JsonObject {
  const key = context.plain('apiKey');
  if (key === '') return {};
  if (/^\{\{\s*\w+\s*\}\}$/.test(key)) return { apiKey: context.expressions.text(key) };
  const name = secretNameOf(`${context.block.name} key`);
  context.change(`Its key is the secret ${name}.`);
  return { apiKey: template(readSecret(needs, name, `The key of the model of "${context.block.name}".`)) };
}

export function convertAgent(context: SimContext): SimTaken {
  const { block, expressions } = context;
  const { fields } = block;
  if (rowsOf(fields['tools']).length > 0)
    throw new NotMapped(
      'It calls tools. Use an llm block with a responseSchema, and http, mcp or function blocks behind a router.',
    );
  const memory = context.plain('memoryType');
  if (memory !== '' && memory !== 'none')
    throw new NotMapped(
      'It remembers earlier runs. Keep the messages in a table, and give them to an llm block.',
    );
  if (rowsOf(fields['skills']).length > 0 || rowsOf(fields['files']).length > 0)
    throw new NotMapped('It uses skills or files. Put their text into the prompt of an llm block.');
  const schema = formatOf(fields['responseFormat']);
  const written = rowsOf(fields['messages']).map(({ role, content }) => ({
    role: textOf(role, 'user'),
    content: expressions.text(content),
  }));
  const [system, prompt] = [context.plain('systemPrompt'), context.plain('userPrompt')];
  if (written.length === 0 && prompt === '') throw new NotMapped('It has no prompt.');
  return {
    block: {
      type: 'llm',
      params: {
        ...modelOf(context),
        ...(system ? { system: expressions.text(system) } : {}),
        ...(written.length > 0 ? { messages: written } : { prompt: expressions.text(prompt) }),
        ...(schema ? { responseSchema: schema } : {}),
      },
    },
  };
}

export function convertEvaluator(context: SimContext): SimTaken {
  const { fields } = context.block;
  const metrics = rowsOf(fields['metrics']).map(({ name, description, range }): JsonObject => {
    const { min = 0, max = 10 } =
      typeof range === 'object' && range !== null && !Array.isArray(range) ? range : {};
    return {
      name: textOf(name),
      description: textOf(description) || textOf(name),
      min: numberOf(min) ?? 0,
      max: numberOf(max) ?? 10,
    };
  });
  const content: Json = context.expressions.template(fields['content'] ?? '');
  return { block: { type: 'evaluator', params: { ...modelOf(context), content, metrics } } };
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
  const routes = rowsOf(context.block.fields['routes']).map(({ id, title, description, value }, i) => {
    const port = `route_${i + 1}`;
    ports.set(`router-${textOf(id)}`, port);
    return { port, description: textOf(value) || textOf(description) || textOf(title) };
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
  return { block: { type: 'router', params: { ...modelOf(context), input, routes: described } }, ports };
}
