import { Chains } from '#libs/workspace/audit/chain';
import { approval, pure, twoCalls } from './support/definitions.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
beforeAll(async () => {
  // Of its own, because it kills the processes.
  stack = await Stack.start({ ROLES: 'api' });
});
afterAll(() => stack.stop());

const job = (jobId: string, waitS = 60) => stack.get(`/api/jobs/${jobId}?wait=${waitS}`);

/** Never answers a call of the path `held` that comes while `hold` is true; answers all others. */
async function holdingReceiver(held: string) {
  const state = { hold: true };
  const receiver = await Receiver.start(({ path }, response) => {
    if (!(state.hold && path === held)) response.end('{"ok":true}');
  });
  return { receiver, state };
}

describe('worker killed with SIGKILL', () => {
  test('a worker killed with SIGKILL during a call repeats the call with the same idempotency key, and repeats no completed block', async () => {
    const { receiver, state } = await holdingReceiver('/two');
    const workflow = await stack.givenDeployed(twoCalls);
    const inputs = { first: receiver.url('/one'), second: receiver.url('/two') };
    const { body } = await stack.execute(workflow, { inputs, async: true });
    await until(
      async () => receiver.received.length,
      (count) => count >= 2,
    );
    await stack.worker.kill();
    state.hold = false;
    await stack.startWorker();
    expect((await job(body.jobId)).body).toMatchObject({ status: 'completed', output: { ok: true } });
    const keys = (path: string) =>
      receiver.received.filter((call) => call.path === path).map(({ key }) => key);
    expect(keys('/one')).toEqual([`${body.executionId}/one`]);
    expect(new Set(keys('/two'))).toEqual(new Set([`${body.executionId}/two`]));
    expect(keys('/two').length).toBeGreaterThanOrEqual(2);
    receiver.stop();
  });

  test('a worker killed with SIGKILL during a call that must not be repeated fails the run and says that the outcome is unknown', async () => {
    const hung = await Receiver.start(() => undefined);
    const workflow = await stack.givenDeployed({
      blocks: [{ id: 'pay', type: 'http', params: { method: 'POST', url: hung.url(), body: { amount: 1 } } }],
      edges: [{ from: 'start', to: 'pay' }],
    });
    const { body } = await stack.execute(workflow, { async: true });
    await until(
      async () => hung.received.length,
      (count) => count === 1,
    );
    await stack.worker.kill();
    await stack.startWorker();
    expect((await job(body.jobId)).body).toMatchObject({
      status: 'failed',
      failure: { code: 'OUTCOME_UNKNOWN', blockId: 'pay' },
    });
    expect(hung.received).toHaveLength(1);
    hung.stop();
  });

  test('a worker killed with SIGKILL between two blocks loses nothing, while a run waits and no worker is up', async () => {
    const receiver = await Receiver.start();
    const workflow = await stack.givenDeployed({
      blocks: [
        { id: 'first', type: 'http', params: { method: 'POST', url: receiver.url('/first') } },
        { id: 'nap', type: 'wait', params: { duration: 2 } },
        { id: 'second', type: 'http', params: { method: 'POST', url: receiver.url('/second') } },
      ],
      edges: [
        { from: 'start', to: 'first' },
        { from: 'first', to: 'nap' },
        { from: 'nap', to: 'second' },
      ],
    });
    const { body } = await stack.execute(workflow, { async: true });
    const path = `/api/workflows/${workflow}/executions/${body.executionId}`;
    await until(
      () => stack.get(path),
      (answer) => answer.body.blocks[0]?.status === 'completed',
    );
    await stack.worker.kill();
    await stack.api.kill();
    await stack.startApi();
    await stack.startWorker();
    expect((await job(body.jobId)).body.status).toBe('completed');
    expect(receiver.received.map((call) => call.path)).toEqual(['/first', '/second']);
    const { blocks } = (await stack.get(path)).body;
    expect(
      blocks.map((block: { blockId: string; attempts: number }) => [block.blockId, block.attempts]),
    ).toEqual([
      ['first', 1],
      ['nap', 1],
      ['second', 1],
    ]);
    receiver.stop();
  });
});

