import pg from 'pg';
import { newId } from '#libs/platform/ids/ids';
import { pure } from './support/definitions.ts';
import { block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let owner: pg.Client;
let workflow: string;

beforeAll(async () => {
  stack = await Stack.shared();
  owner = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await owner.connect();
  workflow = await stack.givenDeployed(pure);
});

afterAll(async () => {
  await owner.end();
  await stack.stop();
});

interface KeyedCall {
  path: string;
  body: object;
  /** Counts what such a call makes. $1 is the workspace. */
  made: string;
}

const executions = 'select count(*)::int as n from executions where workspace_id = $1';
const rows = `select count(*)::int as n from table_rows r join tables t on t.no = r.table_no where t.workspace_id = $1`;
const columns = [{ name: 'name', type: 'string', unique: true }];

/** What each route that takes an Idempotency-Key is sent. Imports, bulk jobs, forks and answers have tests of their own. */
const calls: Record<string, () => Promise<KeyedCall>> = {
  'an execution': async () => ({
    path: `/api/workflows/${workflow}/execute`,
    body: { async: true, inputs: { amount: 7 } },
    made: executions,
  }),
  'an execution whose result is awaited': async () => ({
    path: `/api/workflows/${workflow}/execute`,
    body: { inputs: { amount: 7 } },
    made: executions,
  }),
  'a test of a draft': async () => ({
    path: `/api/v1/workflows/${workflow}/test`,
    body: { inputs: { amount: 7 } },
    made: executions,
  }),
  'a run of a trigger': async () => ({
    path: `${await givenTrigger({ kind: 'webhook', webhook: { scheme: 'none' } })}/run`,
    body: { body: { amount: 7 } },
    made: executions,
  }),
  'a replay of a delivery': async () => {
    const trigger = await givenTrigger({ kind: 'webhook', webhook: { scheme: 'none' } });
    await stack.post(`${trigger}/run`, { body: { amount: 7 } });
    const { data } = (await stack.get(`${trigger}/deliveries`)).body;
    return { path: `${trigger}/deliveries/${data[0].id}/replay`, body: {}, made: executions };
  },
  'a backfill': async () => ({
    path: `${await givenTrigger({ kind: 'schedule', schedule: { cron: '0 0 1 1 *' }, inputs: { amount: 7 } })}/backfill`,
    body: { from: '2020-01-01T00:00:00Z', to: '2021-06-01T00:00:00Z' },
    made: 'select count(*)::int as n from backfills where workspace_id = $1',
  }),
  'a deploy': async () => ({
    path: `/api/v1/workflows/${await stack.givenWorkflow(pure)}/deploy`,
    body: { name: 'first' },
    made: 'select count(*)::int as n from deployments where workspace_id = $1',
  }),
  'a document': async () => ({
    path: `/api/v1/knowledge/${await givenBase()}/documents`,
    body: { filename: 'a.txt', text: 'A text.' },
    made: 'select count(*)::int as n from documents where workspace_id = $1',
  }),
  'an insert of rows': async () => ({
    path: `${await givenTable()}/rows`,
    body: { rows: [{ name: 'a' }, { name: 'b' }] },
    made: rows,
  }),
  'an upsert of a row': async () => ({
    path: `${await givenTable()}/rows/upsert`,
    body: { data: { name: 'a' }, conflictTarget: 'name' },
    made: rows,
  }),
};

async function givenTrigger(settings: object): Promise<string> {
  const path = `/api/v1/workflows/${workflow}/triggers`;
  const { status, body } = await stack.post(path, { name: newId('trg'), ...settings });
  expect([status, body.error]).toEqual([201, undefined]);
  return `${path}/${body.data.id}`;
}

async function givenBase(): Promise<string> {
  return (await stack.post('/api/v1/knowledge', { name: 'Keyed' })).body.data.knowledgeBase.id;
}

async function givenTable(): Promise<string> {
  const body = { workspaceId: stack.home.id, name: newId('tbl'), schema: { columns } };
  return `/api/v1/tables/${(await stack.post('/api/v1/tables', body)).body.data.table.id}`;
}

test.each(Object.entries(calls))(
  '%s that is repeated after its process died is answered as before, and made once',
  async (name, prepare) => {
    const { path, body, made } = await prepare();
    const key = `repeated ${name}`;
    const call = () => stack.call('POST', path, body, { 'idempotency-key': key });
    const first = await call();
    expect([first.status < 300, first.body.error ?? undefined]).toEqual([true, undefined]);
    const count = async () => (await owner.query<{ n: number }>(made, [stack.home.id])).rows[0]?.n;
    const before = await count();
    // A process that dies behind its commit leaves the key like this.
    await owner.query(
      `update idempotency_keys set status = null, answer = null, locked_until = now() - interval '1 second' where key = $1`,
      [key],
    );
    const second = await call();
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([first.status, null]);
    expect(idsOf(second.body)).toEqual(idsOf(first.body));
    expect(await count()).toBe(before);
  },
);

/** The ids in an answer, without those that belong to the request. */
function idsOf(body: unknown): string[] {
  return JSON.stringify(body).match(/"(exec|bkf|dep|doc|row|dlv)_[^"]+"/g) ?? [];
}

test('A repetition of an execution that is under way is told when to come again, and which execution it is', async () => {
  let release = () => {};
  const receiver = await Receiver.start((_, response) => (release = () => void response.end('7')));
  const held = await stack.givenDeployed(
    line(block('call', 'http', { url: receiver.url() }), respond('done')),
  );
  const headers = { 'idempotency-key': newId('exec') };
  const first = stack.execute(held, {}, headers);
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
  );
  const repeated = await stack.execute(held, {}, headers);
  expect([repeated.status, repeated.headers.get('retry-after')]).toEqual([409, '2']);
  const [executionId = ''] = /exec_\w+/.exec(repeated.body.error) ?? [];
  const running = await stack.get(`/api/workflows/${held}/executions/${executionId}`);
  expect(running.body).toMatchObject({ status: 'running' });
  release();
  expect((await first).body).toMatchObject({ executionId, status: 'completed' });
  expect((await stack.execute(held, {}, headers)).body).toMatchObject({ executionId, output: 'done' });
  receiver.stop();
});
