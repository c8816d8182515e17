import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { defaultPayloadConverter, type Payload, StorageDriverClaim } from '@temporalio/common';
import pg from 'pg';
import { Database, DatabaseModule } from '#libs/database/database';
import { fillWorkspace } from '#libs/database/support/tenants';
import { cloneTemplate } from '#libs/database/template';
import { Settings } from '#libs/settings/settings';
import { PayloadStore, Unretrievable } from './payload-store.ts';

let clone: Awaited<ReturnType<typeof cloneTemplate>>;
let owner: pg.Client;
let app: INestApplicationContext;
let store: PayloadStore;
const executions: string[] = [];

beforeAll(async () => {
  clone = await cloneTemplate(process.env.HOLDFAST_TEST_DATABASE_URL ?? '');
  owner = new pg.Client({ connectionString: clone.url });
  await owner.connect();
  for (const workspace of ['ws_a', 'ws_b']) {
    await fillWorkspace(owner, workspace);
    const { rows } = await owner.query('select id from executions where workspace_id = $1', [workspace]);
    executions.push(rows[0].id);
  }
  const env = { DATABASE_URL: clone.url, HOLDFAST_SECRET: 'x'.repeat(32) };
  @Global()
  @Module({ providers: [{ provide: Settings, useValue: new Settings(env) }], exports: [Settings] })
  class Given {}
  @Module({ imports: [Given, DatabaseModule] })
  class Store {}
  app = await NestFactory.createApplicationContext(Store, { logger: false });
  store = new PayloadStore(app.get(Database));
});
afterAll(async () => {
  await app.close();
  await owner.end();
  await clone.drop();
});

const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) ?? {};
const target = (id: string) => ({ target: { kind: 'workflow' as const, namespace: 'default', id } });
const rowsOf = async (execution: string) =>
  (await owner.query('select * from payloads where execution_id = $1', [execution])).rows;

async function given(value: unknown, execution = executions[0] ?? ''): Promise<StorageDriverClaim> {
  const [claim] = await store.store(target(execution), [payload(value)]);
  if (!claim) throw new Error('nothing was stored');
  return claim;
}

test('returns stored payloads in order', async () => {
  const values = ['a'.repeat(200_000), { text: 'größer 😀' }];
  const claims = await store.store(target(executions[0] ?? ''), values.map(payload));
  const found = await store.retrieve({}, claims.toReversed());
  expect(found.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual(values.toReversed());
});

test('stores a payload of a run once, under the workspace of its execution', async () => {
  const before = (await rowsOf(executions[1] ?? '')).length;
  const claims = [await given('again', executions[1]), await given('again', executions[1])];
  expect(claims[0]?.claimData).toEqual(claims[1]?.claimData);
  const rows = await rowsOf(executions[1] ?? '');
  expect(rows).toHaveLength(before + 1);
  expect(rows.find(({ id }) => id === claims[0]?.claimData['id'])).toMatchObject({ workspace_id: 'ws_b' });
});

test('refuses a reference that names another workspace or execution, and a payload of no execution', async () => {
  const { claimData } = await given('ours');
  const others: [string, string][] = [
    ['workspace', 'ws_b'],
    ['execution', executions[1] ?? ''],
    ['id', 'pay_1'],
  ];
  for (const [name, other] of others)
    await expect(
      store.retrieve({}, [new StorageDriverClaim({ ...claimData, [name]: other })]),
    ).rejects.toThrow(Unretrievable);
  await expect(store.store(target('exec_gone'), [payload(1)])).rejects.toThrow('no execution exec_gone');
});

test('refuses a payload that was changed in the database', async () => {
  const claim = await given('as it was');
  const other = JSON.stringify(Buffer.from('something else').toString('base64'));
  await owner.query('update payloads set body = $1 where id = $2', [other, claim.claimData['id']]);
  await expect(store.retrieve({}, [claim])).rejects.toThrow(Unretrievable);
});

test('is deleted with its execution', async () => {
  const claim = await given('for now');
  await owner.query('delete from executions where id = $1', [executions[0]]);
  await expect(store.retrieve({}, [claim])).rejects.toThrow(Unretrievable);
});
