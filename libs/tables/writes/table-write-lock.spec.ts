import { randomUUID } from 'node:crypto';
import { findSessions, untilSessions, waitsForLock } from '#libs/platform/database/support/sessions';
import { toPostgresError } from '#libs/platform/database/support/postgres-error';
import { Database } from '#libs/platform/database/database';
import { newId } from '#libs/platform/ids/ids';
import type { Settings } from '#libs/platform/settings/settings';
import { buildDeletion, buildUpdate, parseRowsInput } from './row-operations.ts';
import { rowIdText } from '../reads/row-ids.ts';
import { onDisk } from '../support/on-disk.ts';
import { type GivenTables, givenTables, ours, theirs } from '../support/store.ts';
import { InsertBatcher } from './insert-batcher.ts';
import { Imports } from '../files/imports.ts';
import { LongWork } from './long-work.ts';
import { readTable } from '../schema/table.ts';
import { TableLocked, TableWriteLock } from './table-write-lock.ts';
import { ChangeFeed } from '../reads/change-feed.ts';

/** Fewer connections than writers that wait. */
let given: GivenTables;
beforeAll(async () => {
  given = await givenTables({ DATABASE_POOL_MAX: '4', DATABASE_WAIT_MS: '60000' });
});
afterAll(() => given.stop());

let made = 0;
const givenTable = async (columns: Parameters<typeof given.tables.create>[1]['columns']) => {
  const { id } = await given.tables.create(ours, { name: `table_${made++}`, columns });
  return { workspaceId: ours, tableId: id };
};
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.constructor.name,
  );

test('writers of a locked table keep nobody from another table, and are told the reason', async () => {
  const [held, free] = [
    await givenTable([{ name: 'n', type: 'number' }]),
    await givenTable([{ name: 'n', type: 'number' }]),
  ];
  const { rows } = await given.changes.insertRows(
    held,
    parseRowsInput({ rows: Array.from({ length: 40 }, (_, n) => ({ n })) }),
  );
  await given.owner.query('begin');
  await given.owner.query('select from tables where id = $1 for update', [held.tableId]);
  const waiting = Promise.all([
    ...rows.map(({ id }) => outcomeOf(given.changes.apply(held, buildUpdate(rowIdText(id), { n: 0 })))),
    ...rows.map(({ data }) =>
      outcomeOf(
        given.changes.insertRows(
          held,
          parseRowsInput({ rows: Array.from({ length: 30 }, () => ({ n: String(data['n1']) })) }),
        ),
      ),
    ),
    outcomeOf(given.changes.insertRows(held, parseRowsInput({ rows: [{ n: 1 }] }))),
    outcomeOf(given.columns.changeColumn(held, 'n', { name: 'm' })),
    outcomeOf(given.tables.update(ours, held.tableId, { description: 'is held' })),
    outcomeOf(given.changes.apply(held, buildDeletion(rowIdText(rows[0]?.id ?? '')))),
  ]);
  try {
    // Two of four connections wait for the lock, however many writers there are.
    await untilSessions(given.owner, waitsForLock, 2);
    for (let n = 0; n < 2; n++) {
      await given.changes.insertRows(free, parseRowsInput({ rows: [{ n }] }));
      expect((await given.rows.list(free, { limit: 10, offset: 0 })).totalCount).toBe(n + 1);
      expect((await findSessions(given.owner)).length).toBeLessThanOrEqual(2);
    }
  } finally {
    await waiting;
    await given.owner.query('rollback');
  }
  const outcomes = await waiting;
  expect(new Set(outcomes)).toEqual(new Set([TableLocked.name]));
  const { data } = (await given.rows.get(held, rowIdText(rows[1]?.id ?? ''))).rows[0] ?? {};
  expect(String(data?.['n1'])).toBe('1');
  await given.changes.apply(held, buildUpdate(rowIdText(rows[1]?.id ?? ''), { n: 7 }));
});

test('a value that no row can hold is refused alone, without the other rows of its group', async () => {
  const place = await givenTable([{ name: 'word', type: 'string' }]);
  await given.owner.query(`create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'cannot be stored' using errcode = '22003'; end $$`);
  await given.owner.query(`create trigger refuse_poison before insert on table_rows for each row
    when (new.data::text like '%poison%') execute function refuse_poison()`);
  const words = Array.from({ length: 40 }, (_, n) => (n % 10 ? `word ${n}` : 'poison'));
  const outcomes = await Promise.all(
    words.map((word) => outcomeOf(given.changes.insertRows(place, parseRowsInput({ rows: [{ word }] })))),
  );
  expect(outcomes.map((outcome) => outcome === 'done')).toEqual(words.map((word) => word !== 'poison'));
  expect((await given.rows.list(place, { limit: 100, offset: 0 })).totalCount).toBe(36);
});

