import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { postgresFolder } from '#apps/local/src/account';
import { freePort } from '#apps/local/src/ports';
import { removePostgres, startPostgres, stopLeftover, stopPostgres } from '#apps/local/src/postgres';
import { isAlive, readCommand } from '#apps/local/src/processes';
import { say } from '#apps/local/src/say';
import { Environment } from '#libs/platform/settings/environment';
import { connected, isGiven, readOwnDatabase } from './place.ts';
import { type Backup, fillDatabase } from './restore.ts';

/** The advisory locks of this class belong to live copies. Each has the hash of the name of its database. */
const lockClass = 4_715_206;

/**
 * Restores a backup on the server of DATABASE_URL, else on a Postgres of its own in a folder, and deletes the copy in any case. Deletes what
 * a killed `verify` has left before, because it holds the data of all workspaces.
 */
export async function withCopy<T>(
  backup: Backup,
  work: (url: string, folder?: string) => Promise<T>,
): Promise<T> {
  if (!isGiven(process.env)) return withFolder(backup, work);
  const read = new Environment(process.env);
  const server = readOwnDatabase(read);
  read.finish();
  const name = `holdfast_verify_${randomBytes(6).toString('hex')}`;
  const drop = (client: pg.Client) => client.query(`drop database ${name} with (force)`);
  return connected(server, async (client) => {
    await removeLeftDatabases(client);
    // Held until this process ends, so that no other one takes the copy for a left one.
    await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, name]);
    await client.query(`create database ${name}`);
    try {
      const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
      await fillDatabase(url, backup);
      return await work(url);
    } finally {
      await connected(server, drop);
    }
  });
}

async function withFolder<T>(backup: Backup, work: (url: string, folder: string) => Promise<T>): Promise<T> {
  await removeLeftFolders();
  const folder = mkdtempSync(join(tmpdir(), `holdfast-verify-${process.pid}-`));
  mkdirSync(join(folder, 'temporal'));
  try {
    const { child, url } = await startPostgres({
      folder: join(folder, 'postgres'),
      log: join(folder, 'postgres.log'),
      port: await freePort(),
      password: randomBytes(16).toString('hex'),
      durable: false,
      database: 'holdfast',
    });
    try {
      await fillDatabase(url, backup);
      return await work(url, folder);
    } finally {
      await stopPostgres(child.pid ?? 0);
    }
  } finally {
    removeFolder(folder);
  }
}

function removeFolder(folder: string): void {
  removePostgres(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the names of copies on this server that no `verify` works on. */
export async function findLeftDatabases(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(leftDatabases, [lockClass]);
  return rows.map(({ name }) => name);
}

/** $1 the class of the locks. Locks of all databases of the server count, since each installation locks in its own. */
const leftDatabases = /* sql */ `
select datname as name from pg_database d
where datname like 'holdfast\\_verify\\_%'
  and not exists (select from pg_stat_activity a where a.datid = d.oid)
  and not exists (select from pg_locks l where l.locktype = 'advisory' and l.classid = $1::oid and l.objsubid = 2
    and l.objid = (hashtext(d.datname::text)::bigint & 4294967295)::oid)
order by 1`;

/** Returns the folders of copies on this machine whose `verify` has ended. */
export function findLeftFolders(): string[] {
  return (existsSync(tmpdir()) ? readdirSync(tmpdir()) : [])
    .filter((name) => {
      const pid = Number(/^holdfast-verify-(\d+)-/.exec(name)?.[1]);
      return pid > 0 && !(isAlive(pid) && readCommand(pid).includes('verify'));
    })
    .map((name) => join(tmpdir(), name));
}

async function removeLeftDatabases(client: pg.Client): Promise<void> {
  for (const name of await findLeftDatabases(client))
    await tryToRemove(name, async () => void (await client.query(`drop database if exists ${name}`)));
}

async function removeLeftFolders(): Promise<void> {
  for (const folder of findLeftFolders())
    await tryToRemove(folder, async () => {
      await stopLeftover(postgresFolder(join(folder, 'postgres')));
      removeFolder(folder);
    });
}

/** Removes what a killed `verify` has left. Only says so when it cannot, because the new copy does not depend on it. */
async function tryToRemove(name: string, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
    say(`Removed ${name}, which a killed verify had left.`);
  } catch (error) {
    say(`A killed verify has left ${name}, which cannot be removed: ${String(error)}`);
  }
}
