import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { LeaseKeeper } from './lease-keeper.ts';
import { renewalsAt } from './lease-thread.ts';
import { LeaseWatch } from './lease-watch.ts';

@Module({ imports: [DatabaseModule], providers: [LeaseKeeper, LeaseWatch] })
class Leases {}

let given: GivenStore;
let processId: string;
/** The time of the process that watches, in milliseconds. */
let nowMs = 0;

beforeAll(async () => {
  given = await givenStore(Leases);
  await fillWorkspace(given.owner, 'ws_a');
});
afterAll(() => given.stop());

beforeEach(async () => {
  const { owner } = given;
  processId = randomUUID();
  await owner.query('delete from direct_runs');
  await owner.query('insert into processes (id, is_busy) values ($1, false)', [processId]);
  await owner.query(
    `insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, status)
     values ($1, 'ws_a', 'wf_ws_a', 'workflow', 1, 'hash', 'sync', 'api', '{}', '{}', 'running')`,
    [`exec_${processId}`],
  );
  await owner.query(
    `insert into direct_runs (execution_id, workspace_id, process_id) values ($1, 'ws_a', $2)`,
    [`exec_${processId}`, processId],
  );
});

const beat = (at: string) =>
  given.owner.query(`update processes set beat_at = ${at} where id = $1`, [processId]);

/** Looks each second for so long. Returns the lost processes at the last look. */
async function lookFor(seconds: number): Promise<string[]> {
  let lost: string[] = [];
  for (let second = 0; second < seconds; second++) {
    nowMs += 1000;
    lost = await given.app.get(LeaseWatch).findLost(() => nowMs);
  }
  return lost;
}

describe('a process that owns runs', () => {
  test('a process that owns runs is lost when its beat has not changed for ten seconds', async () => {
    expect(await lookFor(10)).toEqual([]);
    expect(await lookFor(1)).toEqual([processId]);
  });

  test.each(['ahead', 'behind'])(
    'a process that owns runs is lost by its beat alone when the clock of the database is an hour %s',
    async (direction) => {
      const now = `now() ${direction === 'ahead' ? '+' : '-'} interval '1 hour'`;
      expect(await lookFor(9)).toEqual([]);
      await beat(now);
      expect(await lookFor(9)).toEqual([]);
      await beat(`${now} + interval '2 seconds'`);
      expect(await lookFor(10)).toEqual([]);
      expect(await lookFor(1)).toEqual([processId]);
    },
  );

  test('a process that owns runs is not lost when the one that watches has stood still', async () => {
    await lookFor(1);
    nowMs += 3_600_000;
    expect(await lookFor(1)).toEqual([]);
    await beat(`now() + interval '1 second'`);
    expect(await lookFor(1)).toEqual([]);
  });

  test('a process that owns runs is lost at once when it has ended its lease', async () => {
    await beat(`'-infinity'`);
    expect(await lookFor(1)).toEqual([processId]);
  });
});

test('a lease is renewed while the main thread comes to no turn', async () => {
  const keeper = given.app.get(LeaseKeeper);
  await beat(`now() - interval '1 hour'`);
  keeper.begin(processId, 10);
  // Stops this thread until the other one has renewed.
  expect(Atomics.wait(keeper.counts, renewalsAt, 0, 60_000)).not.toBe('timed-out');
  const { rows } = await given.owner.query(
    `select beat_at > now() - interval '30 minutes' as is_new from processes where id = $1`,
    [processId],
  );
  expect(rows).toEqual([{ is_new: true }]);
  await keeper.end();
});
