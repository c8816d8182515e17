import pg from 'pg';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { weigh } from './support/weights.ts';

/** Runs of plans that no compiler makes. A state that the engine cannot foresee must end the run, at every place. */
let stack: Stack;
let receiver: Receiver;
let database: pg.Client;
beforeAll(async () => {
  stack = await Stack.shared();
  receiver = await Receiver.start(({ path }, response) => {
    if (path !== '/silent') response.end('{}');
  });
  database = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await database.connect();
});
afterAll(async () => {
  receiver?.stop();
  await database?.end();
  await stack?.stop();
});

interface Block {
  id: string;
}
interface Graph {
  blocks: Block[];
  edges: object[];
}

const call = (id: string, path: string) => ({ id, type: 'http', params: { url: receiver.url(path) } });
const box = (id: string, type: string, body: Graph) => ({ id, type, params: { count: 2 }, body });
const alone = (block: Block): Graph => ({ blocks: [block], edges: [{ from: 'start', to: block.id }] });

/** Equal plans are one row, and each test breaks its own. */
let sites = 0;

/** A broken block behind a call, beside a call that is never answered and a person who is asked. */
const site = (): Graph => ({
  blocks: [
    call('silent', '/silent'),
    { id: 'ask', type: 'human', params: { title: 'Go on?' } } as Block,
    call('first', '/first'),
    { id: 'broken', type: 'wait', params: { duration: ++sites } } as Block,
  ],
  edges: [
    { from: 'start', to: 'silent' },
    { from: 'start', to: 'ask' },
    { from: 'start', to: 'first' },
    { from: 'first', to: 'broken' },
  ],
});

/** Deploys the workflow, then writes a plan into its row that no compiler makes. */
async function givenBroken(graph: Graph, from: string, to: string): Promise<string> {
  const workflowId = await stack.givenDeployed(graph);
  const { rowCount } = await database.query(
    `update plans set plan = replace(plan::text, $1, $2)::json
     where position($1 in plan::text) > 0 and hash in (select plan_hash from deployments where workflow_id = $3)`,
    [from, to, workflowId],
  );
  if (rowCount !== 1) throw new Error(`${String(rowCount)} plans of it hold ${from}`);
  return workflowId;
}
const unknownType = ['"type":"wait"', '"type":"teleport"'] as const;

/** The run after its end, from its rows and from Temporal. */
async function ended(workflowId: string) {
  const { body } = await stack.execute(workflowId, { async: true });
  const path = `/api/workflows/${workflowId}/executions/${body.executionId}`;
  const { body: row } = await until(
    () => stack.get(path),
    (answer) => ['completed', 'failed', 'cancelled'].includes(answer.body.status),
  );
  const { failedTasks } = await weigh(await stack.temporal(), body.executionId);
  expect(failedTasks).toEqual([]);
  await expectConsistent();
  return row;
}

/** Nothing is left open of any run of this workspace. */
async function expectConsistent(): Promise<void> {
  const open = `
    select 'visit ' || path as what from visits where workspace_id = $1 and status in ('running', 'paused')
    union all select 'point ' || path from pause_points where workspace_id = $1 and resume_status in ('paused', 'queued', 'resuming')
    union all select 'run ' || id from executions where workspace_id = $1 and status in ('queued', 'running', 'paused')`;
  const look = async () =>
    (await database.query<{ what: string }>(open, [stack.home.id])).rows.map(({ what }) => what);
  expect(await until(look, (left) => left.length === 0)).toEqual([]);
}

describe('fault of the engine ends the run with code and block', () => {
  test.each<[string, () => Graph, string]>([
    ['at the top', site, 'broken'],
    ['in a loop', () => alone(box('a', 'loop', site())), 'broken@a[0]'],
    ['in a parallel', () => alone(box('a', 'parallel', site())), 'broken@a[0]'],
    [
      'in a loop in a parallel',
      () => alone(box('a', 'parallel', alone(box('b', 'loop', site())))),
      'broken@a[0]/b[0]',
    ],
    [
      'in a parallel in a loop',
      () => alone(box('a', 'loop', alone(box('b', 'parallel', site())))),
      'broken@a[0]/b[0]',
    ],
  ])('%s', async (_, graph, path) => {
    const row = await ended(await givenBroken(graph(), ...unknownType));
    expect(row).toMatchObject({ status: 'failed', failure: { code: 'ENGINE_FAULT', blockId: 'broken' } });
    const statuses = Object.fromEntries(
      row.blocks.map((block: { path: string; status: string }) => [block.path, block.status]),
    );
    // Branches are equal, so any may come first.
    const failed = Object.keys(statuses).find(
      (one) => statuses[one] === 'failed' && one.startsWith('broken'),
    );
    expect(failed?.replaceAll(/\d/g, '0')).toBe(path);
    const at = failed?.slice('broken'.length);
    expect([`broken${at}`, `first${at}`, `silent${at}`, `ask${at}`].map((one) => statuses[one])).toEqual([
      'failed',
      'completed',
      'cancelled',
      'cancelled',
    ]);
  });

  test('a fault of the engine in a child, and its parent fails at the block that ran it', async () => {
    const inner = await givenBroken(site(), ...unknownType);
    const sub = { id: 'sub', type: 'workflow', params: { workflowId: inner } };
    const row = await ended(await stack.givenDeployed(alone(box('a', 'loop', alone(sub)))));
    expect(row).toMatchObject({ status: 'failed', failure: { code: 'ENGINE_FAULT', blockId: 'sub' } });
    const { rows } = await database.query('select failure from executions where workflow_id = $1', [inner]);
    expect(rows).toMatchObject([{ failure: { code: 'ENGINE_FAULT', blockId: 'broken' } }]);
  });

  test.each([
    [
      'an effect without its time-out',
      () => alone(call('broken', '/first')),
      '"timeoutMs":30000',
      '"timeouts":1',
    ],
    [
      'a container without its body',
      () => alone(box('broken', 'loop', alone(call('inside', '/x')))),
      '"body":{',
      '"bodies":{',
    ],
    [
      'an edge to nowhere',
      () => ({
        blocks: [call('broken', '/first'), call('on', '/on')],
        edges: [
          { from: 'start', to: 'broken' },
          { from: 'broken', to: 'on' },
        ],
      }),
      '{"port":"out","to":1}',
      '{"port":"out","to":7}',
    ],
  ])('a fault of the engine with %s', async (_, graph, from, to) => {
    const row = await ended(await givenBroken(graph(), from, to));
    expect(row).toMatchObject({ status: 'failed', failure: { code: 'ENGINE_FAULT', blockId: 'broken' } });
  });

  test('a fault of the engine in a plan of another version, without a block', async () => {
    const row = await ended(
      await givenBroken(alone(call('one', '/version')), '"planVersion":1', '"planVersion":99'),
    );
    expect(row).toMatchObject({ status: 'failed', failure: { code: expect.stringMatching(/^ENGINE_/) } });
  });
});
