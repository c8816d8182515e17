import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { LeaseKeeper } from './lease-keeper.ts';

@Module({ imports: [DatabaseModule], providers: [LeaseKeeper] })
class Leases {}

let given: GivenStore;
beforeAll(async () => {
  given = await givenStore(Leases);
});
afterAll(() => given.stop());

beforeEach(() =>
  given.owner.query(
    `insert into processes (id, is_busy, beat_at) values ('busy', false, now() - interval '1 hour')
     on conflict (id) do update set beat_at = excluded.beat_at`,
  ),
);
afterEach(() => given.app.get(LeaseKeeper).end());

async function isRenewed(): Promise<boolean> {
  const { rowCount } = await given.owner.query(
    `select from processes where beat_at > now() - interval '30 minutes'`,
  );
  return rowCount === 1;
}

/** Stops this thread until the other one has another number of renewals. */
const sleepWhile = (renewals: number) =>
  expect(Atomics.wait(given.app.get(LeaseKeeper).renewals, 0, renewals, 60_000)).not.toBe('timed-out');

test('a lease is renewed while the main thread comes to no turn', async () => {
  given.app.get(LeaseKeeper).begin('busy', { everyMs: 10, stuckMs: 60_000 });
  sleepWhile(0);
  expect(await isRenewed()).toBe(true);
});

test('a lease is renewed no more when the main thread has come to no turn for long, until it comes to one', async () => {
  const keeper = given.app.get(LeaseKeeper);
  keeper.begin('busy', { everyMs: 10, stuckMs: 50 });
  sleepWhile(0);
  const count = () => Atomics.load(keeper.renewals, 0);
  for (let waits = 0; waits < 200 && count() > 0; waits++) sleepWhile(count());
  expect(count()).toBe(0);
  keeper.noteTurn();
  sleepWhile(0);
  expect(await isRenewed()).toBe(true);
});
