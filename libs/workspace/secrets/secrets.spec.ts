import type pg from 'pg';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { Secrets } from './secrets.ts';
import { SecretsModule } from './secrets.module.ts';

let given: GivenStore;
let owner: pg.Client;
let secrets: Secrets;

beforeAll(async () => {
  given = await givenStore(SecretsModule);
  ({ owner } = given);
  await owner.query(`insert into workspaces (id, name) values ('ws_a', 'a'), ('ws_b', 'b')`);
  secrets = given.app.get(Secrets);
});
afterAll(() => given.stop());

test('a secret is read in its own workspace alone, with its newest value', async () => {
  await secrets.put('ws_a', 'KEY', 'first');
  await secrets.put('ws_a', 'KEY', 'second');
  expect(await secrets.read('ws_a', 'KEY')).toBe('second');
  expect(await secrets.read('ws_b', 'KEY')).toBeNull();
  expect((await secrets.list('ws_a')).map(({ name }) => name)).toEqual(['KEY']);
  expect(await secrets.list('ws_b')).toEqual([]);
});

test('a stored value is sealed, and opens in no other row and no other workspace', async () => {
  await secrets.put('ws_a', 'SEALED', 'a value that nobody may see');
  await secrets.put('ws_b', 'OTHER', 'another');
  const { rows } = await owner.query(`select sealed from secrets where name = 'SEALED'`);
  expect(rows[0].sealed).not.toContain('nobody');
  await owner.query(`update secrets set sealed = $1 where name = 'OTHER'`, [rows[0].sealed]);
  await expect(secrets.read('ws_b', 'OTHER')).rejects.toThrow();
  await owner.query(`delete from secrets where name = 'OTHER'`);
});

test('a block that names no secret reads nothing', async () => {
  await secrets.put('ws_a', 'UNUSED', 'value');
  expect(await secrets.readFor('ws_a', { url: 'https://a.test' })).toEqual({});
  expect(await secrets.readFor('ws_a', { url: '{{ secrets.UNUSED }}' })).toMatchObject({ UNUSED: 'value' });
});

test('ten writers of a new workspace agree on one data key', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, i) => secrets.put('ws_b', `KEY_${i}`, `value ${i}`)));
  expect(await secrets.read('ws_b', 'KEY_7')).toBe('value 7');
  const { rows } = await owner.query(
    `select count(*)::int as keys from data_keys where workspace_id = 'ws_b'`,
  );
  expect(rows).toEqual([{ keys: 1 }]);
});

test('a deleted secret is gone, and deleting it again or elsewhere says so', async () => {
  await secrets.put('ws_a', 'GONE', 'value');
  await expect(secrets.delete('ws_b', 'GONE')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await secrets.delete('ws_a', 'GONE');
  expect(await secrets.read('ws_a', 'GONE')).toBeNull();
  await expect(secrets.delete('ws_a', 'GONE')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('secrets are at most a hundred in a workspace, and each of them can be changed', async () => {
  await owner.query(`insert into workspaces (id, name) values ('ws_full', 'full')`);
  await owner.query(
    `insert into secrets (workspace_id, name, sealed) select 'ws_full', 'KEY_' || n, 'v1' from generate_series(1, 100) as n`,
  );
  await expect(secrets.put('ws_full', 'MORE', 'x')).rejects.toMatchObject({ code: 'TOO_MANY_SECRETS' });
  expect(await secrets.put('ws_full', 'KEY_7', 'x')).toMatchObject({ name: 'KEY_7' });
});
