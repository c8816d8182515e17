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

test.each([
  { when: 'later', run: 'has ended, while callers wait', situation: {}, isTold: false },
  {
    when: 'later',
    run: 'was cancelled, while callers wait',
    situation: { status: 'cancelled' },
    isTold: false,
  },
  { when: 'soon', run: 'has ended and has a parent', situation: { isChild: true }, isTold: true },
  { when: 'later', run: 'has failed, while callers wait', situation: { status: 'failed' }, isTold: false },
  { when: 'soon', run: 'has ended, once no caller waits', situation: { isBusy: false }, isTold: true },
  {
    when: 'soon',
    run: 'has ended, when the process with the callers is gone',
    situation: { beatAgeS: 10 },
    isTold: true,
  },
  {
    when: 'after half a minute',
    run: 'has ended, while callers wait',
    situation: { ageS: 31 },
    isTold: true,
  },
  { when: 'soon', run: 'goes on', situation: { status: 'running' }, isTold: true },
  { when: 'soon', run: 'waits for another person', situation: { status: 'paused' }, isTold: true },
])('Temporal hears $when of an answer whose run $run', async ({ situation, isTold }) => {
  expect(await isSent(situation)).toBe(isTold);
});
