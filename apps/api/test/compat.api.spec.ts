import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approval, pure, waiting } from './support/definitions.ts';
import { describeWith, isHere, testWith } from '#libs/platform/binaries/support/needs';
import { ForeignClient, foreignCommand } from './support/foreign-clients.ts';
import { Knowledge } from './support/knowledge.ts';
import { Stack, until } from './support/stack.ts';
import { describeMoreInWhole, isWhole, testInWhole } from '#libs/platform/settings/support/whole';

/** A function block that throws when it is told to. */
const failing = {
  blocks: [
    { id: 'boom', type: 'function', name: 'The boom', params: { code: 'throw new Error("no luck")' } },
  ],
  edges: [{ from: 'start', to: 'boom' }],
};
const echo = {
  start: { inputs: { input: { type: 'array' } } },
  blocks: [{ id: 'done', type: 'response', params: { data: { got: '{{ start.input }}' } } }],
  edges: [{ from: 'start', to: 'done' }],
};
/** Works until its own time-out: a wait would not count as active time. */
const slow = {
  blocks: [{ id: 'work', type: 'function', params: { code: 'for (;;);' } }],
  edges: [{ from: 'start', to: 'work' }],
};
const long = {
  blocks: [{ id: 'rest', type: 'wait', params: { duration: 3600 } }],
  edges: [{ from: 'start', to: 'rest' }],
};

