import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { LeaseWatch } from './lease-watch.ts';

@Module({ imports: [DatabaseModule], providers: [LeaseWatch] })
class WatchedLeases {}

let given: GivenStore;
/** The time of the process that watches, in milliseconds. */
let nowMs = 0;

beforeAll(async () => {
  given = await givenStore(WatchedLeases);
});
afterAll(() => given.stop());
beforeEach(async () => {
  nowMs += 60_000;
  await given.owner.query('delete from processes');
  await given.owner.query(`insert into processes (id, is_busy) values ('api', false)`);
});

const beat = (at: string) => given.owner.query(`update processes set beat_at = ${at}`);
const hour = `interval '1 hour'`;

/** Looks after each second for so long. Returns the processes that are lost at the last look. */
async function lookFor(seconds: number, everyMs = 1000): Promise<string[]> {
  let lost: string[] = [];
  for (let second = 0; second < seconds; second++) {
    nowMs += everyMs;
    lost = [...(await given.app.get(LeaseWatch).findLost(() => nowMs)).keys()];
  }
  return lost;
}

describe('a process that renews its lease no more', () => {
  test('a process that renews its lease no more is lost after ten seconds, also while the clock of the database is behind', async () => {
    await beat(`now() + ${hour}`);
    expect(await lookFor(10)).toEqual([]);
    expect(await lookFor(1)).toEqual(['api']);
  });

  test('a process that renews its lease no more is lost after three seconds for one that has just begun to watch', async () => {
    await beat(`now() - interval '11 seconds'`);
    expect(await lookFor(3)).toEqual([]);
    expect(await lookFor(1)).toEqual(['api']);
  });
});

describe('a process that renews its lease', () => {
  test('a process that renews its lease is not lost when the clock of the database jumps by an hour, in either direction', async () => {
    for (const at of ['now()', `now() - ${hour}`, `now() - ${hour} + interval '2 s'`, `now() + ${hour}`]) {
      await beat(at);
      expect(await lookFor(3)).toEqual([]);
    }
  });

  test('a process that renews its lease is not lost when the one that watches has stood still', async () => {
    await beat(`now() - ${hour}`);
    expect(await lookFor(2)).toEqual([]);
    expect(await lookFor(1, 600_000)).toEqual([]);
  });

  test('a process that renews its lease is not lost when a look has failed', async () => {
    await beat(`now() - ${hour}`);
    expect(await lookFor(3)).toEqual([]);
    await given.owner.query('alter table processes rename to away');
    await expect(lookFor(1)).rejects.toThrow();
    await given.owner.query('alter table away rename to processes');
    expect(await lookFor(3)).toEqual([]);
  });
});
