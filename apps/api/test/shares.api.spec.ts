import { request } from 'node:http';
import pg from 'pg';
import { untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { pure } from './support/definitions.ts';
import { block, box, line, respond } from './support/graphs.ts';
import { givenMember } from './support/people.ts';
import { Stack, until, type Workspace } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** A workspace that uses all it can get, and another that must not notice. */
let stack: Stack;
let owner: pg.Client;
let honest: Workspace;

const openMax = 3;
beforeAll(async () => {
  stack = await Stack.start({
    DATABASE_POOL_MAX: '4',
    DATABASE_WAIT_MS: '10000',
    DESCENDANTS_OPEN_MAX: String(openMax),
    DESCENDANTS_MAX: '20',
    PRICE_PER_EXECUTION: '0.001',
    PLANS: '{"small":{"usage":0.004,"openExecutions":2}}',
  });
  owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await owner.connect();
  honest = await stack.givenWorkspace('honest');
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});

describe('connections of the API', () => {
  test('the connections of the API are not all held by the calls of one workspace', async () => {
    const tables: string[] = [];
    for (let n = 0; n < 8; n++) {
      const schema = { columns: [{ name: 'a', type: 'string' }] };
      const { body } = await stack.post('/api/v1/tables', { name: `held_${n}`, schema });
      tables.push(body.data.table.id);
    }
    await owner.query('begin');
    await owner.query('select 1 from tables where id = any($1) for update', [tables]);
    let answered = 0;
    const hostile = tables.map(async (table) => {
      const changed = await stack.call('PATCH', `/api/v1/tables/${table}`, { description: 'x' });
      answered += 1;
      return changed.status;
    });
    try {
      await untilSessions(owner, waitsForLock, 2);
      for (let n = 0; n < 10; n++) {
        const path = `/api/v1/tables?workspaceId=${honest.id}`;
        expect((await stack.get(path, { 'x-api-key': honest.key })).status).toBe(200);
      }
      expect(answered).toBeLessThan(tables.length);
    } finally {
      await owner.query('commit');
    }
    // Calls that waited in line for too long were refused with Retry-After. No other call has failed.
    const others = (await Promise.all(hostile)).filter((status) => status !== 200 && status !== 503);
    expect(others).toEqual([]);
  });
});

describe('probe of the API', () => {
  test('the probe of the API asks the database once for all probes within a second', async () => {
    const commits = async () => {
      const { rows } = await owner.query(
        'select xact_commit::int as n from pg_stat_database where datname = current_database()',
      );
      return rows[0].n as number;
    };
    // A connection tells its statistics when it ends.
    await Promise.all([stack.worker.kill('SIGTERM'), stack.api.kill('SIGTERM')]);
    const before = await commits();
    await stack.startApi();
    const probes = await Promise.all(
      Array.from({ length: 400 }, () => fetch(`${stack.url}/health/ready`).then(({ status }) => status)),
    );
    // On a very busy machine the database may be late for the probe.
    expect(probes.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await stack.api.kill('SIGTERM');
    const after = await until(commits, (n) => n > before);
    expect(after - before).toBeLessThan(200);
    await Promise.all([stack.startApi(), stack.startWorker()]);
  });
});

describe('file', () => {
  test('a file is refused before it is read when its sender may not send files', async () => {
    const { body } = await stack.post('/api/v1/knowledge', { name: 'for files' });
    const viewer = await givenMember(stack, 'viewer@files.example', 'viewer');
    const path = `/api/v1/knowledge/${body.data.knowledgeBase.id}/documents?workspaceId=${stack.home.id}`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${stack.url}${path}`, {
        method: 'POST',
        headers: {
          ...viewer.headers,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': String(50_000_000),
        },
      });
      sending.on('response', (response) => {
        resolve(response.statusCode);
        sending.destroy();
      });
      sending.on('error', reject);
      // The rest of the file never comes, so only who answers before its end answers at all.
      sending.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx');
    });
    expect(status).toBe(403);
  });
});

describe('runs that one run calls', () => {
  const executionsBelow = async (id: string) =>
    (
      await owner.query<{ status: string; failure: { code: string } | null; most: number }>(
        `select e.status, e.failure, (select count(*)::int from executions o where o.root_id = e.root_id
            and o.created_at <= e.created_at and coalesce(o.completed_at, 'infinity') > e.created_at) as most
          from executions e where e.root_id = $1`,
        [id],
      )
    ).rows;
  const calling = (workflowId: string, inputs: object = {}) =>
    block('call', 'workflow', { workflowId, inputs });
  const givenLeaf = () =>
    stack.givenDeployed(line(block('wait', 'wait', { duration: 0.3 }), respond('leaf')));

  test('the runs that one run calls wait for each other at the limit of concurrent runs, and none fails', async () => {
    const fan = box('fan', 'parallel', { count: 8, concurrency: 8 }, calling(await givenLeaf()));
    const { body } = await stack.execute(await stack.givenDeployed(line(fan, respond('all'))));
    expect([body.status, body.output]).toEqual(['completed', 'all']);
    const below = await executionsBelow(body.executionId);
    expect(below.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'completed'));
    expect(Math.max(...below.map(({ most }) => most))).toBeLessThanOrEqual(openMax);
  });

  test('the runs that one run calls go on when all places are held by runs that call other runs', async () => {
    const middle = await stack.givenDeployed(
      line(box('fan', 'parallel', { count: 2 }, calling(await givenLeaf())), respond('middle')),
    );
    const fan = box('fan', 'parallel', { count: 5, concurrency: 5 }, calling(middle));
    const { body } = await stack.execute(await stack.givenDeployed(line(fan, respond('all'))));
    expect(body.output).toBe('all');
    expect(await executionsBelow(body.executionId)).toHaveLength(15);
  });

  testInWhole(
    'the runs that one run calls are bounded in total: the next run fails with its own code',
    async () => {
      const quick = await stack.givenDeployed(pure);
      const fan = box('each', 'loop', { count: 30 }, calling(quick, { amount: 1 }));
      const { body } = await stack.execute(await stack.givenDeployed(line(fan, respond('all'))));
      expect(body.failure).toMatchObject({ code: 'CHILD_LIMIT_EXCEEDED', blockId: 'call' });
      expect(await executionsBelow(body.executionId)).toHaveLength(20);
    },
  );

  testInWhole('the runs that one run calls cost no more than their workspace may spend', async () => {
    const poor = await stack.givenWorkspace('poor');
    await owner.query(`update workspaces set plan = 'small' where id = $1`, [poor.id]);
    const mine = { 'x-api-key': poor.key };
    const quick = await stack.givenDeployed(pure, mine);
    const each = box('each', 'loop', { count: 30 }, calling(quick, { amount: 1 }));
    const workflow = await stack.givenDeployed(line(each, respond('all')), mine);
    // The plan of a key is remembered for five seconds.
    const { body } = await until(
      () => stack.execute(workflow, {}, mine),
      (answer) => answer.body.limits?.usage.plan === 'small',
    );
    expect(body.failure).toMatchObject({ code: 'USAGE_LIMIT_EXCEEDED', blockId: 'call' });
    const { rows } = await owner.query(
      'select count(*)::int as n from executions where workspace_id = $1 and root_id is not null',
      [poor.id],
    );
    expect(rows[0].n).toBeLessThanOrEqual(34);
  });
});
