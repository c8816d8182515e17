import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { postgresFolder } from '#apps/local/src/account';
import {
  beginRestore,
  claim,
  endRestore,
  endRun,
  openDataFolder,
  readFolderSecrets,
  writeSecret,
} from '#apps/local/src/data-folder';
import { DATABASE } from '#apps/local/src/installation';
import { type Kept, writeKept } from '#apps/local/src/kept-settings';
import { dataFolder } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { startPostgres, stopPostgres } from '#apps/local/src/postgres';
import { say } from '#apps/local/src/say';
import { refuseNewer } from '#libs/platform/database/migrate';
import { rolesGround } from '#libs/platform/database/policies';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { forgetEngine } from '#libs/platform/temporal-client/engine';
import { Environment } from '#libs/platform/settings/environment';
import { countRows } from './back-up.ts';
import { BucketFolder, isBucketAddress } from './bucket.ts';
import { DiskFolder, flush, type Holder, readSealed, refuseDamage } from './files.ts';
import {
  databaseName,
  type Manifest,
  openBackup,
  type PassphraseOption,
  secretsName,
  temporalNames,
} from './manifest.ts';
import {
  connected,
  isGiven,
  readMajor,
  readOwnDatabase,
  readTemporalDatabase,
  toVisibilityUrl,
} from './place.ts';
import { findTool, startTool } from './postgres-tools.ts';

export interface Backup {
  holder: Holder;
  root: Buffer;
  manifest: Manifest;
}

/** The secrets that a backup holds, by the names of their settings, and the settings that `npm start` keeps. */
interface Sealed {
  secrets: SealedSecrets;
  kept: Kept;
}

export type SealedSecrets = Record<string, string> & { HOLDFAST_SECRET: string };

/** Two restores into one database wait for each other nowhere: the second one is refused. */
const restoreLock = 4_715_205;

/** Restores a backup into an empty installation: that of `npm start` here, or the databases that the environment names. */
export async function restore(
  name: string,
  options: PassphraseOption & { secrets?: string; withoutTemporal?: boolean },
): Promise<void> {
  const backup = await openWhole(name, options);
  const sealed = await readSecrets(backup);
  if (isGiven(process.env)) await intoServers(backup, sealed.secrets, options);
  else await intoDataFolder(backup, sealed, options);
}

/** Opens a backup. Reads all of it once, so that no work begins with half of a file. */
export async function openWhole(name: string, option: PassphraseOption): Promise<Backup> {
  const holder = isBucketAddress(name)
    ? await BucketFolder.open(name)
    : new DiskFolder(resolve(process.env['INIT_CWD'] ?? '.', name));
  const backup = { holder, ...(await openBackup(holder, option)) };
  refuseNewer(backup.manifest.migrations);
  say('Reading the backup ...');
  await refuseDamage(holder, backup.manifest);
  return backup;
}

export async function readSecrets(backup: Backup): Promise<Sealed> {
  const parts: Buffer[] = [];
  const into = new Writable({
    write(chunk: Buffer, _, done) {
      parts.push(chunk);
      done();
    },
  });
  await readSealed({ ...backup, name: secretsName }, into);
  return JSON.parse(Buffer.concat(parts).toString()) as Sealed;
}

/** The folder of `npm start`. A mark in it says that it is half-restored, from the first change on until all is on the disk. */
async function intoDataFolder(
  backup: Backup,
  { secrets, kept }: Sealed,
  options: { secrets?: string; withoutTemporal?: boolean },
): Promise<void> {
  const folder = dataFolder();
  if (backup.manifest.temporal === 'postgres' && !options.withoutTemporal)
    throw new CannotStart(
      'This backup has a Temporal with Postgres, and npm start has one with a file: give DATABASE_URL and TEMPORAL_DATABASE_URL of servers, or --without-temporal, and open runs begin again or are lost.',
    );
  const withRuns = backup.manifest.temporal === 'sqlite' && !options.withoutTemporal;
  openDataFolder(folder);
  await claim(folder);
  try {
    beginRestore(folder);
    keepOthers(secrets, options.secrets);
    writeSecret(folder, secrets.HOLDFAST_SECRET);
    writeKept(folder, keepName(kept));
    const { postgresPassword: password } = readFolderSecrets(folder);
    const { child, url } = await startPostgres({
      folder: join(folder, 'postgres'),
      log: join(folder, 'logs', 'postgres.log'),
      port: await freePort(),
      password,
      durable: true,
      database: DATABASE,
    });
    try {
      await fillDatabase(url, backup);
      if (!withRuns) await connected(url, forgetEngine);
    } finally {
      await stopPostgres(child.pid ?? 0, 30_000);
    }
    if (withRuns) await writeRunsFile(join(folder, 'temporal', 'runs.db'), backup);
    flush(postgresFolder(join(folder, 'postgres')));
    endRestore(folder, withRuns);
  } finally {
    endRun(folder);
  }
  say(`Restored into ${folder}. Start it with: npm start`);
}

/**
 * Returns the kept settings that a restore writes: the name of the namespace in the restored runs. Prints those that name a place, because with
 * them a trial of a restore would work on the stores of the installation that was copied.
 */
function keepName({ TEMPORAL_NAMESPACE, ...places }: Kept): Kept {
  const lines = Object.entries(places).map(([name, value]) => `${name}=${value.replace(/:[^:@/]*@/, ':…@')}`);
  if (lines.length > 0)
    say(
      `The installation had these settings, which name places and are not restored: ${lines.join(', ')}. Give npm start those that this one is to have.`,
    );
  return TEMPORAL_NAMESPACE ? { TEMPORAL_NAMESPACE } : {};
}

