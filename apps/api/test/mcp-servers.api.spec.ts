import { sendPlain, sendRpc } from './support/agents.ts';
import { approval, pure } from './support/definitions.ts';
import { testWith } from '#libs/platform/binaries/support/needs';
import { runPythonAgent } from './support/python-agent.ts';
import { type Answer, Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.shared();
});
afterAll(() => stack.stop());

const resultOf = ({ status, body }: Answer) => {
  if (status !== 200 || body.error) throw new Error(JSON.stringify(body));
  return body.result;
};

const path = '/api/v1/mcp-servers';

describe('MCP servers of a workspace', () => {
  test('The MCP servers of a workspace are created, read, changed, listed by pages and deleted, and each change is audited', async () => {
    const workflowId = await stack.givenDeployed(pure);
    const tools = [{ workflowId, name: 'size', readOnlyHint: true }];
    const made = await stack.post(path, { name: 'one', tools });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({
      description: '',
      folder: null,
      tools: [
        {
          workflowId,
          name: 'size',
          description: null,
          readOnlyHint: true,
          destructiveHint: null,
          idempotentHint: null,
        },
      ],
      waitSeconds: 20,
      url: expect.stringMatching(new RegExp(`/api/mcp/${id}$`)),
    });
    expect((await stack.get(`${path}/${id}`)).body.data).toEqual(made.body.data);
    const changed = await stack.call('PATCH', `${path}/${id}`, { folder: '', waitSeconds: 0 });
    expect(changed.body.data).toMatchObject({
      name: 'one',
      folder: '',
      waitSeconds: 0,
      tools: [{ name: 'size' }],
    });
    const second = (await stack.post(path, { name: 'two' })).body.data.id;
    const first = await stack.get(`${path}?limit=1`);
    expect(first.body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    const rest = await stack.get(`${path}?limit=1&cursor=${first.body.nextCursor}`);
    expect([rest.body.data.map((one: { id: string }) => one.id), rest.body.nextCursor]).toEqual([
      [second],
      null,
    ]);
    expect((await stack.call('DELETE', `${path}/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await stack.get(`${path}/${id}`)).status).toBe(404);
    const { body } = await stack.get(`/api/v1/audit-logs?resourceId=${id}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'mcp_server.deleted',
      'mcp_server.updated',
      'mcp_server.created',
    ]);
  });

  test('The MCP servers of a workspace have unique names, and offer only workflows of the workspace', async () => {
    const workflowId = await stack.givenDeployed(pure);
    await stack.post(path, { name: 'taken' });
    const same = await stack.post(path, { name: 'taken' });
    expect([same.status, same.body.code]).toEqual([409, 'NAME_TAKEN']);
    const theirs = await stack.givenWorkspace();
    const elsewhere = await stack.givenDeployed(pure, { 'x-api-key': theirs.key });
    const wrong = {
      name: 'wrong',
      folder: 'a,b',
      tools: [{ workflowId: elsewhere }, { workflowId, name: 'a b' }, { workflowId, name: 'get_execution' }],
      waitSeconds: 301,
    };
    const shape = await stack.post(path, wrong);
    expect(shape.body.details.map(({ path: at }: { path: string }) => at)).toEqual([
      'tools.1.name',
      'waitSeconds',
    ]);
    const { details } = (
      await stack.post(path, {
        name: 'wrong',
        tools: [
          { workflowId: elsewhere },
          { workflowId, name: 'a' },
          { workflowId, name: 'a' },
          { workflowId, name: 'get_execution' },
        ],
      })
    ).body;
    expect(details.map(({ path: at, code }: { path: string; code: string }) => [at, code])).toEqual([
      ['tools.0.workflowId', 'unknown'],
      ['tools.2.workflowId', 'duplicate'],
      ['tools.2.name', 'duplicate'],
      ['tools.3.workflowId', 'duplicate'],
      ['tools.3.name', 'reserved_name'],
    ]);
    const folder = await stack.post(path, { name: 'wrong', folder: 'a,b' });
    expect(folder.body.details).toMatchObject([{ path: 'folder', code: 'pattern' }]);
    const nothing = await stack.call(
      'PATCH',
      `${path}/${(await stack.post(path, { name: 'same' })).body.data.id}`,
      {},
    );
    expect(nothing.body.details).toMatchObject([{ code: 'required' }]);
  });

  test('The MCP servers of a workspace belong to their workspace alone', async () => {
    const { id } = (await stack.post(path, { name: 'mine' })).body.data;
    const theirs = { 'x-api-key': (await stack.givenWorkspace('others')).key };
    expect((await stack.get(path, theirs)).body.data).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await stack.call(method, `${path}/${id}`, method === 'PATCH' ? { name: 'x' } : undefined, theirs))
          .status,
      ).toBe(404);
    expect((await stack.get(`${path}/${id}`, { 'x-api-key': stack.personalKey })).status).toBe(200);
  });
});

