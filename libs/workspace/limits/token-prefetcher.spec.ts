import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import type { BucketKind } from '#libs/platform/settings/plans';
import { Limits } from './limits.ts';
import { LimitsModule } from './limits.module.ts';

let given: GivenStore;
let owner: pg.Client;
let processes: Limits[];

beforeAll(async () => {
  given = await givenStore(LimitsModule, { RATE_SYNC_PER_MINUTE: '600', RATE_API_PER_MINUTE: '600' });
  ({ owner } = given);
  processes = [given.app.get(Limits), (await given.another()).get(Limits)];
  await owner.query(counting);
});
afterAll(() => given.stop());

/** Counts the statements that take tokens. */
const counting = `
  create sequence statements;
  create function count_statement() returns trigger language plpgsql security definer as
    $$ begin perform nextval('statements'); return new; end $$;
  create trigger counted before update on rate_buckets for each row execute function count_statement()`;
const statements = async () => {
  const { rows } = await owner.query<{ n: string }>(`select nextval('statements') as n`);
  return Number(rows[0]?.n);
};

const payer = { owner: 'owner of ws_a', plan: 'free', workspaceId: 'ws_a' };
/** Makes a bucket of 1,000 tokens. Returns a function that gives the most tokens of its refill since then. */
const givenBucket = async (kind: BucketKind) => {
  await owner.query('delete from rate_buckets');
  await owner.query(
    `insert into rate_buckets (owner, kind, tokens, updated_at) values ($1, $2, 1000, now())`,
    [payer.owner, kind],
  );
  const begun = performance.now();
  return () => Math.ceil(((performance.now() - begun) * 600) / 60_000);
};
const eight = async (limits: Limits, kind: BucketKind) => {
  const takes = Array.from({ length: 8 }, () => limits.takeTokens(payer, kind));
  return (await Promise.allSettled(takes)).filter(({ status }) => status === 'fulfilled').length;
};
/** The number of calls of one process that pass before a refusal. */
const untilRefused = async (limits: Limits, kind: BucketKind) => {
  let passed = 0;
  for (let now = 8; now === 8; passed += now) now = await eight(limits, kind);
  return passed;
};

describe('tokens of a busy bucket', () => {
  test('tokens of a busy bucket are prefetched by two processes, and exactly as many calls pass as there are tokens', async () => {
    const filled = await givenBucket('api');
    const before = await statements();
    const [mine = 0, theirs = 0] = await Promise.all(processes.map((one) => untilRefused(one, 'api')));
    expect(mine + theirs).toBeGreaterThanOrEqual(1000);
    expect(mine + theirs).toBeLessThanOrEqual(1000 + filled());
    expect((await statements()) - before).toBeLessThan(1000 / 8);
  });

  test('tokens of a busy bucket go back when they were prefetched and not used', async () => {
    const [limits] = processes;
    if (!limits) throw new Error('No process was started.');
    const filled = await givenBucket('api');
    for (let n = 0; n < 5; n++) await eight(limits, 'api');
    // A prefetched token expires sooner than this.
    for (const until = performance.now() + 150; performance.now() < until;) await limits.readLimits(payer);
    const { buckets } = await limits.takeTokens(payer, 'api');
    expect(buckets.api.remaining).toBeGreaterThanOrEqual(1000 - 41);
    expect(buckets.api.remaining).toBeLessThanOrEqual(1000 - 41 + filled());
  });

  test('tokens of a busy bucket are taken one by one for executions, with a look at the cost for each', async () => {
    const [limits] = processes;
    if (!limits) throw new Error('No process was started.');
    await givenBucket('sync');
    const before = await statements();
    for (let n = 0; n < 10; n++) await limits.takeTokens(payer, 'sync');
    expect((await statements()) - before).toBe(11);
  });
});
