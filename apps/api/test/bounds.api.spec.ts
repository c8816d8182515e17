import { block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { describeRun, Stack, until } from './support/stack.ts';
import { weigh, type Weights } from './support/weights.ts';
import { isAlive } from '#apps/local/src/processes';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** The maximum bytes of a payload that Temporal sees. */
const payloadBytesMax = 128 * 1024;
const mega = 1_000_000;

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  stack = await Stack.start({ HISTORY_EVENTS_MAX: '100' });
  receiver = await Receiver.start(({ path }, response) => {
    if (path === '/fail') {
      response.statusCode = 500;
      return void response.end(JSON.stringify({ text: 'e'.repeat(mega) }));
    }
    // Its lists take fourteen times as much memory.
    if (path === '/lists') return void response.end(`[${'[],'.repeat(3 * mega)}[]]`);
    const chars = { '/large': 3 * mega, '/some': 3800 }[path] ?? 2;
    response.end(JSON.stringify({ text: 'x'.repeat(chars) }));
  });
});
afterAll(async () => {
  receiver?.stop();
  await stack?.stop();
});

const call = (id: string, path: string, params: object = {}) =>
  block(id, 'http', { method: 'GET', url: receiver.url(path), ...params });
const inputsOf = (...names: string[]) => ({
  start: { inputs: Object.fromEntries(names.map((name) => [name, { type: 'json' }])) },
});

/** Runs to the end. Returns the answer and the sizes that Temporal holds for the run. */
async function run(definition: object, inputs: object = {}) {
  const workflowId = await stack.givenDeployed(definition);
  const { body } = await stack.execute(workflowId, { inputs });
  return { body, held: await held(body.executionId) };
}

async function held(executionId: string): Promise<Weights> {
  const client = await stack.temporal();
  await until(
    () => describeRun(client, executionId),
    ({ status }) => status.name !== 'RUNNING',
  );
  return weigh(client, executionId);
}

function expectBounded({ largest, longestText, failedTasks }: Weights): void {
  expect(failedTasks).toEqual([]);
  expect(largest.bytes).toBeLessThanOrEqual(payloadBytesMax);
  expect(longestText).toBeLessThanOrEqual(payloadBytesMax / 8);
}

test.each([
  [
    'a condition',
    (all: string) => ({ id: 'many', type: 'condition', cases: [{ port: 'some', when: `size(${all}) > 0` }] }),
  ],
  [
    'a call',
    (all: string) => block('many', 'http', { method: 'POST', url: receiver.url('/'), body: `{{ ${all} }}` }),
  ],
])('%s that reads more stored values than it may fails, and its process goes on', async (_, reading) => {
  const names = ['a', 'b', 'c', 'd'];
  const all = `[${names.map((name) => `${name}.data`).join(', ')}]`;
  const calls = names.map((name) => call(name, '/lists'));
  const workflow = await stack.givenDeployed(line(...calls, reading(all)));
  const { body } = await stack.execute(workflow);
  expect(body).toMatchObject({ status: 'failed', failure: { code: 'VALUE_TOO_LARGE', blockId: 'many' } });
  expect([stack.api, stack.worker].map(({ pid }) => isAlive(pid))).toEqual([true, true]);
});

test('a definition of half a megabyte runs within the size limits of Temporal', async () => {
  const blocks = [
    ...[1, 2, 3].map((n) => block(`code${n}`, 'function', { code: `return ${n} // ${'c'.repeat(130_000)}` })),
    respond({ text: 'd'.repeat(100_000), sum: '{{ code1 + code3 }}' }),
  ];
  const { body, held: weights } = await run(line(...blocks));
  expect(body).toMatchObject({ status: 'completed', output: { sum: 4 } });
  expectBounded(weights);
});

test('an input of ten megabytes, in every form, keeps the history within its limits', async () => {
  const shapes = [
    { all: 'i'.repeat(10 * mega) },
    Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, 'v'.repeat(1000)])),
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 'v'.repeat(200)])),
    { ['k'.repeat(mega)]: 1 },
  ];
  const graph = line(
    block('work', 'function', { code: 'return 1', input: '{{ start.all }}' }),
    respond('{{ size(start) }}'),
  );
  for (const inputs of shapes) {
    const { body, held: weights } = await run({ ...inputsOf('all'), ...graph }, inputs);
    expect(body).toMatchObject({ status: 'completed', output: Object.keys(inputs).length });
    expectBounded(weights);
  }
});

