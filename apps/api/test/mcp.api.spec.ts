import { approval, approvalByAgents, longRest, pure } from './support/definitions.ts';
import { connectClient, connectFormerClient, sendPlain, sendRpc, tasksExtension } from './support/agents.ts';
import { submit } from './support/people.ts';
import { type Answer, Stack, until } from './support/stack.ts';

const greeting = {
  start: { inputs: { name: { type: 'string', required: true, description: 'Who is greeted.' } } },
  blocks: [
    {
      id: 'done',
      type: 'response',
      params: { data: { text: 'Hello {{ start.name }}', name: '{{ start.name }}' } },
    },
  ],
  edges: [{ from: 'start', to: 'done' }],
};

/** Undeclared members are taken unchanged. */
const large = {
  blocks: [{ id: 'done', type: 'response', params: { data: { text: '{{ start.text }}' } } }],
  edges: [{ from: 'start', to: 'done' }],
};

const failing = {
  blocks: [{ id: 'call', type: 'http', params: { method: 'GET', url: 'http://127.0.0.1:9/' } }],
  edges: [{ from: 'start', to: 'call' }],
};

let stack: Stack;
let url: string;
/** The server whose calls wait until their run has ended, also on a busy machine. */
let patientUrl: string;
const ids: Record<string, string> = {};
const takesTasks = { extensions: { [tasksExtension]: {} } };
const showsLinks = { elicitation: { url: {} } };
const hasForms = { elicitation: { form: {}, url: {} } };

beforeAll(async () => {
  // Of its own, because it kills the processes.
  stack = await Stack.start();
  const definitions = {
    greet: greeting,
    size: pure,
    approve: approval,
    decide: approvalByAgents,
    long: longRest,
    large,
    fail: failing,
  };
  for (const [name, definition] of Object.entries(definitions))
    ids[name] = await stack.givenDeployed(definition);
  const tools = Object.entries(ids).map(([name, workflowId]) => ({ workflowId, name }));
  const made = await stack.post('/api/v1/mcp-servers', { name: 'desk', tools, waitSeconds: 1 });
  url = `${stack.url}/api/mcp/${made.body.data.id}`;
  const patient = await stack.post('/api/v1/mcp-servers', { name: 'patient', tools, waitSeconds: 60 });
  patientUrl = `${stack.url}/api/mcp/${patient.body.data.id}`;
});
afterAll(() => stack.stop());

type Said = Parameters<typeof sendRpc>[4];
const rpc = (method: string, params: object = {}, said?: Said) =>
  sendRpc(url, stack.home.key, method, params, said);
const call = (name: string, given: object = {}, said?: Said) =>
  rpc('tools/call', { name, arguments: given }, said);
const callPatiently = (name: string, given: object = {}) =>
  sendRpc(patientUrl, stack.home.key, 'tools/call', { name, arguments: given });
const resultOf = ({ status, body }: Answer) => {
  if (status !== 200 || body.error) throw new Error(JSON.stringify(body));
  return body.result;
};

/** The number of executions of the workflow. */
async function countRuns(name: string): Promise<number> {
  return (await stack.get(`/api/v1/logs?workflowIds=${ids[name]}&limit=100`)).body.data.length;
}

async function expectNothingBegun(work: () => Promise<void>): Promise<void> {
  const count = async () => (await stack.get('/api/v1/logs?limit=100')).body.data.length;
  const before = await count();
  await work();
  expect(await count()).toBe(before);
}

const none: [] = [];
const linkIn = (text: string) => /http\S+\/resume\/\S+/.exec(text)?.[0] ?? '';
const decide = (link: string) => submit(stack, link, { approved: 'true' });

