import { approval, pure } from './support/definitions.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';

let stack: Stack;
const receivers: Receiver[] = [];
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(async () => {
  for (const receiver of receivers) receiver.stop();
  await stack?.stop();
});

async function givenReceiver(...answer: Parameters<typeof Receiver.start>): Promise<Receiver> {
  const receiver = await Receiver.start(...answer);
  receivers.push(receiver);
  return receiver;
}

/** A workflow that keeps its place until a person answers. */
const asking = (flow: object) => ({
  ...approval,
  start: {
    inputs: { amount: { type: 'number', default: 1 }, customer: { type: 'string', default: 'one' } },
    flow,
  },
});

const byCustomer = (more: object = {}) => ({ concurrency: { limit: 1, key: 'start.customer', ...more } });

const execute = (workflow: string, inputs: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  stack.execute(workflow, { inputs }, headers);

const jobOf = (executionId: string) => stack.get(`/api/jobs/${executionId.replace('exec_', 'job_')}`);

const reaches = (workflow: string, executionId: string, status: string) =>
  until(
    () => stack.get(`/api/workflows/${workflow}/executions/${executionId}`),
    ({ body }) => body.status === status,
  );

/** Waits for the pause of an execution, and answers it. */
async function answerPause(workflow: string, executionId: string): Promise<void> {
  const { body } = await reaches(workflow, executionId, 'paused');
  const { apiUrl } = body.paused.pausePoints[0].resumeLinks;
  const answered = await stack.post(new URL(apiUrl).pathname, { input: { approved: true } });
  if (answered.status > 299) throw new Error(JSON.stringify(answered.body));
}

const cancel = (workflow: string, executionId: string) =>
  stack.post(`/api/workflows/${workflow}/executions/${executionId}/cancel`);

async function deployAgain(workflow: string, definition: object): Promise<void> {
  await stack.call('PATCH', `/api/v1/workflows/${workflow}`, { definition });
  const { status, body } = await stack.post(`/api/v1/workflows/${workflow}/deploy`);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

describe('a limit of concurrent executions', () => {
  test('a limit by key lets others wait in the order of their arrival, and says where they wait', async () => {
    const workflow = await stack.givenDeployed(asking(byCustomer()));
    const first = await execute(workflow);
    expect([first.status, first.body.status]).toEqual([200, 'paused']);
    const second = await execute(workflow);
    const third = await execute(workflow);
    const waitsFor = { key: 'one', place: 1, startsAt: null, host: null };
    expect([second.status, second.body]).toMatchObject([202, { status: 'queued', waitsFor }]);
    expect(third.body.waitsFor).toEqual({ ...waitsFor, place: 2 });
    expect((await execute(workflow, { customer: 'two' })).body.status).toBe('paused');
    expect((await jobOf(third.body.executionId)).body).toMatchObject({
      status: 'queued',
      waitsFor: { place: 2 },
    });
    const log = await stack.get(`/api/v1/logs?workflowIds=${workflow}`);
    const waiting = log.body.data.filter(({ waits }: { waits?: boolean }) => waits === true);
    expect(waiting.map(({ executionId }: { executionId: string }) => executionId)).toEqual([
      third.body.executionId,
      second.body.executionId,
    ]);
    await answerPause(workflow, first.body.executionId);
    await reaches(workflow, second.body.executionId, 'paused');
    expect((await jobOf(second.body.executionId)).body).not.toHaveProperty('waitsFor');
    expect((await jobOf(third.body.executionId)).body.waitsFor).toMatchObject({ place: 1 });
    await answerPause(workflow, second.body.executionId);
    await answerPause(workflow, third.body.executionId);
    await reaches(workflow, third.body.executionId, 'completed');
  });

  test('a limit frees the place of a cancelled execution, and one that waits can be cancelled', async () => {
    const workflow = await stack.givenDeployed(asking(byCustomer()));
    const [running, waiting, last] = [
      await execute(workflow),
      await execute(workflow),
      await execute(workflow),
    ];
    await cancel(workflow, waiting.body.executionId);
    const cancelled = await reaches(workflow, waiting.body.executionId, 'cancelled');
    expect(cancelled.body.blocks).toEqual([]);
    expect((await jobOf(last.body.executionId)).body.waitsFor).toMatchObject({ place: 1 });
    await cancel(workflow, running.body.executionId);
    await reaches(workflow, last.body.executionId, 'paused');
  });

  test('a limit that rejects answers 409 and stores nothing', async () => {
    const workflow = await stack.givenDeployed(asking(byCustomer({ onLimit: 'reject' })));
    await execute(workflow);
    const refused = await execute(workflow);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'FLOW_FULL' }]);
    expect((await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data).toHaveLength(1);
  });

  test('a limit that cancels the oldest starts the newest when the oldest has ended', async () => {
    const workflow = await stack.givenDeployed(asking(byCustomer({ onLimit: 'cancelOldest' })));
    const [first, second, third] = [
      await execute(workflow),
      await execute(workflow),
      await execute(workflow),
    ];
    for (const { body } of [first, second]) await reaches(workflow, body.executionId, 'cancelled');
    await reaches(workflow, third.body.executionId, 'paused');
  });

  test('a singleton that joins answers with the execution that runs', async () => {
    const workflow = await stack.givenDeployed(
      asking({ singleton: { key: 'start.customer', onRunning: 'join' } }),
    );
    const [first, second] = [await execute(workflow), await execute(workflow)];
    expect(second.body).toMatchObject({ status: 'paused', executionId: first.body.executionId });
    await answerPause(workflow, first.body.executionId);
    expect((await execute(workflow)).body.executionId).not.toBe(first.body.executionId);
  });

  test('a limit that a deploy raises starts those that wait, and one that it lowers keeps them waiting', async () => {
    const workflow = await stack.givenDeployed(asking({ concurrency: { limit: 1 } }));
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await execute(workflow)).body.executionId);
    const [first = '', second = '', third = '', fourth = ''] = ids;
    await deployAgain(workflow, asking({ concurrency: { limit: 3 } }));
    for (const id of [second, third]) await reaches(workflow, id, 'paused');
    expect((await jobOf(fourth)).body.waitsFor).toEqual({ key: null, place: 1, startsAt: null, host: null });
    await deployAgain(workflow, asking({ concurrency: { limit: 1 } }));
    for (const id of [first, second]) {
      await answerPause(workflow, id);
      await reaches(workflow, id, 'completed');
      expect((await jobOf(fourth)).body.waitsFor).toMatchObject({ place: 1 });
    }
    await answerPause(workflow, third);
    await reaches(workflow, fourth, 'paused');
  });

  test('a limit that a deploy removes lets all go', async () => {
    const workflow = await stack.givenDeployed(asking({ concurrency: { limit: 1 } }));
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await execute(workflow)).body.executionId);
    await deployAgain(workflow, approval);
    for (const id of ids) await reaches(workflow, id, 'paused');
  });

  test('a limit is kept under many callers of a workflow that calls a server', async () => {
    let atOnce = 0;
    let most = 0;
    const receiver = await givenReceiver((_, response) => {
      most = Math.max(most, ++atOnce);
      // A call that takes a while meets the others that are let through.
      setTimeout(() => {
        atOnce -= 1;
        response.end('{}');
      }, 100);
    });
    const workflow = await stack.givenDeployed({
      start: { flow: { concurrency: { limit: 2 } } },
      blocks: [{ id: 'call', type: 'http', params: { url: receiver.url() } }],
      edges: [{ from: 'start', to: 'call' }],
    });
    const accepted = await Promise.all(Array.from({ length: 16 }, () => execute(workflow)));
    expect(accepted.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
    for (const { body } of accepted) await reaches(workflow, body.executionId, 'completed');
    expect(receiver.received).toHaveLength(16);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('a limit makes a retry of a failed execution wait for its place', async () => {
    let fails = true;
    const receiver = await givenReceiver((_, response) => {
      response.statusCode = fails ? 400 : 200;
      response.end('{}');
    });
    const { blocks, edges } = approval;
    const workflow = await stack.givenDeployed({
      start: { inputs: { amount: { type: 'number', default: 1 } }, flow: { concurrency: { limit: 1 } } },
      blocks: [{ id: 'call', type: 'http', params: { url: receiver.url() } }, ...blocks],
      edges: [{ from: 'start', to: 'call' }, { from: 'call', to: 'approve' }, ...edges.slice(1)],
    });
    const failed = (await execute(workflow)).body.executionId;
    await reaches(workflow, failed, 'failed');
    fails = false;
    const other = (await execute(workflow)).body.executionId;
    await reaches(workflow, other, 'paused');
    const retried = await stack.post(`/api/workflows/${workflow}/executions/${failed}/retry`);
    expect(retried.status).toBe(202);
    expect((await jobOf(failed)).body).toMatchObject({ status: 'queued', waitsFor: { place: 1 } });
    const forked = await stack.post(`/api/workflows/${workflow}/executions/${other}/fork`, {});
    const fork = forked.body.data.execution.executionId;
    expect((await jobOf(fork)).body).toMatchObject({ status: 'queued', waitsFor: { place: 2 } });
    await answerPause(workflow, other);
    await answerPause(workflow, failed);
    await answerPause(workflow, fork);
    await reaches(workflow, fork, 'completed');
  });

  test('a limit makes what a hold lets go wait in its line', async () => {
    const workflow = await stack.givenDeployed(asking(byCustomer()));
    const first = (await execute(workflow)).body.executionId;
    const inLine = (await execute(workflow)).body.executionId;
    const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
    const hold = (await stack.post(holds, { workflowId: workflow, reason: 'Later.' })).body.data.id;
    const held = (await execute(workflow)).body;
    expect(held).toMatchObject({ held: { reason: 'Later.' } });
    await answerPause(workflow, first);
    await reaches(workflow, first, 'completed');
    expect((await jobOf(inLine)).body).toMatchObject({ status: 'queued', waitsFor: { place: 1 } });
    await stack.post(`${holds}/${hold}/release`);
    await reaches(workflow, inLine, 'paused');
    await until(
      () => jobOf(held.executionId),
      ({ body }) => body.waitsFor?.place === 1,
    );
    await answerPause(workflow, inLine);
    await reaches(workflow, held.executionId, 'paused');
  });
});

describe('the order and the time of a flow', () => {
  test('a priority lets the more important one start first', async () => {
    const workflow = await stack.givenDeployed(
      asking({ concurrency: { limit: 1 }, priority: 'start.amount > 10 ? 1 : 4' }),
    );
    const first = (await execute(workflow)).body.executionId;
    const usual = (await execute(workflow)).body;
    const urgent = (await execute(workflow, { amount: 11 })).body;
    expect(urgent.waitsFor.place).toBe(1);
    expect((await jobOf(usual.executionId)).body.waitsFor.place).toBe(2);
    await answerPause(workflow, first);
    await reaches(workflow, urgent.executionId, 'paused');
  });

  test('a fair line starts one of each kind before a second of the first', async () => {
    const workflow = await stack.givenDeployed(
      asking({ concurrency: { limit: 2 }, fairBy: 'start.customer' }),
    );
    const ids: string[] = [];
    for (const customer of ['one', 'one', 'one', 'two'])
      ids.push((await execute(workflow, { customer })).body.executionId);
    const [first = '', , third = '', other = ''] = ids;
    await answerPause(workflow, first);
    await reaches(workflow, other, 'paused');
    expect((await jobOf(third)).body.waitsFor.place).toBe(1);
  });

  test('a throttle starts no more than its limit in a period, and all in the end', async () => {
    const workflow = await stack.givenDeployed({
      ...pure,
      start: { ...pure.start, flow: { throttle: { limit: 2, period: 1 } } },
    });
    const ids: string[] = [];
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      const { status, body } = await execute(workflow, { amount: n });
      statuses.push(status);
      ids.push(body.executionId);
    }
    expect(statuses).toEqual([200, 200, 202, 202, 202]);
    for (const id of ids) await reaches(workflow, id, 'completed');
    const rows = await Promise.all(ids.map((id) => jobOf(id)));
    const startedMs = rows.map(({ body }) => Date.parse(body.metadata.startedAt));
    expect((startedMs.at(-1) ?? 0) - (startedMs[0] ?? 0)).toBeGreaterThan(1900);
  });

  test('a debounce starts the last of a series, and cancels the others', async () => {
    const workflow = await stack.givenDeployed({
      ...pure,
      start: { ...pure.start, flow: { debounce: { delay: 1, longest: 20 } } },
    });
    const [first, second, third] = [
      await execute(workflow, { amount: 1 }),
      await execute(workflow, { amount: 2 }),
      await execute(workflow, { amount: 3 }),
    ];
    expect(third.body.waitsFor).toMatchObject({ key: null, place: 1, startsAt: expect.any(String) });
    await reaches(workflow, third.body.executionId, 'completed');
    for (const { body } of [first, second]) await reaches(workflow, body.executionId, 'cancelled');
  });
});

