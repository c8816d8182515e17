import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { ModelServer } from './support/models.ts';
import { Stack } from './support/stack.ts';

const apiKey = 'sk-canary-never-to-be-seen';
let stack: Stack;
/** The model server for blocks that name none. */
let house: ModelServer;
beforeAll(async () => {
  house = await ModelServer.start(() => ({ content: 'from the house' }));
  stack = await Stack.start({ ROLES: 'api', LLM_BASE_URL: `${house.url}/` });
  await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/MODEL_KEY`, { value: apiKey });
});
afterAll(async () => {
  house.stop();
  await stack.stop();
});

const one = (type: string, server: ModelServer, params: object, more: object = {}) => ({
  start: { inputs: { topic: { type: 'string', default: 'tides' } } },
  blocks: [
    {
      id: 'ask',
      type,
      params: { model: 'small', baseUrl: server.url, apiKey: '{{ secrets.MODEL_KEY }}', ...params },
      ...more,
    },
  ],
  edges: [{ from: 'start', to: 'ask' }],
});
const run = async (definition: object) => {
  const workflow = await stack.givenDeployed(definition);
  return { workflow, ...(await stack.execute(workflow)).body };
};
const detail = async ({ workflow, executionId }: { workflow: string; executionId: string }) =>
  (await stack.get(`/api/workflows/${workflow}/executions/${executionId}`)).body;
const historyOf = async (executionId: string) =>
  (await stack.temporal()).workflow.getHandle(executionId).fetchHistory();
const retry = { retry: { maxAttempts: 3, initialDelay: 0.1 } };
const usage = { promptTokens: 11, completionTokens: 4, totalTokens: 15 };

describe('llm block', () => {
  test('an llm block sends its parameters, and outputs content, model, usage and finish reason', async () => {
    const server = await ModelServer.start(() => ({ content: 'They come twice a day.' }));
    const params = {
      system: 'Be brief.',
      prompt: 'Explain {{ start.topic }}.',
      temperature: 0.2,
      maxTokens: 50,
    };
    const body = await run(one('llm', server, params));
    const output = { content: 'They come twice a day.', model: 'small-2026', usage, finishReason: 'stop' };
    expect(body.output).toEqual(output);
    expect(server.asked).toEqual([
      {
        authorization: `Bearer ${apiKey}`,
        body: {
          model: 'small',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Explain tides.' },
          ],
          temperature: 0.2,
          max_tokens: 50,
        },
      },
    ]);
    expect((await detail(body)).blocks).toMatchObject([{ blockId: 'ask', type: 'llm', output }]);
    server.stop();
  });

  test('an llm block takes messages from a template, asks the model of the installation, and works on a queue of its own', async () => {
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: 'three' },
    ];
    const workflow = await stack.givenDeployed({
      start: { inputs: { talk: { type: 'array', required: true } } },
      blocks: [{ id: 'ask', type: 'llm', params: { model: 'm', messages: '{{ start.talk }}' } }],
      edges: [{ from: 'start', to: 'ask' }],
    });
    const { body } = await stack.execute(workflow, { inputs: { talk: messages } });
    expect(body.output.content).toBe('from the house');
    expect(house.asked.at(-1)).toEqual({ body: { model: 'm', messages } });
    const { events = [] } = await historyOf(body.executionId);
    const queues = (events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name ?? [],
    );
    expect(queues).toEqual([`${stack.env.TASK_QUEUE}-llm`]);
    for (const talk of [[{ role: 'king', content: 'x' }], []]) {
      const wrong = await stack.execute(workflow, { inputs: { talk } });
      expect(wrong.body.failure).toMatchObject({ code: 'INVALID_VALUE' });
    }
    const nothing = await run(one('llm', house, { prompt: '{{ start.gone }}' }));
    expect([nothing.failure.code, house.asked.length]).toEqual(['INVALID_VALUE', 1]);
  });

  const responseSchema = {
    type: 'object',
    properties: { score: { type: 'integer', minimum: 0, maximum: 10 } },
    required: ['score'],
    additionalProperties: false,
  };

  test('an llm block asks for JSON of its schema and outputs it parsed', async () => {
    const server = await ModelServer.start(() => ({ content: { score: 7 } }));
    const body = await run(one('llm', server, { prompt: 'Score it.', responseSchema }));
    expect(body.output).toMatchObject({ content: '{"score":7}', data: { score: 7 } });
    expect(server.asked[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: responseSchema, strict: true },
    });
    server.stop();
  });

  test.each([
    ['no JSON', { content: 'seven' }, 'it is no JSON'],
    ['JSON that does not fit', { content: { score: 11 } }, 'answer/score must be <= 10'],
    ['JSON that was cut off', { content: '{"score"', finishReason: 'length' }, 'it is no JSON'],
  ])(
    'an llm block fails on %s with its usage, and takes another turn when it retries',
    async (_, bad, why) => {
      const server = await ModelServer.start((asked, before) =>
        before < 2 ? bad : { content: { score: 1 } },
      );
      const failed = await run(one('llm', server, { prompt: 'Score it.', responseSchema }));
      expect(failed.failure).toMatchObject({
        code: 'MODEL_OUTPUT_INVALID',
        message: `The model's answer does not fit: ${why}.`,
        blockId: 'ask',
        details: { usage },
      });
      const mended = await run(one('llm', server, { prompt: 'Score it.', responseSchema }, retry));
      expect(mended.output.data).toEqual({ score: 1 });
      expect((await detail(mended)).blocks).toMatchObject([{ attempts: 2 }]);
      server.stop();
    },
  );

  test('an llm block waits as long as a busy provider asks for, and then succeeds', async () => {
    const server = await ModelServer.start((_, before) =>
      before === 0 ? { status: 429, headers: { 'retry-after': '2' } } : {},
    );
    const begun = performance.now();
    const body = await run(one('llm', server, { prompt: 'Hello?' }, retry));
    expect([body.output.content, server.asked.length]).toEqual(['hello', 2]);
    expect(performance.now() - begun).toBeGreaterThan(2000);
    server.stop();
  });

  test.each([
    ['a wrong key', { status: 401 }, 'HTTP_401'],
    ['a refusal of the model', { refusal: 'I would rather not.' }, 'MODEL_REFUSED'],
  ])('an llm block does not ask again after %s', async (_, said, code) => {
    const server = await ModelServer.start(() => said);
    const body = await run(one('llm', server, { prompt: 'Hello?' }, retry));
    expect([body.failure.code, server.asked.length]).toEqual([code, 1]);
    server.stop();
  });

  test('an llm block keeps its key out of answers, rows and histories, also when the provider repeats it', async () => {
    const server = await ModelServer.start((asked, before) =>
      before === 0
        ? { content: `You sent ${asked.authorization}` }
        : { refusal: `no, ${asked.authorization}` },
    );
    const seen: string[] = [stack.api.lines.join('\n'), stack.worker.lines.join('\n')];
    for (const content of ['You sent Bearer [secret]', undefined]) {
      const body = await run(one('llm', server, { prompt: 'What did I send?' }));
      expect(body.output?.content).toBe(content);
      const history = await historyOf(body.executionId);
      seen.push(JSON.stringify([body, await detail(body), historyToJSON(history)]));
      seen.push(Buffer.from(JSON.stringify(history)).toString('latin1'));
    }
    const encoded = Buffer.from(apiKey).toString('base64').slice(0, 30);
    expect(seen.filter((text) => text.includes(apiKey) || text.includes(encoded))).toEqual([]);
    server.stop();
  });
});