describe('list of tools', () => {
  test('The list of tools has the deployed workflows with their schemas, then the tools of every server, and may be kept for a while', async () => {
    const { tools, ttlMs, cacheScope } = resultOf(await rpc('tools/list'));
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      ...Object.keys(ids),
      'get_execution',
      'cancel_execution',
    ]);
    expect({ ttlMs, cacheScope }).toEqual({ ttlMs: 5000, cacheScope: 'private' });
    expect(tools[0]).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Who is greeted.' } },
        required: ['name'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        anyOf: [
          { properties: { text: { type: 'string' }, name: { type: 'string' } }, required: ['text', 'name'] },
          { required: ['execution'] },
        ],
      },
    });
  });

  test('The list of tools follows a deploy and an undeploy, and notifies each subscriber', async () => {
    const id = await stack.givenWorkflow(greeting);
    await stack.call('PATCH', `/api/v1/workflows/${id}`, { folder: 'desk/eu' });
    const made = await stack.post('/api/v1/mcp-servers', { name: 'folder', folder: 'desk' });
    const own = `${stack.url}/api/mcp/${made.body.data.id}`;
    const count = async () => resultOf(await sendRpc(own, stack.home.key, 'tools/list', {})).tools.length;
    expect(await count()).toBe(2);
    let heard = 0;
    const client = await connectClient(own, stack.home.key, {
      listChanged: { tools: { autoRefresh: false, onChanged: () => (heard += 1) } },
    });
    await stack.post(`/api/v1/workflows/${id}/deploy`);
    expect(await count()).toBe(3);
    await until(
      async () => heard,
      (times) => times > 0,
    );
    await client.close();
    await stack.call('DELETE', `/api/v1/workflows/${id}/deploy`);
    expect(await count()).toBe(2);
  });
});

describe('call', () => {
  test('A call gives the output of a pure workflow as text and as structured content, and is in the logs as mcp', async () => {
    const result = resultOf(await callPatiently('size', { amount: 7 }));
    expect(result.structuredContent).toEqual({ size: 'small', amount: 7, note: 'none' });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    const { body } = await stack.get(`/api/v1/logs?workflowIds=${ids.size}&triggers=mcp`);
    expect(body.data[0]).toMatchObject({ trigger: 'mcp', status: 'completed' });
  });

  test('A call becomes a tool error with code and sentence when it fails', async () => {
    const first = resultOf(await call('fail'));
    const { executionId } = first.structuredContent.execution ?? first.structuredContent.error;
    const ask = async () => resultOf(await call('get_execution', { executionId }));
    const result = await until(ask, ({ isError }) => isError === true);
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: expect.any(String), blockId: 'call' } },
    });
    expect(result.content[0].text).toMatch(/^CONNECT_FAILED: .*\.$/);
  });

  test('A call begins one execution for one key, also with a task in between', async () => {
    const meta = { 'Idempotency-Key': 'order 7' };
    const before = await countRuns('long');
    const said = { capabilities: takesTasks, meta };
    const first = resultOf(await call('long', {}, said));
    const second = resultOf(await call('long', {}, said));
    expect(first).toMatchObject({ resultType: 'task', status: 'working' });
    expect(second.taskId).toBe(first.taskId);
    expect(await countRuns('long')).toBe(before + 1);
    const other = resultOf(await call('long', { other: 1 }, said));
    expect(other).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'IDEMPOTENCY_KEY_REUSED' } },
    });
    expect(resultOf(await rpc('tasks/cancel', { taskId: first.taskId }, said))).toMatchObject({
      resultType: 'complete',
    });
    await until(
      async () => resultOf(await rpc('tasks/get', { taskId: first.taskId }, said)).status,
      (status) => status === 'cancelled',
    );
  });

  test('A call is cancelled when its client closes the stream, unless it has a key', async () => {
    const before = await countRuns('long');
    for (const meta of [{}, { 'Idempotency-Key': 'kept' }]) {
      const gone = new AbortController();
      const client = await connectClient(url, stack.home.key);
      const asked = client.callTool(
        { name: 'long', arguments: {}, _meta: meta },
        { signal: gone.signal, onprogress: () => gone.abort() },
      );
      await expect(asked).rejects.toThrow();
      await client.close();
    }
    const statuses = async () =>
      (await stack.get(`/api/v1/logs?workflowIds=${ids.long}&limit=2`)).body.data.map(
        ({ status }: { status: string }) => status,
      );
    await until(
      async () => (await countRuns('long')) - before,
      (count) => count === 2,
    );
    await until(statuses, ([kept, given]) => kept !== 'cancelled' && given === 'cancelled');
    const [{ executionId }] = (await stack.get(`/api/v1/logs?workflowIds=${ids.long}&limit=1`)).body.data;
    resultOf(await call('cancel_execution', { executionId }));
  });

  test('A call with a large output gives a link to a resource, which others may not read', async () => {
    const text = 'x'.repeat(70_000);
    const result = resultOf(await callPatiently('large', { text }));
    const link = result.content.find(({ type }: { type: string }) => type === 'resource_link');
    expect(link).toMatchObject({ mimeType: 'application/json', size: 70_011 });
    const { contents } = resultOf(
      await sendRpc(patientUrl, stack.home.key, 'resources/read', { uri: link.uri }),
    );
    expect(JSON.parse(contents[0].text)).toEqual({ text });
    const theirs = await stack.givenWorkspace('readers');
    const made = await stack.post('/api/v1/mcp-servers', { name: 'theirs' }, { 'x-api-key': theirs.key });
    const refused = await sendRpc(`${stack.url}/api/mcp/${made.body.data.id}`, theirs.key, 'resources/read', {
      uri: link.uri,
    });
    expect(refused.body.error).toMatchObject({ code: -32_602, message: 'No such execution.' });
  });
});

