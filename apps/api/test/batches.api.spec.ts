import pg from 'pg';
import { block, box, line, respond } from './support/graphs.ts';
import { type Received, Receiver } from './support/receiver.ts';
import { Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

/** Batches begin after fast calls in a row. With this many calls some are fast in a row, also on a busy machine. */
const count = 300;
const concurrency = 24;

let stack: Stack;
beforeAll(async () => {
  stack = await Stack.start({ ROLES: 'api' });
});
afterAll(() => stack.stop());

/** A call for each branch, to a path that ends in its number. */
function definition(receiver: Receiver, method: 'GET' | 'POST', more: object = {}) {
  const url = `${receiver.url()}{{ branch.index }}`;
  return line(
    box(
      'each',
      'parallel',
      { count, concurrency, collect: '{{ fetch.data }}' },
      block('fetch', 'http', { method, url }, more),
    ),
    respond('{{ each.results }}'),
  );
}

const numberOf = ({ path }: Received) => Number(path.slice(1));

function timesOf(receiver: Receiver): number[] {
  const times = Array.from({ length: count }, () => 0);
  for (const call of receiver.received) times[numberOf(call)] = (times[numberOf(call)] ?? 0) + 1;
  return times;
}

interface Activity {
  id: string;
  type: string;
  paths: string[];
  summary: string;
  ended: boolean;
}

/** The input of an activity of one effect, or of several. */
interface Sent {
  visit?: { path: string };
}

/** The activities of the run in Temporal, with the paths of their effects. */
async function activitiesOf(executionId: string): Promise<Activity[]> {
  const handle = (await stack.temporal()).workflow.getHandle(executionId);
  // Temporal is told after the commit that accepts the run.
  const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
  const closed = new Set(
    (events ?? []).map((event) => String(event.activityTaskCompletedEventAttributes?.scheduledEventId)),
  );
  return (events ?? []).flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (!scheduled) return [];
    const effects = read(scheduled.input?.payloads?.[1]?.data) as Sent | Sent[];
    return [
      {
        id: scheduled.activityId ?? '',
        type: scheduled.activityType?.name ?? '',
        paths: [effects].flat().map(({ visit }) => visit?.path ?? ''),
        summary: String(read(event.userMetadata?.summary?.data)),
        ended: closed.has(String(event.eventId)),
      },
    ];
  });
}

function read(data: Uint8Array | null | undefined): unknown {
  return JSON.parse(Buffer.from(data ?? []).toString('utf8'));
}

/** The outputs of the run that are committed, by the path of the effect. */
async function committedIn(executionId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: stack.env['DATABASE_URL'] });
  await client.connect();
  const { rows } = await client.query<{ call: string }>(
    'select call from effect_checkpoints where execution_id = $1 and output is not null',
    [executionId],
  );
  await client.end();
  return rows.map(({ call }) => call.slice(call.indexOf(' ') + 1));
}

/** A run that can do no more, with a batch under way. On a busy machine no eight calls in a row may be short, and then another run is tried. */
async function held(method: 'GET' | 'POST') {
  return until(
    async () => {
      const run = await heldRun(method);
      const hasBatch = run.open.some(({ paths }) => paths.length > 1);
      if (!hasBatch) {
        await stack.post(`/api/workflows/${run.workflow}/executions/${run.job.executionId}/cancel`);
        run.receiver.stop();
      }
      return { ...run, hasBatch };
    },
    ({ hasBatch }) => hasBatch,
  );
}

/** Starts a run whose receiver does not answer every fifth call after the first half, and waits until it can do no more. */
async function heldRun(method: 'GET' | 'POST') {
  const state = { holds: true };
  const isHeld = (path: string) => Number(/\d+/.exec(path)?.[0]) % 5 === 0;
  const answered = { count: 0 };
  const receiver = await Receiver.start(({ path }, response) => {
    if (state.holds && answered.count > count / 2 && isHeld(path)) return;
    answered.count += 1;
    response.end('{}');
  });
  const workflow = await stack.givenDeployed(definition(receiver, method));
  const { body } = await stack.execute(workflow, { async: true });
  const stopped = await until(
    async () => {
      const open = (await activitiesOf(body.executionId)).filter(({ ended }) => !ended);
      const committed = new Set(await committedIn(body.executionId));
      const waiting = open.flatMap(({ paths }) => paths).filter((path) => !committed.has(path));
      return { open, waiting, committed };
    },
    ({ open, waiting }) =>
      open.flatMap(({ paths }) => paths).length === concurrency &&
      open.every(({ paths }) => paths.some((path) => waiting.includes(path))) &&
      waiting.every((path) => timesOf(receiver)[indexOf(path)] === 1 && isHeld(`${indexOf(path)}`)),
  );
  state.holds = false;
  return { receiver, workflow, job: body, ...stopped };
}

