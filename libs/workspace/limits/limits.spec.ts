import type pg from 'pg';
import { Database } from '#libs/platform/database/database';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { Unpaid } from '#libs/platform/errors/errors';
import { Limits, RateLimited } from './limits.ts';
import { LimitsModule } from './limits.module.ts';
import type { BucketKind } from '#libs/platform/settings/plans';
import { Storage } from './storage.ts';
import { Usage, type UsageQuery } from './usage.ts';
import { UsageBooking } from './usage-booking.ts';

let given: GivenStore;
let owner: pg.Client;
let limits: Limits;

beforeAll(async () => {
  given = await givenStore(LimitsModule, {
    RATE_SYNC_PER_MINUTE: '3',
    RATE_API_PER_MINUTE: '2',
    USAGE_LIMIT: '2.5',
    MODEL_PRICES: '{"*":{"input":1,"output":1}}',
  });
  ({ owner } = given);
  // Each workspace has one usage entry, which cost 1.
  for (const workspace of ['ws_a', 'ws_b']) await fillWorkspace(owner, workspace);
  limits = given.app.get(Limits);
});
beforeEach(() => owner.query('delete from rate_buckets'));
afterAll(() => given.stop());

const payer = (workspaceId: string) => ({ owner: `owner of ${workspaceId}`, plan: 'free', workspaceId });
const taken = async (count: number, kind: BucketKind = 'sync', workspaceId = 'ws_a') => {
  const takes = Array.from({ length: count }, () => limits.takeTokens(payer(workspaceId), kind));
  const outcomes = await Promise.allSettled(takes);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
};

describe('take', () => {
  test('take lets twice the rate pass at once, also of ten callers at the same time', async () => {
    expect(await taken(10)).toBe(6);
    expect(await taken(10, 'api')).toBe(4);
  });

  test('take tells each of several calls at once its own remaining number', async () => {
    const takes = Array.from({ length: 4 }, () => limits.takeTokens(payer('ws_a'), 'sync'));
    const left = (await Promise.all(takes)).map(({ buckets }) => buckets.sync.remaining);
    expect(left).toEqual([5, 4, 3, 2]);
    const { buckets } = await limits.readLimits(payer('ws_a'));
    expect(buckets.sync.remaining).toBe(2);
  });

  test('take admits exactly the burst for 64 callers on each of two processes, each with its own remaining number', async () => {
    const other = (await given.another()).get(Limits);
    const takes = Array.from({ length: 128 }, (_, n) =>
      (n % 2 ? limits : other).takeTokens(payer('ws_a'), 'sync'),
    );
    const outcomes = await Promise.allSettled(takes);
    const left = outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.buckets.sync.remaining] : [],
    );
    expect(left.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.filter((one) => 'reason' in one && !(one.reason instanceof RateLimited))).toEqual([]);
  });

  test('take counts each owner alone', async () => {
    await taken(10);
    expect(await taken(10, 'sync', 'ws_b')).toBe(6);
  });

  test('take refuses with the seconds until the next token and the numbers of that moment', async () => {
    await taken(6);
    // The bucket has its time in the future, so it does not refill during the test.
    await owner.query(`update rate_buckets set tokens = 0, updated_at = now() + interval '1 hour'`);
    const refusal = await limits.takeTokens(payer('ws_a'), 'sync').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RateLimited);
    expect(refusal).toMatchObject({
      bucket: 'sync',
      retryAfterS: 20,
      limitStatus: { buckets: { sync: { requestsPerMinute: 3, maxBurst: 6, remaining: 0 } } },
    });
  });

  test('take fills the bucket with time, and never beyond the burst', async () => {
    await taken(6);
    await owner.query(`update rate_buckets set updated_at = updated_at - interval '41 seconds'`);
    expect(await taken(10)).toBe(2);
    await owner.query(`update rate_buckets set updated_at = updated_at - interval '1 day'`);
    expect(await taken(10)).toBe(6);
  });

  test('take refuses executions of a workspace over its usage limit, and nothing else', async () => {
    await owner.query(`insert into usage_entries (workspace_id, execution_id, actor, cost)
      values ('ws_b', null, 'key_ws_b', 1.5)`);
    await expect(limits.admitExecution(payer('ws_b'), 'sync')).rejects.toThrow(Unpaid);
    await expect(limits.admitExecution(payer('ws_b'), 'async')).rejects.toThrow(Unpaid);
    expect(await limits.takeTokens(payer('ws_b'), 'api')).toMatchObject({
      usage: { currentPeriodCost: 2.5, isExceeded: true },
    });
    expect(await limits.takeTokens(payer('ws_a'), 'sync')).toMatchObject({
      usage: { currentPeriodCost: 1, isExceeded: false },
    });
  });

  test('take does not count the cost of earlier months', async () => {
    await owner.query(`insert into usage_entries (workspace_id, execution_id, actor, cost, created_at)
      values ('ws_a', null, 'key_ws_a', 1.5, now() - interval '32 days')`);
    expect(await limits.takeTokens(payer('ws_a'), 'sync')).toMatchObject({ usage: { currentPeriodCost: 1 } });
  });
});

