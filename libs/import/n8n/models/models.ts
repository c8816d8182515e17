import { isObject, type JsonObject, objectOf } from '#libs/platform/json/json';
import { type CelPlace, template } from '../../cel-text.ts';
import { convertToolAgent } from './agent.ts';
import { getDocument, getKey, getPrompt, readParts, readSettings, toSchema } from './parts.ts';
import type { ConvertedNode, N8nContext } from '../context.ts';
import { NotMapped } from '../../report.ts';
import { type ServiceApi, toPlain, toService } from '../services/service.ts';
import { toList, toText } from '../../values.ts';

/** A chain of a prompt and a model. */
export function convertChain(context: N8nContext): ConvertedNode {
  const { model, parser } = readParts(context);
  const { parameters } = context.node;
  const prompt = getPrompt(context);
  const messages = toList(objectOf(parameters['messages'])['messageValues'])
    .filter(isObject)
    .map((one): JsonObject => {
      const kind = toText(one['type'], 'SystemMessagePromptTemplate');
      if (toText(one['messageType'], 'text') !== 'text')
        throw new NotMapped('It gives pictures to the model, which an llm block does not.');
      const role = kind.startsWith('System') ? 'system' : kind.startsWith('AI') ? 'assistant' : 'user';
      return { role, content: context.expressions.template(one['message'] ?? '') };
    });
  context.change('It is an llm block: the model is called in the form of OpenAI.');
  const { id } = context.piece;
  const content = { root: id, steps: ['content'] };
  const data: CelPlace = { root: id, steps: parser?.steps ?? ['data'] };
  const params = { ...model, messages: [...messages, { role: 'user', content: prompt }] };
  if (parser)
    return {
      block: { type: 'llm', params: { ...params, responseSchema: parser.schema } },
      out: parser.isWrapped ? { root: id, steps: [], members: { output: data } } : data,
    };
  return {
    block: { type: 'llm', params },
    out: {
      root: id,
      steps: [],
      members: { text: content, response: { root: '', steps: [], members: { text: content } } },
    },
  };
}

/** An agent, which asks its model once where it has no tool. */
export function convertAgent(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const kind = toText(parameters['agent'], 'toolsAgent');
  if (kind === 'sqlAgent')
    throw new NotMapped('It asks a database. Use an http block, and give its answer to an llm block.');
  const parts = readParts(context);
  const options = objectOf(parameters['options']);
  const system = context.expressions.template(options['systemMessage'] ?? 'You are a helpful assistant');
  if (options['returnIntermediateSteps'] === true) context.change('Its steps are left out of its output.');
  if (parts.tools.length > 0)
    return convertToolAgent(context, parts, [
      { role: 'system', content: system },
      { role: 'user', content: getPrompt(context) },
    ]);
  const { model, parser } = parts;
  context.change('It is an llm block: without tools an agent asks its model once.');
  const { id } = context.piece;
  return {
    block: {
      type: 'llm',
      params: {
        ...model,
        system,
        prompt: getPrompt(context),
        ...(parser ? { responseSchema: parser.schema } : {}),
      },
    },
    out: { root: id, steps: [], members: { output: { root: id, steps: parser?.steps ?? ['content'] } } },
  };
}

/** The node Information Extractor: a question to a model, whose answer has a schema. */
export function convertExtractor(context: N8nContext): ConvertedNode {
  const { model } = readParts(context);
  const { parameters, version } = context.node;
  const options = objectOf(parameters['options']);
  const attributes = toList(objectOf(parameters['attributes'])['attributes']).map(objectOf);
  const schema =
    toText(parameters['schemaType']) === 'fromAttributes'
      ? {
          type: 'object',
          properties: Object.fromEntries(
            attributes.map(({ name, type, description }) => [
              toText(name),
              {
                // A date is a text here: the schema has no type for it.
                type: toText(type, 'string') === 'date' ? 'string' : toText(type, 'string'),
                description: toText(description),
              },
            ]),
          ),
          required: attributes.filter(({ required }) => required === true).map(({ name }) => toText(name)),
        }
      : toSchema({ schemaType: 'fromJson', ...parameters }, 1.2, version >= 1.2);
  context.change('It is an llm block with a responseSchema.');
  const { id } = context.piece;
  return {
    block: {
      type: 'llm',
      params: {
        ...model,
        system: context.expressions.template(
          options['systemPromptTemplate'] ??
            "You are an expert extraction algorithm.\nOnly extract relevant information from the text.\nIf you do not know the value of an attribute asked to extract, you may omit the attribute's value.",
        ),
        prompt: context.expressions.template(parameters['text'] ?? ''),
        responseSchema: schema,
      },
    },
    out: { root: id, steps: [], members: { output: { root: id, steps: ['data'] } } },
  };
}

