import type pg from 'pg';
import { DatabaseClient, DatabasePool } from './connections.ts';
import { type GivenStore, givenStore } from './support/store.ts';
import { DatabaseModule } from './database.module.ts';
import { AnswerCutter } from './support/answer-cutter.ts';
import { SyncedBatch } from './synced-batch.ts';
import { isAway } from './violations.ts';

let home: GivenStore;
let cutter: AnswerCutter;
let pool: DatabasePool;
beforeAll(async () => {
  home = await givenStore(DatabaseModule);
  cutter = await AnswerCutter.to(home.url);
  pool = poolAt(cutter.url);
});
afterAll(async () => {
  await pool.end();
  cutter.stop();
  await home.stop();
});

const poolAt = (connectionString: string) =>
  new DatabasePool({ connectionString, max: 1, pipeline: true, silentMsMax: 500 });

async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>, from = pool): Promise<T> {
  const client = await from.connect();
  client.on('error', () => undefined);
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

test.each<[string, (client: pg.PoolClient) => Promise<unknown>]>([
  ['a statement', (client) => client.query('select 1')],
  [
    'one of several statements',
    (client) => Promise.all([client.query('select 1'), client.query('select 2')]),
  ],
  ['a batch', (client) => SyncedBatch.run(client, [['select 1'], ['select 2']])],
])(
  '%s on a connection that has gone silent ends as an outage, and the next one has another connection',
  async (_, send) => {
    await withClient((client) => client.query('select 1'));
    cutter.silence();
    await expect(withClient(send).catch(isAway)).resolves.toBe(true);
    await withClient(send);
  },
);

test('a statement whose transaction lets it take longer is waited for, and the next transaction is not', async () => {
  const limit = await withClient(async (client) => {
    if (client instanceof DatabaseClient) client.waitLonger(60_000);
    return (await client.query('select pg_sleep(1)')).rowCount;
  });
  expect(limit).toBe(1);
  cutter.silence();
  await expect(withClient((client) => client.query('select 1')).catch(isAway)).resolves.toBe(true);
});

test('an answer counts that came while the process stood still', async () => {
  // The proxy would stand still with the process.
  const direct = poolAt(home.url);
  const answered = withClient(async (client) => {
    const answer = client.query('select 1 as one');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    return (await answer).rows;
  }, direct);
  expect(await answered).toEqual([{ one: 1 }]);
  await direct.end();
});
