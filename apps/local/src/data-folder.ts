import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresFolder } from './account.ts';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { runsAsRoot } from '#libs/platform/binaries/cache-folder';
import { removePostgres } from './postgres.ts';
import { readCommand, isAlive, stopProcess } from './processes.ts';

/** The secrets of an installation. Its data cannot be read without them. */
export interface FolderSecrets {
  /** 32 random bytes in base64url: the root of every key that the API derives. */
  secret: string;
  postgresPassword: string;
}

/** The run that uses a data folder now, in `run.json` there. Absent or out of date when nothing runs. */
export interface Run {
  supervisor: number;
  /** The `npm` that the supervisor belongs to, 0 when none. */
  launcher: number;
  startedAt: string;
  /** Process numbers by name: `postgres`, `temporal`, `api`, `worker`. A process that does not run is absent. */
  processes: Record<string, number>;
  /**
   * Ports by name: `postgres`, `temporal`, `temporalUi`, `api`, `worker` (its health port). Ports of foreign servers
   * are absent.
   */
  ports: Record<string, number>;
  urls: { api: string; openapi: string; docs: string; publicUrl?: string; temporalUi?: string };
}

const OURS = [
  'postgres',
  'temporal',
  'secrets.json',
  'settings.json',
  'run.json',
  'restoring',
  'restored',
  'logs',
];
/** A part of a process's command line, by the name of the process in `run.json`. */
const COMMANDS: Record<string, string> = {
  postgres: 'postgres',
  temporal: 'temporal',
  api: 'apps/api/src/main',
  worker: 'apps/worker/src/main',
};
const TAKEOVER_LIMIT_MS = 12_000;

/** Makes the folder. Only its user can list it; for root others may pass through, as Postgres has to. */
export function openDataFolder(folder: string): void {
  for (const inner of ['temporal', 'logs']) mkdirSync(join(folder, inner), { recursive: true, mode: 0o700 });
  chmodSync(folder, runsAsRoot() ? 0o711 : 0o700);
}

/** Deletes what this program keeps in the folder, and nothing that someone else put there. */
export function wipeDataFolder(folder: string): void {
  removePostgres(join(folder, 'postgres'));
  for (const name of OURS) rmSync(join(folder, name), { recursive: true, force: true });
}

/** The secrets of this folder, made on the first start. Refuses when the data is there and its secrets are not. */
export function readFolderSecrets(folder: string): FolderSecrets {
  const file = join(folder, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as FolderSecrets;
  if (existsSync(join(postgresFolder(join(folder, 'postgres')), 'PG_VERSION'))) {
    throw new Error(
      `${file} is missing, and the data cannot be read without it. Bring it back, or start with --fresh.`,
    );
  }
  const secrets = { secret: random(), postgresPassword: random() };
  writePrivately(file, secrets);
  return secrets;
}

/** Keeps the secret of another installation, whose data comes into this empty folder. */
export function writeSecret(folder: string, secret: string): void {
  writePrivately(join(folder, 'secrets.json'), {
    secret,
    postgresPassword: random(),
  } satisfies FolderSecrets);
}

/** Marks an empty folder as half-restored. Throws when it is not empty, or when an earlier restore has died. */
export function beginRestore(folder: string): void {
  refuseHalfRestored(folder);
  const used = [
    join(postgresFolder(join(folder, 'postgres')), 'PG_VERSION'),
    join(folder, 'temporal', 'runs.db'),
    join(folder, 'secrets.json'),
  ].filter(existsSync);
  if (used.length > 0)
    throw new CannotStart(
      `${folder} is not empty (${used[0]} is there), and a restore overwrites nothing: name another folder in HOLDFAST_DATA, or delete the data with \`npm start -- --fresh\` and stop it again.`,
    );
  writeFileSync(join(folder, 'restoring'), `${new Date().toISOString()}\n`, { mode: 0o600 });
}

/** Takes the mark away, once everything is on the disk. With copied runs another mark stays, see `refuseOtherDatabase`. */
export function endRestore(folder: string, withRuns: boolean): void {
  const mark = join(folder, 'restoring');
  if (withRuns) renameSync(mark, join(folder, 'restored'));
  else rmSync(mark);
}

/** Throws when copied runs are to work on a database of somebody else's, because the runs that were copied may still do so. */
export function refuseOtherDatabase(folder: string, env: NodeJS.ProcessEnv): void {
  const mark = join(folder, 'restored');
  if (existsSync(mark) && (env['DATABASE_URL'] || env['DATABASE_URL_FILE']))
    throw new CannotStart(
      `The runs in ${folder} were copied with a database of their own, which is in this folder, and DATABASE_URL names another: there they could be carried out a second time. ` +
        `Take DATABASE_URL away. If you have moved their database there, delete ${mark}.`,
    );
}

/** Throws when a restore into this folder has not come to its end. */
export function refuseHalfRestored(folder: string): void {
  if (existsSync(join(folder, 'restoring')))
    throw new CannotStart(
      `${folder} holds half of a restored backup, because a restore was cut off: delete the folder, and restore again.`,
    );
}

/** The processes that run on this folder according to its `run.json`. */
export function readRun(folder: string): Run | undefined {
  const file = join(folder, 'run.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run) : undefined;
}

/** Replaces `run.json` in one step, so that a reader sees the old or the new one. */
export function writeRun(folder: string, run: Run): void {
  writePrivately(join(folder, 'run.json'), run);
}

/** Says that nothing runs on this folder any more. */
export function endRun(folder: string): void {
  rmSync(join(folder, 'run.json'), { force: true });
  rmSync(join(folder, 'supervisor.pid'), { force: true });
}

/**
 * Makes this process the only supervisor of the folder. Refuses while another one works for somebody; one whose
 * `npm` was killed, and the processes that a killed supervisor left behind, are stopped first.
 */
export async function claim(folder: string): Promise<void> {
  const lock = join(folder, 'supervisor.pid');
  const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
  const run = readRun(folder);
  if (holder !== process.pid && isSupervisor(holder)) {
    if (!run?.launcher || isAlive(run.launcher)) {
      const where = run ? ` at ${run.urls.api}` : '';
      const what = readCommand(holder).includes('apps/admin') ? 'A restore' : 'Holdfast';
      throw new CannotStart(
        `${what} already runs on ${folder}${where} (process ${holder}). Stop that one first.`,
      );
    }
    await stopProcess(holder, 'SIGTERM', TAKEOVER_LIMIT_MS);
  }
  await stopLeftovers(run);
  rmSync(lock, { force: true });
  // Fails when another supervisor was faster between these two lines.
  writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
}

/** The processes of a supervisor that was killed; a process id that belongs to another program by now is left alone. */
async function stopLeftovers(run: Run | undefined): Promise<void> {
  for (const [name, pid] of Object.entries(run?.processes ?? {}).toReversed()) {
    if (!isAlive(pid) || !readCommand(pid).includes(COMMANDS[name] ?? name)) continue;
    await stopProcess(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM', 5000);
  }
}

function isSupervisor(pid: number): boolean {
  return pid > 0 && isAlive(pid) && /apps\/(local|bench|admin)|jest/.test(readCommand(pid));
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

function writePrivately(file: string, content: unknown): void {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}
