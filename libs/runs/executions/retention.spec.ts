import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { TurnBounds } from '#libs/platform/database/bounded-deletion';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { quickAgain, slowDeletion } from '#libs/platform/database/support/slow-deletion';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { cloneTemplate } from '#libs/platform/database/template';
import { Settings } from '#libs/platform/settings/settings';
import { takeRows } from './record/resets.sql.ts';
import { Retention } from './retention.ts';

let clone: Awaited<ReturnType<typeof cloneTemplate>>;
let owner: pg.Client;
const apps: INestApplicationContext[] = [];

beforeAll(async () => {
  clone = await cloneTemplate(process.env.HOLDFAST_TEST_DATABASE_URL ?? '');
  owner = new pg.Client({ connectionString: clone.url });
  await owner.connect();
});
beforeEach(async () => {
  await owner.query('delete from workspaces');
  await owner.query('delete from deferrals');
  await owner.query('delete from users');
  for (const workspace of ['ws_a', 'ws_b']) await fillWorkspace(owner, workspace);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await owner.end();
  await clone.drop();
});

async function given(retention: string): Promise<Retention> {
  const env = { DATABASE_URL: clone.url, HOLDFAST_SECRET: 'x'.repeat(32), EXECUTION_RETENTION: retention };
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: new Settings(env) }], exports: [Settings] })
  class Given {}
  @Module({ imports: [Given, DatabaseModule], providers: [Retention] })
  class Store {}
  const app = await NestFactory.createApplicationContext(Store, { logger: false });
  apps.push(app);
  return app.get(Retention);
}

async function givenExecution(id: string, status: string, endedDaysAgo: number | null): Promise<void> {
  await owner.query(
    `insert into executions (id, workspace_id, workflow_id, workflow_name, version, plan_hash, mode, trigger, actor, inputs,
       status, created_at, completed_at)
     values ($1, 'ws_a', 'wf_ws_a', 'workflow', 1, 'hash', 'sync', 'api', '{}', '{}', $2, now() - interval '400 days',
       now() - make_interval(days => $3))`,
    [id, status, endedDaysAgo],
  );
}

const idsOf = async (sql: string) => (await owner.query<{ id: string }>(sql)).rows.map(({ id }) => id);
const left = () => idsOf(`select id from executions where id not like 'exec_ws%' order by id`);

/** Inserts `count` visits of an execution. */
const givenVisits = (id: string, count: number) =>
  owner.query(
    `insert into visits (execution_id, path, workspace_id, seq, block_id, name, type, status, started_at)
     select $1, 'b' || n, 'ws_a', n, 'b', 'B', 'http', 'completed', now() from generate_series(1, $2) n`,
    [id, count],
  );

