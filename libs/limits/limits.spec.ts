import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/database/support/store';
import { fillWorkspace } from '#libs/database/support/tenants';
import { Unpaid } from '#libs/faults/faults';
import { Limits, LimitsModule, RateLimited } from './limits.ts';
import type { BucketKind } from './plans.ts';

let given: GivenStore;
let owner: pg.Client;
let limits: Limits;

beforeAll(async () => {
  given = await givenStore(LimitsModule, {
    RATE_SYNC_PER_MINUTE: '3',
    RATE_API_PER_MINUTE: '2',
    USAGE_LIMIT: '2.5',
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
  const takes = Array.from({ length: count }, () => limits.take(payer(workspaceId), kind));
  const outcomes = await Promise.allSettled(takes);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
};

describe('take', () => {
  test('lets twice the rate pass at once, also of ten callers at the same time', async () => {
    expect(await taken(10)).toBe(6);
    expect(await taken(10, 'api')).toBe(4);
  });

  test('tells calls that come together what is left behind each of them', async () => {
    const takes = Array.from({ length: 4 }, () => limits.take(payer('ws_a'), 'sync'));
    const left = (await Promise.all(takes)).map(({ buckets }) => buckets.sync.remaining);
    expect(left).toEqual([5, 4, 3, 2]);
    const { buckets } = await limits.look(payer('ws_a'));
    expect(buckets.sync.remaining).toBe(2);
  });

  test('counts each owner alone', async () => {
    await taken(10);
    expect(await taken(10, 'sync', 'ws_b')).toBe(6);
  });

  test('refuses with the seconds until the next token and the numbers of that moment', async () => {
    await taken(6);
    // A bucket that was touched in the future does not fill while the test goes on.
    await owner.query(`update rate_buckets set tokens = 0, updated_at = now() + interval '1 hour'`);
    const refusal = await limits.take(payer('ws_a'), 'sync').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RateLimited);
    expect(refusal).toMatchObject({
      bucket: 'sync',
      retryAfterS: 20,
      limitStatus: { buckets: { sync: { requestsPerMinute: 3, maxBurst: 6, remaining: 0 } } },
    });
  });

  test('fills the bucket with time, and never beyond the burst', async () => {
    await taken(6);
    await owner.query(`update rate_buckets set updated_at = updated_at - interval '41 seconds'`);
    expect(await taken(10)).toBe(2);
    await owner.query(`update rate_buckets set updated_at = updated_at - interval '1 day'`);
    expect(await taken(10)).toBe(6);
  });

  test('refuses executions of a workspace over its usage limit, and nothing else', async () => {
    await owner.query(`insert into usage_entries (workspace_id, execution_id, actor, cost)
      values ('ws_b', null, 'key_ws_b', 1.5)`);
    await expect(limits.take(payer('ws_b'), 'sync')).rejects.toThrow(Unpaid);
    await expect(limits.take(payer('ws_b'), 'async')).rejects.toThrow(Unpaid);
    expect(await limits.take(payer('ws_b'), 'api')).toMatchObject({
      usage: { currentPeriodCost: 2.5, isExceeded: true },
    });
    expect(await limits.take(payer('ws_a'), 'sync')).toMatchObject({
      usage: { currentPeriodCost: 1, isExceeded: false },
    });
  });

  test('does not count what earlier months cost', async () => {
    await owner.query(`insert into usage_entries (workspace_id, execution_id, actor, cost, created_at)
      values ('ws_a', null, 'key_ws_a', 1.5, now() - interval '32 days')`);
    expect(await limits.take(payer('ws_a'), 'sync')).toMatchObject({ usage: { currentPeriodCost: 1 } });
  });
});

describe('look', () => {
  test('takes nothing', async () => {
    await taken(2);
    for (let n = 0; n < 3; n++) expect((await limits.look(payer('ws_a'))).buckets.sync.remaining).toBe(4);
  });
});