testInWhole('an output of ten megabytes, in every form, keeps the history within its limits', async () => {
  const forms = [
    ["return 'o'.repeat(10000000)", 10_000_000],
    ["return Array.from({ length: 20000 }, () => 'o'.repeat(100))", 20_000],
  ] as const;
  for (const [code, size] of forms) {
    const { body, held: weights } = await run(
      line(block('work', 'function', { code }), respond('{{ work }}')),
    );
    expect(body.status).toBe('completed');
    expect(body.output).toHaveLength(size);
    expectBounded(weights);
  }
});

test('an answer of a megabyte keeps the history within its limits', async () => {
  const form = [
    { name: 'file', type: 'json', required: true },
    { name: 'note', type: 'text' },
  ];
  const workflowId = await stack.givenDeployed(
    line(
      block('ask', 'human', { title: 'Give', form }),
      respond({ size: '{{ size(ask.file) }}', note: '{{ ask.note }}' }),
    ),
  );
  const { executionId, apiUrl } = await stack.givenPaused(workflowId);
  const file = Array.from({ length: 1000 }, () => 'a'.repeat(1000));
  const { body } = await stack.post(apiUrl, { input: { file, note: 'n'.repeat(500_000) } });
  expect(body).toMatchObject({ status: 'completed', output: { size: 1000, note: 'n'.repeat(500_000) } });
  expectBounded(await held(executionId));
  const { queue } = (await stack.get(`/api/resume/${workflowId}/${executionId}`)).body;
  expect(JSON.stringify(queue)).toContain('a'.repeat(1000));
});

testInWhole(
  'variables of hundreds of kilobytes are kept over a pause within the limits of the history',
  async () => {
    const names = Array.from({ length: 100 }, (_, i) => `v${i}`);
    const variables = {
      first: { type: 'string', initial: 'w'.repeat(300_000) },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    };
    const set = Object.fromEntries(names.map((name) => [name, `{{ start.text }}${name}`]));
    const graph = line(
      block('set', 'variables', { set }),
      call('use', '/ok', { method: 'POST', body: '{{ vars }}' }),
      block('ask', 'human', { title: 'Go on?' }),
      respond('{{ size(vars.first) + size(vars.v7) }}'),
    );
    const workflowId = await stack.givenDeployed({ ...inputsOf('text'), variables, ...graph });
    const { executionId, apiUrl } = await stack.givenPaused(workflowId, { text: 't'.repeat(3800) });
    const { body } = await stack.post(apiUrl, { input: {} });
    expect(body).toMatchObject({ status: 'completed', output: 303_802 });
    expectBounded(await held(executionId));
  },
);

test('the large results of a loop are collected with a small history', async () => {
  const body = [call('one', '/ok'), block('set', 'variables', { set: { last: '{{ loop.item }}' } })];
  const params = { forEach: '{{ start.items }}', collect: '{{ loop.item }}' };
  const items = Array.from({ length: 120 }, (_, i) => `${i} ${'g'.repeat(3800)}`);
  const { body: answer, held: weights } = await run(
    {
      ...inputsOf('items'),
      variables: { last: { type: 'string' } },
      ...line(box('each', 'loop', params, ...body), respond('{{ each.results }}')),
    },
    { items },
  );
  expect(answer.output).toEqual(items);
  expectBounded(weights);
});

testInWhole('three megabytes through four blocks: the history stays small', async () => {
  const { body, held: weights } = await run(
    line(
      call('one', '/large'),
      call('two', '/ok', { method: 'POST', body: '{{ one.data }}' }),
      block('three', 'function', { code: 'return input', input: '{{ one.data.text }}' }),
      respond({ size: '{{ size(three) }}', text: '{{ one.data.text }}' }),
    ),
  );
  expect(body).toMatchObject({ status: 'completed', output: { size: 3 * mega } });
  expectBounded(weights);
  expect(weights.totalBytes).toBeLessThan(mega);
});

testInWhole(
  'hundreds of branches with items of three kilobytes keep the history within its limits',
  async () => {
    const items = Array.from({ length: 300 }, (_, i) => `${i} ${'p'.repeat(3000)}`);
    const fan = box(
      'fan',
      'parallel',
      { forEach: '{{ start.items }}', concurrency: 50, collect: '{{ one.status }}' },
      call('one', '/ok', { method: 'POST', body: '{{ branch.item }}' }),
    );
    const { body, held: weights } = await run(
      { ...inputsOf('items'), ...line(fan, respond('{{ size(fan.results) }}')) },
      { items },
    );
    expect(body).toMatchObject({ status: 'completed', output: 300 });
    expectBounded(weights);
  },
);

