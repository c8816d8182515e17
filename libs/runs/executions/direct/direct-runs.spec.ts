import pg from 'pg';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { cloneTemplate } from '#libs/platform/database/template';
import { completeRunningVisit, insertRunningVisit, upsertLogs } from '../record/record.sql.ts';
import { takenSince } from '../advance/run-log.sql.ts';
import { openInTemporal } from '../accept/accept.sql.ts';
import { commitPaidStep, commitStep, lockRun, type StepRow, takeLostRuns } from './direct-runs.sql.ts';

let clone: Awaited<ReturnType<typeof cloneTemplate>>;
let owner: pg.Client;

beforeAll(async () => {
  clone = await cloneTemplate(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  owner = new pg.Client({ connectionString: clone.url });
  await owner.connect();
  await fillWorkspace(owner, 'ws_a');
});
afterAll(async () => {
  await owner.end();
  await clone.drop();
});

/** A run that the process `b` has taken over from the process `a`. */
async function givenRun(id: string): Promise<StepRow> {
  await owner.query(
    `insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs, status)
     values ($1, 'ws_a', 'wf_ws_a', 'workflow', 1, 'hash', 'sync', 'api', '{}', '{}', 'running')`,
    [id],
  );
  await owner.query(
    `insert into direct_runs (execution_id, workspace_id, process_id) values ($1, 'ws_a', 'b')`,
    [id],
  );
  const event = JSON.stringify({ kind: 'started' });
  const ended = { status: 'completed', output: '1', completed_at: new Date(0) };
  return {
    execution_id: id,
    workspace_id: 'ws_a',
    process_id: 'a',
    number: 1,
    event,
    at: new Date(0),
    visits: [],
    leaves: true,
    ...ended,
  };
}

const commit = async (step: StepRow) => (await owner.query(commitStep, [JSON.stringify(step)])).rows[0];

async function readRun(id: string) {
  const { rows } = await owner.query(
    `select e.status, e.output, (select process_id from direct_runs where execution_id = e.id) as process,
       (select count(*)::int from run_events where execution_id = e.id) as events
     from executions e where e.id = $1`,
    [id],
  );
  return rows[0];
}

describe('a run that another process has taken over', () => {
  test('a run that another process has taken over takes no step of the former process', async () => {
    const step = await givenRun('exec_taken');
    expect(await commit(step)).toMatchObject({ is_owner: false });
    expect(await readRun('exec_taken')).toEqual({ status: 'running', output: null, process: 'b', events: 0 });

    expect(await commit({ ...step, process_id: 'b' })).toMatchObject({ is_owner: true });
    expect(await readRun('exec_taken')).toEqual({ status: 'completed', output: 1, process: null, events: 1 });
    // Also when the run is gone, or when the same step comes again.
    expect(await commit({ ...step, process_id: 'b' })).toMatchObject({ is_owner: false });
  });

  test('a run that another process has taken over wants no call of the former process, nor one that is made', async () => {
    await givenRun('exec_wanted');
    const isTaken = async (number: number, process: string | null) =>
      (await owner.query(takenSince, ['exec_wanted', number, 'pay', process])).rows.length > 0;
    expect([await isTaken(0, 'a'), await isTaken(0, 'b'), await isTaken(0, null)]).toEqual([
      true,
      false,
      false,
    ]);
    await owner.query(
      `insert into run_events (execution_id, workspace_id, number, event, at)
       values ('exec_wanted', 'ws_a', 2, '{"kind":"succeeded","path":"pay"}', now())`,
    );
    expect([await isTaken(1, 'b'), await isTaken(1, null), await isTaken(2, null)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a run that another process has taken over is locked by that process alone', async () => {
    await givenRun('exec_locked');
    const lock = async (process: string) => (await owner.query(lockRun, ['exec_locked', process])).rows;
    expect(await lock('a')).toEqual([]);
    expect(await lock('b')).toEqual([{ process_id: 'b' }]);
  });

  test('a run that another process has taken over gets no line of its block log from the former process', async () => {
    await givenRun('exec_shown');
    const block = ['exec_shown', 'ws_a', 'pay', 'pay', 'Pay', 'http'];
    const show = async (process: string | null) => {
      await owner.query(insertRunningVisit, [...block, 1, process]);
      await owner.query(upsertLogs, [...block, '["said"]', process]);
      await owner.query(completeRunningVisit, ['exec_shown', 'pay', '1', process]);
      const { rows } = await owner.query(`select status, logs from visits where execution_id = 'exec_shown'`);
      return rows;
    };
    expect(await show('a')).toEqual([]);
    expect(await show('b')).toEqual([{ status: 'completed', logs: ['said'] }]);
    await owner.query(`delete from visits where execution_id = 'exec_shown'`);
    // A run of Temporal has no process.
    expect(await show(null)).toEqual([{ status: 'completed', logs: ['said'] }]);
  });
});

test('what a step of a run costs is booked by its commit, once, and for the owner of the run alone', async () => {
  const step = await givenRun('exec_paid');
  await owner.query(`update executions set actor = '{"id":"key"}' where id = 'exec_paid'`);
  const call = { kind: 'call', path: 'one', type: 'http', cost: 0.5 };
  const book = (more: Partial<StepRow>) =>
    owner.query(commitPaidStep, [JSON.stringify({ ...step, usage: [call], ...more })]);
  const readLedger = async () => {
    const read = `select kind, subject, visit_path as path, cost::float8 from usage_entries where 'exec_paid' in (execution_id, during_execution)`;
    return (await owner.query(`${read} order by id`)).rows;
  };
  await book({ leaves: false });
  expect(await readLedger()).toEqual([]);
  const booked = { kind: 'call', subject: 'http', path: 'one', cost: 0.5 };
  for (const _ of ['the first', 'repeated, because its answer was lost']) {
    await book({ process_id: 'b', leaves: false });
    expect(await readLedger()).toEqual([booked]);
  }
  const end = { kind: 'execution', cost: 2 };
  for (const _ of ['the first', 'repeated'])
    await book({ process_id: 'b', number: 2, usage: [{ ...call, path: 'two' }, end] });
  expect(await readLedger()).toEqual([
    booked,
    { ...booked, path: 'two' },
    { kind: 'execution', subject: null, path: null, cost: 2 },
  ]);
});

test('a run is taken from a process, as the role that looks for lost ones, only while its lease was not renewed since the look', async () => {
  await givenRun('exec_renewed');
  const take = async (beat: string | null) => {
    await owner.query('begin; set local role holdfast_system');
    const { rows } = await owner.query(takeLostRuns, [['b'], [beat]]);
    await owner.query('rollback');
    return rows.some(({ executionId }) => executionId === 'exec_renewed');
  };
  expect(await take(null)).toBe(true);
  const [seen, renewed] = ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'] as const;
  await owner.query(`insert into processes (id, is_busy, beat_at) values ('b', false, $1)`, [seen]);
  expect([await take(null), await take(seen)]).toEqual([false, true]);
  await owner.query('update processes set beat_at = $1', [renewed]);
  expect(await take(seen)).toBe(false);
});

test('the open runs that Temporal must know leave out those of a process and of the outbox, and their children', async () => {
  for (const id of ['exec_carried', 'exec_direct', 'exec_handed', 'exec_handed_child', 'exec_child'])
    await givenRun(id);
  await owner.query(`delete from direct_runs where execution_id <> 'exec_direct'`);
  await owner.query(`update executions set root_id = 'exec_handed' where id = 'exec_handed_child'`);
  await owner.query(
    `update executions set root_id = 'exec_carried', status = 'paused' where id = 'exec_child'`,
  );
  await owner.query(
    `insert into inline_start_outbox (execution_id, workspace_id, ended, start_input, due_at) values ('exec_handed', 'ws_a', false, '{}', now())`,
  );
  const { rows } = await owner.query(`select id ${openInTemporal} and id = any ($1) order by id`, [
    ['exec_carried', 'exec_direct', 'exec_handed', 'exec_handed_child', 'exec_child'],
  ]);
  expect(rows.map(({ id }) => id)).toEqual(['exec_carried', 'exec_child']);
});
