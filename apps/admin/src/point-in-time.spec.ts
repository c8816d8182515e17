import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { postgresAccount, privateFolder } from '#apps/local/src/account';
import { obtain } from '#apps/local/src/binaries';
import { freePort } from '#apps/local/src/ports';
import { removePostgres, startPostgres, stopPostgres, type Postgres } from '#apps/local/src/postgres';

/** The settings that the page shows, with folders of this test. */
const [archiving = '', recovering = ''] = [
  ...readFileSync('apps/docs/pages/backup.md', 'utf8').matchAll(/```text\n([^`]+)```/g),
].map(([, text = '']) => text);
const databases = ['holdfast', 'temporal'];
const home = mkdtempSync(join(tmpdir(), 'holdfast-moment-'));
const data = join(home, 'data');
const base = join(home, 'base');
const running: Postgres[] = [];
// Postgres may run as another user, who has to reach it.
chmodSync(home, 0o755);

afterAll(async () => {
  for (const { child } of running) await stopPostgres(child.pid ?? 0);
  for (const folder of [data, base]) removePostgres(folder);
  rmSync(home, { recursive: true, force: true });
});

async function start(folder: string): Promise<Postgres> {
  const postgres = await startPostgres({
    folder,
    port: await freePort(),
    log: join(home, 'postgres.log'),
    password: 'holdfast',
    durable: true,
    database: 'postgres',
  });
  running.push(postgres);
  return postgres;
}

async function query({ url }: Postgres, database: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href,
  });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('the archive of the page Backup brings both databases back to one moment between two backups', async () => {
  const archive = join(home, 'archive');
  const first = await start(data);
  const account = postgresAccount(data);
  privateFolder(archive, account);
  const here = (text: string) => text.replaceAll('/archive', archive);
  appendFileSync(join(data, 'postgresql.conf'), here(archiving));
  await stopPostgres(first.child.pid ?? 0);
  const second = await start(data);
  for (const name of databases) {
    await query(second, 'postgres', `create database ${name}`);
    await query(second, name, 'create table kept (n int); insert into kept values (1)');
  }
  const { port, username, password } = new URL(second.url);
  const tool = join(dirname(await obtain('postgres')), 'pg_basebackup');
  privateFolder(base, account);
  execFileSync(
    tool,
    ['--checkpoint=fast', '-X', 'stream', '-D', base, '-h', '127.0.0.1', '-p', port, '-U', username],
    {
      env: { ...process.env, PGPASSWORD: password },
      ...account,
    },
  );
  for (const name of databases) await query(second, name, 'insert into kept values (2)');
  const [moment] = await query(second, 'postgres', 'select clock_timestamp()::text as at');
  for (const name of databases) await query(second, name, 'delete from kept');
  const [{ file } = {}] = await query(second, 'postgres', 'select pg_walfile_name(pg_switch_wal()) as file');
  for (let archived: unknown = ''; String(archived) < String(file);)
    archived = (
      await query(second, 'postgres', 'select last_archived_wal as name from pg_stat_archiver')
    )[0]?.['name'];
  await stopPostgres(second.child.pid ?? 0);

  appendFileSync(
    join(base, 'postgresql.conf'),
    here(recovering).replace(/'\d{4}-[^']+'/, `'${String(moment?.['at'])}'`),
  );
  writeFileSync(join(base, 'recovery.signal'), '');
  const third = await start(base);
  for (const name of databases)
    expect(await query(third, name, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }]);
});
