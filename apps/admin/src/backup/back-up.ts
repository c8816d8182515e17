import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { say } from '#apps/local/src/say';
import { readKept } from '#apps/local/src/kept-settings';
import { checkout, dataFolder } from '#apps/local/src/paths';
import { Chains } from '#libs/workspace/audit/chain';
import { refuseNewer } from '#libs/platform/database/migrate';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { findMissingKeys, neededKeyIds } from '#libs/platform/temporal-client/payload-keys';
import { refuseOtherSecret } from '#libs/workspace/auth/secret-check';
import { BucketFolder, isBucketAddress } from './bucket.ts';
import { DiskFolder, flush, type Holder, writeSealed } from './files.ts';
import {
  type BackupFile,
  databaseName,
  type Manifest,
  manifestName,
  megabytes,
  newStretching,
  type PassphraseOption,
  readPassphrase,
  secretsName,
  signedManifest,
  temporalNames,
} from './manifest.ts';
import {
  connected,
  findPlace,
  type Place,
  readMajor,
  refuseBoundUser,
  type RunsFile,
  toVisibilityUrl,
} from './place.ts';
import { findTool, startTool } from './postgres-tools.ts';
import { type Stretching, toRootKey } from './seal.ts';
import { readGeneration, whileAsleep, whileLocked } from './standstill.ts';
import { postgresMajor } from '#apps/local/src/system-binaries';

interface Work {
  holder: Holder;
  root: Buffer;
}

/** The moment of the copy: a view of the database that all its readers share, and what was counted in it. */
interface Moment {
  snapshot: string;
  stoodStillMs: number;
}

const triesMax = 3;
const logBytesMax = 512 * 1024 * 1024;

type BackupOptions = PassphraseOption & { withoutTemporal?: boolean };

/** Makes a backup while everything runs, in a new folder of a disk or of a bucket. */
export async function backUp(name: string, options: BackupOptions): Promise<void> {
  if (!isBucketAddress(name)) {
    if (/^\w+:\/\//.test(name))
      throw new CannotStart(`${name} is no folder, and no folder of a bucket as s3://BUCKET/FOLDER is.`);
    const folder = resolve(process.env['INIT_CWD'] ?? '.', name);
    return report(folder, await backUpTo(folder, options));
  }
  const bucket = await BucketFolder.open(name);
  await bucket.refuseFilled();
  report(name, await copy(bucket, await prepare(options)));
}

/** Makes a backup in a folder. It gets its name at the very end, when all of it is on the disk, so that nothing half-written looks like a backup. */
async function backUpTo(folder: string, options: BackupOptions): Promise<Manifest> {
  const partial = `${folder}.partial`;
  if (existsSync(folder)) throw new CannotStart(`${folder} is there already: name a new folder.`);
  if (existsSync(partial))
    throw new CannotStart(
      `${partial} is there: another backup runs, or one was killed. Delete it in that case.`,
    );
  const source = await prepare(options);
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(partial, { mode: 0o700 });
  try {
    const manifest = await copy(new DiskFolder(partial), source);
    flush(partial);
    renameSync(partial, folder);
    flush(dirname(folder));
    return manifest;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw withDisk(error, dirname(folder), 'name a folder on another disk. Nothing of this backup was kept');
  }
}

interface Source {
  place: Place;
  temporal: Manifest['temporal'];
  stretching: Stretching;
  root: Buffer;
}

async function prepare(options: BackupOptions): Promise<Source> {
  const passphrase = readPassphrase(options);
  const place = findPlace();
  const temporal = temporalKind(place, options.withoutTemporal ?? false);
  const stretching = newStretching();
  return { place, temporal, stretching, root: await toRootKey(passphrase, stretching) };
}

function temporalKind(place: Place, isLeftOut: boolean): Manifest['temporal'] {
  if (isLeftOut) return null;
  if (place.runsFile) return 'sqlite';
  if (place.temporalDatabaseUrl) return 'postgres';
  throw new CannotStart(
    "Where Temporal keeps its runs is not known. Give TEMPORAL_DATABASE_URL, the address of Temporal's database in Postgres. Or give --without-temporal, when its store is copied in another way or is to be lost.",
  );
}

/** Writes all files of a backup. The manifest is last, so that what is not whole does not look like a backup. */
async function copy(holder: Holder, { stretching, root, ...source }: Source): Promise<Manifest> {
  const manifest = { ...(await copyStores(source, { holder, root })), stretching };
  await holder.writeFile(manifestName, Readable.from([Buffer.from(signedManifest(manifest, root))]));
  return manifest;
}

async function copyStores(
  { place, temporal }: Pick<Source, 'place' | 'temporal'>,
  work: Work,
): Promise<Omit<Manifest, 'stretching'>> {
  const { databaseDirectUrl: url, secret } = place.settings;
  return connected(url, async (client) => {
    await refuseBoundUser(client);
    const serverMajor = await readMajor(client);
    const tool = await findTool('pg_dump', serverMajor);
    const migrations = await readMigrations(client);
    refuseNewer(migrations);
    await refuseOtherSecret({ system: async (sql: string) => (await client.query(sql)).rows }, secret);
    const payloadKeys = await readNeededKeys(client, place);
    // Before the moment of the copy, so that the copied chains go through these ends.
    const chains = await Chains.open(url, secret);
    const anchors = await chains.anchors();
    await chains.close();
    const files: BackupFile[] = [await sealSecrets(work, place)];
    const begin = () => snapshot(client);
    let moment: Moment;
    if (temporal === 'sqlite' && place.runsFile) {
      const copied = await copyRuns(place.runsFile, work, begin);
      moment = copied.moment;
      files.push(...copied.files);
    } else if (temporal === 'postgres' && place.temporalDatabaseUrl) {
      const copied = await copyTemporalDatabases(place.temporalDatabaseUrl, { work, tool, begin });
      moment = copied.moment;
      files.push(...copied.files);
    } else moment = { snapshot: await begin(), stoodStillMs: 0 };
    say('Counting the rows ...');
    const rows = await countRows(client);
    files.push(await dump(url, { tool, work, name: databaseName, snapshot: moment.snapshot }));
    await client.query('commit');
    const versions = {
      holdfast: readVersion(),
      postgres: String(serverMajor),
      pgDump: String(postgresMajor(tool)),
    };
    const madeAt = new Date().toISOString();
    const { stoodStillMs } = moment;
    return {
      format: 'holdfast-backup-1',
      madeAt,
      versions,
      temporal,
      stoodStillMs,
      migrations,
      rows,
      payloadKeys,
      anchors,
      files,
    };
  });
}

/** The ids of the payload keys that the backup must hold. Throws when one is not given to this command. */
async function readNeededKeys(client: pg.Client, { settings }: Place): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(neededKeyIds);
  const ids = rows.map(({ id }) => id);
  const missing = findMissingKeys(ids, settings.payloadKeys);
  if (missing.length > 0)
    throw new CannotStart(
      `PAYLOAD_KEYS lacks ${missing.join(', ')} here, and without these keys open runs could not go on from the backup: give this command the PAYLOAD_KEYS (or PAYLOAD_KEYS_FILE) of the API and the workers.`,
    );
  return ids;
}

