import { Module } from '@nestjs/common';
import type pg from 'pg';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { CompletionNotifier, type FirstRead } from '#libs/platform/database/completion-notifier';
import { CompletionNotifierModule } from '#libs/platform/database/completion-notifier.module';
import { acceptExecution, type AcceptedRow } from '../accept/accept.sql.ts';
import { ExecutionWaiters } from './execution-waiters.ts';

@Module({ imports: [DatabaseModule, CompletionNotifierModule], providers: [ExecutionWaiters] })
class Waiting {}

let given: GivenStore;
let here: CompletionNotifier;
let waiters: ExecutionWaiters;
let there: CompletionNotifier;
let owner: pg.Client;
const id = 'exec_ws_a';

beforeAll(async () => {
  given = await givenStore(Waiting);
  here = given.app.get(CompletionNotifier);
  waiters = given.app.get(ExecutionWaiters);
  there = (await given.another()).get(CompletionNotifier);
  ({ owner } = given);
  await fillWorkspace(owner, 'ws_a');
  await owner.query('delete from holds');
});
beforeEach(() => owner.query(`update executions set status = 'running', awaited_until = null`));
afterAll(() => given.stop());

const awaited = async (runId = id): Promise<boolean> => {
  const { rows } = await owner.query<{ awaited: boolean }>(
    `select coalesce(awaited_until > now(), false) as awaited from executions where id = $1`,
    [runId],
  );
  return rows[0]?.awaited ?? false;
};

/** A waiter for the value that `settle` gives. Counts its reads. */
function waiting(firstRead: FirstRead) {
  let settled = false;
  let reads = 0;
  let onRead = (): void => undefined;
  const read = async () => {
    reads += 1;
    const found = settled ? reads : null;
    onRead();
    return found;
  };
  const wasRead = async (times: number): Promise<void> => {
    if (reads >= times) return;
    await new Promise<void>((resolve) => (onRead = () => reads >= times && resolve()));
  };
  return {
    found: waiters.waitForExecution(id, read, 4000, firstRead),
    wasRead,
    settle: () => void (settled = true),
  };
}

/** Accepts a run that Temporal must start, unless `more` says otherwise. */
async function accept(runId: string, more: Partial<AcceptedRow>): Promise<void> {
  const row: Partial<AcceptedRow> = {
    id: runId,
    workspace_id: 'ws_a',
    workflow_id: 'wf_ws_a',
    workflow_name: 'workflow',
    version: 1,
    plan_hash: 'hash',
    mode: 'sync',
    trigger: 'api',
    actor: '{}',
    inputs: '{}',
    payloads: [],
    pinned: true,
    ...more,
  };
  await owner.query(acceptExecution, [JSON.stringify(row)]);
}

test.each([
  { run: 'a run that Temporal starts for a caller who waits', more: {}, isMarked: true },
  { run: 'a run that Temporal starts as a job', more: { mode: 'async' }, isMarked: false },
  { run: 'a run that has ended where it was accepted', more: { status: 'completed' }, isMarked: false },
])('the acceptance of $run marks the row for its waiter: $isMarked', async ({ more, isMarked }) => {
  await accept('exec_accepted', more);
  expect(await awaited('exec_accepted')).toBe(isMarked);
  await owner.query(`delete from executions where id = 'exec_accepted'`);
});

describe('a waiter', () => {
  test('a waiter is woken by the notice of another process, which finds the mark of the waiter in the row', async () => {
    const one = waiting('at-once');
    // It reads, marks the row as awaited, and reads again, because an end in between sends no notice.
    await one.wasRead(2);
    expect(await awaited()).toBe(true);
    one.settle();
    void there.notifyOthers(id);
    expect(await one.found).toBe(3);
  });

  test('a waiter leaves no mark of its own when it is notified at once', async () => {
    const one = waiting('after-notice');
    one.settle();
    here.notifyLocal(id);
    expect(await one.found).toBe(1);
    expect(await awaited()).toBe(false);
  });

  test('a waiter marks the row in the end when another process took over the run', async () => {
    const one = waiting('after-notice');
    await one.wasRead(2);
    expect(await awaited()).toBe(true);
    one.settle();
    void there.notifyOthers(id);
    expect(await one.found).toBe(3);
  });

  test('a waiter finds a run that settled before it when it begins with the mark', async () => {
    const one = waiting('after-mark');
    one.settle();
    expect(await one.found).toBe(1);
    expect(await awaited()).toBe(true);
  });
});