describe('pause', () => {
  test('A pause is a task that needs input by the link, and has its result once a person has decided', async () => {
    const capabilities = { ...takesTasks, ...showsLinks };
    const task = resultOf(await call('approve', { amount: 5 }, { capabilities }));
    expect(task).toMatchObject({ resultType: 'task', status: 'input_required' });
    const { taskId } = task;
    const get = async () => resultOf(await rpc('tasks/get', { taskId }, { capabilities }));
    const { inputRequests } = await get();
    const [[key, asked] = none] = Object.entries<{ params: { mode: string; url: string } }>(inputRequests);
    expect(asked?.params).toMatchObject({ mode: 'url', message: 'Approve 5?\n\nPlease decide.' });
    // The model of the client reads this text, and anyone with the link can decide.
    expect(task.statusMessage).not.toContain('/resume/');
    const again = (said: object) => call('get_execution', { executionId: taskId }, { capabilities: said });
    const shown = resultOf(await again(showsLinks));
    expect(shown).toMatchObject({ resultType: 'input_required', inputRequests: { [key ?? '']: asked } });
    expect(resultOf(await again({})).content[0].text).toContain('/resume/');
    // A user who accepts has opened the page, but has decided nothing.
    const inputResponses = { [key ?? '']: { action: 'accept', content: { approved: true } } };
    await rpc('tasks/update', { taskId, inputResponses }, { capabilities });
    expect(await get()).toMatchObject({ status: 'input_required' });
    await decide(asked?.params.url ?? '');
    const done = await until(get, ({ status }) => status === 'completed');
    expect(done.result.structuredContent).toEqual({ approved: true, note: null });
  });

  test('A pause is answered by a form when its author opens it to agents, and is stored like every answer', async () => {
    const capabilities = { ...takesTasks, ...hasForms };
    const { taskId } = resultOf(await call('decide', {}, { capabilities }));
    const get = async () => resultOf(await rpc('tasks/get', { taskId }, { capabilities }));
    const { inputRequests } = await get();
    const [[key, asked] = none] = Object.entries<{ params: object }>(inputRequests);
    expect(asked?.params).toMatchObject({
      requestedSchema: {
        properties: { approved: { type: 'boolean' }, note: { type: 'string', maxLength: 20 } },
        required: ['approved'],
      },
    });
    const answer = (content: object) =>
      rpc(
        'tasks/update',
        { taskId, inputResponses: { [key ?? '']: { action: 'accept', content } } },
        { capabilities },
      );
    const wrong = await answer({ approved: 'perhaps' });
    expect(wrong.body.error).toMatchObject({
      code: -32_602,
      message: 'input.approved: It must be true or false.',
    });
    resultOf(await answer({ approved: true, note: 'fine' }));
    resultOf(await answer({ approved: false }));
    const done = await until(get, ({ status }) => status === 'completed');
    expect(done.result.structuredContent).toEqual({ approved: true, note: 'fine' });
    const { body } = await stack.get(`/api/resume/${ids.decide}/${taskId}`);
    expect(body.queue).toMatchObject([
      { resumeInput: { approved: true, note: 'fine' }, actor: { kind: 'key', channel: 'mcp' } },
    ]);
  });

  test('A pause is described in words to a client without forms and links, which asks for the result later', async () => {
    const client = await connectFormerClient(url, stack.home.key);
    await client.listTools();
    const told = await client.callTool({ name: 'approve', arguments: {} });
    expect(told.isError).toBeFalsy();
    const [{ text }] = told.content as [{ text: string }];
    expect(text).toContain('get_execution');
    const { execution } = told.structuredContent as { execution: { executionId: string; status: string } };
    expect(execution.status).toBe('paused');
    await decide(linkIn(text));
    const ask = () =>
      client.callTool({ name: 'get_execution', arguments: { executionId: execution.executionId } });
    const done = await until(
      ask,
      ({ structuredContent }) => !JSON.stringify(structuredContent).includes('paused'),
    );
    expect(done.structuredContent).toEqual({ approved: true, note: null });
    await client.close();
  });

  test('A pause takes the user of a client to the page and back to the same call', async () => {
    const client = await connectClient(url, stack.home.key, { capabilities: showsLinks });
    await client.listTools();
    let links = 0;
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('A form was asked for.');
      links += 1;
      await decide(params.url);
      return { action: 'accept' };
    });
    const before = await countRuns('approve');
    const result = await client.callTool({ name: 'approve', arguments: {} });
    expect(result.structuredContent).toEqual({ approved: true, note: null });
    expect({ links, runs: (await countRuns('approve')) - before }).toEqual({ links: 1, runs: 1 });
    await client.close();
  });

  test('A pause is described in words when the user does not decide in time, by the same execution', async () => {
    const first = resultOf(await call('approve', {}, { capabilities: showsLinks }));
    expect(first).toMatchObject({ resultType: 'input_required' });
    const { inputRequests, requestState } = first;
    const [key = ''] = Object.keys(inputRequests);
    const before = await countRuns('approve');
    for (const action of ['accept', 'decline']) {
      const params = { name: 'approve', arguments: {}, requestState, inputResponses: { [key]: { action } } };
      const again = resultOf(await rpc('tools/call', params, { capabilities: showsLinks }));
      const { status, links } = again.structuredContent.execution;
      expect({ status, links }).toEqual({ status: 'paused', links: undefined });
    }
    expect(await countRuns('approve')).toBe(before);
  });
});

