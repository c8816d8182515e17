import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Authority, EncryptedServer } from '#apps/api/test/support/encrypted-server';
import { obtain } from '#apps/local/src/binaries';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { dropDatabase } from '#libs/platform/database/template';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { backUp } from './back-up.ts';
import { startTool } from './postgres-tools.ts';
import { restore } from './restore.ts';
import { verify } from './verify.ts';

const home = mkdtempSync(join(tmpdir(), 'holdfast-tls-test-'));
const before = { ...process.env };
const secret = 'x'.repeat(32);
let store: GivenStore;
let authority: Authority;
let server: EncryptedServer;

/** The address of a database behind the server that wants TLS. */
const over = (url: string, ca = authority) =>
  Object.assign(new URL(url), {
    host: `localhost:${server.port}`,
    search: `?sslmode=verify-full&sslrootcert=${ca.file('ca')}`,
  }).href;

beforeAll(async () => {
  store = await givenStore(DatabaseModule);
  await firstWorkspace({ databaseDirectUrl: store.url, secret });
  authority = await Authority.make();
  server = await EncryptedServer.start(new URL(store.url).host, authority, 'postgres');
});
afterAll(async () => {
  process.env = before;
  server.stop();
  authority.delete();
  rmSync(home, { recursive: true, force: true });
  await store.stop();
});

test('a database that wants TLS is backed up, verified and restored with programs that have none', async () => {
  const name = `over_tls_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(store.url), { pathname: `/${name}` }).href;
  const env = { HOLDFAST_SECRET: secret, BACKUP_PASSPHRASE: 'correct horse battery staple', PATH: '' };
  Object.assign(process.env, env, { DATABASE_URL: over(store.url) });
  await backUp(join(home, 'copy'), { withoutTemporal: true });
  await verify(join(home, 'copy'), {});
  await store.owner.query(`create database ${name}`);
  try {
    process.env['DATABASE_URL'] = over(url);
    await restore(join(home, 'copy'), { withoutTemporal: true });
  } finally {
    await dropDatabase(store.url, url);
  }
});

test('a program of Postgres does not reach a server whose certificate is of another authority', async () => {
  const other = await Authority.make();
  const program = join(dirname(await obtain('postgres')), 'pg_dump');
  const { ended } = await startTool(program, over(store.url, other), []);
  await expect(ended).rejects.toThrow(/pg_dump ended with 1: .*server closed the connection unexpectedly/);
  other.delete();
});
