import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#apps/api/test/support/stack';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { type GivenStore, givenStore } from '#libs/platform/database/support/store';
import { backUp } from './back-up.ts';
import { findLeftDatabases } from './copies.ts';

const home = mkdtempSync(join(tmpdir(), 'holdfast-copies-'));
const folder = join(home, 'backup');
// Postgres may run as another user, who has to reach it.
chmodSync(home, 0o755);
let store: GivenStore;
let env: Record<string, string>;

beforeAll(async () => {
  store = await givenStore(DatabaseModule);
  env = {
    DATABASE_URL: store.url,
    HOLDFAST_SECRET: 'x'.repeat(32),
    BACKUP_PASSPHRASE: 'correct horse battery staple',
    TEMPORAL_ADDRESS: process.env['HOLDFAST_TEST_TEMPORAL'] ?? '',
    TMPDIR: home,
  };
  Object.assign(process.env, env);
  await backUp(folder, { withoutTemporal: true });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
  await store.stop();
});

const children: ChildProcess[] = [];

/** Runs a command of the operator in a process that the test can kill. */
function admin(args: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['dist/apps/admin/src/main.js', ...args], {
    env: { ...process.env, ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)));
  return { child, ended, said: () => said };
}

/** A `verify` that gets a signal in the middle of its work. Another one is tried when it had ended its work before, as on a busy machine. */
async function givenVerify(
  signal: NodeJS.Signals,
  isUnderWay: (said: string) => Promise<boolean>,
  more: Record<string, string> = {},
) {
  for (;;) {
    const verify = admin(['verify', folder], more);
    await until(
      async () => verify.child.exitCode !== null || (await isUnderWay(verify.said())),
      (is) => is,
    );
    verify.child.kill(signal);
    if (signal === 'SIGKILL') await verify.ended;
    if (await isUnderWay(verify.said())) return verify;
    verify.child.kill('SIGKILL');
  }
}

/** The name of the copy that a `verify` has made. */
const copyIn = (said: string) => /Restoring the database (\w+)/.exec(said)?.[1] ?? '';
const hasCopy = async (said: string) => (await copies()).includes(copyIn(said));

/** Whether `pg_restore` works on the copy. Then `verify` is not about to sign in, which Postgres lets nobody do for longer than a minute. */
const fillsCopy = async (said: string) => {
  const { rows } = await store.owner.query(
    `select from pg_stat_activity where datname = $1 and application_name = 'pg_restore'`,
    [copyIn(said)],
  );
  return rows.length > 0;
};

const copies = async () => {
  const { rows } = await store.owner.query(
    `select datname as name from pg_database where datname like 'holdfast\\_verify\\_%'`,
  );
  return rows.map(({ name }) => name);
};

test('a database that a killed verify has left is told by the doctor and removed by the next verify, and that of a live one stays', async () => {
  const live = await givenVerify('SIGSTOP', fillsCopy);
  const kept = copyIn(live.said());
  await givenVerify('SIGKILL', hasCopy);
  const left = await until(
    () => findLeftDatabases(store.owner),
    (names) => names.length > 0,
  );
  expect(left).not.toContain(kept);
  expect(await admin(['doctor']).ended).toMatch(
    new RegExp(`FAULT copies .*the data of all workspaces in ${left.join(', ')}\n.*Run verify again`),
  );

  const next = await admin(['verify', folder]).ended;
  expect(next).toMatch(new RegExp(`Removed ${left[0]}, which a killed verify had left[^]*is whole`));
  expect(await findLeftDatabases(store.owner)).toEqual([]);
  expect(await copies()).toContain(kept);
  live.child.kill('SIGCONT');
  expect(await live.ended).toContain('is whole');
});

test('a folder that a killed verify has left is removed by the next verify', async () => {
  const none = { DATABASE_URL: '', HOLDFAST_SECRET: '' };
  const findLeft = () => readdirSync(home).find((name) => name !== 'backup');
  const isFilled = async (said: string) =>
    said.includes('Restoring the database') && findLeft() !== undefined;
  await givenVerify('SIGKILL', isFilled, none);
  const left = findLeft();
  expect(await admin(['verify', folder], none).ended).toMatch(
    new RegExp(`Removed ${join(home, left ?? 'none')}, which a killed verify had left[^]*is whole`),
  );
  expect(readdirSync(home)).toEqual(['backup']);
});
