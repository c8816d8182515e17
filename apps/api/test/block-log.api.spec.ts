import pg from 'pg';
import { approval, pure } from './support/definitions.ts';
import { ask, block, box, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';

let stack: Stack;
let owner: pg.Client;
let flaky: Receiver;
/** The number of the next calls that are refused. */
let refusing = 0;

beforeAll(async () => {
  stack = await Stack.shared();
  owner = new pg.Client({ connectionString: stack.env.DATABASE_URL });
  await owner.connect();
  flaky = await Receiver.start((_, response) => {
    response.statusCode = refusing-- > 0 ? 503 : 200;
    response.end('{}');
  });
});
afterAll(async () => {
  flaky.stop();
  await owner.end();
  await stack.stop();
});

const calling = (id: string, more: object = {}) => block(id, 'http', { url: flaky.url() }, more);
const retry = { maxAttempts: 3, initialDelay: 0.2, backoff: 1 };

/** Executes a definition to its end, with a yes to every pause. */
async function runThrough(
  definition: object,
  inputs: object = {},
): Promise<{ workflow: string; id: string }> {
  const workflow = await stack.givenDeployed(definition);
  const { body } = await stack.execute(workflow, { inputs });
  const id: string = body.executionId;
  for (let answer = body; answer.status === 'paused';) {
    const [point] = answer.paused.pausePoints.filter(
      ({ resumeStatus }: { resumeStatus: string }) => resumeStatus === 'paused',
    );
    const [field] = point.response.formFields;
    answer = (await stack.post(new URL(point.resumeLinks.apiUrl).pathname, { input: { [field.name]: true } }))
      .body;
  }
  await until(
    () => stack.get(`/api/jobs/${id}`),
    (job) => ['completed', 'failed'].includes(job.body.status),
  );
  return { workflow, id };
}

const attemptsOf = async ({ workflow, id }: { workflow: string; id: string }, blockId: string) =>
  (await stack.blockLog(workflow, id)).find((visit) => visit.blockId === blockId)?.attempts;

describe('attempts in the block log', () => {
  test.each([
    ['without a pause', [] as ReturnType<typeof block>[]],
    ['after a pause', [ask('approve')]],
  ])('%s are equal to the calls, in the log, in the timeline and in Temporal', async (_, before) => {
    refusing = 2;
    const made = await runThrough(line(...before, calling('call', { retry }), respond('done')));
    expect(await attemptsOf(made, 'call')).toBe(3);
    const { body } = await stack.get(`/api/v1/executions/${made.id}/timeline`);
    const shown = body.data.visits.find(({ blockId }: { blockId: string }) => blockId === 'call');
    expect(shown.attempts).toBe(3);
    const history = await (await stack.runOf(made.id)).fetchHistory();
    const ids = history.events?.flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityId ?? [],
    );
    // Without a pause the first attempt is made before Temporal has the run.
    expect(ids).toEqual([...(before.length > 0 ? ['call'] : []), 'call#2', 'call#3']);
  });

  test('attempts in the block log count one for a block that is called once after a pause', async () => {
    refusing = 0;
    const made = await runThrough(line(ask('approve'), calling('first'), calling('second'), respond('done')));
    expect([await attemptsOf(made, 'first'), await attemptsOf(made, 'second')]).toEqual([1, 1]);
  });

  test('attempts in the block log are never more than the retry rule of the block allows', async () => {
    refusing = 9;
    const made = await runThrough(line(ask('approve'), calling('call', { retry }), respond('done')));
    expect(await attemptsOf(made, 'call')).toBe(3);
    refusing = 0;
  });
});

