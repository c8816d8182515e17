import type { Client, WorkflowHandle } from '@temporalio/client';
import { approval, pure, twoApprovals, twoCalls } from '#apps/api/test/support/definitions';
import { line } from '#apps/api/test/support/graphs';
import { givenMember } from '#apps/api/test/support/people';
import type { Receiver } from '#apps/api/test/support/receiver';
import { knowsRun } from '#apps/api/test/support/resets';
import { type Stack, until } from '#apps/api/test/support/stack';
import { Tables } from '#apps/api/test/support/tables';

/**
 * The servers of a scenario. The receiver answers by path: `/fail` 500, `/once` and `/twice` 500 one and two times,
 * `/large` 20 KB, `/silent` never, `/model` as a model that chooses the port left.
 */
export interface Ground {
  stack: Stack;
  receiver: Receiver;
  temporal: Client;
}

/**
 * One behaviour of the workflow code. Returns the id of a run that has this behaviour and ends. The recorder waits for
 * the end.
 */
export type Scenario = (ground: Ground) => Promise<string>;

const done = { id: 'done', type: 'response', params: { data: 'done' } };
const call = (id: string, url: string, more: object = {}) => ({
  id,
  type: 'http',
  params: { method: 'GET', url },
  ...more,
});

async function run({ stack }: Ground, definition: object, inputs: object = {}): Promise<string> {
  const { body } = await stack.execute(await stack.givenDeployed(definition), { inputs });
  if (!body.executionId) throw new Error(JSON.stringify(body));
  return body.executionId;
}

async function cancel({ stack }: Ground, workflowId: string, executionId: string): Promise<void> {
  await stack.post(`/api/workflows/${workflowId}/executions/${executionId}/cancel`);
}

function expiring(onExpiry: 'fail' | 'continue') {
  const form = [{ name: 'ok', type: 'boolean', default: false }];
  return { id: 'ask', type: 'human', params: { title: 'Go on?', form, expiresAfter: 1, onExpiry } };
}

const child = (workflowId: string) => ({ id: 'sub', type: 'workflow', params: { workflowId } });

/** A container whose body makes one call. */
function box(id: string, type: string, params: object, { receiver }: Ground, path = '/one') {
  return { id, type, params, body: line(call('one', `${receiver.url('')}${path}`)) };
}

/** A plan of more than 64 KB, which is not sent with the start. Only a few of its blocks run. */
const bulky = {
  blocks: [
    { id: 'check', type: 'condition', cases: [{ port: 'never', when: '1 > 2' }] },
    { id: 'bulk', type: 'response', params: { data: 'x'.repeat(70_000) } },
    done,
  ],
  edges: [
    { from: 'start', to: 'check' },
    { from: 'check', port: 'never', to: 'bulk' },
    { from: 'check', port: 'else', to: 'done' },
  ],
};

/** The workflow that processes a document in a new base. */
async function processing({ stack }: Ground, filename: string, text: string): Promise<string> {
  const base = await stack.post('/api/v1/knowledge', { name: filename });
  const path = `/api/v1/knowledge/${base.body.data.knowledgeBase.id}/documents?wait=30`;
  const { body } = await stack.post(path, { filename, text });
  return `${body.data.document.id}-1`;
}

