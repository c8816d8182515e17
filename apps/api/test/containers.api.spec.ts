import { ask, box, type Graph, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let receiver: Receiver;
beforeAll(async () => {
  stack = await Stack.shared();
  receiver = await Receiver.start(({ path }, response) => {
    if (path === '/silent') return;
    if (path === '/fail') response.statusCode = 400;
    response.end(JSON.stringify({ path }));
  });
});
afterAll(async () => {
  receiver?.stop();
  await stack?.stop();
});

const call = (id: string, url: string) => ({ id, type: 'http', params: { method: 'GET', url } });
async function run(graph: Graph, inputs: object = {}) {
  const workflowId = await stack.givenDeployed(graph);
  const { body } = await stack.execute(workflowId, { inputs });
  return { workflowId, body };
}

async function detail(workflowId: string, executionId: string) {
  return (await stack.get(`/api/workflows/${workflowId}/executions/${executionId}`)).body;
}

interface Point {
  contextId: string;
  resumeStatus: string;
  resumeLinks: { apiUrl: string };
  loopScope?: object;
  parallelScope?: object;
}

async function points(workflowId: string, executionId: string): Promise<Point[]> {
  const { body } = await stack.get(`/api/resume/${workflowId}/${executionId}`);
  return body.pausePoints ?? [];
}

const answer = ({ resumeLinks }: Point, input: object = { ok: true }) =>
  stack.post(new URL(resumeLinks.apiUrl).pathname, { input });

describe('loop', () => {
  test('a loop calls once for each item, and records every visit', async () => {
    const { workflowId, body } = await run(
      line(
        box(
          'each',
          'loop',
          { forEach: '{{ start.names }}', collect: '{{ fetch.data.path }}' },
          call('fetch', receiver.url('/{{ loop.item }}')),
        ),
        respond('{{ each.results }}'),
      ),
      { names: ['a', 'b', 'c'] },
    );
    expect(body).toMatchObject({ status: 'completed', output: ['/a', '/b', '/c'] });
    const { blocks } = await detail(workflowId, body.executionId);
    const told = blocks.map(({ path, status }: { path: string; status: string }) => [path, status]);
    expect(told).toEqual([
      ['each', 'completed'],
      ['fetch@each[0]', 'completed'],
      ['fetch@each[1]', 'completed'],
      ['fetch@each[2]', 'completed'],
      ['done', 'completed'],
    ]);
  });

  test('a loop runs over a list that is too large for a payload, and gathers more than fits in one', async () => {
    const names = Array.from({ length: 300 }, (_, i) => ({ i, text: 'x'.repeat(300) }));
    const { body } = await run(
      line(
        box(
          'each',
          'loop',
          {
            forEach: '{{ start.names }}',
            collect: { n: '{{ loop.item.i * 2 }}', text: '{{ loop.item.text }}' },
          },
          { id: 'noop', type: 'condition', cases: [{ port: 'yes', when: 'loop.index == loop.item.i' }] } as {
            id: string;
          },
        ),
        respond('{{ each.results }}'),
      ),
      { names },
    );
    expect(body.status).toBe('completed');
    expect(body.output).toEqual(names.map(({ i, text }) => ({ n: i * 2, text })));
  });

  test('a loop takes few history events for thousands of passes, and records every visit once', async () => {
    const inc = { id: 'inc', type: 'variables', params: { set: { n: '{{ vars.n + 1 }}' } } };
    const graph = line(box('each', 'loop', { count: 3000 }, inc), respond('{{ vars.n }}'));
    const workflowId = await stack.givenDeployed({
      ...graph,
      variables: { n: { type: 'number', initial: 0 } },
    });
    const { body } = await stack.execute(workflowId);
    expect(body).toMatchObject({ status: 'completed', output: 3000 });
    const blocks = await stack.blockLog(workflowId, body.executionId);
    expect(blocks).toHaveLength(3002);
    const { events } = await (await stack.runOf(body.executionId)).fetchHistory();
    expect(events?.length).toBeLessThan(60);
  });
});

describe('parallel', () => {
  test('a parallel cancels the other branches when one fails, and goes on by its error port', async () => {
    const fan = {
      ...box(
        'fan',
        'parallel',
        { forEach: ['silent', 'fail'] },
        call('fetch', receiver.url('/{{ branch.item }}')),
      ),
    };
    const graph = {
      blocks: [fan, respond('{{ fan.error.code }}')],
      edges: [
        { from: 'start', to: 'fan' },
        { from: 'fan', port: 'error', to: 'done' },
      ],
    };
    const { workflowId, body } = await run(graph);
    expect(body).toMatchObject({ status: 'completed', output: 'HTTP_400' });
    const { blocks } = await detail(workflowId, body.executionId);
    expect(blocks.map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'cancelled',
      'failed',
      'completed',
    ]);
  });

  test('a parallel pauses in a loop in a branch, says in which pass, and takes each answer once', async () => {
    const { workflowId, body } = await run(
      line(
        box(
          'fan',
          'parallel',
          { count: 2, collect: '{{ each.results }}' },
          box('each', 'loop', { count: 2, collect: '{{ sure.ok }}' }, ask('sure')),
        ),
        respond('{{ fan.results }}'),
      ),
    );
    const { executionId } = body;
    const scopes = [];
    for (let round = 0; round < 2; round++) {
      const open = (
        await until(
          () => points(workflowId, executionId),
          (all) => all.filter(({ resumeStatus }) => resumeStatus === 'paused').length === 2,
        )
      ).filter(({ resumeStatus }) => resumeStatus === 'paused');
      scopes.push(...open.map(({ loopScope, parallelScope }) => ({ loopScope, parallelScope })));
      const answers = await Promise.all(open.map((point) => answer(point, { ok: round === 0 })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
    const at = (branchIndex: number, iteration: number) => ({
      loopScope: { loopId: 'each', iteration },
      parallelScope: { parallelId: 'fan', branchIndex, branchTotal: 2 },
    });
    expect(scopes).toEqual(expect.arrayContaining([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]));
    const ended = await until(
      () => detail(workflowId, executionId),
      ({ status }) => status === 'completed',
    );
    expect(ended.output).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  test('a parallel pauses in twelve branches, and lists the pauses in the order of the branches', async () => {
    const { body } = await run(line(box('fan', 'parallel', { count: 12 }, ask('sure'))));
    const shown: number[] = body.paused.pausePoints.map(
      (point: object) => Object(point).parallelScope.branchIndex,
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  });

  test('a parallel closes the pauses of its other branches when one fails', async () => {
    const bad = {
      id: 'check',
      type: 'condition',
      cases: [{ port: 'bad', when: 'sure.ok' }],
    };
    const body = {
      blocks: [ask('sure'), bad, call('fetch', receiver.url('/fail'))],
      edges: [
        { from: 'start', to: 'sure' },
        { from: 'sure', to: 'check' },
        { from: 'check', port: 'bad', to: 'fetch' },
      ],
    };
    const graph = {
      blocks: [{ id: 'fan', type: 'parallel', params: { count: 2 }, body }, ask('after')],
      edges: [
        { from: 'start', to: 'fan' },
        { from: 'fan', port: 'error', to: 'after' },
      ],
    };
    const { workflowId, body: paused } = await run(graph);
    const [first, second] = await points(workflowId, paused.executionId);
    if (!first || !second) throw new Error('two pauses were expected');
    await answer(first);
    const now = await until(
      () => points(workflowId, paused.executionId),
      (all) => all.length === 3,
    );
    expect(now.map(({ resumeStatus }) => resumeStatus).toSorted()).toEqual([
      'cancelled',
      'paused',
      'resumed',
    ]);
    expect((await answer(second)).status).toBe(409);
  });
});

describe('child', () => {
  const child = (workflowId: string, inputs: object = {}) => ({
    id: 'sub',
    type: 'workflow',
    params: { workflowId, inputs },
  });

  test('a child is an execution of its own, whose output is the block’s', async () => {
    const inner = await stack.givenDeployed({
      start: { inputs: { n: { type: 'number', required: true } } },
      ...line(respond({ twice: '{{ start.n * 2 }}', text: '{{ start.text }}' })),
    });
    const text = 'x'.repeat(20_000);
    const { workflowId, body } = await run(
      line(child(inner, { n: '{{ start.n }}', text: '{{ start.text }}' }), respond('{{ sub }}')),
      { n: 21, text },
    );
    expect(body).toMatchObject({ status: 'completed', output: { twice: 42, text } });
    const { blocks } = await detail(workflowId, body.executionId);
    expect(blocks[0]).toMatchObject({ blockId: 'sub', status: 'completed' });
  });

  test.each([
    ['inputs that do not fit', { n: 'x' }, 'INVALID_REQUEST'],
    ['a failure of its own', { n: 1 }, 'HTTP_400'],
  ])('a child fails its block with %s', async (_, inputs, code) => {
    const inner = await stack.givenDeployed({
      start: { inputs: { n: { type: 'number', required: true } } },
      ...line(call('fetch', receiver.url('/fail'))),
    });
    const { body } = await run(line(child(inner, inputs)));
    expect(body).toMatchObject({ status: 'failed', failure: { code, blockId: 'sub' } });
  });

  test('a child fails its block when its workflow does not exist, is of another workspace, or is not deployed', async () => {
    const { body } = await run(line(child('wf_00000000000000000000000000000000')));
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'NOT_FOUND', blockId: 'sub' } });
  });

  test('a child shows its pauses under the outermost run, and is answered there', async () => {
    const inner = await stack.givenDeployed(line(ask('sure'), respond('{{ sure.ok }}')));
    const middle = await stack.givenDeployed(line(child(inner)));
    const { workflowId, body } = await run(line(child(middle), respond('{{ sub }}')));
    expect(body.status).toBe('paused');
    const [point] = await points(workflowId, body.executionId);
    if (!point) throw new Error('a pause was expected');
    const { body: resumed } = await answer(point);
    expect(resumed).toMatchObject({ status: 'completed', output: true });
    expect((await detail(workflowId, body.executionId)).status).toBe('completed');
  });

  test('a child is cancelled with its parent', async () => {
    const inner = await stack.givenDeployed(line(ask('sure')));
    const { workflowId, body } = await run(line(child(inner)));
    await stack.post(`/api/workflows/${workflowId}/executions/${body.executionId}/cancel`);
    const all = await until(
      () => points(workflowId, body.executionId),
      ([point]) => point?.resumeStatus === 'cancelled',
    );
    expect(all).toHaveLength(1);
    expect((await detail(workflowId, body.executionId)).status).toBe('cancelled');
  });

  test('a child fails at the tenth level when it starts itself', async () => {
    const workflowId = await stack.givenDeployed(line(respond('not yet')));
    await stack.call('PATCH', `/api/v1/workflows/${workflowId}`, { definition: line(child(workflowId)) });
    await stack.post(`/api/v1/workflows/${workflowId}/deploy`);
    const { body } = await stack.execute(workflowId);
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'CHILD_TOO_DEEP' } });
  });
});
