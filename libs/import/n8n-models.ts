import { isObject, type Json, type JsonObject, objectOf } from '#libs/platform/json/json';
import { template } from './cel-text.ts';
import type { ConvertedNode, N8nContext } from './n8n-context.ts';
import type { N8nNode } from './n8n-graph.ts';
import { NotMapped } from './report.ts';
import { secretNameOf } from './secrets.ts';
import { listOf, numberOf, textOf } from './values.ts';

const langchain = '@n8n/n8n-nodes-langchain.';

/** The providers whose models answer in the form of OpenAI's, by the type of their node: the address, and the model where none is named. */
const providers: Record<string, { baseUrl?: string; model: string }> = {
  lmChatOpenAi: { model: 'gpt-4o-mini' },
  lmOpenAi: { model: 'gpt-3.5-turbo-instruct' },
  lmChatGoogleGemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    model: 'gemini-2.5-flash',
  },
  lmChatAnthropic: { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-sonnet-4-5' },
  lmChatGroq: { baseUrl: 'https://api.groq.com/openai/v1', model: 'llama3-8b-8192' },
  lmChatOpenRouter: { baseUrl: 'https://openrouter.ai/api/v1', model: 'openai/gpt-4.1-mini' },
  lmChatDeepSeek: { baseUrl: 'https://api.deepseek.com/v1', model: 'deepseek-chat' },
  lmChatMistralCloud: { baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-small' },
};

/** The value of a field that may name a thing of a list. */
const chosen = (value: Json | undefined): Json => (isObject(value) ? (value['value'] ?? '') : (value ?? ''));

function keyOf(context: N8nContext, node: N8nNode): string {
  const [kind] = Object.values(objectOf(node.raw['credentials']));
  const label = textOf(objectOf(kind)['name'], `${node.name} key`);
  const name = secretNameOf(label);
  context.change(`Its credential "${label}" is the secret ${name}.`);
  return template(context.readSecret(name, `The key of the model of "${context.node.name}".`));
}

/** The parameters of the model that is attached to a node. */
function attachedModel(context: N8nContext): JsonObject {
  const models = context.around.attached.filter(({ type }) => /^.*\.lm/.test(type));
  const [node] = models;
  if (!node) throw new NotMapped('No model is attached to it. Name one in an llm block.');
  if (models.length > 1) throw new NotMapped('It has several models. Write an llm block for each.');
  const kind = node.type.replace(langchain, '');
  const provider = Object.hasOwn(providers, kind) ? providers[kind] : undefined;
  if (!provider)
    throw new NotMapped(`Its model is of ${kind}. Write an llm block with the address of that model.`);
  const named = chosen(node.parameters['model'] ?? node.parameters['modelName']);
  const options = objectOf(node.parameters['options']);
  const temperature = numberOf(options['temperature']);
  const maxTokens = numberOf(
    options['maxTokens'] ?? options['maxTokensToSample'] ?? options['maxOutputTokens'],
  );
  const url = textOf(options['baseURL']) || provider.baseUrl;
  return {
    model: textOf(context.expressions.template(named)).replace(/^models\//, '') || provider.model,
    apiKey: keyOf(context, node),
    ...(url ? { baseUrl: url } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens !== undefined && maxTokens > 0 ? { maxTokens } : {}),
  };
}

/** Refuses a node with parts that an llm block does not have. */
function requireAlone(context: N8nContext): void {
  const others = context.around.attached.filter(({ type }) => !/\.lm/.test(type));
  if (others.length > 0)
    throw new NotMapped(
      `It uses ${others.map(({ name }) => `"${name}"`).join(', ')}. Use an llm block with a responseSchema, and http, mcp or function blocks behind a router; keep a memory in a table.`,
    );
  const { parameters } = context.node;
  if (parameters['hasOutputParser'] === true)
    throw new NotMapped('It parses the answer. Use an llm block with a responseSchema.');
}

/** The prompt of a chain or an agent: what it defines, else what the item brings. */
function promptOf({ node: { parameters, version }, expressions }: N8nContext, itemsSince: number): Json {
  const defines = version < itemsSince || textOf(parameters['promptType'], 'auto') === 'define';
  const written = parameters['text'] ?? parameters['prompt'];
  return expressions.template(defines && written !== undefined ? written : '={{ $json.chatInput }}');
}

/** A chain of a prompt and a model. */
export function convertChain(context: N8nContext): ConvertedNode {
  requireAlone(context);
  const { parameters } = context.node;
  const prompt = promptOf(context, 1.4);
  const messages = listOf(objectOf(parameters['messages'])['messageValues'])
    .filter(isObject)
    .map((one): JsonObject => {
      const kind = textOf(one['type'], 'SystemMessagePromptTemplate');
      if (textOf(one['messageType'], 'text') !== 'text')
        throw new NotMapped('It gives pictures to the model, which an llm block does not.');
      const role = kind.startsWith('System') ? 'system' : kind.startsWith('AI') ? 'assistant' : 'user';
      return { role, content: context.expressions.template(one['message'] ?? '') };
    });
  context.change('It is an llm block: the model is called in the form of OpenAI.');
  const content = { root: context.piece.id, steps: ['content'] };
  return {
    block: {
      type: 'llm',
      params: { ...attachedModel(context), messages: [...messages, { role: 'user', content: prompt }] },
    },
    out: {
      root: context.piece.id,
      steps: [],
      members: { text: content, response: { root: '', steps: [], members: { text: content } } },
    },
  };
}

/** An agent without tools and memory, which asks its model once. */
export function convertAgent(context: N8nContext): ConvertedNode {
  requireAlone(context);
  const { parameters } = context.node;
  const system = objectOf(parameters['options'])['systemMessage'];
  context.change('It is an llm block: without tools an agent asks its model once.');
  return {
    block: {
      type: 'llm',
      params: {
        ...attachedModel(context),
        system: context.expressions.template(system ?? 'You are a helpful assistant'),
        prompt: promptOf(context, 1.6),
      },
    },
    out: {
      root: context.piece.id,
      steps: [],
      members: { output: { root: context.piece.id, steps: ['content'] } },
    },
  };
}

/** The nodes of OpenAI, as far as they ask a model for text. */
export function convertOpenAi(context: N8nContext): ConvertedNode {
  const { parameters, version, type } = context.node;
  const isNewer = type.startsWith(langchain);
  const [resource, operation] = [textOf(parameters['resource'], 'text'), textOf(parameters['operation'])];
  const isChat = isNewer
    ? resource === 'text' && (operation === '' || operation === 'message') && version < 2
    : resource === 'chat' && (operation === '' || operation === 'complete');
  if (!isChat)
    throw new NotMapped(`It does ${resource} ${operation} of OpenAI. Use an http block for its API.`);
  if (context.around.attached.length > 0)
    throw new NotMapped('It calls tools. Use http blocks behind a router.');
  const options = objectOf(parameters['options']);
  const list = listOf(
    isNewer ? objectOf(parameters['messages'])['values'] : objectOf(parameters['prompt'])['messages'],
  );
  const messages = list.filter(isObject).map(({ role, content = '' }): JsonObject => ({
    role: textOf(role, 'user'),
    content: context.expressions.template(content),
  }));
  if (messages.length === 0) throw new NotMapped('It has no message.');
  if (parameters['simplifyOutput'] === false || parameters['simplify'] === false)
    throw new NotMapped('It gives the whole answer of the API. Use an http block for that.');
  const temperature = numberOf(options['temperature']);
  const maxTokens = numberOf(options['maxTokens']);
  const isJson = parameters['jsonOutput'] === true;
  context.change('It is an llm block.');
  const { id } = context.piece;
  const content = { root: id, steps: [isJson ? 'data' : 'content'] };
  const model = chosen(parameters['modelId'] ?? parameters['chatModel'] ?? parameters['model']);
  return {
    block: {
      type: 'llm',
      params: {
        model: context.expressions.template(
          model === '' ? (isNewer ? 'gpt-4o-mini' : 'gpt-3.5-turbo') : model,
        ),
        apiKey: keyOf(context, context.node),
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens !== undefined && maxTokens > 0 ? { maxTokens } : {}),
        messages,
        ...(isJson ? { responseSchema: { type: 'object' } } : {}),
      },
    },
    out: { root: id, steps: [], members: { message: { root: id, steps: [], members: { content } } } },
  };
}
