import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { untilSessions } from '#libs/platform/database/support/sessions';
import { block, line, respond } from './support/graphs.ts';
import { Program } from './support/processes.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let second: Program;
/** The addresses of the two APIs. */
let bases: string[];
let receiver: Receiver;
/** The calls that wait for an answer, now and at most. */
let [open, mostOpen] = [0, 0];

beforeAll(async () => {
  // Of its own, because it has a second API, and kills processes.
  stack = await Stack.start({ EGRESS_ALLOW: '127.0.0.1' });
  second = Program.launch('apps/api/src/main.js', { ...stack.env, PORT: '0' });
  const { url } = await second.logged('the API is listening');
  bases = [stack.url, String(url).replace('[::1]', 'localhost')];
  receiver = await Receiver.start((_, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => (open -= 1));
    setTimeout(() => response.end('{}'), 30);
  });
});
afterAll(async () => {
  receiver.stop();
  await second.kill('SIGTERM');
  await stack.stop();
});
beforeEach(() => {
  mostOpen = 0;
  receiver.received.length = 0;
});

/** Answers with its inputs: with the starts of its batch when it has one. */
const answering = (flow: object) => ({
  start: { inputs: { n: { type: 'number', required: true } }, flow },
  ...line(respond('{{ start }}')),
});

const calling = (flow?: object) => ({
  start: { inputs: { n: { type: 'number', required: true } }, ...(flow ? { flow } : {}) },
  ...line(block('call', 'http', { url: receiver.url('/{{ start.n }}') })),
});

/** Starts an execution at one of the APIs: at each in turn by `n`. */
const start = (workflow: string, n: number): Promise<Answer> =>
  stack.post(`${bases[n % 2]}/api/workflows/${workflow}/execute`, { inputs: { n }, async: true });

const startAll = (workflow: string, count: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => start(workflow, n)));

const read = async (workflow: string, id: string): Promise<Answer['body']> =>
  (await stack.get(`/api/workflows/${workflow}/executions/${id}`)).body;

const hasEnded = ({ status }: { status: string }) => ['completed', 'cancelled', 'failed'].includes(status);

/** Waits until all executions have ended. */
const ended = (workflow: string, ids: string[]) =>
  until(
    () => Promise.all(ids.map((id) => read(workflow, id))),
    (runs) => runs.every(hasEnded),
  );

const idsOf = (answers: Answer[]): string[] => answers.map(({ body }) => body.executionId);

const count = (runs: Answer['body'][], status: string) => runs.filter((run) => run.status === status).length;

const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
const numbers = (length: number) => Array.from({ length }, (_, n) => n);

/** Expects that the completed runs of a batching workflow had each start once, and that the others say in which. */
function expectEachOnce(runs: Answer['body'][], starts: number[]): void {
  const completed = runs.filter(({ status }) => status === 'completed');
  expect(sorted(completed.flatMap(({ output }) => output.batch.map(({ n }: { n: number }) => n)))).toEqual(
    starts,
  );
  const leaders = new Set(completed.map(({ executionId }) => executionId));
  for (const { status, batchedInto } of runs)
    expect(status === 'completed' ? batchedInto === undefined : leaders.has(batchedInto)).toBe(true);
}

describe('flow control over two API processes', () => {
  test('a limit of concurrent executions is exact over two API processes', async () => {
    const workflow = await stack.givenDeployed(calling({ concurrency: { limit: 3 } }));
    const runs = await ended(workflow, idsOf(await startAll(workflow, 24)));
    expect(count(runs, 'completed')).toBe(24);
    expect(mostOpen).toBe(3);
    expect(sorted(receiver.received.map(({ path }) => Number(path.slice(1))))).toEqual(numbers(24));
  });

  test('a singleton runs once over two API processes, and the other callers are refused', async () => {
    const ask = block('ask', 'human', { title: 'Go on?', form: [{ name: 'ok', type: 'boolean' }] });
    const workflow = await stack.givenDeployed({ ...answering({ singleton: {} }), ...line(ask) });
    const answers = await startAll(workflow, 12);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(11);
    for (const { body } of refused) expect(body.code).toBe('FLOW_FULL');
  });

  test('a debounced workflow runs the last start of two API processes alone', async () => {
    const workflow = await stack.givenDeployed(answering({ debounce: { delay: 8, longest: 60 } }));
    const ids = idsOf(await startAll(workflow, 12));
    const last = (await start(workflow, 12)).body.executionId;
    const runs = await ended(workflow, [...ids, last]);
    expect([count(runs, 'completed'), count(runs, 'cancelled')]).toEqual([1, 12]);
    expect(runs.at(-1)).toMatchObject({ status: 'completed', output: { n: 12 } });
  });

  test('batches of starts at two API processes are full, and have each start once', async () => {
    const workflow = await stack.givenDeployed(answering({ batch: { size: 5, longest: 3600 } }));
    const runs = await ended(workflow, idsOf(await startAll(workflow, 30)));
    expect(count(runs, 'completed')).toBe(6);
    expectEachOnce(runs, numbers(30));
  });

  test('a hold and a limit of a host that one API has accepted are obeyed by calls of runs that the other accepts', async () => {
    const workflow = await stack.givenDeployed(calling());
    // Both have begun effects before.
    await ended(workflow, idsOf(await startAll(workflow, 2)));
    const home = `/api/v1/workspaces/${stack.home.id}`;
    const held = await stack.post(`${bases[0]}${home}/holds`, { host: '127.0.0.1', reason: 'They rest.' });
    receiver.received.length = 0;
    mostOpen = 0;
    const ids = idsOf([await start(workflow, 3), await start(workflow, 5)]);
    for (const id of ids)
      await until(
        () => read(workflow, id),
        (run) => run.held?.host === '127.0.0.1',
      );
    expect(receiver.received).toEqual([]);
    await stack.call('PATCH', `${bases[1]}${home}`, { hostLimits: [{ host: '127.0.0.1', concurrency: 1 }] });
    await stack.post(`${bases[1]}${home}/holds/${held.body.data.id}/release`);
    const more = idsOf(await startAll(workflow, 8));
    const runs = await ended(workflow, [...ids, ...more]);
    expect(count(runs, 'completed')).toBe(10);
    expect([receiver.received.length, mostOpen]).toEqual([10, 1]);
    await stack.call('PATCH', home, { hostLimits: [] });
  });
});