/** The secrets without which the data cannot be read, the other secret settings of this environment, and what `npm start` keeps. */
function sealSecrets(work: Work, { settings, runsFile }: Place): Promise<BackupFile> {
  const given = Object.entries(settings.secrets).filter(([name]) => !/DATABASE|BACKUP/.test(name));
  const secrets = Object.fromEntries(given);
  const kept = runsFile ? readKept(dataFolder()) : {};
  return writeSealed(Readable.from([Buffer.from(JSON.stringify({ secrets, kept }))]), {
    ...work,
    name: secretsName,
  });
}

/** Begins the transaction in which everything is read, and gives its view a name for others. */
async function snapshot(client: pg.Client): Promise<string> {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  return rows[0]?.id ?? '';
}

/** Copies the runs of the embedded Temporal. They are on a disk first, so that Temporal never stands still for a network. */
async function copyRuns(
  runs: RunsFile,
  { holder, root }: Work,
  begin: () => Promise<string>,
): Promise<{ moment: Moment; files: BackupFile[] }> {
  if (holder instanceof DiskFolder) return copyRunsFile(runs, { disk: holder, root }, begin);
  const disk = new DiskFolder(mkdtempSync(join(tmpdir(), 'holdfast-backup-')));
  try {
    const copied = await copyRunsFile(runs, { disk, root }, begin);
    for (const { name, bytes } of copied.files)
      await holder.writeFile(name, await disk.readFile(name), bytes);
    return copied;
  } catch (error) {
    throw withDisk(error, disk.path, 'set TMPDIR to a folder on another disk');
  } finally {
    rmSync(disk.path, { recursive: true, force: true });
  }
}

/**
 * Copies the file of the embedded Temporal while it writes, and then its log while it stands still for some milliseconds. When the
 * log begins anew meanwhile, the copy is made again, at last with Temporal at a standstill for all of it: runs wait, and none fails.
 */