/** Databases that are there and empty. Ours is filled last and in one transaction, so a restore that died left it empty. */
async function intoServers(
  backup: Backup,
  secrets: SealedSecrets,
  options: { secrets?: string; withoutTemporal?: boolean },
): Promise<void> {
  const read = new Environment(process.env);
  read.required('DATABASE_URL');
  const given = read.secret('HOLDFAST_SECRET', undefined, 32);
  const url = readOwnDatabase(read);
  read.finish();
  if (given === undefined ? !options.secrets : given !== secrets.HOLDFAST_SECRET)
    throw new CannotStart(
      given === undefined
        ? 'Say where the secret of the backup goes: give --secrets FILE, or HOLDFAST_SECRET if you have it.'
        : 'HOLDFAST_SECRET is not the secret of this backup: leave it out and give --secrets FILE, and start the processes with the secret of that file.',
    );
  const { temporal } = backup.manifest;
  const runsUrl = readTemporalDatabase();
  if (temporal && !options.withoutTemporal && (temporal !== 'postgres' || !runsUrl))
    throw new CannotStart(
      temporal === 'postgres'
        ? "Give TEMPORAL_DATABASE_URL, the address of Temporal's empty database, or --without-temporal."
        : 'This backup has the Temporal of npm start, which no other Temporal can take over: restore it for npm start (without DATABASE_URL), or give --without-temporal, and open runs begin again or are lost.',
    );
  const withRuns = runsUrl !== undefined && temporal === 'postgres' && !options.withoutTemporal;
  await connected(url, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      restoreLock,
    ]);
    if (!rows[0]?.mine) throw new CannotStart('Another restore into this database runs: wait for its end.');
    const runs: [string, string][] = withRuns
      ? [
          [runsUrl, temporalNames.database],
          [toVisibilityUrl(runsUrl), temporalNames.visibility],
        ]
      : [];
    for (const one of [url, ...runs.map(([address]) => address)])
      await connected(one, (empty) => refuseFilled(empty));
    keepOthers(secrets, options.secrets);
    for (const [address, name] of runs) await fill(address, backup, name);
    await fillDatabase(url, backup);
    if (!withRuns) await connected(url, forgetEngine);
  });
  say('Restored. Run the set-up, then start Temporal, the API and the workers.');
}

/** Writes the secrets for the operator. A file that is there is never overwritten. */
function keepOthers(secrets: SealedSecrets, file: string | undefined): void {
  if (file) {
    const path = resolve(process.env['INIT_CWD'] ?? '.', file);
    if (existsSync(path)) throw new CannotStart(`${path} is there already: name a new file.`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return;
  }
  const others = Object.keys(secrets).filter((name) => name !== 'HOLDFAST_SECRET');
  if (others.length > 0)
    say(
      `The backup also holds ${others.join(', ')}: --secrets FILE writes them into a file. Start with the same values.`,
    );
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string; tables: string }>(
    `select current_database() as database, count(*) as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')`,
  );
  if (Number(rows[0]?.tables) > 0)
    throw new CannotStart(
      `The database ${rows[0]?.database} is not empty, and a restore overwrites nothing: make it anew (drop database, create database), or name an empty one.`,
    );
}

/** Restores our database into an empty one, in one transaction, and compares the rows with the manifest. */
export async function fillDatabase(url: string, backup: Backup): Promise<void> {
  await connected(url, (client) => client.query(rolesGround));
  await fill(url, backup, databaseName);
  const rows = await connected(url, async (client) => {
    await client.query('begin');
    // The policies bind the owner of the schema too. The transaction ends without a commit, so they stay.
    const { rows: forced } = await client.query<{ alter: string }>(unforce);
    for (const { alter } of forced) await client.query(alter);
    return countRows(client);
  });
  const wrong = Object.entries(backup.manifest.rows).filter(([table, count]) => rows[table] !== count);
  if (wrong.length > 0)
    throw new CannotStart(
      `The restored database differs from the backup: ${wrong.map(([table, count]) => `${table} has ${rows[table] ?? 'no'} rows instead of ${count}`).join(', ')}.`,
    );
}

const unforce = /* sql */ `
select format('alter table %s no force row level security', oid::regclass) as alter
from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`;

async function fill(url: string, backup: Backup, name: string): Promise<void> {
  say(`Restoring the database ${new URL(url).pathname.slice(1)} ...`);
  const major = await connected(url, readMajor);
  const program = await findTool('pg_restore', Math.max(major, Number(backup.manifest.versions.pgDump)));
  const { tool, ended } = await startTool(program, url, [
    '--no-owner',
    '--no-comments',
    '--single-transaction',
    '--exit-on-error',
  ]);
  try {
    // When the tool ends early, its own words say more than the broken pipe.
    await readSealed({ ...backup, name }, tool.stdin).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') await ended;
      throw error;
    });
    await ended;
  } finally {
    tool.kill();
  }
}

/** Writes the file of the embedded Temporal and its log. SQLite joins them when Temporal starts. */
export async function writeRunsFile(file: string, backup: Backup): Promise<void> {
  say('Restoring the runs of Temporal ...');
  const parts = [
    [temporalNames.file, file],
    [temporalNames.log, `${file}-wal`],
  ] as const;
  for (const [name, path] of parts) {
    const unpacked = createGunzip();
    const written = pipeline(unpacked, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    await Promise.all([readSealed({ ...backup, name }, unpacked), written]);
    flush(path);
  }
  rmSync(`${file}-shm`, { force: true });
}
