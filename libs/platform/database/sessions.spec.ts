import { DataSource } from 'typeorm';
import { DatabasePool } from './connections.ts';
import { Database, send } from './database.ts';
import { DatabaseModule } from './database.module.ts';
import { appRole, systemRole } from './policies.ts';
import { prepared } from './statements.ts';
import { terminateSessions, untilSessions } from './support/sessions.ts';
import { SyncedBatch } from './synced-batch.ts';
import { type GivenStore, givenStore } from './support/store.ts';
import { isAway } from './violations.ts';

/** The settings of a transaction that a session must not keep. */
const settingsInForce = /* sql */ `
select current_user as role, current_setting('holdfast.reach', true) as reach, current_setting('statement_timeout') as longest,
  current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
  current_setting('synchronous_commit') as durable`;

const guards = { longest: '10s', lock: '4s', idle: '15s' };

let home: GivenStore;
let database: Database;
let untouched: object;

/** The settings of the only session of the pool, outside of any transaction. */
const session = async (): Promise<object> => (await home.app.get(DataSource).query(settingsInForce))[0];

beforeAll(async () => {
  // A pooler in transaction mode drops the start options of a connection. These options replace ours, so ours are missing too.
  const options = encodeURIComponent('-c synchronous_commit=on');
  home = await givenStore(DatabaseModule, (url) => ({
    DATABASE_URL: `${url}?options=${options}`,
    DATABASE_POOL_MAX: '1',
  }));
  database = home.app.get(Database);
  untouched = await session();
});
afterAll(() => home.stop());

test('a statement that waits for its turn at a row and then for its owner is refused for the lock, before its own time is up', async () => {
  const [{ longest, lock }] = (await database.system(settingsInForce)) as [typeof guards];
  expect(2 * parseInt(lock, 10)).toBeLessThan(parseInt(longest, 10) - 1);
});

describe('a connection that keeps nothing from one transaction to the next', () => {
  test('a connection that keeps nothing from one transaction to the next begins without a role and without guards', () => {
    expect(untouched).toEqual({
      role: home.owner.user,
      reach: null,
      longest: '0',
      lock: '0',
      idle: '0',
      durable: 'on',
    });
  });

  test('a connection that keeps nothing from one transaction to the next serves callers in their role, bound to their workspaces, and is as before behind it', async () => {
    const served = { role: appRole, reach: 'ws_a', ...guards, durable: 'on' };
    expect(await database.statement('ws_a', settingsInForce)).toEqual([served]);
    expect(await database.within('ws_a', (tx) => tx.query(settingsInForce))).toEqual([served]);
    const both = ['ws_a', "ws_'b"];
    expect(await database.statement(both, settingsInForce)).toEqual([{ ...served, reach: "ws_a,ws_'b" }]);
    await expect(database.within('ws_a', (tx) => tx.query('select 1 / 0'))).rejects.toThrow('division');
    expect(await session()).toEqual({ ...untouched, reach: '' });
  });

  test('a connection that keeps nothing from one transaction to the next serves the system in its role, and waits for the disk but where that is not needed', async () => {
    const served = { role: systemRole, reach: null, ...guards, durable: 'on' };
    expect(await database.system(settingsInForce)).toEqual([served]);
    const rows = await database.systemTransaction(
      async (client) => (await client.query(settingsInForce)).rows,
    );
    expect(rows).toEqual([served]);
    expect(await database.systemUnflushed(settingsInForce)).toEqual([{ ...served, durable: 'off' }]);
    await expect(database.system('select 1 / 0')).rejects.toThrow('division');
    expect(await database.system(settingsInForce)).toEqual([served]);
  });

  test('a connection that keeps nothing from one transaction to the next is taken again when Postgres has ended it in the middle of a statement', async () => {
    const cut = database.system('select pg_sleep(60) /* cut off */');
    const ended = expect(cut.catch(isAway)).resolves.toBe(true);
    await untilSessions(home.owner, `query like '%cut off%'`);
    await terminateSessions(home.owner, `query like '%cut off%'`);
    await ended;
    expect(await database.system('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('a statement whose first use failed in a batch is prepared again, in a transaction and in a batch', async () => {
  const divide = (by: number): [string, unknown[]] => ['select 1 / $1::int as quotient', [by]];
  await expect(database.statement('ws_a', ...divide(0))).rejects.toThrow('division by zero');
  const inTransaction = database.within('ws_a', (tx) => send(tx, ...divide(1)));
  expect(await inTransaction).toEqual([{ quotient: 1 }]);
  expect(await database.statement('ws_a', ...divide(1))).toEqual([{ quotient: 1 }]);
});

test('a connection takes one batch at a time, and the next one once the first is answered', async () => {
  const pool = new DatabasePool({ connectionString: home.url });
  const client = await pool.connect();
  const first = SyncedBatch.run(client, [['select 1 as one']]);
  await expect(SyncedBatch.run(client, [['select 2 as two']])).rejects.toThrow('carries another batch');
  expect(await first).toEqual([[{ one: 1 }]]);
  expect(await SyncedBatch.run(client, [['select 2 as two']])).toEqual([[{ two: 2 }]]);
  client.release();
  await pool.end();
});

test('a prepared statement has the same name in every process, and another one has another', () => {
  const nameOf = (text: string) => prepared([text, [1]]).name;
  expect(nameOf('select $1::int')).toBe('holdfast_64094a521aefc65c2da93d0e10f1e67b');
  expect(nameOf('select $1::text')).not.toBe(nameOf('select $1::int'));
});