async function copyRunsFile(
  runs: RunsFile,
  { disk, root }: { disk: DiskFolder; root: Buffer },
  begin: () => Promise<string>,
): Promise<{ moment: Moment; files: BackupFile[] }> {
  const log = `${runs.file}-wal`;
  const work = { holder: disk, root };
  const copyFile = () => {
    say(`Copying the runs of Temporal (${megabytes(statSync(runs.file).size)}) ...`);
    rmSync(join(disk.path, temporalNames.file), { force: true });
    return writeSealed(createReadStream(runs.file), {
      ...work,
      name: temporalNames.file,
      through: createGzip({ level: 1 }),
    });
  };
  for (let tries = 1; ; tries++) {
    const generation = readGeneration(log);
    const isLast = tries > triesMax;
    const before = isLast ? undefined : await copyFile();
    const from = performance.now();
    const held = await whileAsleep(runs, isLast ? 600 : 20, async () => {
      const file = before ?? (await copyFile());
      if (!isLast && readGeneration(log) !== generation) return null;
      if (existsSync(log) && statSync(log).size > logBytesMax && !isLast) return null;
      const bytes = existsSync(log) ? readFileSync(log) : Buffer.alloc(0);
      return { file, bytes, snapshot: await begin() };
    });
    if (!held) {
      say('Temporal wrote much meanwhile; its file is copied again.');
      continue;
    }
    const stoodStillMs = Math.round(performance.now() - from);
    const logFile = await writeSealed(Readable.from([held.bytes]), {
      ...work,
      name: temporalNames.log,
      through: createGzip({ level: 1 }),
    });
    return { moment: { snapshot: held.snapshot, stoodStillMs }, files: [held.file, logFile] };
  }
}

/** Takes the views of Temporal's two databases and of ours while no run can be written, and copies Temporal's afterwards. */
async function copyTemporalDatabases(
  url: string,
  { work, tool, begin }: { work: Work; tool: string; begin: () => Promise<string> },
): Promise<{ moment: Moment; files: BackupFile[] }> {
  return connected(url, (runs) =>
    connected(toVisibilityUrl(url), async (lists) => {
      const from = performance.now();
      const views = await whileLocked(url, async () => {
        const [ofRuns, ofLists] = [await snapshot(runs), await snapshot(lists)];
        return { ofRuns, ofLists, snapshot: await begin() };
      });
      const moment = { snapshot: views.snapshot, stoodStillMs: Math.round(performance.now() - from) };
      const files = [
        await dump(url, { tool, work, name: temporalNames.database, snapshot: views.ofRuns }),
        await dump(toVisibilityUrl(url), {
          tool,
          work,
          name: temporalNames.visibility,
          snapshot: views.ofLists,
        }),
      ];
      return { moment, files };
    }),
  );
}

async function dump(
  url: string,
  { tool: program, work, name, snapshot: view }: { tool: string; work: Work; name: string; snapshot: string },
): Promise<BackupFile> {
  say(`Copying the database ${new URL(url).pathname.slice(1)} ...`);
  // Without its indexes and packed, a dump is smaller than this in all likelihood.
  const {
    rows: [size],
  } = await connected(url, (client) =>
    client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
  );
  const { tool, ended } = await startTool(program, url, [
    '--format=custom',
    '--compress=1',
    '--no-owner',
    `--snapshot=${view}`,
  ]);
  try {
    const file = await writeSealed(tool.stdout, { ...work, name, bytesMax: 2 * Number(size?.bytes) });
    await ended;
    return file;
  } catch (error) {
    tool.kill();
    throw error;
  }
}

/** Returns the names of the migrations that a database has, in their order. */
export async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
  return rows.map(({ name }) => name);
}

/** The number of rows of each table, as the transaction of this connection sees them. */
export async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: string }>(
      `select count(*) as n from public.${client.escapeIdentifier(name)}`,
    );
    counts.push([name, Number(rows[0]?.n)]);
  }
  return Object.fromEntries(counts);
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(join(checkout(), 'package.json'), 'utf8')) as { version: string }).version;
}

function report(folder: string, { rows, files, stoodStillMs }: Manifest): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  say(
    `The backup is ${folder}: ${megabytes(bytes)}, ${all} rows, ${rows['executions'] ?? 0} executions. Temporal stood still for ${stoodStillMs} ms.`,
  );
  say('Keep the passphrase elsewhere. Try the backup with: holdfast-admin verify ' + folder);
}

/** Says how much room there is when a disk was too small: the message of the system names neither. */
function withDisk(error: unknown, folder: string, orElse: string): unknown {
  const text = error instanceof Error ? `${(error as NodeJS.ErrnoException).code} ${error.message}` : '';
  if (!/ENOSPC|No space left/i.test(text)) return error;
  const { bavail, bsize } = statfsSync(folder);
  return new CannotStart(
    `The disk of ${folder} is full (${megabytes(bavail * bsize)} are free): make room, or ${orElse}.`,
  );
}