describe('router block', () => {
  const routes = [
    { port: 'refund', description: 'The customer wants money back.' },
    { port: 'praise', description: 'The customer is happy.' },
  ];
  const routed = (server: ModelServer, more: object = {}) => {
    const { blocks, ...rest } = one('router', server, { input: { text: 'Give it back!' }, routes }, more);
    const answers = ['refund', 'praise'].map((id) => ({
      id,
      type: 'response',
      params: { data: `took ${id}` },
    }));
    return {
      ...rest,
      blocks: [
        ...blocks,
        ...answers,
        { id: 'lost', type: 'response', params: { data: '{{ ask.error.code }}' } },
      ],
      edges: [{ from: 'start', to: 'ask' }, ...routes.map(({ port }) => ({ from: 'ask', port, to: port }))],
    };
  };

  test('a router block goes on by the port that the model chose, and by no other', async () => {
    const server = await ModelServer.start(() => ({ content: { reason: 'money', port: 'refund' } }));
    const { blocks, edges, ...rest } = routed(server);
    const body = await run({ ...rest, blocks: blocks.slice(0, 3), edges });
    expect(body).toMatchObject({ status: 'completed', output: 'took refund' });
    expect((await detail(body)).blocks).toMatchObject([
      { blockId: 'ask', output: { port: 'refund', reason: 'money', usage } },
      { blockId: 'praise', status: 'skipped' },
      { blockId: 'refund', status: 'completed' },
    ]);
    const [asked] = server.asked;
    expect(asked?.body.messages[1]).toEqual({ role: 'user', content: '{"text":"Give it back!"}' });
    expect(asked?.body.messages[0]?.content).toContain('The customer wants money back.');
    expect(asked?.body.response_format).toMatchObject({
      json_schema: { strict: true, schema: { properties: { port: { enum: ['refund', 'praise'] } } } },
    });
    server.stop();
  });

  test.each(['delete', 'error', 'out', '', 'toString'])(
    'a router block never takes the port "%s", which is none of its routes',
    async (port) => {
      const server = await ModelServer.start(() => ({ content: { reason: '', port } }));
      const { edges, ...rest } = routed(server);
      const body = await run({ ...rest, edges: [...edges, { from: 'ask', port: 'error', to: 'lost' }] });
      expect(body).toMatchObject({ status: 'completed', output: 'MODEL_OUTPUT_INVALID' });
      const taken = (await detail(body)).blocks.flatMap((block: { blockId: string; status: string }) =>
        block.status === 'skipped' ? [] : [block.blockId],
      );
      expect(taken).toEqual(['ask', 'lost']);
      server.stop();
    },
  );
});

