import { type ClientCapabilities, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectFormerClient, sendRpc } from './support/agents.ts';
import { approval, approvalByAgents, longRest } from './support/definitions.ts';
import { submit } from './support/people.ts';
import { Program } from './support/processes.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let second: Program;
let url: string;
/** The server on another process. */
let elsewhere: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  stack = await Stack.shared();
  second = Program.launch('apps/api/src/main.js', { ...stack.env, PORT: '0' });
  const definitions = { approve: approval, decide: approvalByAgents, long: longRest };
  for (const [name, definition] of Object.entries(definitions))
    ids[name] = await stack.givenDeployed(definition);
  const tools = Object.entries(ids).map(([name, workflowId]) => ({ workflowId, name }));
  const made = await stack.post('/api/v1/mcp-servers', { name: 'desk', tools, waitSeconds: 1 });
  url = `${stack.url}/api/mcp/${made.body.data.id}`;
  const { url: at } = await second.logged('the API is listening');
  elsewhere = url.replace(stack.url, String(at).replace('[::1]', 'localhost'));
});
afterAll(async () => {
  await second.kill('SIGTERM');
  await stack.stop();
});

const decide = (link: string) => submit(stack, link, { approved: 'true' });

/** The number of executions of the workflow. */
async function countRuns(name: string): Promise<number> {
  return (await stack.get(`/api/v1/logs?workflowIds=${ids[name]}&limit=100`)).body.data.length;
}

const connect = (capabilities: ClientCapabilities) =>
  connectFormerClient(url, stack.home.key, { capabilities, elsewhere });

test('a client of an older revision cancels the execution of its open call by a notice that reaches another process, and no other', async () => {
  const [client, other] = [await connect({}), await connect({})];
  const gone = new AbortController();
  const begun = { kept: 0, given: 0 };
  // Both calls have the same id: only their conversations differ.
  const kept = other.callTool({ name: 'long', arguments: {} }, undefined, {
    onprogress: () => (begun.kept += 1),
  });
  await until(
    async () => begun.kept,
    (count) => count > 0,
  );
  const given = client.callTool({ name: 'long', arguments: {} }, undefined, {
    signal: gone.signal,
    onprogress: () => gone.abort(),
  });
  await expect(given).rejects.toThrow();
  const told = (await kept).structuredContent as { execution: { executionId: string } };
  const list = `/api/v1/logs?workflowIds=${ids.long}&limit=2`;
  const statuses = async () =>
    (await stack.get(list)).body.data.map(({ status }: { status: string }) => status);
  await until(statuses, ([last]) => last === 'cancelled');
  expect(await statuses()).toEqual(['cancelled', 'running']);
  const ending = { name: 'cancel_execution', arguments: { executionId: told.execution.executionId } };
  expect((await sendRpc(url, stack.home.key, 'tools/call', ending)).status).toBe(200);
  await client.close();
  await other.close();
});

test('a client of an older revision that shows links is asked by the stream of its call, and answers to another process', async () => {
  const client = await connect({ elicitation: { url: {} } });
  const seen: object[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    seen.push(params);
    if (params.mode === 'url') await decide(params.url);
    return { action: 'accept' };
  });
  const before = await countRuns('approve');
  const result = await client.callTool({ name: 'approve', arguments: { amount: 6 } });
  expect(result.structuredContent).toEqual({ approved: true, note: null });
  expect(seen).toEqual([
    {
      mode: 'url',
      message: 'Approve 6?\n\nPlease decide.',
      url: expect.stringContaining('/resume/'),
      elicitationId: expect.any(String),
    },
  ]);
  expect((await countRuns('approve')) - before).toBe(1);
  await client.close();
});

test('a client of an older revision with forms answers only a pause that its author opens to agents', async () => {
  const client = await connect({ elicitation: {} });
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { approved: true, note: 'fine' },
  }));
  const result = await client.callTool({ name: 'decide', arguments: {} });
  expect(result.structuredContent).toEqual({ approved: true, note: 'fine' });
  const closed = await client.callTool({ name: 'approve', arguments: {} });
  expect(closed.structuredContent).toMatchObject({ execution: { status: 'paused' } });
  await client.close();
});

test('a client of an older revision whose user gives no answer in time gets a description in words, by the same execution', async () => {
  const client = await connect({ elicitation: { url: {} } });
  let isAsked = 0;
  client.setRequestHandler(ElicitRequestSchema, () => {
    isAsked += 1;
    return new Promise(() => undefined);
  });
  const before = await countRuns('approve');
  const told = await client.callTool({ name: 'approve', arguments: {} });
  expect(told.structuredContent).toMatchObject({ execution: { status: 'paused' } });
  expect(JSON.stringify(told)).not.toContain('/resume/');
  expect({ isAsked, runs: (await countRuns('approve')) - before }).toEqual({ isAsked: 1, runs: 1 });
  await client.close();
});