describe('API killed with SIGKILL', () => {
  test('an API killed with SIGKILL while a caller waits cuts the caller off and not the run', async () => {
    const { receiver, state } = await holdingReceiver('/one');
    const workflow = await stack.givenDeployed(twoCalls);
    const inputs = { first: receiver.url('/one'), second: receiver.url('/two') };
    const key = { 'idempotency-key': 'cut off' };
    const caller = stack.execute(workflow, { inputs }, key).catch(() => 'cut off');
    await until(
      async () => receiver.received.length,
      (count) => count >= 1,
    );
    await stack.api.kill();
    expect(await caller).toBe('cut off');
    state.hold = false;
    await stack.worker.kill();
    await Promise.all([stack.startApi(), stack.startWorker()]);
    const again = await until(
      () => stack.execute(workflow, { inputs }, key),
      ({ status }) => status !== 409,
    );
    expect(again.body).toMatchObject({ status: 'completed', output: { ok: true } });
    expect(new Set(receiver.received.map((call) => call.key))).toEqual(
      new Set([`${again.body.executionId}/one`, `${again.body.executionId}/two`]),
    );
    receiver.stop();
  });

  testInWhole(
    'an API killed with SIGKILL with 64 writers in flight leaves an audit log that holds, with every change that it answered',
    async () => {
      let answered = 0;
      let half = () => {};
      const many = new Promise<void>((resolve) => (half = resolve));
      const writers = Array.from({ length: 64 }, async (_, n) => {
        const made = await stack.post('/api/v1/workflows', { name: `written ${n}`, definition: approval });
        if (made.status !== 201) throw new Error(`refused with ${made.status}`);
        if (++answered === 16) half();
        return made.body.data.id as string;
      });
      const outcomes = Promise.allSettled(writers);
      await many;
      await stack.api.kill();
      const ids = (await outcomes).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const reasons = (await outcomes).map((one) => (one.status === 'rejected' ? String(one.reason) : ''));
      expect(reasons.filter((reason) => reason.includes('refused with'))).toEqual([]);
      // Some were cut off, else nothing was tried.
      expect(ids.length).toBeLessThan(64);
      await stack.startApi();
      const chains = await Chains.open(
        stack.env['DATABASE_DIRECT_URL'] ?? '',
        stack.env['HOLDFAST_SECRET'] ?? '',
      );
      const verdicts = await chains.verify();
      await chains.close();
      const ours = verdicts.find(({ workspaceId }) => workspaceId === stack.home.id);
      expect([ours?.faults, (ours?.entries ?? 0) > ids.length]).toEqual([[], true]);
      const created: string[] = [];
      for (let cursor = ''; ;) {
        const page = await stack.get(
          `/api/v1/audit-logs?action=workflow.created&limit=100${cursor && `&cursor=${cursor}`}`,
        );
        created.push(...page.body.data.map((one: { resourceId: string }) => one.resourceId));
        cursor = page.body.nextCursor;
        if (!cursor) break;
      }
      expect(created).toEqual(expect.arrayContaining(ids));
    },
  );

  test('an API killed with SIGKILL while a pause is open loses neither the pause nor the answer', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { apiUrl, executionId } = await stack.givenPaused(workflow, { amount: 7 });
    await stack.api.kill();
    await stack.startApi();
    expect((await stack.get(`/api/resume/${workflow}/${executionId}`)).body.status).toBe('paused');
    expect((await stack.post(apiUrl, { input: { approved: true } })).body).toMatchObject({
      status: 'completed',
    });
  });
});

describe('answer', () => {
  test('an answer is accepted while no worker is up, and applied when a worker is back', async () => {
    const workflow = await stack.givenDeployed({
      ...approval,
      blocks: [
        ...approval.blocks.slice(0, 1),
        { id: 'calc', type: 'function', params: { code: 'return 1' } },
      ],
      edges: [
        { from: 'start', to: 'approve' },
        { from: 'approve', to: 'calc' },
      ],
    });
    const { apiUrl, executionId } = await stack.givenPaused(workflow);
    await stack.worker.kill();
    const answered = await stack.post(apiUrl, { input: { approved: true }, async: true });
    expect(answered.status).toBe(202);
    await stack.startWorker();
    expect((await job(answered.body.jobId)).body).toMatchObject({
      status: 'completed',
      executionId,
      output: 1,
    });
  });
});

describe('row that disagrees with Temporal', () => {
  test('a row that disagrees with Temporal is repaired after an operator terminated the run', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { executionId } = await stack.givenPaused(workflow);
    await (await stack.runOf(executionId)).terminate('by an operator');
    const path = `/api/workflows/${workflow}/executions/${executionId}`;
    const { body } = await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'failed',
    );
    expect(body.failure).toMatchObject({ code: 'ENGINE_TERMINATED' });
    expect((await stack.get(`/api/resume/${workflow}/${executionId}`)).body.pausePoints).toMatchObject([
      { resumeStatus: 'cancelled' },
    ]);
  });

  test('a row that disagrees with Temporal follows a cancel from the Temporal UI, and an answer that comes as a signal', async () => {
    const workflow = await stack.givenDeployed(approval);
    const cancelled = await stack.givenPaused(workflow);
    await (await stack.runOf(cancelled.executionId)).cancel();
    const path = (id: string) => `/api/workflows/${workflow}/executions/${id}`;
    await until(
      () => stack.get(path(cancelled.executionId)),
      (answer) => answer.body.status === 'cancelled',
    );
    const answered = await stack.givenPaused(workflow);
    const handle = await stack.runOf(answered.executionId);
    await handle.signal('resumeSignal', { contextId: answered.contextId, answers: { approved: 'perhaps' } });
    await handle.signal('resumeSignal', { contextId: answered.contextId, answers: { approved: true } });
    const { body } = await until(
      () => stack.get(path(answered.executionId)),
      (answer) => answer.body.status === 'completed',
    );
    expect(body.output).toEqual({ approved: true, note: null });
    const { queue } = (await stack.get(`/api/resume/${workflow}/${answered.executionId}`)).body;
    expect(queue).toMatchObject([{ status: 'completed', actor: { kind: 'operator' } }]);
  });
});