describe('a batch and kills', () => {
  /** Starts with a key until it is accepted, whatever is killed meanwhile. */
  const startSurely = async (workflow: string, n: number): Promise<string> => {
    const key = randomUUID();
    const answer = await until(
      () =>
        stack
          .post(
            `/api/workflows/${workflow}/execute`,
            { inputs: { n }, async: true },
            { 'idempotency-key': key },
          )
          .catch(() => null),
      (one) => one?.status === 202,
    );
    return answer?.body.executionId;
  };
  const killAll = () => Promise.all([stack.api.kill(), stack.worker.kill()]);
  const startBoth = () => Promise.all([stack.startApi(), stack.startWorker()]);

  // The second API would go on with what the killed processes leave.
  beforeAll(() => second.kill());

  test('a batch is formed once when every process is killed while it forms', async () => {
    const workflow = await stack.givenDeployed(answering({ batch: { size: 3, longest: 3600 } }));
    const ids = [await startSurely(workflow, 0), await startSurely(workflow, 1)];
    const db = new pg.Client(stack.env['DATABASE_DIRECT_URL'] ?? '');
    await db.connect();
    // Who accepts the third start waits for the line in its transaction.
    await db.query(`select pg_advisory_lock(hashtextextended('flow ' || $1 || ' ', 0))`, [workflow]);
    const third = startSurely(workflow, 2);
    await untilSessions(db, `wait_event = 'advisory'`);
    await killAll();
    await db.end();
    await startBoth();
    expectEachOnce(await ended(workflow, [...ids, await third]), [0, 1, 2]);
  });

  test('a batch runs once, and the starts in it end, when every process is killed between its commits', async () => {
    const workflow = await stack.givenDeployed(answering({ batch: { size: 3, longest: 3600 } }));
    // Without a worker nobody cancels the starts that are in a batch.
    await stack.worker.kill();
    const ids = [];
    for (const n of [0, 1, 2]) ids.push(await startSurely(workflow, n));
    await stack.api.kill();
    await startBoth();
    const runs = await ended(workflow, ids);
    expectEachOnce(runs, [0, 1, 2]);
    expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'completed']);
  });

  testInWhole('batches have each start once while every process is killed again and again', async () => {
    const workflow = await stack.givenDeployed(answering({ batch: { size: 4, longest: 2 } }));
    const ids: string[] = [];
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let n = caller; n < 24; n += 4) ids.push(await startSurely(workflow, n));
    });
    for (const share of [6, 16]) {
      await until(
        () => Promise.resolve(ids.length),
        (accepted) => accepted >= share,
      );
      await killAll();
      await startBoth();
    }
    await Promise.all(callers);
    expectEachOnce(await ended(workflow, ids), numbers(24));
  });
});

test('deliveries of a webhook form a batch, and each says which execution it started', async () => {
  const workflow = await stack.givenDeployed(answering({ batch: { size: 3, longest: 3600 } }));
  const path = `/api/v1/workflows/${workflow}/triggers`;
  const made = await stack.post(path, {
    kind: 'webhook',
    name: 'letters',
    webhook: { scheme: 'none' },
    inputs: { n: '{{ event.body.n }}' },
  });
  const hook = new URL(made.body.data.url).pathname;
  const answers = [];
  for (const n of [0, 1, 2]) answers.push(await stack.post(hook, { n }));
  const ids = idsOf(answers);
  const runs = await ended(workflow, ids);
  expectEachOnce(runs, [0, 1, 2]);
  expect(runs.at(-1)).toMatchObject({ status: 'completed', trigger: 'webhook' });
  const { body } = await stack.get(`${path}/${made.body.data.id}/deliveries`);
  expect(body.data.map(({ executionId }: { executionId: string }) => executionId)).toEqual(ids.toReversed());
});