describe('times in the block log', () => {
  test('times in the block log cover the first attempt and the delays of a retried block', async () => {
    refusing = 2;
    const made = await runThrough(line(calling('call', { retry }), respond('done')));
    const [visit] = (await stack.blockLog(made.workflow, made.id)).filter(
      ({ blockId }) => blockId === 'call',
    );
    // Two delays of 200 ms lie between the three attempts.
    expect(visit.duration).toBeGreaterThanOrEqual(400);
  });

  test('times in the block log are never negative, and lie within the times of the execution, in runs of every kind', async () => {
    refusing = 0;
    const passes = box('each', 'loop', { count: 20 }, calling('inner'));
    const fan = box('fan', 'parallel', { count: 20 }, calling('one'));
    const definitions = [
      line(respond('1')),
      line(calling('call'), block('work', 'function', { code: 'return 1' }), calling('again'), respond('1')),
      line(passes, respond('1')),
      line(fan, respond('1')),
      line(ask('approve'), calling('after'), respond('1')),
      line(block('wait', 'wait', { duration: 0.2 }), calling('call'), respond('1')),
      approval,
    ];
    for (const definition of definitions) await runThrough(definition);
    const parent = line(
      block('child', 'workflow', { workflowId: await stack.givenDeployed(pure), inputs: { amount: 5 } }),
      respond('1'),
    );
    await runThrough(parent);
    const { rows: visits } = await owner.query(
      `
      select e.id, v.path, v.type, v.started_at, v.ended_at, e.created_at, e.started_at as run_started, e.completed_at
      from visits v join executions e on e.id = v.execution_id
      where e.workspace_id = $1 and (v.ended_at < v.started_at or date_trunc('milliseconds', e.created_at) > v.started_at or v.started_at < e.started_at
        or v.ended_at > e.completed_at or (v.ended_at is null and e.completed_at is not null))`,
      [stack.home.id],
    );
    expect(visits).toEqual([]);
    const { rows: runs } = await owner.query(
      `
      select id, created_at, started_at, completed_at from executions
      where workspace_id = $1
        and (date_trunc('milliseconds', created_at) > started_at or started_at > completed_at)`,
      [stack.home.id],
    );
    expect(runs).toEqual([]);
    const { rows: counted } = await owner.query(
      'select count(*)::int as n from visits where workspace_id = $1',
      [stack.home.id],
    );
    expect(counted[0].n).toBeGreaterThan(60);
  });
});

describe('console of a function', () => {
  test('the console of a function is in the visit of a function that succeeded, without the values of secrets', async () => {
    await stack.call('PUT', `/api/v1/workspaces/${stack.home.id}/secrets/TOKEN`, {
      value: 'very-secret-value',
    });
    const code = 'console.log("seen", input.n); console.log(input.t); return 1';
    const work = block('work', 'function', { code, input: { n: 5, t: '{{ secrets.TOKEN }}' } });
    const quiet = block('quiet', 'function', { code: 'return 2' });
    const { workflow, id } = await runThrough(line(work, quiet, respond('done')));
    const visits = await stack.blockLog(workflow, id);
    const logsOf = (blockId: string) => visits.find((visit) => visit.blockId === blockId)?.logs;
    expect(logsOf('work')).toHaveLength(2);
    expect(logsOf('work')[0]).toBe('seen 5');
    expect(JSON.stringify(visits)).not.toContain('very-secret-value');
    expect(logsOf('quiet')).toBeNull();
  });
});

describe('graph of a timeline', () => {
  test('the graph of a timeline takes no edge out of a skipped block, and counts the visits of a block in a loop by state', async () => {
    const condition = {
      id: 'high',
      type: 'condition',
      cases: [{ port: 'yes', when: 'loop.index == 1' }],
    };
    const body = {
      blocks: [condition, calling('rare'), calling('after')],
      edges: [
        { from: 'start', to: 'high' },
        { from: 'high', port: 'yes', to: 'rare' },
        { from: 'rare', to: 'after' },
      ],
    };
    const definition = {
      blocks: [
        { id: 'each', type: 'loop', params: { count: 3 }, body },
        { id: 'never', type: 'condition', cases: [{ port: 'yes', when: 'false' }] },
        calling('skipped'),
        calling('behind'),
        respond('done'),
      ],
      edges: [
        { from: 'start', to: 'each' },
        { from: 'each', to: 'never' },
        { from: 'never', port: 'yes', to: 'skipped' },
        { from: 'skipped', to: 'behind' },
        { from: 'never', port: 'else', to: 'done' },
        { from: 'behind', to: 'done' },
      ],
    };
    const { id } = await runThrough(definition);
    const { graph } = (await stack.get(`/api/v1/executions/${id}/timeline`)).body.data;
    const taken = Object.fromEntries(
      graph.edges.map((edge: { from: string; port: string; to: string; taken: boolean }) => [
        `${edge.from} ${edge.port} ${edge.to}`,
        edge.taken,
      ]),
    );
    expect(taken).toMatchObject({
      'never yes skipped': false,
      'skipped out behind': false,
      'never else done': true,
      'behind out done': false,
      'high yes rare': true,
    });
    const rare = graph.blocks.find((one: { id: string }) => one.id === 'rare');
    expect(rare).toMatchObject({ status: 'completed', visits: 3, states: { completed: 1, skipped: 2 } });
  });
});
