import type pg from 'pg';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { claimEntries } from './answers.sql.ts';

let given: GivenStore;
let owner: pg.Client;

beforeAll(async () => {
  given = await givenStore(DatabaseModule);
  ({ owner } = given);
  await fillWorkspace(owner, 'ws_a');
  await owner.query(`delete from processes`);
});
afterAll(() => given.stop());

interface Situation {
  status?: string;
  isChild?: boolean;
  ageS?: number;
  isBusy?: boolean;
  beatAgeS?: number;
}

/** True when the answer of a run in this situation is sent to Temporal now. */
async function isSent({
  status = 'completed',
  isChild = false,
  ageS = 2,
  isBusy = true,
  beatAgeS = 0,
}: Situation): Promise<boolean> {
  await owner.query('begin');
  try {
    await owner.query(`update executions set status = $1, root_id = case when $2 then id end`, [
      status,
      isChild,
    ]);
    await owner.query(
      `update resume_entries set status = 'completed', acknowledged_at = null, claimed_at = now(),
         queued_at = now() - make_interval(secs => $1), next_delivery_at = now() - interval '1 second'`,
      [ageS],
    );
    await owner.query(
      `insert into processes (id, is_busy, beat_at) values ('p', $1, now() - make_interval(secs => $2))`,
      [isBusy, beatAgeS],
    );
    const { rows } = await owner.query(claimEntries, [8]);
    return rows.length > 0;
  } finally {
    await owner.query('rollback');
  }
}

test.each<[string, string, Situation, boolean]>([
  ['later', 'has ended, while callers wait', {}, false],
  ['later', 'has failed, while callers wait', { status: 'failed' }, false],
  ['later', 'was cancelled, while callers wait', { status: 'cancelled' }, false],
  ['soon', 'has ended, once no caller waits', { isBusy: false }, true],
  ['soon', 'has ended, when the process with the callers is gone', { beatAgeS: 10 }, true],
  ['after half a minute', 'has ended, while callers wait', { ageS: 31 }, true],
  ['soon', 'has ended, and has a parent that waits for it', { isChild: true }, true],
  ['soon', 'goes on', { status: 'running' }, true],
  ['soon', 'waits for another person', { status: 'paused' }, true],
])('Temporal hears %s of an answer whose run %s', async (_when, _run, situation, isTold) => {
  expect(await isSent(situation)).toBe(isTold);
});