let stack: Stack;
let folder: string;
let sim: Awaited<ReturnType<typeof foreignCommand>>;
const clients: ForeignClient[] = [];
const knowledge = new Knowledge(() => stack);
const ids = { pure: '', waiting: '', approval: '', failing: '', echo: '', long: '', slow: '' };
const gone = 'wf_00000000000000000000000000000000';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-compat-'));
  stack = await Stack.shared();
  const definitions = { pure, waiting, approval, failing, echo, long, slow };
  for (const name of Object.keys(ids) as (keyof typeof ids)[])
    ids[name] = await stack.givenDeployed(definitions[name]);
  if (isHere('the clients of others')) sim = await commandOf(stack.home.key);
});
afterAll(async () => {
  await stack.stop();
  await Promise.all(clients.map((client) => client.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function commandOf(key: string) {
  return foreignCommand({ url: stack.url, key, workspaceId: stack.home.id, folder });
}

async function python(version: string, key = stack.home.key): Promise<ForeignClient> {
  const client = await ForeignClient.python(version, { url: stack.url, key });
  clients.push(client);
  return client;
}

/** A call whose body may be anything, with a header or two. */
async function v2(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${stack.url}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': stack.home.key, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

const small = { size: 'small', amount: 7, note: 'none' };

describeWith('the clients of others')('command line sim 2.1.28', () => {
  testInWhole('the command line sim 2.1.28 shows the caller, and refuses an invalid key', async () => {
    const { code, printed } = await sim('whoami');
    const workspace = { id: stack.home.id, memberCount: 1 };
    const verification = { status: 'verified', keyType: 'workspace', workspace };
    expect({ code, ...printed }).toMatchObject({ code: 0, verification });
    const wrong = await (await commandOf('sk-holdfast-wrong'))('workflows', 'list');
    expect(wrong.code).toBe(1);
    expect(wrong.said).toContain('"code":"UNAUTHORIZED"');
  });

  test('the command line sim 2.1.28 runs a workflow, waits for a long run, and follows a run', async () => {
    const input = ['--input', '{"amount":7}'];
    const done = await sim('workflows', 'run', ids.pure, ...input, '--select-output', 'small.data');
    const run = { status: 'completed', output: small, workflowId: ids.pure };
    expect(done).toMatchObject({ code: 0, printed: { ...run, blockOutputs: { 'small.data': small } } });
    const waited = await sim('workflows', 'run', ids.waiting, ...input);
    expect(waited).toMatchObject({ code: 0, printed: { status: 'completed', output: small } });
    const followed = await sim(
      'workflows',
      'run',
      ids.waiting,
      ...input,
      '--follow',
      '--select-output',
      'small.data',
    );
    expect(followed).toMatchObject({ code: 0, printed: { success: true, output: small } });
    expect(followed.said).toContain(JSON.stringify(small));
  });

  testInWhole('the command line sim 2.1.28 starts a run, and waits for its end', async () => {
    const { printed } = await sim('workflows', 'run', ids.pure, '--input', '{"amount":7}', '--async');
    expect(printed.statusUrl).toContain(`/api/v2/workflows/${ids.pure}/runs/${printed.runId}`);
    const ended = await sim('workflows', 'runs', 'wait', printed.runId, '--workflow', ids.pure);
    expect(ended).toMatchObject({ code: 0, printed: { runId: printed.runId, status: 'completed' } });
    const read = await sim(
      'workflows',
      'runs',
      'get',
      printed.runId,
      '--workflow',
      ids.pure,
      '--include-output',
    );
    expect(read.printed).toMatchObject({ output: small });
    const at = ['--workflow', ids.pure, '--select-output', 'small.data.size'];
    const selected = await sim('workflows', 'runs', 'get', printed.runId, ...at);
    expect(selected).toMatchObject({ code: 0, printed: { blockOutputs: { 'small.data.size': 'small' } } });
  });

  testInWhole(
    'the command line sim 2.1.28 fails with a run that fails, and with a workflow that does not exist',
    async () => {
      const failed = await sim('workflows', 'run', ids.failing);
      const error = { message: 'no luck', code: 'BLOCK_EXECUTION_FAILED', failureCode: 'CODE_THREW' };
      expect(failed).toMatchObject({
        code: 1,
        printed: { status: 'failed', error: { ...error, blockName: 'The boom' } },
      });
      const absent = await sim('workflows', 'run', gone);
      expect(absent.code).toBe(1);
      expect(absent.said).toContain('"code":"NOT_FOUND"');
      const unfit = await sim('workflows', 'run', ids.pure);
      expect(unfit.said).toContain('input.amount');
    },
  );

  test('the command line sim 2.1.28 finds a run that waits for a person, and answers it under the same id', async () => {
    const { printed } = await sim('workflows', 'run', ids.approval);
    const { runId, paused } = printed;
    expect(printed).toMatchObject({
      status: 'paused',
      paused: { pauseKind: 'human', blockedOnBlockId: 'approve' },
    });
    const at = ['--workflow', ids.approval];
    const waits = await sim('workflows', 'runs', 'wait', runId, ...at);
    expect(waits).toMatchObject({ code: 3, printed: { runId, status: 'paused', paused } });
    const answer = ['--context', paused.contextId, '--input', '{"approved":true}'];
    const answered = await sim('workflows', 'runs', 'resume', runId, ...at, ...answer);
    expect(answered.printed).toMatchObject({ runId, status: 'completed', output: { approved: true } });
    const again = await sim('workflows', 'runs', 'resume', runId, ...at, ...answer);
    expect(again.code).toBe(1);
    expect(again.said).toContain('ALREADY_RESUMED');
  });

  test('the command line sim 2.1.28 cancels a run once', async () => {
    const { printed } = await sim('workflows', 'run', ids.long, '--async');
    const cancel = () => sim('workflows', 'runs', 'cancel', printed.runId, '--workflow', ids.long);
    expect((await cancel()).printed).toMatchObject({ success: true, reason: 'recorded' });
    await until(
      () => v2('GET', `/workflows/${ids.long}/runs/${printed.runId}`),
      ({ body }) => body.data.status === 'cancelled',
    );
    expect((await cancel()).printed).toMatchObject({ success: false, reason: 'already_cancelled' });
    const { runId } = (await sim('workflows', 'run', ids.pure, '--input', '{"amount":7}')).printed;
    const late = await sim('workflows', 'runs', 'cancel', runId, '--workflow', ids.pure);
    expect(late.printed).toMatchObject({ success: false, reason: 'already_completed' });
  });

  test('the command line sim 2.1.28 lists workflows, tables, workspaces, runs and logs', async () => {
    const schema = { columns: [{ name: 'n', type: 'number' }] };
    for (const name of ['first', 'second']) await stack.post('/api/v1/tables', { name, schema });
    const { runId } = (await sim('workflows', 'run', ids.pure, '--input', '{"amount":7}')).printed;
    const lists = ['workflows', 'tables', 'workspaces', 'logs'];
    const found = await Promise.all(lists.map(async (name) => (await sim(name, 'list')).printed.data));
    const [workflows, tables, workspaces, logs] = found;
    expect(workflows.length).toBeGreaterThanOrEqual(Object.keys(ids).length);
    expect(workflows[0]).toMatchObject({ id: ids.pure, isDeployed: true, folderPath: '/' });
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(['first', 'second']);
    expect(workspaces).toMatchObject([{ id: stack.home.id, memberCount: 1 }]);
    expect(logs[0]).toMatchObject({ runId, status: 'completed', workflow: { id: ids.pure } });
    const runs = await sim('workflows', 'runs', 'list', '--workflow', ids.pure, '--limit', '1');
    expect(runs.printed).toMatchObject({ data: [{ runId, workflowId: ids.pure, status: 'completed' }] });
  });

  testInWhole('the command line sim 2.1.28 searches knowledge bases', async () => {
    const { base, document } = await knowledge.givenText('refunds.txt', 'Refunds are paid within ten days.');
    const { printed } = await sim('knowledge', 'search', '--query', 'refunds', '--kb', base);
    const best = { documentId: document, documentName: 'refunds.txt', knowledgeBaseId: base, rank: 1 };
    expect(printed.results).toMatchObject([best]);
  });
});

const versions = (...all: string[]) =>
  isHere('the clients of others in wheels') ? all.slice(isWhole ? 0 : -1) : [];

for (const version of versions('0.2.0', '0.2.1'))
  describeMoreInWhole(`simstudio-sdk ${version}`, () => {
    test('the client executes, waits for a person, and reads the run', async () => {
      const client = await python(version);
      const { value } = await client.call('execute_workflow', [ids.pure, { amount: 7 }]);
      expect(value).toMatchObject({ success: true, status: 'completed', output: small });
      const read = await client.call('get_workflow_run', [ids.pure, value.metadata.runId], {
        include_output: true,
        selected_outputs: ['small.data.size'],
      });
      expect(read.value).toMatchObject({
        status: 'completed',
        output: small,
        blockOutputs: { 'small.data.size': 'small' },
      });
      const paused = await client.call('execute_workflow', [ids.approval]);
      expect(paused.value).toMatchObject({ success: true, status: 'paused' });
      const failed = await client.call('execute_workflow', [ids.failing]);
      expect(failed.value).toMatchObject({ success: false, status: 'failed', error: 'no luck' });
    });

    test('the client starts a run, and takes a result where it asks for a stream', async () => {
      const client = await python(version);
      const { value } = await client.call('execute_workflow', [ids.pure, { amount: 7 }], {
        async_execution: true,
      });
      expect(value).toMatchObject({ success: true, run_id: expect.stringMatching(/^exec_/) });
      const streamed = await client.call('execute_workflow', [ids.pure, { amount: 7 }], { stream: true });
      expect(streamed.value).toMatchObject({ status: 'completed', output: small });
      const list = await client.call('execute_workflow', [ids.echo, [1, 2]]);
      expect(list.value).toMatchObject({ output: { got: [1, 2] } });
    });

    test('the client reads the status of a workflow and the usage limits, and is refused in its own words', async () => {
      const client = await python(version);
      expect((await client.call('validate_workflow', [ids.pure])).value).toBe(true);
      expect((await client.call('get_usage_limits', [])).value).toMatchObject({
        success: true,
        rate_limit: { authType: 'api' },
      });
      const absent = await client.call('execute_workflow', [gone]);
      expect(absent.error).toEqual({ message: 'No such workflow.', code: 'NOT_FOUND', status: 404 });
      const unfit = await client.call('execute_workflow', [ids.pure]);
      expect(unfit.error).toMatchObject({
        message: expect.stringContaining('amount'),
        code: 'BAD_REQUEST',
        status: 400,
      });
      const stranger = await python(version, 'sk-holdfast-wrong');
      const refused = await stranger.call('execute_workflow', [ids.pure, { amount: 7 }]);
      expect(refused.error).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    });
  });

for (const version of versions('0.1.0', '0.1.1', '0.1.2'))
  describeMoreInWhole(`simstudio-sdk ${version}`, () => {
    test('the client executes, and reads status and limits', async () => {
      const client = await python(version);
      const { value } = await client.call('execute_workflow', [ids.pure, { amount: 7 }]);
      expect(value).toMatchObject({ success: true, output: small });
      expect((await client.call('validate_workflow', [ids.pure])).value).toBe(true);
      const failed = await client.call('execute_workflow', [ids.failing]);
      expect(failed.value).toMatchObject({ success: false, error: 'no luck' });
      const absent = await client.call('execute_workflow', [gone, {}]);
      expect(absent.error).toMatchObject({ code: 'NOT_FOUND', status: 404 });
      const stranger = await python(version, 'sk-holdfast-wrong');
      expect((await stranger.call('execute_workflow', [ids.pure, {}])).error).toMatchObject({ status: 401 });
      if (version === '0.1.0') return;
      const started = await client.call('execute_workflow', [ids.pure, { amount: 7 }], {
        async_execution: true,
      });
      const job = () => client.call('get_job_status', [started.value.task_id]);
      const ended = await until(job, ({ value: { status } }) => status === 'completed');
      expect(ended.value).toMatchObject({ output: small });
      expect((await client.call('get_usage_limits', [])).value).toMatchObject({ success: true });
    });
  });

testWith('the clients of others')(
  'simstudio-ts-sdk 0.1.2 executes, starts jobs, and reads status and limits',
  async () => {
    const at = { url: stack.url, key: stack.home.key };
    const client = await ForeignClient.typescript(at);
    clients.push(client);
    const { value } = await client.call('executeWorkflow', [ids.pure, { amount: 7 }]);
    expect(value).toMatchObject({ success: true, output: small });
    const { value: started } = await client.call('executeWorkflow', [ids.pure, { amount: 7 }], {
      async: true,
    });
    const job = () => client.call('getJobStatus', [started.taskId]);
    const ended = await until(job, ({ value: { status } }) => status === 'completed');
    expect(ended.value).toMatchObject({ output: small });
    expect((await client.call('validateWorkflow', [ids.pure])).value).toBe(true);
    expect((await client.call('getUsageLimits', [])).value).toMatchObject({ success: true });
    expect((await client.call('executeWorkflow', [gone])).error).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
    });
    const stranger = await ForeignClient.typescript({ ...at, key: 'sk-holdfast-wrong' });
    clients.push(stranger);
    expect((await stranger.call('getUsageLimits', [])).error).toMatchObject({ status: 401 });
  },
);

describe('paths for published clients', () => {
  test.each([
    ['POST', () => `/workflows/${ids.pure}/execute`, '{"input":', 400],
    ['POST', () => `/workflows/${ids.pure}/execute`, { input: {}, inputs: {} }, 400],
    ['POST', () => `/workflows/${ids.pure}/execute`, { async: true, stream: true }, 400],
    ['POST', () => `/workflows/${ids.pure}/execute`, { async: true, executionTimeoutSeconds: 0 }, 400],
    ['POST', () => `/workflows/${ids.pure}/execute`, { selectedOutputs: ['nothing.here'] }, 400],
    ['POST', () => `/workflows/${ids.pure}/execute`, { run: { source: 'manual' } }, 400],
    ['POST', () => `/workflows/${ids.pure}/runs/exec_1/resume`, {}, 400],
    ['POST', () => `/workflows/${ids.pure}/runs/exec_1/cancel`, undefined, 404],
    ['GET', () => `/workflows/${ids.pure}/runs/exec_1`, undefined, 404],
    ['GET', () => '/workflows', undefined, 400],
    ['GET', () => `/logs?workspaceId=${stack.home.id}&sortBy=cost`, undefined, 400],
    ['GET', () => `/tables?workspaceId=${gone}`, undefined, 404],
    ['POST', () => '/knowledge/search', { knowledgeBaseIds: 7, query: 'x' }, 400],
    ['DELETE', () => '/meta', undefined, 405],
    ['GET', () => '/nothing', undefined, 404],
    ['GET', () => '', undefined, 404],
    ['GET', () => '/%ff', undefined, 400],
  ])('the paths for published clients refuse in their form: %s %#', async (method, path, body, status) => {
    const answer = await v2(method, path(), body);
    const error = {
      code: expect.stringMatching(/^(BAD_REQUEST|NOT_FOUND)$/),
      message: expect.any(String),
      details: expect.anything(),
    };
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { error } });
  });

  test('the paths for published clients end a run that takes longer than its caller allows', async () => {
    const body = { async: true, executionTimeoutSeconds: 1 };
    const { body: accepted } = await v2('POST', `/workflows/${ids.slow}/execute`, body);
    const { runId } = accepted.data;
    const ended = await until(
      () => v2('GET', `/workflows/${ids.slow}/runs/${runId}`),
      (run) => run.body.data.status === 'failed',
    );
    expect(ended.body.data.error).toMatchObject({ failureCode: 'EXECUTION_TIMEOUT' });
  });

  test('the paths for published clients refuse a run id that the caller has chosen', async () => {
    const answer = await v2(
      'POST',
      `/workflows/${ids.pure}/execute`,
      { input: { amount: 7 } },
      { 'x-run-id': 'mine' },
    );
    expect(answer.body.error.message).toContain('Idempotency-Key');
  });

  test('the paths for published clients execute a call with an Idempotency-Key once, with each form of answer', async () => {
    const execute = (accept: string) =>
      v2(
        'POST',
        `/workflows/${ids.pure}/execute`,
        { input: { amount: 7 } },
        { accept, 'idempotency-key': `once ${accept}` },
      );
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const [first, second] = [await execute(accept), await execute(accept)];
      expect(JSON.parse(first.text).data.runId).toMatch(/^exec_/);
      expect(second.text).toBe(first.text);
    }
  });

  test('the paths for published clients repeat the first answer for a key, also when the workflow is live no more', async () => {
    const id = await stack.givenDeployed(pure);
    const keyed = { 'idempotency-key': 'before-undeploy' };
    const body = { input: { amount: 7 }, selectedOutputs: ['small.data'] };
    const call = () => v2('POST', `/workflows/${id}/execute`, body, keyed);
    const first = await call();
    await stack.call('DELETE', `/api/v1/workflows/${id}/deploy`);
    const again = await call();
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  });

  test('the paths for published clients stream lines that end with the result', async () => {
    const answer = await v2(
      'POST',
      `/workflows/${ids.waiting}/execute`,
      { input: { amount: 7 } },
      { accept: 'application/x-ndjson' },
    );
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: 'final', data: { status: 'completed', output: small } });
  });

  test('the paths for published clients add a refused answer to the audit log', async () => {
    const [ask, ...rest] = approval.blocks;
    const approvals = { required: 1, roles: ['admin'], decision: 'approved' };
    const blocks = [{ ...ask, params: { ...ask?.params, approvals } }, ...rest];
    const id = await stack.givenDeployed({ ...approval, blocks });
    const { runId, paused } = (await v2('POST', `/workflows/${id}/execute`, {})).body.data;
    const answer = { contextId: paused.contextId, input: { approved: true } };
    const refused = await v2('POST', `/workflows/${id}/runs/${runId}/resume`, answer);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { code: 'PERSON_REQUIRED' } } },
    });
    const noted = () => stack.get('/api/v1/audit-logs?action=answer.refused');
    const { body } = await until(noted, (log) => log.body.data.length > 0);
    expect(body.data[0]).toMatchObject({ resourceId: runId, metadata: { code: 'PERSON_REQUIRED' } });
  });

  test('the paths for published clients show nothing of another workspace', async () => {
    const theirs = await stack.givenWorkspace();
    const headers = { 'x-api-key': theirs.key };
    const { runId } = (await v2('POST', `/workflows/${ids.pure}/execute`, { input: { amount: 7 } })).body
      .data;
    const looks = [
      v2('GET', `/workflows/${ids.pure}/runs/${runId}`, undefined, headers),
      v2('GET', `/workspaces/${stack.home.id}`, undefined, headers),
      v2('GET', `/logs?workspaceId=${stack.home.id}`, undefined, headers),
      v2('GET', `/workflows/${ids.waiting}/runs/${runId}`),
    ];
    expect((await Promise.all(looks)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test('the paths for published clients list tables by pages', async () => {
    const list = (more: string) => v2('GET', `/tables?workspaceId=${stack.home.id}&limit=1${more}`);
    const first = (await list('')).body;
    const second = (await list(`&cursor=${first.nextCursor}`)).body;
    expect([first, second].flatMap(({ data }) => data.map(({ name }: { name: string }) => name))).toEqual([
      'first',
      'second',
    ]);
    expect(second.nextCursor).toBeNull();
    expect((await list('&scope=archived')).body).toEqual({ data: [], nextCursor: null });
  });
});
