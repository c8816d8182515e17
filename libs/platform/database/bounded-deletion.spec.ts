import { deleteInBatches, forgetRows, TurnBounds, workOnEach } from './bounded-deletion.ts';
import { DatabaseOutage } from './connections.ts';
import { Database } from './database.ts';
import { DatabaseModule } from './database.module.ts';
import { toPostgresError } from './support/postgres-error.ts';
import { type GivenStore, givenStore } from './support/store.ts';
import { quickAgain, slowDeletion } from './support/slow-deletion.ts';

let home: GivenStore;
let database: Database;
beforeAll(async () => {
  home = await givenStore(DatabaseModule);
  database = home.app.get(Database);
});
afterAll(() => home.stop());

const tooSlow = toPostgresError('57014');

describe('a deletion in batches', () => {
  test('a deletion in batches takes more rows after each quick statement, up to its maximum', async () => {
    const sizes: number[] = [];
    const remove = async (rows: number) => (sizes.push(rows) < 5 ? rows : 0);
    expect(await deleteInBatches(500, new TurnBounds(), remove)).toEqual({ rows: 1200, complete: true });
    expect(sizes).toEqual([100, 200, 400, 500, 500]);
  });

  test('a deletion in batches takes a tenth of the rows after a statement that lasted too long, and more again', async () => {
    const sizes: number[] = [];
    let left = 30;
    const remove = async (rows: number) => {
      sizes.push(rows);
      if (rows > 15) throw tooSlow;
      const found = Math.min(rows, left);
      left -= found;
      return found;
    };
    expect(await deleteInBatches(1000, new TurnBounds(), remove)).toEqual({ rows: 30, complete: true });
    expect(sizes).toEqual([100, 10, 20, 2, 4, 8, 16, 2, 4, 8]);
  });

  test.each([
    ['a statement of one row that lasts too long', tooSlow],
    ['another failure', toPostgresError('55P03')],
  ])('a deletion in batches throws %s', async (_, error) => {
    await expect(deleteInBatches(1000, new TurnBounds(), () => Promise.reject(error))).rejects.toBe(error);
  });

  test('a deletion in batches ends with the rows so far when the turn is over', async () => {
    const stop = new AbortController();
    const remove = async (rows: number) => {
      stop.abort();
      return rows;
    };
    const bounds = new TurnBounds(undefined, stop.signal);
    expect(await deleteInBatches(1000, bounds, remove)).toEqual({ rows: 100, complete: false });
  });
});

describe('work on each item', () => {
  const items = (work: (item: string) => Promise<boolean>) => ({
    kind: 'table' as const,
    items: ['a', 'b', 'c'],
    id: (item: string) => item,
    work,
  });
  const deferred = async () =>
    (await home.owner.query('select item, failures from deferrals order by item')).rows;
  beforeEach(() => home.owner.query('delete from deferrals'));

  test('work on each item puts off a failing item, for longer each time, and goes on', async () => {
    const work = async (item: string) => {
      if (item === 'a') throw toPostgresError('55P03');
      return item === 'b';
    };
    expect(await workOnEach(database, items(work), new TurnBounds())).toBe(1);
    const delay = `select extract(epoch from due_at - now()) > $1 as longer from deferrals`;
    expect((await home.owner.query(delay, [8])).rows).toEqual([{ longer: false }]);
    await workOnEach(database, items(work), new TurnBounds());
    expect(await deferred()).toEqual([{ item: 'a', failures: 2 }]);
    expect((await home.owner.query(delay, [8])).rows).toEqual([{ longer: true }]);
  });

  test('work on each item ends when the database is away, and puts nothing off', async () => {
    const done: string[] = [];
    const work = async (item: string) => {
      done.push(item);
      throw new DatabaseOutage(new Error('connect ECONNREFUSED'));
    };
    await expect(workOnEach(database, items(work), new TurnBounds())).rejects.toThrow('ECONNREFUSED');
    expect([done, await deferred()]).toEqual([['a'], []]);
  });

  test('work on each item forgets a put-off item that is done', async () => {
    await home.owner.query(
      `insert into deferrals (kind, item, due_at) values ('table', 'done', now() - interval '3 days')`,
    );
    const work = (item: string) => Promise.reject(toPostgresError(item));
    await workOnEach(database, { ...items(work), items: ['a'] }, new TurnBounds());
    expect(await deferred()).toEqual([{ item: 'a', failures: 1 }]);
  });
});

test('a row that cannot be deleted keeps no other row', async () => {
  await home.owner.query('delete from deferrals');
  await home.owner.query(`insert into workspaces (id, name) values ('ws_a', 'a')`);
  await home.owner
    .query(`insert into idempotency_keys (workspace_id, route, key, fingerprint, resource_id, locked_until, created_at)
    select 'ws_a', 'r', n::text, '', '', now(), now() - n * interval '1 hour' from generate_series(1, 300) n`);
  await home.owner.query(slowDeletion('idempotency_keys', 0, `key in ('290', '7')`));
  const rows = {
    kind: 'idempotency key' as const,
    table: 'idempotency_keys',
    id: 't.key',
    where: 't.created_at < now()',
    order: 't.created_at',
    values: [],
    rowsMax: 1000,
  };
  expect(await forgetRows(database, rows, new TurnBounds())).toBe(298);
  const left = () => home.owner.query('select key from idempotency_keys order by key');
  expect((await left()).rows).toEqual([{ key: '290' }, { key: '7' }]);
  expect((await home.owner.query('select item from deferrals order by item')).rows).toEqual([
    { item: '290' },
    { item: '7' },
  ]);
  await home.owner.query(quickAgain('idempotency_keys'));
});