describe('a batch', () => {
  /** A workflow that answers with the starts of its batch. */
  const batching = (batch: object, more: object = {}) => ({
    start: {
      inputs: { n: { type: 'number', required: true }, of: { type: 'string', default: 'one' } },
      flow: { batch, ...more },
    },
    blocks: [{ id: 'end', type: 'response', params: { data: '{{ start.batch }}' } }],
    edges: [{ from: 'start', to: 'end' }],
  });
  const readRun = async (workflow: string, id: string) =>
    (await stack.get(`/api/workflows/${workflow}/executions/${id}`)).body;

  test('a batch that is full runs once with the inputs of all its starts in order, and the others say in which', async () => {
    const workflow = await stack.givenDeployed(batching({ size: 3, longest: 3600 }));
    const starts: Answer['body'][] = [];
    for (const n of [1, 2, 3]) starts.push((await execute(workflow, { n })).body);
    const [first, second, last] = starts;
    expect(first).toMatchObject({ status: 'queued', waitsFor: { place: 1, startsAt: expect.any(String) } });
    const { body } = await reaches(workflow, last.executionId, 'completed');
    expect(body.output).toEqual([1, 2, 3].map((n) => ({ n, of: 'one' })));
    expect(body.inputs).toEqual({ batch: body.output });
    for (const { executionId } of [first, second])
      expect((await reaches(workflow, executionId, 'cancelled')).body).toMatchObject({
        batchedInto: last.executionId,
      });
    expect((await jobOf(first.executionId)).body).toMatchObject({ batchedInto: last.executionId });
  });

  test('a batch runs after its longest time, without a start that was cancelled, and each key has its own', async () => {
    const workflow = await stack.givenDeployed(batching({ size: 10, longest: 2, key: 'start.of' }));
    const [one, gone, two, other] = [
      (await execute(workflow, { n: 1, of: 'a' })).body.executionId,
      (await execute(workflow, { n: 2, of: 'a' })).body.executionId,
      (await execute(workflow, { n: 3, of: 'a' })).body.executionId,
      (await execute(workflow, { n: 4, of: 'b' })).body.executionId,
    ];
    await cancel(workflow, gone);
    const { body } = await reaches(workflow, two, 'completed');
    expect(body.output).toEqual([1, 3].map((n) => ({ n, of: 'a' })));
    expect((await reaches(workflow, one, 'cancelled')).body.batchedInto).toBe(two);
    expect((await reaches(workflow, gone, 'cancelled')).body).not.toHaveProperty('batchedInto');
    expect((await reaches(workflow, other, 'completed')).body.output).toEqual([{ n: 4, of: 'b' }]);
  });

  test('starts of many callers at once are in one batch each, also with a limit of runs, a hold and an undeploy', async () => {
    const workflow = await stack.givenDeployed(
      batching({ size: 7, longest: 3 }, { concurrency: { limit: 1 } }),
    );
    const holds = `/api/v1/workspaces/${stack.home.id}/holds`;
    const start = async (n: number) => (await execute(workflow, { n })).body.executionId as string;
    const early = await Promise.all(Array.from({ length: 20 }, (_, n) => start(n)));
    const hold = (await stack.post(holds, { workflowId: workflow, reason: 'Later.' })).body.data.id;
    const late = await Promise.all(Array.from({ length: 20 }, (_, n) => start(20 + n)));
    await stack.call('DELETE', `/api/v1/workflows/${workflow}/deploy`);
    await stack.post(`${holds}/${hold}/release`);
    const ids = [...early, ...late];
    const runs = await until(
      () => Promise.all(ids.map((id) => readRun(workflow, id))),
      (all) => all.every(({ status }) => ['completed', 'cancelled'].includes(status)),
    );
    const completed = runs.filter(({ status }) => status === 'completed');
    const batches = completed.map(({ output }) => output as { n: number }[]);
    expect(
      batches
        .flat()
        .map(({ n }) => n)
        .toSorted((a, b) => a - b),
    ).toEqual(ids.map((_, n) => n));
    expect(Math.max(...batches.map(({ length }) => length))).toBe(7);
    const leaders = new Set(completed.map(({ executionId }) => executionId));
    for (const { status, batchedInto } of runs)
      expect(status === 'completed' ? batchedInto === undefined : leaders.has(batchedInto)).toBe(true);
  });

  test('inputs that are too large for a batch are refused', async () => {
    const workflow = await stack.givenDeployed(batching({ size: 2, longest: 1 }));
    const refused = await execute(workflow, { n: 1, of: 'x'.repeat(10_001) });
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ path: 'inputs', code: 'too_large' }] },
    });
  });
});