describe('call that does not fit', () => {
  test('A call that does not fit is refused in a sentence, and begins nothing', async () => {
    await expectNothingBegun(async () => {
      const missing = resultOf(await call('greet', {}));
      expect(missing).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'INVALID_REQUEST' } },
      });
      const other = resultOf(await call('greet', { name: 'Ann', nick: 'A' }));
      expect(other.content[0].text).toBe(
        'INVALID_REQUEST: "inputs.nick" is not an input of this tool; it has name.',
      );
      const unknown = await call('nothing');
      expect(unknown.body.error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('There is no tool "nothing"'),
      });
      const big = await call('greet', { name: 'x'.repeat(1_000_000) });
      expect([big.status, big.body.error.code]).toEqual([413, -32_600]);
      const key = resultOf(await call('greet', { name: 'Ann' }, { meta: { 'Idempotency-Key': '' } }));
      expect(key.content[0].text).toContain('must have 1 to 255 printable characters');
      const batch = await sendPlain('POST', url, [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], {
        'x-api-key': stack.home.key,
      });
      expect([batch.status, batch.body.error.data.details[0].code]).toEqual([400, 'batch']);
    });
  });

  test('A call that does not fit is refused when its workflow was undeployed after the list was read', async () => {
    const workflowId = await stack.givenDeployed(greeting);
    const made = await stack.post('/api/v1/mcp-servers', {
      name: 'gone',
      tools: [{ workflowId, name: 'greet' }],
    });
    const own = `${stack.url}/api/mcp/${made.body.data.id}`;
    expect(resultOf(await sendRpc(own, stack.home.key, 'tools/list', {})).tools).toHaveLength(3);
    await stack.call('DELETE', `/api/v1/workflows/${workflowId}/deploy`);
    const refused = resultOf(
      await sendRpc(own, stack.home.key, 'tools/call', { name: 'greet', arguments: { name: 'Ann' } }),
    );
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_DEPLOYED' } } });
  });

  test('A call that does not fit names a server or a task of others as if it did not exist', async () => {
    const theirs = await stack.givenWorkspace();
    const elsewhere = await sendRpc(url, theirs.key, 'tools/list', {});
    const absent = await sendRpc(
      url.replace(/mcp_.*/, 'mcp_00000000000000000000'),
      stack.home.key,
      'tools/list',
      {},
    );
    expect([elsewhere.status, absent.status]).toEqual([404, 404]);
    expect(elsewhere.body.error).toMatchObject({
      message: 'No such MCP server.',
      data: { code: 'NOT_FOUND' },
    });
    const made = await stack.post('/api/v1/mcp-servers', { name: 'theirs' }, { 'x-api-key': theirs.key });
    const { taskId } = resultOf(await call('approve', {}, { capabilities: takesTasks }));
    const beside = await stack.post('/api/v1/mcp-servers', { name: 'beside' });
    const others = [
      [made.body.data.id, theirs.key],
      [beside.body.data.id, stack.home.key],
    ] as const;
    for (const [serverId, key] of others)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const at = `${stack.url}/api/mcp/${serverId}`;
        const answer = await sendRpc(at, key, method, { taskId }, { capabilities: takesTasks });
        expect(answer.body.error).toMatchObject({ code: -32_602, message: 'No such execution.' });
      }
    expect(resultOf(await rpc('tasks/get', { taskId }, { capabilities: takesTasks }))).toMatchObject({
      status: 'input_required',
    });
    const without = await rpc('tasks/get', { taskId });
    expect(without.body.error).toMatchObject({ code: -32_021, data: { requiredCapabilities: takesTasks } });
    const byRest = (await stack.execute(ids.approve ?? '')).body.executionId;
    const other = await rpc('tasks/get', { taskId: byRest }, { capabilities: takesTasks });
    expect(other.body.error).toMatchObject({ message: 'No such execution.' });
  });

  test('A call that does not fit is refused with a state that was changed or belongs to another call', async () => {
    const { requestState } = resultOf(await call('approve', { amount: 1 }, { capabilities: showsLinks }));
    await expectNothingBegun(async () => {
      const tries = [
        { name: 'approve', arguments: { amount: 1 }, requestState: `${requestState}x` },
        { name: 'approve', arguments: { amount: 2 }, requestState },
        { name: 'decide', arguments: { amount: 1 }, requestState },
      ];
      for (const params of tries) {
        const { body } = await rpc('tools/call', params, { capabilities: showsLinks });
        expect(body.error).toMatchObject({ code: -32_602, data: { reason: 'invalid_request_state' } });
      }
    });
  });

  test('A call that does not fit is refused by a key that may only read when it begins or ends something', async () => {
    const path = `/api/v1/workspaces/${stack.home.id}/keys`;
    const { key } = (await stack.post(path, { name: 'reader', role: 'viewer' })).body.data;
    await expectNothingBegun(async () => {
      expect(resultOf(await sendRpc(url, key, 'tools/list', {})).tools).toHaveLength(9);
      const refused = resultOf(
        await sendRpc(url, key, 'tools/call', { name: 'greet', arguments: { name: 'Ann' } }),
      );
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'FORBIDDEN' } } });
    });
  });
});

test('A task outlives its processes: it is begun once and ends once', async () => {
  const capabilities = { ...takesTasks, ...showsLinks };
  const said = { capabilities, meta: { 'Idempotency-Key': 'survivor' } };
  const before = await countRuns('approve');
  const { taskId } = resultOf(await call('approve', {}, said));
  await Promise.all([stack.api.kill('SIGKILL'), stack.worker.kill('SIGKILL')]);
  await Promise.all([stack.startApi(), stack.startWorker()]);
  expect(resultOf(await call('approve', {}, said)).taskId).toBe(taskId);
  const get = async () => resultOf(await rpc('tasks/get', { taskId }, { capabilities }));
  const [asked] = Object.values<{ params: { url: string } }>((await get()).inputRequests);
  await decide(asked?.params.url ?? '');
  await Promise.all([stack.api.kill('SIGKILL'), stack.worker.kill('SIGKILL')]);
  await Promise.all([stack.startApi(), stack.startWorker()]);
  const done = await until(get, ({ status }) => status === 'completed');
  expect(done.result.structuredContent).toEqual({ approved: true, note: null });
  expect((await countRuns('approve')) - before).toBe(1);
});