export const scenarios: Record<string, Scenario> = {
  pure: (ground) => run(ground, pure, { amount: 5 }),

  'two-calls': (ground) =>
    run(ground, twoCalls, { first: ground.receiver.url('/one'), second: ground.receiver.url('/two') }),

  function: (ground) => {
    const params = { code: 'return { sum: input.a + 1 };', input: { a: 41 } };
    return run(ground, line({ id: 'add', type: 'function', params } as { id: string }, done));
  },

  // A router is the only effect whose output names its port.
  routed: (ground) => {
    const routes = ['left', 'right'].map((port) => ({ port, description: port }));
    const params = { model: 'm', baseUrl: ground.receiver.url('/model'), input: 'x', routes };
    const ends = ['left', 'right'].map((id) => ({ id, type: 'response', params: { data: id } }));
    return run(ground, {
      blocks: [{ id: 'ask', type: 'router', params }, ...ends],
      edges: [
        { from: 'start', to: 'ask' },
        { from: 'ask', port: 'left', to: 'left' },
        { from: 'ask', port: 'right', to: 'right' },
      ],
    });
  },

  answered: async (ground) => {
    const { stack } = ground;
    const { executionId, apiUrl } = await stack.givenPaused(await stack.givenDeployed(approval), {
      amount: 7,
    });
    await stack.post(apiUrl, { input: { approved: true, note: 'fine' } });
    return executionId;
  },

  'answered-twice': async (ground) => {
    const { stack } = ground;
    const workflow = await stack.givenDeployed(twoApprovals);
    const { body } = await stack.execute(workflow);
    const links = body.paused.pausePoints.map(
      (point: { resumeLinks: { apiUrl: string } }) => new URL(point.resumeLinks.apiUrl).pathname,
    );
    await Promise.all(links.map((link: string) => stack.post(link, { input: { ok: true } })));
    return body.executionId;
  },

  signalled: async (ground) => {
    const { stack, temporal } = ground;
    const { executionId, contextId } = await stack.givenPaused(await stack.givenDeployed(approval));
    await (
      await inTemporal(temporal, executionId)
    ).signal('resumeSignal', { contextId, answers: { approved: true } });
    return executionId;
  },

  'expired-fails': (ground) => run(ground, line(expiring('fail'), done)),

  'expired-continues': (ground) => {
    const { blocks, edges } = line(expiring('continue'), done);
    const late = { id: 'late', type: 'response', params: { data: '{{ ask.ok }}' } };
    return run(ground, {
      blocks: [...blocks, late],
      edges: [...edges, { from: 'ask', port: 'expired', to: 'late' }],
    });
  },

  'answered-before-its-deadline': async (ground) => {
    const { stack } = ground;
    const ask = { ...expiring('fail'), params: { ...expiring('fail').params, expiresAfter: 'P1D' } };
    const { executionId, apiUrl } = await stack.givenPaused(
      await stack.givenDeployed(line(ask, call('one', ground.receiver.url('/one')), done)),
    );
    // The timer of the deadline must be there.
    await knowsRun(ground.temporal, executionId);
    await stack.post(apiUrl, { input: { ok: true } });
    return executionId;
  },

  wait: (ground) =>
    run(ground, line({ id: 'rest', type: 'wait', params: { duration: 1 } } as { id: string }, done)),

  failed: (ground) => run(ground, line(call('one', ground.receiver.url('/fail')), done)),

  'error-port': (ground) => {
    const { blocks, edges } = line(call('one', ground.receiver.url('/fail')), done);
    const caught = { id: 'caught', type: 'response', params: { data: '{{ one.error.code }}' } };
    return run(ground, {
      blocks: [...blocks, caught],
      edges: [...edges, { from: 'one', port: 'error', to: 'caught' }],
    });
  },

  retried: (ground) => {
    const retry = { maxAttempts: 3, initialDelay: 1, backoff: 1 };
    return run(ground, line(call('one', ground.receiver.url('/twice'), { retry }), done));
  },

  'cancelled-at-a-pause': async (ground) => {
    const { stack } = ground;
    const workflow = await stack.givenDeployed(approval);
    const { executionId } = await stack.givenPaused(workflow);
    await cancel(ground, workflow, executionId);
    return executionId;
  },

  'cancelled-in-a-call': async (ground) => {
    const { stack, receiver } = ground;
    const workflow = await stack.givenDeployed(line(call('one', receiver.url('/silent')), done));
    const { body } = await stack.execute(workflow, { async: true });
    await until(async () => receiver.received.some(({ path }) => path === '/silent'), Boolean);
    await cancel(ground, workflow, body.executionId);
    return body.executionId;
  },

  /** Two people by key and one by a signal answer; two of them are required. A reminder and an escalation come first. */
  approved: async ({ stack, temporal }) => {
    const ann = await givenMember(stack, 'ann@example.org');
    const asking = {
      approvals: { required: 2, assignees: [ann.email] },
      reminders: [1],
      escalation: { after: 2, to: ['boss@example.org'] },
      expiresAfter: 3600,
    };
    const form = [{ name: 'approved', type: 'boolean', required: true }];
    const ask = { id: 'ask', type: 'human', params: { title: 'Go on?', form, ...asking } };
    const workflow = await stack.givenDeployed(line(ask, done));
    const { executionId, contextId, apiUrl } = await stack.givenPaused(workflow);
    const input = { approved: true };
    await stack.post(apiUrl, { input }, ann.headers);
    await until(
      () => stack.get(`${apiUrl}/trail`),
      ({ body }) => JSON.stringify(body).includes('escalated'),
    );
    await (
      await inTemporal(temporal, executionId)
    ).signal('resumeSignal', { contextId, input, as: 'boss@example.org' });
    return executionId;
  },

  /** The answer is stored outside of Temporal, so a local activity renders the block that reads it. */
  'large-value': (ground) => {
    const show = { id: 'show', type: 'response', params: { data: '{{ size(one.data.text) }}' } };
    return run(ground, line(call('one', ground.receiver.url('/large')), show));
  },

  'large-plan': (ground) => run(ground, bulky),

  loop: (ground) => run(ground, line(box('each', 'loop', { count: 3 }, ground), done)),

  'loop-with-a-test': (ground) => {
    const params = { while: 'loop.index < 2', maxIterations: 5, collect: '{{ one.status }}' };
    return run(ground, line(box('each', 'loop', params, ground), done));
  },

  parallel: (ground) => {
    const params = { count: 4, concurrency: 2, collect: '{{ one.status }}' };
    return run(ground, line(box('each', 'parallel', params, ground), done));
  },

  /** After enough short calls, later calls share activities. One call fails and is tried again. */
  batched: (ground) => {
    const path = "/{{ branch.index == 57 ? 'once' : 'one' }}";
    const url = `${ground.receiver.url('')}${path}`;
    const fetch = call('one', url, { retry: { maxAttempts: 2, initialDelay: 0.05 } });
    const params = { count: 60, concurrency: 12, collect: '{{ one.status }}' };
    return run(
      ground,
      line({ id: 'each', type: 'parallel', params, body: line(fetch) } as { id: string }, done),
    );
  },

  'branch-failed': (ground) => {
    const params = { forEach: ['silent', 'fail'] };
    const fan = box('each', 'parallel', params, ground, '/{{ branch.item }}');
    return run(ground, {
      blocks: [fan, done],
      edges: [
        { from: 'start', to: 'each' },
        { from: 'each', port: 'error', to: 'done' },
      ],
    });
  },

  child: async (ground) => {
    const workflowId = await ground.stack.givenDeployed(line(call('one', ground.receiver.url('/one'))));
    return run(ground, line(child(workflowId), done));
  },

  'child-answered': async (ground) => {
    const { stack } = ground;
    const inner = await stack.givenDeployed(approval);
    const { executionId, apiUrl } = await stack.givenPaused(
      await stack.givenDeployed(line(child(inner), done)),
    );
    await stack.post(apiUrl, { input: { approved: true, note: 'fine' } });
    return executionId;
  },

  document: (ground) => processing(ground, 'good.md', '# Title\n\nA text that is cut, embedded and shown.'),

  'document-refused': (ground) => processing(ground, 'empty.txt', ' \n '),

  import: async ({ stack }) => {
    const table = await new Tables(() => stack).given();
    const path = `${table}/import?async=true`;
    const { body } = await stack.call('POST', path, 'email,score\na@example.org,1\n', {
      'content-type': 'text/csv',
    });
    return body.data.import.id;
  },
};

/** The handle of the run once Temporal has it. Temporal gets a run that paused or ended in the API a little later. */
export async function inTemporal({ workflow }: Client, executionId: string): Promise<WorkflowHandle> {
  const handle = workflow.getHandle(executionId);
  await until(
    () => handle.describe().then(Boolean, () => false),
    (isThere) => isThere,
  );
  return handle;
}
