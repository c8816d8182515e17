import pg from 'pg';
import { block, line, respond } from './support/graphs.ts';
import { Stack } from './support/stack.ts';

/** JSON that a parser would write otherwise, so it shows whether somebody has parsed it. */
const spaced = '{ "b" : 1.50, "a" : "é" }';
const list = Array.from({ length: 20_000 }, (_, n) => ({ n }));
const text = 'é"\n'.repeat(30_000);

let stack: Stack;
let owner: pg.Client;
beforeAll(async () => {
  stack = await Stack.start({ ROLES: 'api,worker' });
  owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});

const echo = (data: unknown, more: object = {}) => ({
  start: { inputs: { any: { type: 'json', required: true } } },
  blocks: [{ ...respond(data), params: { data, ...more } }],
  edges: [{ from: 'start', to: 'done' }],
});

/** Reads an answer as the text that it is. */
async function read(path: string, headers: Record<string, string> = {}, body?: string): Promise<string> {
  const answer = await fetch(stack.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': stack.home.key, 'content-type': 'application/json', ...headers },
    body,
  });
  return answer.text();
}

describe.each([
  ['a list', list, '{{ start.any }}'],
  ['a list in a member', list, { kept: '{{ start.any }}', n: 1 }],
  ['a text', text, '{{ start.any }}'],
])('With %s of more than 64 KiB', (_, any, data) => {
  const whole = typeof data === 'string' ? any : { kept: any, n: 1 };
  let id: string;
  beforeAll(async () => (id = await stack.givenDeployed(echo(data))));

  test('a large output is the same in an answer, its repetition and the job', async () => {
    const headers = { 'idempotency-key': `whole ${id}` };
    const first = await stack.execute(id, { any }, headers);
    expect(first.body).toMatchObject({ status: 'completed', output: whole });
    const again = await stack.execute(id, { any }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await stack.get(`/api/jobs/${first.body.jobId}`)).body.output).toEqual(whole);
  });

  test('a large output is the same in a raw answer and its repetition', async () => {
    const raw = await stack.givenDeployed(echo(data, { raw: true }));
    const headers = { 'idempotency-key': `raw ${id}` };
    for (const path of Array(2).fill(`/api/workflows/${raw}/execute`))
      expect(JSON.parse(await read(path, headers, JSON.stringify({ any })))).toEqual(whole);
  });
});

test('A stored output is given to callers as it is stored, without being parsed', async () => {
  const id = await stack.givenDeployed(echo('{{ start.any }}'));
  const { body } = await stack.execute(id, { any: list });
  await owner.query('update payloads set body = $2 where execution_id = $1', [body.executionId, spaced]);
  const execution = `/api/workflows/${id}/executions/${body.executionId}`;
  const { rows } = await owner.query('select id from payloads where execution_id = $1', [body.executionId]);
  for (const path of [
    `/api/jobs/${body.jobId}`,
    `/api/jobs/${body.jobId}?wait=1`,
    `/api/jobs/${body.jobId}/events`,
    execution,
    `${execution}/values/${rows[0].id}`,
    `/api/v1/logs/${body.executionId}`,
    `/api/v2/workflows/${id}/runs/${body.executionId}?includeOutput=true`,
  ])
    expect([path, await read(path)]).toEqual([path, expect.stringContaining(spaced)]);
});

test('A stored answer is repeated as it is stored, without parsing the output in it', async () => {
  const headers = { 'idempotency-key': 'unread' };
  const id = await stack.givenDeployed(echo({ kept: '{{ start.any }}', n: 1 }));
  const body = JSON.stringify({ any: list });
  const path = `/api/workflows/${id}/execute`;
  const first = await read(path, headers, body);
  await owner.query(
    `update idempotency_keys set answer = replace(answer::text, '{"n":0}', '{ "n":0 }')::json, unread = array[unread[1], unread[2] + 2] where key = 'unread'`,
  );
  expect(await read(path, headers, body)).toBe(first.replace('{"n":0}', '{ "n":0 }'));
});

test('The large output of a child is a value of its parent, also when that of the child is gone', async () => {
  const child = await stack.givenDeployed(echo({ kept: '{{ start.any }}', n: 1 }));
  const sub = block('sub', 'workflow', { workflowId: child, inputs: { any: '{{ start.any }}' } });
  const id = await stack.givenDeployed({ ...echo(''), ...line(sub, respond('{{ sub }}')) });
  const { body } = await stack.execute(id, { any: list });
  await owner.query(
    'delete from payloads p using executions e where e.id = p.execution_id and e.parent_id = $1',
    [body.executionId],
  );
  const { output } = (await stack.get(`/api/jobs/${body.jobId}?wait=60`)).body;
  expect(output).toEqual({ kept: list, n: 1 });
});