describe('look', () => {
  test('look takes no token', async () => {
    await taken(2);
    for (let n = 0; n < 3; n++)
      expect((await limits.readLimits(payer('ws_a'))).buckets.sync.remaining).toBe(4);
  });
});

describe('Usage.of', () => {
  const january = { from: '2026-01-01', to: '2026-01-31', limit: 100 };
  const of = (query: Omit<UsageQuery, 'limit'> & { limit?: number }) =>
    given.app.get(Usage).readUsage('ws_a', { ...january, ...query });

  beforeAll(async () => {
    const book = (n: number) =>
      given.app.get(Database).statement(
        n % 5 ? 'ws_a' : 'ws_b',
        `
        insert into usage_entries (workspace_id, workflow_id, kind, actor, cost, created_at) select '${n % 5 ? 'ws_a' : 'ws_b'}',
          nullif('wf_' || i % 3, 'wf_0'), case when i % 5 = 0 then 'embedding' else 'model' end, case when i % 2 = 0 then 'usr_ws_a' else 'key_gone' end, i * 0.001,
          timestamptz '2025-12-31T23:00:00Z' + make_interval(hours => 2 * i) from generate_series(${n}, ${n + 400}) i`,
      );
    await Promise.all(Array.from({ length: 20 }, (_, n) => book(n)));
  });

  const ledger = async (column: string) => {
    const { rows } = await owner.query<{ group: string; cost: number; entries: number }>(`
      select ${column} as group, sum(cost)::float8 as cost, count(*)::int as entries from usage_entries where workspace_id = 'ws_a'
        and created_at >= '2026-01-01T00:00:00Z' and created_at < '2026-02-01T00:00:00Z' group by 1 order by 1`);
    return rows;
  };

  test.each([
    ['day', `(created_at at time zone 'utc')::date::text`],
    ['workflow', `coalesce(workflow_id, '')`],
    ['member', 'actor'],
    ['kind', 'kind'],
  ] as const)(
    'Usage.of by %s equals the sum of the ledger, with many bookings at once',
    async (groupBy, column) => {
      const { groups, totalCost } = await of({ ...january, groupBy });
      const found = groups.map(({ group, cost, entries }) => ({ group, cost, entries }));
      const wanted = await ledger(column);
      expect(found.toSorted((a, b) => (a.group < b.group ? -1 : 1))).toEqual(wanted);
      expect(totalCost).toBeCloseTo(
        wanted.reduce((sum, { cost }) => sum + cost, 0),
        6,
      );
    },
  );

  test('Usage.of names known groups, the costliest first, and cuts the groups but not the total', async () => {
    const { groups, totalCost } = await of({ ...january, groupBy: 'member', limit: 1 });
    const all = await of({ ...january, groupBy: 'member' });
    expect(groups).toEqual(all.groups.slice(0, 1));
    expect(all.groups[0]?.cost).toBeGreaterThan(all.groups[1]?.cost ?? Infinity);
    expect(totalCost).toBe(all.totalCost);
    const names = Object.fromEntries(all.groups.map(({ group, name }) => [group, name]));
    expect(names).toEqual({ usr_ws_a: 'of ws_a', key_gone: null });
  });
});