describe('caller of an MCP server', () => {
  let url: string;
  beforeAll(async () => {
    url = `${stack.url}/api/mcp/${(await stack.post(path, { name: 'door' })).body.data.id}`;
  });

  test('A caller of an MCP server needs a key, in either header, and without one learns how to get access', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const nobody = await sendPlain('POST', url, list, {});
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    expect(nobody.body.error.data.code).toBe('UNAUTHORIZED');
    const wrong = await sendPlain('POST', url, list, { authorization: 'Bearer of.another.audience' });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    const bearer = await sendRpc(
      url,
      '',
      'tools/list',
      {},
      { headers: { authorization: `Bearer ${stack.home.key}` } },
    );
    expect(resultOf(bearer).tools).toHaveLength(2);
    const elsewhere = await stack.get('/api/v1/workflows', {
      'x-api-key': '',
      authorization: `Bearer ${stack.home.key}`,
    });
    expect(elsewhere.status).toBe(401);
  });

  test('A caller of an MCP server is refused from a page of another site and under a foreign host name', async () => {
    const evil = await sendRpc(
      url,
      stack.home.key,
      'tools/list',
      {},
      { headers: { origin: 'https://evil.example' } },
    );
    expect([evil.status, evil.body.error.data.code]).toEqual([403, 'UNKNOWN_ORIGIN']);
    const own = await sendRpc(
      url,
      stack.home.key,
      'tools/list',
      {},
      { headers: { origin: 'http://localhost:6274' } },
    );
    expect(own.status).toBe(200);
  });

  test('A caller of an MCP server can open no stream and end no session, because the server keeps none', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await sendPlain(method, url, undefined, { 'x-api-key': stack.home.key });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('The client in Python', () => {
  const long = {
    blocks: [{ id: 'rest', type: 'wait', params: { duration: 30 } }],
    edges: [{ from: 'start', to: 'rest' }],
  };
  const decided = { approved: true, note: null };
  const report = {
    size: { size: 'small', amount: 5, note: 'none' },
    told: true,
    approve: decided,
    cancelled: true,
  };
  let url: string;
  beforeAll(async () => {
    const definitions = { size: pure, approve: approval, long };
    const tools: object[] = [];
    for (const [name, definition] of Object.entries(definitions))
      tools.push({ workflowId: await stack.givenDeployed(definition), name });
    const made = await stack.post(path, { name: 'python', tools, waitSeconds: 2 });
    url = `${stack.url}/api/mcp/${made.body.data.id}`;
  });

  testWith('the agent in Python').each(['2026-07-28', 'legacy'])(
    'the MCP client in Python lists, calls, follows, cancels, is shown the page of a pause and gets the result (%s)',
    async (mode) => {
      const seen = await runPythonAgent(url, stack.home.key, mode);
      expect(seen).toMatchObject({ ...report, shown: 1 });
      expect(seen.tools).toEqual(['size', 'approve', 'long', 'get_execution', 'cancel_execution']);
    },
  );
});

describe('server for operators', () => {
  const operator = () => `${stack.url}/api/mcp`;
  const use = (name: string, given: object, key = stack.home.key) =>
    sendRpc(operator(), key, 'tools/call', { name, arguments: given });

  test('The server for operators finds, describes, reads and writes over the whole API, with separate tools for reads and writes', async () => {
    const { tools } = resultOf(await sendRpc(operator(), stack.home.key, 'tools/list', {}));
    expect(
      tools.map(({ name, annotations }: { name: string; annotations: object }) => [name, annotations]),
    ).toEqual([
      ['search_operations', { readOnlyHint: true }],
      ['describe_operation', { readOnlyHint: true }],
      ['read', { readOnlyHint: true }],
      ['write', { readOnlyHint: false, destructiveHint: true }],
    ]);
    const found = resultOf(await use('search_operations', { query: 'create a table' }));
    expect(found.structuredContent.operations[0]).toMatchObject({ operationId: 'createTable', reads: false });
    const described = resultOf(await use('describe_operation', { operationId: 'createTable' }));
    expect(described.structuredContent).toMatchObject({
      tool: 'write',
      body: { properties: { name: { type: 'string' } } },
    });
    const body = { name: 'by_an_agent', schema: { columns: [{ name: 'n', type: 'number' }] } };
    const made = resultOf(await use('write', { operationId: 'createTable', body }));
    expect(made.structuredContent).toMatchObject({ status: 200, body: { success: true } });
    const { id } = made.structuredContent.body.data.table;
    const read = resultOf(await use('read', { operationId: 'getTable', parameters: { tableId: id } }));
    expect(read.structuredContent.body.data.table.name).toBe('by_an_agent');
    const { body: audit } = await stack.get(`/api/v1/audit-logs?resourceId=${id}`);
    expect(audit.data[0]).toMatchObject({ action: 'table.created' });
    const [replay] = resultOf(await use('search_operations', { query: 'backtest', readsOnly: true }))
      .structuredContent.operations;
    expect(replay).toMatchObject({ operationId: 'backtestWorkflow', reads: true });
  });

  test('The server for operators finds and makes the calls that retry, fork, pause and hold', async () => {
    const charge = { url: 'http://10.0.0.1/charge' };
    const definition = {
      blocks: [{ id: 'charge', type: 'http', params: charge, retry: { maxAttempts: 1 } }],
      edges: [{ from: 'start', to: 'charge' }],
    };
    const workflowId = await stack.givenDeployed(definition);
    const { executionId } = (await stack.execute(workflowId, {})).body;
    const hook = { kind: 'webhook', name: 'Desk', webhook: { scheme: 'bearer' } };
    const triggerId = (await stack.post(`/api/v1/workflows/${workflowId}/triggers`, hook)).body.data.id;
    const workspaceId = stack.home.id;
    /** Calls what the search finds first. */
    const make = async (query: string, parameters: object, body?: object) => {
      const [first] = resultOf(await use('search_operations', { query })).structuredContent.operations;
      const { operationId } = first;
      const made = resultOf(await use('write', { operationId, parameters, body }));
      return [operationId, made.structuredContent.body?.data ?? made.content];
    };
    const run = { workflowId, executionId };
    const forked = { from: 'charge', output: { status: 200 }, dryRun: true };
    const filter = { workflowIds: workflowId };
    expect(await make('fork an execution', run, forked)).toMatchObject([
      'forkExecution',
      { dryRun: true, repeated: [] },
    ]);
    expect(await make('start a bulk job', {}, { verb: 'retry', filter, dryRun: true })).toMatchObject([
      'startBulk',
      { counts: { found: 1, eligible: 1 } },
    ]);
    expect(await make('retry a failed execution', run, {})).toMatchObject([
      'retryExecution',
      { dryRun: false, repeated: [{ path: 'charge' }] },
    ]);
    expect(await make('pause a trigger', { workflowId, triggerId }, { note: 'We move.' })).toMatchObject([
      'pauseTrigger',
      { status: 'paused', reason: 'We move.' },
    ]);
    const [created, hold] = await make(
      'hold a workflow',
      { workspaceId },
      { workflowId, reason: 'We move.' },
    );
    expect([created, hold]).toMatchObject(['createHold', { workflowId }]);
    const released = await make('release a hold', { workspaceId, holdId: hold.id }, { perSecond: 5 });
    expect(released).toMatchObject(['releaseHold', { id: hold.id, perSecond: 5 }]);
  });

  test('The server for operators refuses, in sentences, invalid calls and calls that the key may not make', async () => {
    const texts = async (name: string, given: object, key?: string) =>
      resultOf(await use(name, given, key)).content[0].text;
    expect(await texts('read', { operationId: 'createTable' })).toContain('must be called by the tool write');
    expect(await texts('read', { operationId: 'nothing' })).toContain(
      'NOT_FOUND: No such operation "nothing"',
    );
    expect(await texts('read', { operationId: 'getTable' })).toContain('"parameters.tableId" is required.');
    expect(await texts('read', { operationId: 'getTable', parameters: { tableId: 'a', b: 1 } })).toContain(
      '"parameters.b" is not a parameter',
    );
    expect(await texts('read', { operationId: 'getTable', parameters: { tableId: '../workflows' } })).toMatch(
      /^NOT_FOUND/,
    );
    expect(await texts('read', { operationId: 'getLog', parameters: { logId: '..' } })).toContain(
      '"parameters.logId" must not be dots.',
    );
    const { key } = (
      await stack.post(`/api/v1/workspaces/${stack.home.id}/keys`, { name: 'looks', role: 'viewer' })
    ).body.data;
    const refused = resultOf(
      await use('write', { operationId: 'createWorkspace', body: { name: 'x' } }, key),
    );
    expect(refused).toMatchObject({ isError: true, structuredContent: { status: 403 } });
    const nobody = await sendPlain('POST', operator(), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {});
    expect(nobody.body.error.message).toBe(
      'A valid API key is required, as X-API-Key or as Authorization: Bearer.',
    );
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
  });

  test('The server for operators offers no agent an operation that needs a recent sign-in of a person', async () => {
    const document = (await stack.get('/openapi.json')).body;
    const guarded = Object.values<Record<string, any>>(document.paths) // oxlint-disable-line typescript/no-explicit-any
      .flatMap((item) => Object.values(item))
      .filter((one) => one['x-recent-sign-in'] === true)
      .map(({ operationId }) => String(operationId));
    expect(guarded).toEqual(
      expect.arrayContaining(['createWorkspaceKey', 'createPersonalKey', 'putSecret', 'removeMember']),
    );
    const before = (await stack.get(`/api/v1/workspaces/${stack.home.id}/keys`)).body.data.length;
    for (const operationId of [...guarded, 'acceptInvitation', 'signInByInvitation', 'signInByPasskey']) {
      const refused = resultOf(await use('write', { operationId, body: { name: 'x', role: 'admin' } }));
      expect([operationId, refused.isError, refused.content[0].text]).toEqual([
        operationId,
        true,
        expect.stringContaining('a person does it in the console'),
      ]);
    }
    expect((await stack.get(`/api/v1/workspaces/${stack.home.id}/keys`)).body.data).toHaveLength(before);
    const found = resultOf(await use('search_operations', { query: 'create key secret member passkey' }));
    const names = found.structuredContent.operations.map((one: { operationId: string }) => one.operationId);
    expect(names.filter((name: string) => guarded.includes(name))).toEqual([]);
  });

  test('The server for operators has a form that only reads, at an address of its own', async () => {
    const readOnly = (method: string, params: object) =>
      sendRpc(`${operator()}?readonly`, stack.home.key, method, params);
    const { tools } = resultOf(await readOnly('tools/list', {}));
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'search_operations',
      'describe_operation',
      'read',
    ]);
    const body = { name: 'never', schema: { columns: [{ name: 'n', type: 'number' }] } };
    for (const name of ['write', 'read']) {
      const { body: answer } = await readOnly('tools/call', {
        name,
        arguments: { operationId: 'createTable', body },
      });
      expect([name, answer.error !== undefined || answer.result.isError]).toEqual([name, true]);
    }
  });

  test('The server for operators gives the start of a long answer, and never waits for events without end', async () => {
    const schema = { columns: [{ name: 'text', type: 'string' }] };
    const { id } = (await stack.post('/api/v1/tables', { name: 'long', schema })).body.data.table;
    const rows = Array.from({ length: 200 }, (_, n) => ({ text: String(n).padEnd(1000, 'é') }));
    await stack.post(`/api/v1/tables/${id}/rows`, { rows });
    const long = resultOf(await use('read', { operationId: 'exportRows', parameters: { tableId: id } }));
    expect(long.structuredContent).toEqual({ status: 200 });
    expect(long.content[0].text).toMatch(/\(The answer has more than 65536 bytes and is cut here\./);
    expect(Buffer.byteLength(long.content[0].text)).toBeLessThan(66_000);
    const workflow = await stack.givenDeployed(approval);
    const jobId = (await stack.givenPaused(workflow)).executionId.replace('exec_', 'job_');
    const events = resultOf(await use('read', { operationId: 'followJob', parameters: { jobId } }));
    expect(events).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_REQUEST' } },
    });
    expect(events.content[0].text).toContain('it answers with events without end');
    const found = resultOf(await use('search_operations', { query: 'follow a job' }));
    expect(JSON.stringify(found)).not.toContain('followJob');
  });
});