/** The node Text Classifier: its item takes the way that a model names. */
export function convertClassifier(context: N8nContext): ConvertedNode {
  const { model } = readParts(context);
  const { parameters } = context.node;
  const options = objectOf(parameters['options']);
  if (options['multiClass'] === true)
    throw new NotMapped('It takes several ways at once. Use an llm block, and a condition for each way.');
  const routes = toList(objectOf(parameters['categories'])['categories'])
    .map(objectOf)
    .map(({ category, description }, i) => ({
      port: `way_${i}`,
      description: [toText(category), toText(description)].filter(Boolean).join(': '),
    }));
  const prompt = options['systemPromptTemplate'];
  context.change('It is a router: a model names the way of its item.');
  return {
    block: {
      type: 'router',
      params: {
        ...model,
        input: context.expressions.template(parameters['inputText'] ?? ''),
        routes: [...routes, { port: 'none', description: 'None of the others fits.' }],
        ...(prompt === undefined
          ? {}
          : {
              instructions: context.expressions.template(
                toText(prompt).replaceAll(
                  '{categories}',
                  routes.map(({ description }) => description).join(', '),
                ),
              ),
            }),
      },
    },
    out: context.expressions.incoming(),
    ports: [
      ...routes.map(({ port }) => [port]),
      ...(toText(options['fallback']) === 'other' ? [['none']] : []),
    ],
  };
}

/** The node Summarization Chain, in one question. */
export function convertSummary(context: N8nContext): ConvertedNode {
  const { parameters, version } = context.node;
  if (toText(parameters['operationMode']) === 'nodeInputBinary')
    throw new NotMapped('It reads a file of the run.');
  const loader = context.attached.find((node) => context.around.getRow(node)?.part?.kind === 'document');
  const source =
    loader || toText(parameters['operationMode']) === 'documentLoader' || version < 2
      ? getDocument(loader)
      : '={{ JSON.stringify($json) }}';
  const { model } = readParts(context);
  const options = objectOf(parameters['options']);
  const values =
    version < 2 ? options : objectOf(objectOf(options['summarizationMethodAndPrompts'])['values']);
  const written = values['combineMapPrompt'] ?? values['prompt'];
  const prompt = written ?? 'Write a concise summary of the following:\n\n\n"{text}"\n\n\nCONCISE SUMMARY:';
  context.change('It is an llm block, which gets the whole item in one question: n8n cut it into parts.');
  const { id } = context.piece;
  const item = String(context.expressions.template(source));
  const text = { root: id, steps: ['content'] };
  return {
    block: {
      type: 'llm',
      params: { ...model, prompt: String(context.expressions.template(prompt)).replaceAll('{text}', item) },
    },
    out: {
      root: id,
      steps: [],
      members: { [version >= 2.1 ? 'output' : 'response']: { root: id, steps: [], members: { text } } },
    },
  };
}

/** The nodes of OpenAI: a question to a model is an llm block, and the rest are calls. */
export function convertOpenAi(context: N8nContext): ConvertedNode {
  const { parameters } = context.node;
  const [resource, operation] = [toText(parameters['resource']), toText(parameters['operation'])];
  const isChat = resource === 'text' ? /^(|message)$/.test(operation) : resource === 'chat';
  if (!isChat || (resource === 'text' && parameters['prompt'] !== undefined)) return convertCall(context);
  const parts = readParts(context, {});
  const options = objectOf(parameters['options']);
  const list = toList(
    objectOf(parameters['messages'])['values'] ?? objectOf(parameters['prompt'])['messages'],
  );
  const messages = list
    .filter(isObject)
    .filter(({ content = '' }) => content !== '')
    .map(({ role, content = '' }): JsonObject => ({
      role: toText(role, 'user'),
      content: context.expressions.template(content),
    }));
  if (messages.length === 0) throw new NotMapped('It has no message.');
  if (parameters['simplifyOutput'] === false || parameters['simplify'] === false)
    throw new NotMapped('It gives the whole answer of the API. Use an http block for that.');
  const isJson = parameters['jsonOutput'] === true;
  const { id } = context.piece;
  const model = {
    model: context.expressions.template(
      toPlain(parameters['modelId'] ?? parameters['chatModel'] ?? parameters['model'] ?? 'gpt-4o-mini'),
    ),
    apiKey: getKey(context, context.node),
    ...readSettings(context, options),
  };
  if (parts.tools.length > 0) {
    if (isJson)
      throw new NotMapped('It calls tools, and answers in JSON. Use an llm block behind the agent.');
    const taken = convertToolAgent(context, { ...parts, model }, messages);
    const answer: CelPlace = { root: 'vars', steps: [`${id}_answer`] };
    return {
      ...taken,
      out: {
        root: id,
        steps: [],
        members: { message: { root: id, steps: [], members: { content: answer } } },
      },
    };
  }
  context.change('It is an llm block.');
  const content = { root: id, steps: [isJson ? 'data' : 'content'] };
  return {
    block: {
      type: 'llm',
      params: {
        ...model,
        messages,
        ...(isJson ? { responseSchema: { type: 'object' } } : {}),
      },
    },
    out: { root: id, steps: [], members: { message: { root: id, steps: [], members: { content } } } },
  };
}

