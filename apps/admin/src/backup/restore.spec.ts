import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { dropDatabase } from '#libs/platform/database/template';
import { Settings } from '#libs/platform/settings/settings';
import { keepEngine } from '#libs/platform/temporal-client/engine';
import { keepSecretCheck } from '#libs/workspace/auth/secret-check';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

const home = mkdtempSync(join(tmpdir(), 'holdfast-restore-'));
const before = { ...process.env };
const secret = 'x'.repeat(32);
let store: GivenStore;
beforeAll(async () => (store = await givenStore(DatabaseModule)));
afterAll(async () => {
  process.env = before;
  rmSync(home, { recursive: true, force: true });
  await store.stop();
});

test('a database that was restored without the runs of Temporal keeps the Temporal that its next set-up meets', async () => {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(store.url), { pathname: `/${name}` }).href;
  const env = { HOLDFAST_SECRET: secret, BACKUP_PASSPHRASE: 'correct horse battery staple' };
  const reach = (databaseDirectUrl: string) =>
    new Settings({ ...env, DATABASE_URL: databaseDirectUrl, TEMPORAL_ADDRESS: 'elsewhere:7233' });
  await keepSecretCheck({ databaseDirectUrl: store.url, secret });
  await keepEngine(reach(store.url), 'the first');
  await expect(keepEngine(reach(store.url), 'another')).rejects.toThrow(
    /are in another Temporal than the one at elsewhere:7233: .* is the first, and that of default there is another\./,
  );

  Object.assign(process.env, env, { DATABASE_URL: store.url });
  await backUp(join(home, 'copy'), { withoutTemporal: true });
  await store.owner.query(`create database ${name}`);
  try {
    process.env['DATABASE_URL'] = url;
    await restore(join(home, 'copy'), { withoutTemporal: true });
    await keepEngine(reach(url), 'another');
    await expect(keepEngine(reach(url), 'the first')).rejects.toThrow(/are in another Temporal/);
  } finally {
    await dropDatabase(store.url, url);
  }
});