/** Twenty variables that come to eighty kilobytes, which one payload may hold. */
const twenty = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`v${i}`, { type: 'string', initial: 'i'.repeat(3900) }]),
);

test('nested branches that all call at once send more parameters than one workflow task can carry', async () => {
  const send = call('one', '/ok', { method: 'POST', body: '{{ vars }}' });
  const inner = box('inner', 'parallel', { count: 50, concurrency: 50 }, send);
  const fan = box('fan', 'parallel', { count: 4 }, inner);
  const { body, held: weights } = await run({ variables: twenty, ...line(fan, respond('{{ fan.count }}')) });
  expect(body).toMatchObject({ status: 'completed', output: 4 });
  expectBounded(weights);
});

testInWhole(
  'megabytes of values computed one after the other keep the history within its limits',
  async () => {
    const set = block('set', 'variables', {
      set: Object.fromEntries(
        Object.keys(twenty).map((name) => [name, '{{ start.big.substring(0, 3900) }}']),
      ),
    });
    const { body, held: weights } = await run(
      {
        ...inputsOf('big'),
        variables: twenty,
        ...line(box('each', 'loop', { count: 120 }, set), respond('{{ vars.v1 }}')),
      },
      { big: 'b'.repeat(100_000) },
    );
    expect(body).toMatchObject({ status: 'completed', output: 'b'.repeat(3900) });
    expectBounded(weights);
  },
);

testInWhole('a child with many inputs and a large output keeps the history within its limits', async () => {
  const names = Array.from({ length: 190 }, (_, i) => `n${i}`);
  const inner = await stack.givenDeployed({ ...inputsOf(...names), ...line(respond('{{ start }}')) });
  const inputs = Object.fromEntries(names.map((name) => [name, '{{ start.text }}']));
  const { body, held: weights } = await run(
    {
      ...inputsOf('text'),
      ...line(block('sub', 'workflow', { workflowId: inner, inputs }), respond('{{ size(sub) }}')),
    },
    { text: 't'.repeat(3000) },
  );
  expect(body).toMatchObject({ status: 'completed', output: 190 });
  expectBounded(weights);
});

testInWhole('the outputs of all ends of a wide graph keep the history within its limits', async () => {
  const wide = Array.from({ length: 50 }, (_, i) => call(`b${i}`, '/some'));
  const { body, held: weights } = await run({
    blocks: wide,
    edges: wide.map(({ id }) => ({ from: 'start', to: id })),
  });
  expect(body.status).toBe('completed');
  expect(Object.keys(body.output)).toHaveLength(50);
  expectBounded(weights);
});

test.each([
  ['a call', () => call('bad', '/fail')],
  ['a function', () => block('bad', 'function', { code: "throw new Error('f'.repeat(1000000))" })],
  ['a child', () => block('bad', 'workflow', { workflowId: 'wf_1', inputs: { ['k'.repeat(100)]: 1 } })],
  [
    'a condition',
    () => ({
      id: 'bad',
      type: 'condition',
      cases: [{ port: 'x', when: `start.gone > ${'1 + '.repeat(280)}1` }],
    }),
  ],
])('a large failure of %s keeps the history within its limits', async (_, make) => {
  const { body, held: weights } = await run(line(make()));
  expect(body.status).toBe('failed');
  expectBounded(weights);
});

testInWhole('headers and questions of hundreds of kilobytes keep the history within its limits', async () => {
  const headers = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`x-${i}`, '{{ start.text }}']));
  const texts = { text: 'h'.repeat(4000) };
  const answered = await run(
    { ...inputsOf('text'), ...line(block('done', 'response', { data: 1, headers })) },
    texts,
  );
  expect(answered.body.status).toBe('completed');
  expectBounded(answered.held);
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`m${i}`, '{{ start.text }}']));
  const ask = block('ask', 'human', { title: 'Q', metadata });
  const { executionId, apiUrl } = await stack.givenPaused(
    await stack.givenDeployed({ ...inputsOf('text'), ...line(ask) }),
    texts,
  );
  expect((await stack.post(apiUrl, { input: {} })).body.status).toBe('completed');
  expectBounded(await held(executionId));
});
