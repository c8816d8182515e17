import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import {
  type CallToolResult,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequests,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Denied } from '#libs/platform/errors/errors';
import { getHeader } from '../../src/http/caller.guard.ts';
import { refuseUnknownHosts } from '../../src/mcp/known-hosts.ts';
import {
  type Correspondent,
  newSessionId,
  sessionHeader,
  parseSession,
} from '../../src/mcp/legacy-sessions.ts';
import { type Messages, StreamQuestions } from '../../src/mcp/stream-questions.ts';
import { answerByMcp, requireOneMessage } from '../../src/mcp/web-exchange.ts';

/** One red pixel, and a few silent audio samples. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==';

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
const resource = (uri: string, text: string, mimeType = 'text/plain') =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;

const states = createRequestStateCodec<{ round: number }>({
  key: 'the key of the fixture, which is long enough',
});

const ask = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: type === 'string' ? { type } : { type } },
      required: [field],
    },
  });
const sample = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });

/** A call by a client of an older revision. Questions to it go through the stream of its call. */
interface Legacy {
  server: Server;
  questions: StreamQuestions;
  correspondent: Correspondent;
}

type Fixture = (ctx: ServerContext, legacy: Legacy | null) => Result | Promise<Result>;

/** Asks a client of an older revision through the stream, as the product does at a pause. */
const byStream =
  (request: InputRequests[string]): Fixture =>
  async (ctx, legacy) => {
    if (!legacy) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no conversation.');
    const { server, questions, correspondent } = legacy;
    const answers = await questions.ask(
      { server, ctx },
      { it: request },
      correspondent,
      AbortSignal.timeout(5000),
    );
    if (answers.it === undefined) throw new ProtocolError(ProtocolErrorCode.InternalError, 'No answer came.');
    return said(`The client has answered ${JSON.stringify(answers.it)}.`);
  };

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];
const form = (properties: Properties) =>
  byStream(
    inputRequired.elicit({ message: 'Please answer.', requestedSchema: { type: 'object', properties } }),
  );
const options = ['one', 'two', 'three'];
const titled = options.map((value) => ({ const: value, title: value.toUpperCase() }));

/** Asks until every answer is there, then returns the result. With `withState` the request state must come back too. */
function asks(inputRequests: InputRequests, then: string, withState = false): Fixture {
  return async (ctx) => {
    const { inputResponses } = ctx.mcpReq;
    const isWhole = Object.keys(inputRequests).every(
      (key) => inputResponse(inputResponses, key).kind !== 'missing',
    );
    const isKnown = !withState || ctx.mcpReq.requestState<{ round: number }>() !== undefined;
    if (isWhole && isKnown) return said(then);
    return inputRequired({
      inputRequests,
      ...(withState ? { requestState: await states.mint({ round: 1 }, ctx) } : {}),
    });
  };
}

async function rounds(ctx: ServerContext): Promise<Result> {
  const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0;
  if (round === 2) return said('Both steps are answered.');
  const requests: InputRequests[] = [
    { step1: ask('Step 1: What is your name?', 'name') },
    { step2: ask('Step 2: What is your favorite color?', 'color') },
  ];
  return inputRequired({
    inputRequests: requests[round] ?? {},
    requestState: await states.mint({ round: round + 1 }, ctx),
  });
}

async function progress({ mcpReq }: ServerContext): Promise<Result> {
  const { _meta: about } = mcpReq;
  const progressToken = about?.progressToken;
  if (progressToken !== undefined)
    for (const done of [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: done, total: 100, message: `${done} of 100` },
      });
  return said('Done.');
}

/** Sends only levels that the client asked for: the current revision names a level with each request. */
async function logs({ mcpReq }: ServerContext): Promise<Result> {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
    await mcpReq.log('info', data);
  return said('Logged.');
}

const name = ask('What is your name?', 'name');

