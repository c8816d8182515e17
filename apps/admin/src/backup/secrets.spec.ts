import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '#libs/platform/database/database';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { fillWorkspace } from '#libs/platform/database/support/tenants';
import { parsePayloadKeys } from '#libs/platform/settings/operation';
import { keepKeyIds } from '#libs/platform/temporal-client/payload-keys';
import { keepSecretCheck } from '#libs/workspace/auth/secret-check';
import { backUp } from './back-up.ts';
import { signedManifest } from './manifest.ts';
import { openWhole, readSecrets } from './restore.ts';
import { verify } from './verify.ts';

const home = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
const before = { ...process.env };
const secret = 'a secret in a file, which is long enough';
const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
let store: GivenStore;

/** Writes a secret into a file, as containers get it. */
function givenFile(name: string, value: string): void {
  const path = join(home, name);
  writeFileSync(path, `${value}\n`);
  process.env[`${name}_FILE`] = path;
}

const haveKeys = (list: string) => keepKeyIds(store.app.get(Database), parsePayloadKeys(list));
const make = async (name: string): Promise<string> => {
  const folder = join(home, name);
  await backUp(folder, { withoutTemporal: true });
  return folder;
};

beforeAll(async () => {
  store = await givenStore(DatabaseModule);
  await keepSecretCheck({ databaseDirectUrl: store.url, secret });
  await fillWorkspace(store.owner, 'ws_a');
  process.env['DATABASE_URL'] = store.url;
  process.env['BACKUP_PASSPHRASE'] = 'correct horse battery staple';
  delete process.env['HOLDFAST_SECRET'];
  givenFile('HOLDFAST_SECRET', secret);
});
afterAll(async () => {
  process.env = before;
  rmSync(home, { recursive: true, force: true });
  await store.stop();
});

test('a backup seals the secrets that stand in files', async () => {
  await haveKeys(key('a'));
  givenFile('PAYLOAD_KEYS', key('a'));
  const backup = await openWhole(await make('files'), {});
  expect((await readSecrets(backup)).secrets).toEqual({ HOLDFAST_SECRET: secret, PAYLOAD_KEYS: key('a') });
  expect(backup.manifest.payloadKeys).toEqual(['a']);
});

test('a backup is refused without a payload key that processes have, or that a run needs which began before they left it', async () => {
  await haveKeys(`${key('b')},${key('a')}`);
  givenFile('PAYLOAD_KEYS', key('a'));
  await expect(make('lacks')).rejects.toThrow(
    /^PAYLOAD_KEYS lacks b here, .*: give this command the PAYLOAD_KEYS \(or PAYLOAD_KEYS_FILE\) of the API and the workers\.$/,
  );
  await haveKeys(key('b'));
  givenFile('PAYLOAD_KEYS', key('b'));
  await expect(make('left')).rejects.toThrow(/^PAYLOAD_KEYS lacks a here/);
  await store.owner.query(`update executions set status = 'completed', completed_at = now()`);
  expect((await openWhole(await make('ended'), {})).manifest.payloadKeys).toEqual(['b']);
});

test('a backup is refused with another secret than that of the database', async () => {
  givenFile('HOLDFAST_SECRET', 'y'.repeat(32));
  await expect(make('other')).rejects.toThrow(/^HOLDFAST_SECRET is not the secret of this database/);
  givenFile('HOLDFAST_SECRET', secret);
});

test('verify calls a backup faulty that lacks a payload key which its manifest names', async () => {
  const folder = await make('faulty');
  const { manifest, root } = await openWhole(folder, {});
  writeFileSync(
    join(folder, 'manifest.json'),
    signedManifest({ ...manifest, payloadKeys: ['a', 'b'] }, root),
  );
  await expect(verify(folder, {})).rejects.toThrow(
    'FAULT: the payload keys a are not sealed in it: give the next backup the PAYLOAD_KEYS of the API and the workers',
  );
});