describe('evaluator block', () => {
  const metrics = [
    { name: 'clarity', description: 'How clear it is.', min: 1, max: 5 },
    { name: 'tone', description: 'How kind it is.', min: -1, max: 1 },
  ];
  const reasons = { clarity: 'short', tone: 'cold' };

  test('an evaluator block gives a score and a reason for each metric', async () => {
    const scores = { clarity: 4.5, tone: -1 };
    const server = await ModelServer.start(() => ({ content: { scores, reasons } }));
    const body = await run(one('evaluator', server, { content: 'Pay now.', metrics }));
    expect(body.output).toEqual({ scores, reasons, usage });
    expect(server.asked[0]?.body.messages[1]).toEqual({ role: 'user', content: 'Pay now.' });
    expect(server.asked[0]?.body.messages[0]?.content).toContain('How kind it is.');
    server.stop();
  });

  test.each([
    ['out of its bounds', { clarity: 6, tone: 0 }],
    ['missing', { clarity: 5 }],
    ['text', { clarity: '5', tone: 0 }],
    ['for an unknown metric', { clarity: 5, tone: 0, wit: 1 }],
  ])('an evaluator block fails on a score that is %s', async (_, scores) => {
    const server = await ModelServer.start(() => ({ content: { scores, reasons } }));
    const body = await run(one('evaluator', server, { content: 'Pay now.', metrics }));
    expect(body.failure).toMatchObject({ code: 'MODEL_OUTPUT_INVALID', blockId: 'ask', details: { usage } });
    server.stop();
  });
});