const tools: Record<string, Fixture> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    ...said('This tool intentionally returns an error for testing'),
  }),
  test_tool_with_progress: progress,
  test_tool_with_logging: logs,
  test_logging_tool: logs,
  test_streaming_elicitation: asks({ user_name: name }, 'Hello, Alice!'),
  test_sampling: byStream(sample('Test prompt for sampling')),
  test_elicitation: form({ username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: form({
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  test_elicitation_sep1330_enums: form({
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: options, enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  }),
  test_missing_capability: () => inputRequired({ inputRequests: { sample: sample('Hello') } }),
  test_input_required_result_elicitation: asks({ user_name: name }, 'Hello, Alice!'),
  test_input_required_result_sampling: asks(
    { capital_question: sample('What is the capital of France?') },
    'Paris',
  ),
  test_input_required_result_list_roots: asks(
    { client_roots: inputRequired.listRoots() },
    'The roots were read.',
  ),
  test_input_required_result_request_state: asks(
    { confirm: ask('Please confirm', 'ok', 'boolean') },
    'state-ok',
    true,
  ),
  test_input_required_result_multiple_inputs: asks(
    { user_name: name, greeting: sample('Generate a greeting'), client_roots: inputRequired.listRoots() },
    'All of it is here.',
    true,
  ),
  test_input_required_result_multi_round: rounds,
  test_input_required_result_tampered_state: asks(
    { confirm: ask('Please confirm', 'ok', 'boolean') },
    'state-ok',
    true,
  ),
  test_input_required_result_capabilities: asks({ question: sample('What is asked?') }, 'Answered.'),
};

const prompts: Record<
  string,
  { arguments: string[]; fixture: (given: Record<string, string>, ctx: ServerContext) => Result }
> = {
  test_simple_prompt: {
    arguments: [],
    fixture: () => prompted({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    fixture: ({ arg1, arg2 }) =>
      prompted({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    fixture: ({ resourceUri = '' }) =>
      prompted(resource(resourceUri, 'Embedded resource content for testing.')),
  },
  test_prompt_with_image: { arguments: [], fixture: () => prompted(image) },
  test_input_required_result_prompt: {
    arguments: [],
    fixture: (_, ctx) =>
      inputResponse(ctx.mcpReq.inputResponses, 'user_context').kind === 'missing'
        ? inputRequired({
            inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
          })
        : prompted({ type: 'text', text: 'With context.' }),
  },
};

const prompted = (content: object): Result => ({ messages: [{ role: 'user', content }] });

const anything = { type: 'object' as const };

/** The tools, prompts and resources that the suite calls by name. */
function fixtureServer(era: 'legacy' | 'modern', talk: Omit<Legacy, 'server'> | null): Server {
  const hint = { ttlMs: 1000, cacheScope: 'private' } as const;
  const isOld = era === 'legacy';
  const server = new Server(
    { name: 'fixture', version: '1' },
    {
      capabilities: {
        tools: {},
        prompts: {},
        completions: {},
        resources: isOld ? { subscribe: true } : {},
        ...(isOld ? { logging: {} } : {}),
      },
      cacheHints: {
        'tools/list': hint,
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'resources/read': hint,
        'server/discover': hint,
      },
      requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(tools).map((tool) => ({
      name: tool,
      description: `The fixture ${tool}.`,
      inputSchema: anything,
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const fixture = tools[params.name];
    if (!fixture)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}".`);
    return fixture(ctx, talk && isOld ? { server, ...talk } : null) as CallToolResult;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([prompt, { arguments: names }]) => ({
      name: prompt,
      description: `The fixture ${prompt}.`,
      arguments: names.map((one) => ({ name: one, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const prompt = prompts[params.name];
    if (!prompt)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${params.name}".`);
    return prompt.fixture(params.arguments ?? {}, ctx) as { messages: [] };
  });
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }));
  addResources(server, isOld);
  return server;
}

function addResources(server: Server, isOld: boolean): void {
  server.setRequestHandler('resources/list', () => ({
    resources: ['static-text', 'static-binary', 'watched-resource'].map((one) => ({
      uri: `test://${one}`,
      name: one,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [contentsOf(uri)] }));
  if (!isOld) return;
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function contentsOf(uri: string) {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: png };
  if (id !== undefined)
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    };
  if (!/^test:\/\/(static-text|watched-resource)$/.test(uri)) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' };
}

const caller = { actor: { kind: 'key', id: 'suite' } } as const;

/** Connects both ends of a channel in memory, because the fixture has one process. */
function inOneProcess(): Messages {
  const listeners = new EventEmitter();
  return {
    sendMessage: (to, body) => listeners.emit(to, body) || true,
    onMessage: (to, listener) => {
      listeners.on(to, listener);
      return () => void listeners.off(to, listener);
    },
  };
}

/** Serves the fixture like the product's servers, with the same checks of host and origin. */
export async function startFixture(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = fastify();
  refuseUnknownHosts(server, 'http://localhost', []);
  const questions = new StreamQuestions(inOneProcess());
  server.post('/mcp', { config: { isMcp: true } }, async (request, reply) => {
    const message = requireOneMessage(request.body);
    const session = parseSession(getHeader(request, sessionHeader));
    const talk = session && { questions, correspondent: { caller, serverId: 'fixture', session } };
    if (talk && questions.pass(talk.correspondent, message)) return reply.status(202).send();
    const answer = await answerByMcp(({ era }) => fixtureServer(era, talk), {
      request,
      reply,
      lasting: { events: (_, parts) => Readable.from(parts) },
    });
    if (message.method === 'initialize') reply.header(sessionHeader, newSessionId(message.params));
    return answer;
  });
  server.setErrorHandler((error, _, reply) => {
    const isUnknown = error instanceof Denied && error.code.startsWith('UNKNOWN_');
    return reply.status(isUnknown ? 403 : 500).send({ error: String(error) });
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${url.replace('127.0.0.1', 'localhost')}/mcp`, stop: () => server.close() };
}