const indexOf = (path: string) => Number(/\[(\d+)\]/.exec(path)?.[1]);

describe('short calls side by side', () => {
  test('short calls side by side are carried out eight to an activity, which the UI names, each once, with their results in order', async () => {
    // On a busy machine no eight calls in a row may be short, and then none is batched: another run is tried.
    const tried = await until(
      async () => {
        const receiver = await Receiver.start(({ path }, response) => response.end(`{"at":"${path}"}`));
        const workflow = await stack.givenDeployed(definition(receiver, 'POST'));
        const { body } = await stack.execute(workflow);
        receiver.stop();
        const activities = await activitiesOf(body.executionId);
        const batches = activities.filter(({ type }) => type === 'batch');
        return { times: timesOf(receiver), workflow, body, activities, batches };
      },
      ({ batches }) => batches.length > 0,
    );
    const { times, workflow, body, activities, batches } = tried;
    expect(body.status).toBe('completed');
    expect(body.output).toEqual(Array.from({ length: count }, (_, i) => ({ at: `/${i}` })));
    expect(times).toEqual(Array.from({ length: count }, () => 1));
    expect(activities.length).toBeLessThan(count);
    expect(Math.max(...batches.map(({ paths }) => paths.length))).toBeLessThanOrEqual(8);
    for (const { paths, summary, id } of batches) {
      expect(summary).toBe(`fetch × ${paths.length}`);
      expect(id).toBe(`${paths[0]}+${paths.length - 1}`);
    }
    const blocks = await stack.blockLog(workflow, body.executionId);
    const fetches = blocks.filter(({ blockId }) => blockId === 'fetch');
    expect(fetches.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array.from({ length: count }, () => 'completed 1'),
    );
  });

  testInWhole(
    'short calls side by side are not repeated when their worker is lost, except the calls without an answer',
    async () => {
      const { receiver, job, waiting } = await held('GET');
      await stack.worker.kill();
      await stack.startWorker();
      const ended = await stack.get(`/api/jobs/${job.jobId}?wait=60`);
      expect(ended.body.status).toBe('completed');
      const again = new Set(waiting.map(indexOf));
      expect(timesOf(receiver)).toEqual(Array.from({ length: count }, (_, i) => (again.has(i) ? 2 : 1)));
      receiver.stop();
    },
  );

  test('short calls side by side fail alone, and are not repeated, when their answer is unknown after the loss of the worker', async () => {
    const { receiver, workflow, job, waiting } = await held('POST');
    await stack.worker.kill();
    await stack.startWorker();
    const ended = await stack.get(`/api/jobs/${job.jobId}?wait=60`);
    expect(ended.body).toMatchObject({ status: 'failed', failure: { code: 'OUTCOME_UNKNOWN' } });
    expect(Math.max(...timesOf(receiver))).toBe(1);
    const blocks = await stack.blockLog(workflow, job.executionId);
    const failed = blocks.filter(({ blockId, status }) => blockId === 'fetch' && status === 'failed');
    expect(waiting).toEqual(expect.arrayContaining(failed.map(({ path }) => path)));
    receiver.stop();
  });

  testInWhole('short calls side by side are retried one by one, each by its own rule', async () => {
    const refused = new Set<string>();
    const receiver = await Receiver.start(({ path }, response) => {
      if (Number(path.slice(1)) % 50 === 49 && !refused.has(path)) {
        refused.add(path);
        response.statusCode = 503;
      }
      response.end('{}');
    });
    const retry = { retry: { maxAttempts: 2, initialDelay: 0.05 } };
    const workflow = await stack.givenDeployed(definition(receiver, 'GET', retry));
    const { body } = await stack.execute(workflow);
    expect(body.status).toBe('completed');
    expect(timesOf(receiver)).toEqual(Array.from({ length: count }, (_, i) => (i % 50 === 49 ? 2 : 1)));
    const blocks = await stack.blockLog(workflow, body.executionId);
    const twice = blocks.filter(({ attempts }) => attempts === 2);
    expect(twice.map(({ path }) => indexOf(path))).toEqual([49, 99, 149, 199, 249, 299]);
    receiver.stop();
  });

  test('short calls side by side are cancelled with their run: no call begins after it', async () => {
    const { receiver, workflow, job } = await held('GET');
    const path = `/api/workflows/${workflow}/executions/${job.executionId}`;
    await stack.post(`${path}/cancel`);
    await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'cancelled',
    );
    expect(Math.max(...timesOf(receiver))).toBe(1);
    const handle = (await stack.temporal()).workflow.getHandle(job.executionId);
    await expect(handle.result()).rejects.toThrow();
    expect(receiver.received.length).toBeLessThan(count);
    receiver.stop();
  });
});
