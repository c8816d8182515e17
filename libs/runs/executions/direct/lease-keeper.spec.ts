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

test('a lease is renewed while the main thread comes to no turn', async () => {
  const keeper = given.app.get(LeaseKeeper);
  await given.owner.query(
    `insert into processes (id, is_busy, beat_at) values ('busy', false, now() - interval '1 hour')`,
  );
  keeper.begin('busy', 10);
  // Stops this thread until the other one has renewed.
  expect(Atomics.wait(keeper.renewals, 0, 0, 60_000)).not.toBe('timed-out');
  const { rows } = await given.owner.query(
    `select beat_at > now() - interval '30 minutes' as is_new from processes where id = 'busy'`,
  );
  expect(rows).toEqual([{ is_new: true }]);
  await keeper.end();
});