describe('answers are bounded', () => {
  const wide = Array.from({ length: 1000 }, (_, n) => ({
    name: `a_column_whose_name_has_nearly_fifty_letters_${n}`,
    type: 'boolean' as const,
  }));

  test('answers are bounded when rows are long, also in the change feed', async () => {
    const place = await givenTable([{ name: 'text', type: 'string' }]);
    for (let n = 0; n < 15; n++)
      await given.changes.insertRows(
        place,
        parseRowsInput({ rows: [{ text: `${n} `.padEnd(390_000, 'x') }] }),
      );
    const page = await given.rows.list(place, { limit: 1000, offset: 0 });
    expect([page.rows.length, page.totalCount]).toEqual([14, 15]);
    const follow = given.app.get(ChangeFeed);
    const first = await follow.listChanges(place, follow.buildToken(place.tableId, '0'), {
      limit: 1000,
      offset: 0,
    });
    expect([first.rows.length, first.hasMore]).toEqual([14, true]);
    const rest = await follow.listChanges(place, first.changeToken, { limit: 1000, offset: 0 });
    expect([rest.rows.length, rest.hasMore]).toEqual([1, false]);
  });

  test('answers are bounded when rows have many long column names', async () => {
    const place = await givenTable(wide);
    const rows = Array.from({ length: 250 }, () => ({ [wide[0]?.name ?? '']: true }));
    await given.changes.insertRows(place, parseRowsInput({ rows }));
    const page = await given.rows.list(place, { limit: 1000, offset: 0 });
    expect(page.rows.length).toBeLessThan(120);
    expect(page.nextCursor).not.toBeNull();
    const follow = given.app.get(ChangeFeed);
    const changed = await follow.listChanges(place, follow.buildToken(place.tableId, '0'), {
      limit: 1000,
      offset: 0,
    });
    expect([changed.rows.length, changed.hasMore]).toEqual([page.rows.length, true]);
    await expect(
      given.changes.insertRows(place, parseRowsInput({ rows: [...rows, {}] })),
    ).rejects.toMatchObject({
      details: [{ path: 'rows', code: 'too_many' }],
    });
  });
});

test('a group that is written one by one asks once for a locked table', async () => {
  const { tableId } = await givenTable([{ name: 'n', type: 'number' }]);
  const table = await readTable(given.app.get(Database), ours, tableId);
  // Postgres refuses the group for a row of it, and then somebody holds the table.
  let asked = 0;
  const statement = async () => {
    asked += 1;
    throw toPostgresError(asked === 1 ? '23505' : '55P03');
  };
  const inserts = new InsertBatcher({ statement }, given.app.get(TableWriteLock));
  const insert = () => outcomeOf(inserts.batchInsert(ours, table, { rows: [{}], ids: [randomUUID()] }));
  const group = Array.from({ length: 6 }, insert);
  expect(await Promise.all(group)).toEqual(group.map(() => TableLocked.name));
  expect(asked).toBe(2);
});

test('no more than a thousand inserts wait behind a group', async () => {
  const { tableId } = await givenTable([{ name: 'n', type: 'number' }]);
  const table = await readTable(given.app.get(Database), ours, tableId);
  let release: () => void = () => undefined;
  const released = new Promise<never[]>((resolve) => (release = () => resolve([])));
  const inserts = new InsertBatcher({ statement: () => released }, given.app.get(TableWriteLock));
  const insert = () => outcomeOf(inserts.batchInsert(ours, table, { rows: [{}], ids: [randomUUID()] }));
  const waiting = Array.from({ length: 1000 }, insert);
  expect(await insert()).toBe(TableLocked.name);
  release();
  expect((await Promise.all(waiting)).filter((outcome) => outcome === TableLocked.name)).toEqual([]);
});

describe('long work of one workspace', () => {
  test('long work of one workspace waits for other long work of it, and neither short changes nor other workspaces do', async () => {
    const columns = [{ name: 'n', type: 'number' as const }];
    const [held, next, short] = [
      await givenTable(columns),
      await givenTable(columns),
      await givenTable(columns),
    ];
    const { id } = await given.tables.create(theirs, { name: 'theirs', columns });
    await given.owner.query('begin');
    await given.owner.query('select from tables where id = $1 for update', [held.tableId]);
    // A place is taken when the work begins, so the second call waits for the place of the first.
    const first = outcomeOf(given.columns.changeColumn(held, 'n', { required: true }));
    let over = false;
    const second = outcomeOf(given.columns.changeColumn(next, 'n', { required: true })).finally(
      () => (over = true),
    );
    const third = outcomeOf(
      onDisk('n\n1\n', (path) =>
        given.app.get(Imports).readOnce(newId('imp'), next, { mode: 'all', options: {} }, path),
      ),
    ).finally(() => (over = true));
    await given.columns.changeColumn(short, 'n', { name: 'm' });
    await given.columns.changeColumn({ workspaceId: theirs, tableId: id }, 'n', { required: true });
    expect(over).toBe(false);
    await given.owner.query('commit');
    expect(await Promise.all([first, second, third])).toEqual(['done', 'done', 'done']);
  });

  test('long work of one workspace is refused with Retry-After when it gets no place in time', async () => {
    const work = new LongWork({ databasePoolMax: 4, databaseWaitMs: 1 } as Settings);
    let end = () => {};
    const first = work.runLongWork(ours, () => new Promise<void>((resolve) => (end = resolve)));
    expect(await outcomeOf(work.runLongWork(ours, async () => undefined))).toBe('LongWorkTaken');
    expect(await outcomeOf(work.runLongWork(theirs, async () => undefined))).toBe('done');
    end();
    await first;
  });
});
