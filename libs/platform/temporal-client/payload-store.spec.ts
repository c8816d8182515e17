import { defaultPayloadConverter, type Payload, StorageDriverClaim } from '@temporalio/common';
import type pg from 'pg';
import { Database } from '#libs/platform/database/database';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { PayloadStore, Unretrievable } from './payload-store.ts';

let home: GivenStore;
let owner: pg.Client;
let store: PayloadStore;
const executions: string[] = [];

beforeAll(async () => {
  home = await givenStore(DatabaseModule);
  ({ owner } = home);
  for (const workspace of ['ws_a', 'ws_b']) {
    await fillWorkspace(owner, workspace);
    const { rows } = await owner.query('select id from executions where workspace_id = $1', [workspace]);
    executions.push(rows[0].id);
  }
  store = new PayloadStore(home.app.get(Database));
});
afterAll(() => home.stop());

const payload = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) ?? {};
const target = (id: string) => ({ target: { kind: 'workflow' as const, namespace: 'default', id } });
const rowsOf = async (execution: string) =>
  (await owner.query('select * from payloads where execution_id = $1', [execution])).rows;

async function given(value: unknown, execution = executions[0] ?? ''): Promise<StorageDriverClaim> {
  const [claim] = await store.store(target(execution), [payload(value)]);
  if (!claim) throw new Error('nothing was stored');
  return claim;
}

test('the payload store returns stored payloads in order', async () => {
  const values = ['a'.repeat(200_000), { text: 'größer 😀' }];
  const claims = await store.store(target(executions[0] ?? ''), values.map(payload));
  const found = await store.retrieve({}, claims.toReversed());
  expect(found.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual(values.toReversed());
});

test('the payload store stores a payload of a run once, under the workspace of its execution', async () => {
  const before = (await rowsOf(executions[1] ?? '')).length;
  const claims = [await given('again', executions[1]), await given('again', executions[1])];
  expect(claims[0]?.claimData).toEqual(claims[1]?.claimData);
  const rows = await rowsOf(executions[1] ?? '');
  expect(rows).toHaveLength(before + 1);
  expect(rows.find(({ id }) => id === claims[0]?.claimData['id'])).toMatchObject({ workspace_id: 'ws_b' });
});

test('the payload store refuses a reference that names another workspace or execution, and a payload of no execution', async () => {
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

test('the payload store refuses a payload that was changed in the database', async () => {
  const claim = await given('as it was');
  const other = JSON.stringify(Buffer.from('something else').toString('base64'));
  await owner.query('update payloads set body = $1 where id = $2', [other, claim.claimData['id']]);
  await expect(store.retrieve({}, [claim])).rejects.toThrow(Unretrievable);
});

test('a stored payload is deleted with its execution', async () => {
  const claim = await given('for now');
  await owner.query('delete from executions where id = $1', [executions[0]]);
  await expect(store.retrieve({}, [claim])).rejects.toThrow(Unretrievable);
});