const openAiApi = 'https://api.openai.com/v1/';

/** Operations of OpenAI that are calls of its API. */
const openAi: ServiceApi = {
  name: 'OpenAI',
  resource: 'text',
  operation: { text: 'complete', image: 'generate' },
  operations: {
    'text complete': {
      reads: {
        model: null,
        prompt: null,
        simplifyOutput: true,
        'options.maxTokens': null,
        'options.temperature': null,
        'options.topP': null,
        'options.frequency_penalty': null,
        'options.presence_penalty': null,
      },
      call: (node) => ({
        method: 'POST',
        url: `${openAiApi}completions`,
        body: {
          model: node.needed('model'),
          prompt: node.needed('prompt'),
          ...node.some({
            max_tokens: 'options.maxTokens',
            temperature: 'options.temperature',
            top_p: 'options.topP',
            frequency_penalty: 'options.frequency_penalty',
            presence_penalty: 'options.presence_penalty',
          }),
        },
      }),
      answer: (node) => (node.isOn('simplifyOutput') ? 'data.choices ?? []' : 'data'),
      several: true,
    },
    'image analyze': {
      reads: {
        modelId: 'gpt-4-vision-preview',
        text: "What's in this image?",
        inputType: 'url',
        imageUrls: null,
        simplify: true,
        'options.detail': null,
        'options.maxTokens': null,
      },
      call: (node) => {
        if (node.text('inputType') !== 'url') return node.refuse('It sends a picture of the run.');
        const pictures = node.computed(
          `String(${node.js('imageUrls')}).split(',').map((url) => ({ type: 'image_url', image_url: { url: url.trim(), detail: ${node.raw('options.detail') === undefined ? "'auto'" : node.js('options.detail')} } }))`,
        );
        const content = node.context.expressions.computed(`[{ type: 'text', text: ${node.js('text')} }]`);
        return {
          method: 'POST',
          url: `${openAiApi}chat/completions`,
          body: {
            model: node.needed('modelId'),
            max_tokens: node.value('options.maxTokens') ?? 300,
            messages: [{ role: 'user', content: template(`${content} + ${pictures.slice(3, -3)}`) }],
          },
        };
      },
      answer: (node) =>
        node.isOn('simplify')
          ? '{ content: ((data.choices ?? [])[0] ?? { message: {} }).message.content }'
          : 'data',
    },
    'image generate': {
      reads: {
        model: 'dall-e-3',
        prompt: null,
        'options.returnImageUrls': null,
        'options.size': null,
        'options.n': null,
        'options.style': null,
        'options.dalleQuality': null,
        'options.quality': null,
      },
      call: (node) => {
        if (!node.isOn('options.returnImageUrls'))
          return node.refuse('It gives a picture as a file, which no block passes on.');
        return {
          method: 'POST',
          url: `${openAiApi}images/generations`,
          body: {
            model: node.needed('model'),
            prompt: node.needed('prompt'),
            response_format: 'url',
            ...node.some({
              size: 'options.size',
              n: 'options.n',
              style: 'options.style',
              quality:
                node.raw('options.dalleQuality') === undefined ? 'options.quality' : 'options.dalleQuality',
            }),
          },
        };
      },
      answer: () => 'data.data ?? []',
      several: true,
    },
  },
};

const convertCall = toService(openAi);