describe('a wrong flow', () => {
  test.each([
    ['a flow of nothing', {}, 'start.flow', 'required'],
    ['an unknown part', { concurrency: { limit: 1 }, rate: 1 }, 'start.flow.rate', 'unknown_key'],
    ['a limit below one', { concurrency: { limit: 0 } }, 'start.flow.concurrency.limit', 'range'],
    ['a missing limit', { concurrency: {} }, 'start.flow.concurrency.limit', 'required'],
    [
      'a key that does not compile',
      { concurrency: { limit: 1, key: 'start.' } },
      'start.flow.concurrency.key',
      'expression_syntax',
    ],
    [
      'a key that reads a block',
      { concurrency: { limit: 1, key: 'check.port' } },
      'start.flow.concurrency.key',
      'unknown_reference',
    ],
    [
      'a key of a wrong type',
      { concurrency: { limit: 1, key: 'start.amount.name' } },
      'start.flow.concurrency.key',
      'expression_type',
    ],
    [
      'a singleton with a concurrency',
      { singleton: {}, concurrency: { limit: 1 } },
      'start.flow.singleton',
      'not_applicable',
    ],
    [
      'a debounce with a singleton',
      { debounce: { delay: 1, longest: 2 }, singleton: {} },
      'start.flow.singleton',
      'not_applicable',
    ],
    ['a batch of one', { batch: { size: 1, longest: 1 } }, 'start.flow.batch.size', 'range'],
    ['a batch without a time', { batch: { size: 2 } }, 'start.flow.batch.longest', 'required'],
    [
      'a batch with a priority',
      { batch: { size: 2, longest: 1 }, priority: 1 },
      'start.flow.priority',
      'not_applicable',
    ],
    [
      'a batch that rejects',
      { batch: { size: 2, longest: 1 }, concurrency: { limit: 1, onLimit: 'reject' } },
      'start.flow.concurrency.onLimit',
      'not_applicable',
    ],
    [
      'a delay above its longest',
      { debounce: { delay: 3, longest: 2 } },
      'start.flow.debounce.delay',
      'range',
    ],
    [
      'two keys',
      {
        concurrency: { limit: 1, key: 'start.amount' },
        throttle: { limit: 1, period: 1, key: 'start.note' },
      },
      'start.flow.throttle.key',
      'key_differs',
    ],
    ['a priority of six', { concurrency: { limit: 1 }, priority: 6 }, 'start.flow.priority', 'range'],
  ])('a deploy of %s is refused and names it', async (_, flow, path, code) => {
    const workflow = await stack.givenWorkflow({ ...pure, start: { ...pure.start, flow } });
    const refused = await stack.post(`/api/v1/workflows/${workflow}/deploy`);
    expect([refused.status, refused.body.details]).toMatchObject([400, [{ path, code }]]);
  });

  test.each([
    ['fails', 'start.list[0]', undefined],
    ['is empty', 'start.name', ''],
    ['is too long', 'start.name', 'x'.repeat(201)],
    ['is no text', 'start.name', ['a']],
  ])('a key that %s on the inputs is a clear refusal, and nothing is accepted', async (_, key, name) => {
    const workflow = await stack.givenDeployed({
      ...pure,
      start: { flow: { concurrency: { limit: 1, key } } },
      blocks: [{ id: 'check', type: 'response', params: { data: 1 } }],
      edges: [{ from: 'start', to: 'check' }],
    });
    const refused = await execute(workflow, { name, list: [] });
    expect([refused.status, refused.body.details]).toMatchObject([
      400,
      [{ path: 'inputs', code: 'flow_failed' }],
    ]);
    expect((await stack.get(`/api/v1/logs?workflowIds=${workflow}`)).body.data).toEqual([]);
  });
});
