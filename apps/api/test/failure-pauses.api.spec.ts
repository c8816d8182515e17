import { block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let receiver: Receiver;
let fails = true;
beforeAll(async () => {
  receiver = await Receiver.start((_, response) => response.writeHead(fails ? 500 : 200).end('{"ok":1}'));
});
afterAll(() => receiver.stop());
/** A visit of a block log, as far as these tests read it. */
interface Visit {
  path: string;
  type: string;
  status: string;
  output: unknown;
}

beforeEach(() => {
  fails = true;
  receiver.received.length = 0;
});

const calling = (id: string, more: object = { onFailure: 'pause' }) =>
  block(id, 'http', { url: receiver.url(`/${id}`), method: 'POST' }, { retry: { maxAttempts: 1 }, ...more });

// With the role worker the API carries runs out by itself; with the role api Temporal does.
describe.each(['api,worker', 'api'])('with the roles %s', (ROLES) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ ROLES });
  });
  afterAll(() => stack.stop());

  async function givenAsked(definition: object) {
    const workflow = await stack.givenDeployed(definition);
    const { body } = await stack.execute(workflow, {});
    const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
    const read = async () => (await stack.call('GET', path)).body;
    const asked = () => until(read, ({ status, paused }) => status === 'paused' && paused !== null);
    const answer = async (input: object) => {
      const { paused } = await asked();
      const { pathname } = new URL(paused.pausePoints[0].resumeLinks.apiUrl);
      return stack.call('POST', pathname, { input });
    };
    const ended = () => until(read, ({ status }) => ['completed', 'failed', 'cancelled'].includes(status));
    return { path, read, asked, answer, ended, id: body.executionId as string };
  }

  test('a call whose retries are used up asks an operator, and goes on when it is tried again', async () => {
    const run = await givenAsked(line(calling('pay'), respond('{{ pay.status }}')));
    const { paused, blocks } = await run.asked();
    expect(paused.pausePoints[0].response.displayData).toMatchObject({
      title: 'pay has failed',
      message: 'The server answered 500.',
    });
    expect(blocks).toMatchObject([{ path: 'pay', status: 'paused', attempts: 1 }]);
    await run.answer({ action: 'retry' });
    const again = await until(run.read, (now) => now.blocks[0]?.attempts === 2 && now.status === 'paused');
    expect(again.paused.pausePoints).toHaveLength(1);
    fails = false;
    await run.answer({ action: 'retry' });
    const end = await run.ended();
    expect(end).toMatchObject({ status: 'completed', output: 200 });
    expect(end.blocks[0]).toMatchObject({ path: 'pay', status: 'completed', failure: null });
    expect([...new Set(receiver.received.map(({ key }) => key))]).toEqual([
      `${run.id}/pay`,
      `${run.id}/pay/retry-1`,
      `${run.id}/pay/retry-2`,
    ]);
  });

  test('an operator gives a failed call an output, and the run goes on with it', async () => {
    const run = await givenAsked({
      onFailure: 'pause',
      ...line(box('each', 'loop', { count: 2 }, calling('pay', {})), respond('x')),
    });
    for (const [output, path] of [
      [{ status: 'fine' }, 'input.output.status'],
      [{ nothing: 1 }, 'input.output.nothing'],
      ['fine', 'input.output'],
    ] as const)
      expect(await run.answer({ action: 'skip', output })).toMatchObject({
        status: 400,
        body: { details: [{ path }] },
      });
    await run.answer({ action: 'skip', output: { status: 201 } });
    await until(run.read, ({ blocks }) =>
      blocks.some(({ path, status }: Visit) => path === 'pay@each[1]' && status === 'paused'),
    );
    await run.answer({ action: 'skip', output: { status: 202 } });
    const end = await run.ended();
    expect(end.status).toBe('completed');
    expect(end.blocks.flatMap(({ type, output }: Visit) => (type === 'http' ? [output] : []))).toEqual([
      { status: 201 },
      { status: 202 },
    ]);
  });

  test('an operator gives an output only to skip a failed call', async () => {
    const run = await givenAsked(line(calling('pay'), respond('{{ pay.status }}')));
    for (const action of ['retry', 'fail'])
      expect(await run.answer({ action, output: { status: 200 } })).toMatchObject({
        status: 400,
        body: { details: [{ path: 'input.output', message: 'is only to skip the call' }] },
      });
    expect((await run.read()).status).toBe('paused');
    await run.answer({ action: 'skip', output: { status: 200 } });
    expect(await run.ended()).toMatchObject({ status: 'completed', output: 200 });
    expect(receiver.received).toHaveLength(1);
  });

  test('an operator tries a failed call again with other parameters, which it keeps when it fails again', async () => {
    const run = await givenAsked(line(calling('pay'), respond('{{ pay.status }}')));
    for (const [input, path] of [
      ['fine', 'input.input'],
      [{ adress: 'x' }, 'input.input.adress'],
      [{ url: 5 }, 'input.input.url'],
      [{ url: null }, 'input.input.url'],
      [{ body: '{{ secrets.KEY }}' }, 'input.input.body'],
    ] as const)
      expect(await run.answer({ action: 'retry', input })).toMatchObject({
        status: 400,
        body: { details: [{ path }] },
      });
    expect(await run.answer({ action: 'skip', output: { status: 200 }, input: {} })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'input.input' }] },
    });
    await run.answer({ action: 'retry', input: { url: receiver.url('/other'), body: { total: 5 } } });
    await until(run.read, (now) => now.blocks[0]?.attempts === 2 && now.status === 'paused');
    fails = false;
    await run.answer({ action: 'retry' });
    expect(await run.ended()).toMatchObject({ status: 'completed', output: 200 });
    expect(receiver.received.map(({ path, body }) => [path, body])).toEqual([
      ['/pay', ''],
      ['/other', '{"total":5}'],
      ['/other', '{"total":5}'],
    ]);
  });

  test('other parameters for a failed call are not taken where nobody has shown that they may write the workflow', async () => {
    const run = await givenAsked(line(calling('pay'), respond('{{ pay.status }}')));
    const { workflowId } = await run.asked();
    const answers = { action: 'retry', input: { url: receiver.url('/other') } };
    const wish = { verb: 'answer', filter: { workflowIds: workflowId }, answers };
    const { job } = (await stack.post('/api/v1/bulk', wish)).body.data;
    const items = await until(
      async () => (await stack.get(`/api/v1/bulk/${job.id}/items`)).body.data,
      ([item]) => item?.outcome !== null,
    );
    expect(items).toMatchObject([
      {
        outcome: 'refused',
        code: 'FORBIDDEN',
        message: expect.stringContaining('who may write the workflow'),
      },
    ]);
    expect((await run.read()).status).toBe('paused');
    expect(receiver.received).toHaveLength(1);
  });

  test('an operator lets a failed call fail, and the run takes its way on failure', async () => {
    const definition = {
      blocks: [calling('pay'), respond('paid'), { ...respond('not paid'), id: 'other' }],
      edges: [
        { from: 'start', to: 'pay' },
        { from: 'pay', to: 'done' },
        { from: 'pay', to: 'other', port: 'error' },
      ],
    };
    const run = await givenAsked(definition);
    await run.answer({ action: 'fail' });
    expect(await run.ended()).toMatchObject({ status: 'completed', output: 'not paid' });
    const alone = await givenAsked(line(calling('pay')));
    await alone.answer({ action: 'fail' });
    expect(await alone.ended()).toMatchObject({ status: 'failed', failure: { code: 'HTTP_500' } });
  });

  test('a question about a failed call ends with a cancel of its run', async () => {
    const run = await givenAsked(line(calling('pay')));
    await run.asked();
    await stack.call('POST', `${run.path}/cancel`);
    expect(await run.ended()).toMatchObject({ status: 'cancelled', paused: null });
  });

  test('a question about a failed call outlives its processes', async () => {
    const run = await givenAsked(line(calling('pay'), respond('{{ pay.status }}')));
    await run.asked();
    await Promise.all([stack.api.kill(), stack.worker.kill()]);
    await Promise.all([stack.startApi(), stack.startWorker()]);
    const bad = await run.answer({ action: 'explode' });
    expect(bad).toMatchObject({ status: 400, body: { details: [{ path: 'input.action' }] } });
    await run.answer({ action: 'skip', output: { status: 203 } });
    expect(await run.ended()).toMatchObject({ status: 'completed', output: 203 });
  });
});
