import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { AnswerCutter } from '#libs/platform/database/support/answer-cutter';
import { ask, type Block, block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { type Answer, Stack, until } from './support/stack.ts';
import { Tables } from './support/tables.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

let stack: Stack;
let cutter: AnswerCutter;
let database: pg.Client;
let receiver: Receiver;

beforeAll(async () => {
  stack = await Stack.start();
  cutter = await AnswerCutter.to(stack.env['DATABASE_URL'] ?? '');
  database = new pg.Client(stack.env['DATABASE_URL']);
  await database.connect();
  receiver = await Receiver.start((_, response) => response.end('{}'));
  // The worker reaches the database by itself.
  await stack.api.kill();
  await stack.startApi({ DATABASE_URL: cutter.url });
});
afterAll(async () => {
  receiver.stop();
  await database.end();
  await stack.stop();
  cutter.stop();
});

const tables = new Tables(() => stack);
const pay = (id: string) => block(id, 'http', { method: 'POST', url: receiver.url(`/${id}`) });
const calls = () => receiver.received.map(({ path }) => path);

/** A workflow that calls, writes a row, and calls again; between them other blocks. */
async function givenWorkflow(...between: Block[]): Promise<string> {
  const table = await tables.given([{ name: 'text', type: 'string' }]);
  const insert = { operation: 'insert', table: table.split('/').at(-1), data: { text: 'paid' } };
  return stack.givenDeployed(
    line(pay('a'), block('note', 'table', insert), ...between, pay('b'), respond('paid')),
  );
}

/** The answer of a piece of work, with the calls and the number of rows that it has made. */
async function seeAll(work: () => Promise<Answer>) {
  const countRows = async () => (await database.query('select from table_rows')).rowCount ?? 0;
  receiver.received.length = 0;
  const before = await countRows();
  const { body } = await work();
  return { body, calls: calls(), rows: (await countRows()) - before };
}
const paidOnce = { body: { status: 'completed', output: 'paid' }, calls: ['/a', '/b'], rows: 1 };

/** Waits until nothing goes on, without anybody who asks for it. */
async function untilAllRest(): Promise<void> {
  await until(
    async () =>
      (await database.query(`select id from executions where status in ('queued', 'running')`)).rows,
    (open) => open.length === 0,
  );
  const { rows } = await database.query('select execution_id from direct_runs');
  expect(rows).toEqual([]);
}

/** Makes a call, waits until all rests, and repeats the call with its key until the API answers, as a client does. */
async function callUntilAnswered(path: string, body: object, key: string = randomUUID()): Promise<Answer> {
  const call = () => stack.post(path, body, { 'idempotency-key': key });
  await call();
  await untilAllRest();
  return until(
    async () => {
      // The lock of a key whose answer was lost would end by itself in some time.
      await database.query('update idempotency_keys set locked_until = now()');
      return call();
    },
    ({ status }) => status !== 503 && status !== 409,
  );
}

const execute = (workflow: string, key?: string) =>
  callUntilAnswered(`/api/workflows/${workflow}/execute`, {}, key);

/** Loses each answer of the database to a piece of work, one after the other, or so many in a row. Returns how many there are. */
async function loseEach(times: number, work: () => Promise<void>): Promise<number> {
  for (let place = 1; ; place++) {
    const mend = cutter.cut(stack.home.id, place, times);
    await work();
    if (!mend()) return place - 1;
  }
}

describe('a run whose answer from the database is lost', () => {
  async function expectPaidOnce(times: number): Promise<void> {
    const workflow = await givenWorkflow();
    await execute(workflow);
    const answers = await loseEach(times, async () => {
      expect(await seeAll(() => execute(workflow))).toMatchObject(paidOnce);
    });
    // The acceptance, a step for each block, and what the caller reads.
    expect(answers).toBeGreaterThan(6);
  }

  test('a run whose answer from the database is lost, whichever one, goes on by itself and makes each call once', () =>
    expectPaidOnce(1));

  for (const times of [2, 3])
    testInWhole(
      `a run whose answers from the database are lost, any ${times} in a row, goes on by itself and makes each call once`,
      () => expectPaidOnce(times),
    );

  for (const times of [1, 2])
    testInWhole(
      `a run that waits for a person goes on once when answers from the database are lost, any ${times} in a row`,
      async () => {
        const workflow = await givenWorkflow(ask('may'));
        const executeAndAnswer = async () => {
          const { body } = await execute(workflow);
          expect(body).toMatchObject({ status: 'paused' });
          const { apiUrl } = body.paused.pausePoints[0].resumeLinks;
          return callUntilAnswered(new URL(apiUrl).pathname, { input: { ok: true } });
        };
        const answers = await loseEach(times, async () => {
          expect(await seeAll(executeAndAnswer)).toMatchObject(paidOnce);
        });
        expect(answers).toBeGreaterThan(10);
      },
    );

  test('a run whose acceptance has lost its answer is begun once when its process stops at that moment', async () => {
    const workflow = await givenWorkflow();
    receiver.received.length = 0;
    const mend = cutter.cut('"status":"running"', 1);
    const key = randomUUID();
    const { status } = await stack.execute(workflow, {}, { 'idempotency-key': key });
    expect(status).toBe(503);
    await stack.api.kill('SIGTERM');
    expect(mend()).toBe(true);
    await stack.startApi({ DATABASE_URL: cutter.url });
    const { body } = await execute(workflow, key);
    expect(body).toMatchObject({ status: 'completed', output: 'paid' });
    expect(calls()).toEqual(['/a', '/b']);
  });
});

testInWhole(
  'a workspace is served again when all connections of the API have gone silent, and no call of its runs is lost or made twice',
  async () => {
    const workflow = await givenWorkflow();
    await execute(workflow);
    receiver.received.length = 0;
    expect(cutter.silence()).toBeGreaterThan(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => stack.execute(workflow)));
    expect(answers.filter(({ status }) => ![200, 202, 503].includes(status))).toEqual([]);
    await until(
      () => stack.execute(workflow),
      ({ status }) => status === 200,
    );
    await untilAllRest();
    const { rows } = await database.query(
      `select status, count(*)::int as count from executions group by status`,
    );
    expect(rows).toEqual([{ status: 'completed', count: expect.any(Number) }]);
    const keys = receiver.received.map(({ path, key }) => `${path} ${key}`);
    expect(new Set(keys).size).toBe(keys.length);
    // A process whose connections are silent also ends.
    cutter.silence();
    await stack.api.kill('SIGTERM');
    await stack.startApi({ DATABASE_URL: cutter.url });
  },
);