describe('usedBytes', () => {
  let storage: Storage;
  beforeAll(() => (storage = given.app.get(Storage)));

  const sizes = `select (select coalesce(sum(bytes), 0) from payloads where workspace_id = $1)
    + (select coalesce(sum(size), 0) from files where workspace_id = $1)
    + (select coalesce(sum(octet_length(data::text)), 0) from table_rows where workspace_id = $1) as bytes`;
  const storedBytes = async (workspaceId: string) =>
    Number((await owner.query<{ bytes: string }>(sizes, [workspaceId])).rows[0]?.bytes);
  const within = (workspaceId: string, sql: string) => given.app.get(Database).statement(workspaceId, sql);

  test('usedBytes equals the stored bytes, also with sums taken while rows come, change and go', async () => {
    for (const workspace of ['ws_a', 'ws_b'])
      await owner.query(`delete from storage_changes where workspace_id = '${workspace}'`);
    await owner.query(`update storage_totals set bytes = 0`);
    for (const table of ['payloads', 'documents', 'files', 'table_rows'])
      await owner.query(`delete from ${table}`);
    await owner.query(`update storage_changes set bytes = 0`);
    const work = async (workspaceId: string, n: number) => {
      await within(workspaceId, rowsOf(workspaceId, n));
      await within(
        workspaceId,
        `insert into payloads (id, workspace_id, execution_id, body, bytes)
        select 'pay_${n}_' || i || '${workspaceId}', '${workspaceId}', 'exec_${workspaceId}', '{}', 5000 + i from generate_series(1, 3) i`,
      );
      await within(
        workspaceId,
        `insert into files (id, workspace_id, filename, mime_type, size, sha256)
        values ('file_${n}_${workspaceId}', '${workspaceId}', 'a', 'text/plain', ${1000 * n + 1}, '')`,
      );
      await within(
        workspaceId,
        `update table_rows set data = '{"c1":"a longer text"}' where position = ${n}`,
      );
      await within(workspaceId, `delete from table_rows where position = ${n - 1}`);
    };
    const turns = Array.from({ length: 8 }, (_, n) => [
      work('ws_a', n),
      work('ws_b', n),
      storage.addUp(undefined, 3),
    ]);
    await Promise.all(turns.flat());
    for (const workspace of ['ws_a', 'ws_b']) {
      const bytes = await storedBytes(workspace);
      expect(bytes).toBeGreaterThan(100_000);
      expect(await storage.usedBytes(workspace)).toBe(bytes);
    }
  });

  test('usedBytes falls when an execution is deleted with its payloads, and equals the sum again', async () => {
    const before = await storage.usedBytes('ws_a');
    await given.app.get(Database).system(`delete from executions where id = 'exec_ws_a'`);
    const after = await storage.usedBytes('ws_a');
    expect(after).toBe(await storedBytes('ws_a'));
    expect(after).toBeLessThan(before - 100_000);
    await storage.addUp();
    expect(await storage.usedBytes('ws_a')).toBe(after);
    expect((await owner.query('select 1 from storage_changes')).rows).toEqual([]);
  });

  test('usedBytes takes back the bytes of a transaction that fails', async () => {
    const before = await storage.usedBytes('ws_b');
    const failing = given.app.get(Database).within('ws_b', async (tx) => {
      await tx.query(rowsOf('ws_b', 99));
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await storage.usedBytes('ws_b')).toBe(before);
  });
});

const rowsOf = (workspaceId: string, n: number) => `
  insert into table_rows (id, table_no, position, version, workspace_id, data)
  select gen_random_uuid(), t.no, ${n}, 1, '${workspaceId}', jsonb_build_object('c1', 'Ünits of ' || i)
  from tables t, generate_series(1, 20) i where t.id = 'tbl_${workspaceId}'`;

test('an entry of usage is forgotten after 400 days, and its sums stay', async () => {
  const kept = `select (select count(*) from usage_entries where actor = 'usr_old')::int as entries,
    (select sum(entries) from usage_days where actor = 'usr_old')::int as summed`;
  for (const days of [399, 401])
    await owner.query(`insert into usage_entries (workspace_id, actor, cost, created_at)
      values ('ws_a', 'usr_old', 0, now() - interval '${days} days')`);
  await given.app.get(Usage).forgetOld();
  expect((await owner.query(kept)).rows).toEqual([{ entries: 1, summed: 2 }]);
});

test('a call of a model is booked once, also when its booking is repeated', async () => {
  await owner.query(`update executions set actor = '{"id":"key"}' where id = 'exec_ws_b'`);
  const spender = { workspaceId: 'ws_b', executionId: 'exec_ws_b', visitPath: 'one', at: new Date() };
  const book = (at: Date) =>
    given.app
      .get(UsageBooking)
      .bookModelCall({ ...spender, at }, 'a model', { promptTokens: 1, completionTokens: 0 });
  await Promise.all([book(spender.at), book(spender.at), book(new Date(0))]);
  const { rows } = await owner.query(
    `select count(*)::int as entries from usage_entries where during_execution = 'exec_ws_b' and kind = 'model' and subject = 'a model'`,
  );
  expect(rows).toEqual([{ entries: 2 }]);
});
