import pg from 'pg';
import { DatabaseModule } from './database.module.ts';
import { claimInTurn, isAnyDue } from './fair-claim.ts';
import { type GivenStore, givenStore } from './support/store.ts';

let home: GivenStore;
beforeAll(async () => {
  home = await givenStore(DatabaseModule);
  await home.owner.query(`
    create table waiting (id text primary key, workspace_id text not null, due_at timestamptz not null, ended boolean not null default false);
    create index waiting_open on waiting (workspace_id, due_at) where not ended;
    create index waiting_ended on waiting (workspace_id, due_at) where ended`);
});
beforeEach(() => home.owner.query('truncate waiting'));
afterAll(() => home.stop());

const waiting = { table: 'waiting', id: 'id', at: 'due_at', waits: ['not ended', 'ended'] };
const claim = claimInTurn(waiting);
const add = (workspace: string, rows: number, { ageS = 60, ended = false } = {}) =>
  home.owner.query(
    `insert into waiting select $1::text || n, $1, now() - make_interval(secs => $3::int) + n * interval '1 microsecond', $4
     from generate_series(1, $2::int) n`,
    [workspace, rows, ageS, ended],
  );
const claimed = async (rows: number) =>
  (await home.owner.query<{ id: string }>(claim, [rows])).rows.map(({ id }) => id);

describe('a claim of rows that wait', () => {
  test('a claim of rows that wait takes the oldest of each workspace first, however many older ones another has', async () => {
    await add('loud', 5000, { ageS: 600 });
    await add('quiet', 2);
    await add('late', 1, { ageS: -60 });
    expect(await claimed(5)).toEqual(['loud1', 'quiet1', 'loud2', 'quiet2', 'loud3']);
  });

  test('a claim of rows that wait takes all rows of the first kind before those of the next', async () => {
    await add('loud', 3, { ended: true, ageS: 600 });
    await add('quiet', 2);
    expect(await claimed(4)).toEqual(['quiet1', 'quiet2', 'loud1', 'loud2']);
  });

  test('a claim of rows that wait passes over rows that another claim holds', async () => {
    await add('loud', 60);
    const holder = await home.owner.query('begin').then(() => claimed(24));
    const other = new pg.Client({ connectionString: home.url });
    await other.connect();
    const { rows } = await other.query<{ id: string }>(claim, [24]);
    await home.owner.query('commit');
    await other.end();
    expect(new Set([...holder, ...rows.map(({ id }) => id)]).size).toBe(48);
  });

  test('a claim of rows that wait reads some hundred entries of an index when 100,000 rows are due', async () => {
    await add('loud', 100_000);
    for (let n = 0; n < 200; n++) await add(`quiet_${n}_`, 1);
    await home.owner.query('analyze waiting');
    const { rows } = await home.owner.query(
      `explain (analyze, costs off, timing off, format json) ${claim}`,
      [24],
    );
    const plan = JSON.stringify(rows[0]['QUERY PLAN']);
    expect(plan).not.toContain('Seq Scan');
    const read = [...plan.matchAll(/"Actual Rows": ([\d.]+)/g)].map(([, n]) => Number(n));
    expect(Math.max(...read)).toBeLessThan(1000);
  });
});

describe('the question whether rows are due', () => {
  const ask = async () =>
    (await home.owner.query<{ due: boolean }>(`select ${isAnyDue(waiting)} as due`)).rows[0]?.due;

  test('the question whether rows are due is answered for each kind of row, and for the last workspace too', async () => {
    expect(await ask()).toBe(false);
    await add('a', 3, { ageS: -60 });
    await add('b', 3, { ageS: -60, ended: true });
    expect(await ask()).toBe(false);
    await add('c', 1);
    expect(await ask()).toBe(true);
    await home.owner.query(`update waiting set ended = true where workspace_id = 'c'`);
    expect(await ask()).toBe(true);
    await home.owner.query(`delete from waiting where workspace_id = 'c'`);
    expect(await ask()).toBe(false);
  });
});