describe('Temporal', () => {
  test('Temporal shows a run to its operator: summary, attributes and the block table', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { executionId } = await stack.givenPaused(workflow, { amount: 7 });
    const handle = await stack.runOf(executionId);
    const description = await handle.describe();
    expect(await description.staticSummary()).toMatch(/ v1 · api sync$/);
    expect(await description.staticDetails()).toContain(executionId);
    expect(description.searchAttributes).toMatchObject({
      HoldfastWorkspace: [stack.home.id],
      HoldfastWorkflow: [workflow],
      HoldfastWorkflowName: [expect.stringMatching(/^workflow /)],
      HoldfastVersion: [1],
      HoldfastTrigger: ['api'],
      HoldfastState: ['paused'],
    });
    const details = await handle.query('__temporal_workflow_metadata');
    expect(JSON.stringify(details)).toContain('| ⏸ paused | approve | `approve` | human |');
  });

  testInWhole('Temporal lists runs by the name of their workflow, also the run of a child', async () => {
    const inner = await stack.givenDeployed({
      blocks: [{ id: 'end', type: 'response', params: { data: 1 } }],
      edges: [{ from: 'start', to: 'end' }],
    });
    const outer = await stack.givenDeployed({
      blocks: [{ id: 'sub', type: 'workflow', params: { workflowId: inner } }],
      edges: [{ from: 'start', to: 'sub' }],
    });
    const { body } = await stack.execute(outer, {});
    expect(body.status).toBe('completed');
    const client = await stack.temporal();
    const listed = async (workflow: string) => {
      const { name } = (await stack.get(`/api/v1/workflows/${workflow}`)).body.data;
      const query = `HoldfastWorkflowName = '${name}' AND HoldfastWorkflow = '${workflow}'`;
      const runs = [];
      for await (const { workflowId, parentExecution } of client.workflow.list({ query }))
        runs.push({ workflowId, of: parentExecution?.workflowId });
      return runs;
    };
    const once = (workflow: string) =>
      until(
        () => listed(workflow),
        (runs) => runs.length > 0,
      );
    expect(await once(outer)).toEqual([{ workflowId: body.executionId, of: undefined }]);
    expect(await once(inner)).toEqual([{ workflowId: expect.any(String), of: body.executionId }]);
  });
});

describe('worker and an API told to stop', () => {
  test('a worker and an API told to stop finish the work in progress, and lose nothing', async () => {
    const workflow = await stack.givenDeployed(pure);
    const calls = Array.from({ length: 20 }, () =>
      stack.execute(workflow, { inputs: { amount: 1 } }).catch(() => null),
    );
    await Promise.all([stack.api.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
    await Promise.all([stack.startApi(), stack.startWorker()]);
    for (const answer of await Promise.all(calls)) {
      if (answer?.status === 202) expect((await job(answer.body.jobId)).body.status).toBe('completed');
      else if (answer) expect([200, 503]).toContain(answer.status);
    }
  });

  testInWhole(
    'a worker and an API told to stop answer callers of long runs at once, and do not wait for these runs',
    async () => {
      const hung = await Receiver.start(() => undefined);
      const workflow = await stack.givenDeployed(twoCalls);
      const inputs = { first: hung.url(), second: hung.url() };
      const { jobId } = (await stack.execute(workflow, { inputs, async: true })).body;
      const events = stack.get(`/api/jobs/${jobId}/events`);
      const waiting = stack.execute(workflow, { inputs });
      await until(
        async () => hung.received.length,
        (count) => count === 2,
      );
      await stack.api.kill('SIGTERM');
      expect((await events).body).toContain('event: status');
      const { status, body } = await waiting;
      expect({ status, async: body.async }).toEqual({ status: 202, async: true });
      await stack.startApi();
      expect((await stack.get(`/api/jobs/${body.jobId}`)).body.status).toBe('processing');
      hung.stop();
    },
  );
});