describe('Retention', () => {
  test('Retention deletes executions that ended before the retention time, and never an open execution', async () => {
    for (const status of ['completed', 'failed', 'cancelled']) {
      await givenExecution(`old ${status}`, status, 31);
      await givenExecution(`young ${status}`, status, 29);
    }
    for (const status of ['queued', 'running', 'paused'])
      await givenExecution(`open ${status}`, status, null);
    // A reset opens an execution again. Then only its status shows that.
    await givenExecution('open again', 'running', 300);
    expect(await (await given('30')).turn()).toBe(3);
    expect(await left()).toEqual([
      'open again',
      'open paused',
      'open queued',
      'open running',
      'young cancelled',
      'young completed',
      'young failed',
    ]);
  });

  test('Retention keeps the ended children of an execution that is still open, because they count for its limit', async () => {
    await givenExecution('root', 'running', null);
    await givenExecution('child', 'completed', 300);
    await owner.query(`update executions set parent_id = 'root', root_id = 'root' where id = 'child'`);
    const retention = await given('30');
    expect(await retention.turn()).toBe(0);
    await owner.query(
      `update executions set status = 'completed', completed_at = now() - interval '31 days' where id = 'root'`,
    );
    await retention.turn();
    expect(await left()).toEqual([]);
  });

  test('Retention deletes payloads, orphans among them, log, pauses and answers with the execution, and keeps usage and other workspaces', async () => {
    await owner.query(`update executions set status = 'completed', completed_at = now() - interval '2 days'
      where id = 'exec_ws_a'`);
    // An attempt whose worker was lost stored this before any row could name it.
    await owner.query(`insert into payloads (id, workspace_id, execution_id, body, bytes)
      values ('pay_orphan', 'ws_a', 'exec_ws_a', '{}', 2)`);
    expect(await (await given('P1D')).turn()).toBe(1);
    for (const table of [
      'payloads',
      'visits',
      'call_claims',
      'paused_executions',
      'pause_points',
      'resume_entries',
    ])
      expect([table, await idsOf(`select workspace_id as id from ${table}`)]).toEqual([table, ['ws_b']]);
    expect(await idsOf('select workspace_id as id from usage_entries order by id')).toEqual(['ws_a', 'ws_b']);
  });

  test('Retention deletes in bounded batches until nothing is left', async () => {
    for (let n = 0; n < 7; n++) await givenExecution(`old ${n}`, 'completed', 40 + n);
    expect(await (await given('30')).turn(undefined, 3)).toBe(7);
    expect(await left()).toEqual([]);
  });

  test('Retention takes fewer executions at a time when a statement lasts too long', async () => {
    for (let n = 0; n < 25; n++) await givenExecution(`old ${n}`, 'completed', 40 + n);
    await owner.query(slowDeletion('executions', 3));
    expect(await (await given('30')).turn()).toBe(25);
    await owner.query(quickAgain('executions'));
    expect(await left()).toEqual([]);
  });

  test('Retention deletes an execution with too many rows for one statement in parts, with the runs that it began, and all others', async () => {
    for (let n = 0; n < 25; n++) await givenExecution(`old ${n}`, 'completed', 35);
    for (const id of ['large', 'large child']) await givenExecution(id, 'completed', 40);
    await owner.query(`update executions set parent_id = 'large' where id = 'large child'`);
    for (const id of ['large', 'large child']) await givenVisits(id, 40);
    await owner.query(slowDeletion('visits', 10));
    const retention = await given('30');
    let deleted = 0;
    for (let turn = 0; turn < 3; turn++) deleted += await retention.turn();
    await owner.query(quickAgain('visits'));
    expect([await left(), deleted]).toEqual([[], 27]);
  });

  test('Retention puts off an execution with a row that cannot be deleted, and deletes all others', async () => {
    for (let n = 0; n < 25; n++) await givenExecution(`old ${n}`, 'completed', 35);
    for (const id of ['stuck', 'large']) await givenExecution(id, 'completed', 40);
    await givenVisits('stuck', 1);
    await givenVisits('large', 40);
    await owner.query(slowDeletion('visits', 0, `execution_id = 'stuck'`));
    const retention = await given('30');
    await retention.turn();
    expect(await left()).toEqual(['stuck']);
    expect(await idsOf('select item as id from deferrals where due_at > now()')).toEqual(['stuck']);
    await owner.query(quickAgain('visits'));
    expect(await retention.turn()).toBe(0);
    await owner.query(`update deferrals set due_at = now() - interval '1 second'`);
    expect(await retention.turn()).toBe(1);
  });

  test('Retention keeps a reset from opening a partly deleted execution', async () => {
    await givenExecution('large', 'completed', 40);
    await owner.query(`update executions set forgotten_at = now() where id = 'large'`);
    const { rows } = await owner.query(takeRows, ['large', 'another run']);
    expect(rows).toEqual([]);
  });

  test('Retention ends between two statements when its process stops', async () => {
    for (let n = 0; n < 3; n++) await givenExecution(`old ${n}`, 'completed', 35);
    const retention = await given('30');
    expect(await retention.turn(new TurnBounds(undefined, AbortSignal.abort()))).toBe(0);
    expect(await left()).toHaveLength(3);
  });

  test('Retention skips rows that another transaction has locked, and does not wait for them', async () => {
    for (const n of [1, 2]) await givenExecution(`old ${n}`, 'completed', 40);
    const other = new pg.Client({ connectionString: clone.url });
    await other.connect();
    await other.query('begin');
    await other.query(`select 1 from executions where id = 'old 1' for update`);
    expect(await (await given('30')).turn()).toBe(1);
    expect(await left()).toEqual(['old 1']);
    await other.query('rollback');
    await other.end();
  });

  test('Retention keeps everything when it is off', async () => {
    await givenExecution('ancient', 'completed', 399);
    expect(await (await given('off')).turn()).toBe(0);
    expect(await left()).toEqual(['ancient']);
  });
});
