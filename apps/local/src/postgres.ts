import { spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount, postgresFolder, privateFolder, type SystemAccount } from './account.ts';
import { obtain } from './binaries.ts';
import { readCommand, endedAtOnce, isAlive, launch, newLines, stopProcess, until } from './processes.ts';
import { postgresMajor } from './system-binaries.ts';

export interface PostgresOptions {
  /** The folder of the data; made and filled on the first start. */
  folder: string;
  port: number;
  log: string;
  /** Kept by the caller beside the data; only its owner may read it. */
  password: string;
  /** False gives up safety against a power cut for speed: for tests only. */
  durable: boolean;
  database: string;
}

/** A Postgres of ours that accepts connections. */
export interface Postgres {
  child: ChildProcess;
  url: string;
}

export const POSTGRES_USER = 'holdfast';
const START_LIMIT_MS = 60_000;

/**
 * Starts Postgres on the loopback address with password authentication, and makes its data folder and database
 * when they are missing. A server that a killed parent left on the same folder is stopped first.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const program = await obtain('postgres');
  const folder = postgresFolder(options.folder);
  const account = postgresAccount(folder);
  await stopLeftover(folder);
  if (!existsSync(join(folder, 'PG_VERSION'))) initialise(program, folder, options.password, account);

  const said = newLines(options.log);
  const child = launch({
    command: program,
    args: ['-D', folder, '-p', String(options.port), ...settings(options)],
    cwd: folder,
    env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
    log: options.log,
    account,
    stopSignal: 'SIGINT',
  });
  const url = (database: string) => postgresUrl({ ...options, database });
  await ready(child, url('postgres'), said);
  if (options.database !== 'postgres') await createDatabase(url('postgres'), options.database);
  return { child, url: url(options.database) };
}

/** The connection to a Postgres of ours from this machine. */
export function postgresUrl({
  port,
  password,
  database,
}: Pick<PostgresOptions, 'port' | 'password' | 'database'>): string {
  return `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** Ends sessions, writes a checkpoint and stops; kills after the grace. The data is whole either way. */
export async function stopPostgres(pid: number, graceMs = 4000): Promise<void> {
  // SIGINT is Postgres's fast shutdown; its SIGTERM would wait for every client to leave.
  await stopProcess(pid, 'SIGINT', graceMs);
}

/** Deletes the data for good, wherever it is kept. */
export function removePostgres(wish: string): void {
  for (const folder of new Set([wish, postgresFolder(wish)]))
    rmSync(folder, { recursive: true, force: true });
}

/**
 * After `kill -9` of its parent a server may still hold the folder, or its pid file may name a process that is
 * someone else's by now, which makes Postgres refuse to start. The command line shows which of the two it is.
 */
export async function stopLeftover(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const isOurs = isAlive(pid) && readCommand(pid).includes(folder);
  if (isOurs) await stopPostgres(pid, 10_000);
  rmSync(file, { force: true });
}

function settings({ durable }: PostgresOptions): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // The vectors of 100,000 chunks and their index, 200 MB, are read at random. Memory is only taken as pages are read.
    shared_buffers: durable ? '512MB' : '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // An index-only scan reads new rows only after a vacuum, so autovacuum runs more often than once a minute.
    ...(durable
      ? { autovacuum_naptime: '10s' }
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

function initialise(
  program: string,
  folder: string,
  password: string,
  account: SystemAccount | undefined,
): void {
  mkdirSync(dirname(folder), { recursive: true });
  privateFolder(folder, account);
  const secrets = join(tmpdir(), `holdfast-${randomBytes(6).toString('hex')}`);
  privateFolder(secrets, account);
  const passwordFile = join(secrets, 'password');
  try {
    // Readable by the account through its folder's owner; nobody else can pass into the folder.
    writeFileSync(passwordFile, password, { mode: 0o644 });
    const args = ['-D', folder, '-U', POSTGRES_USER, `--pwfile=${passwordFile}`, ...clusterForm(program)];
    const init = spawnSync(join(dirname(program), 'initdb'), args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' },
      encoding: 'utf8',
      ...account,
    });
    if (init.status !== 0) throw new Error(`initdb failed: ${init.error?.message ?? init.stderr.trim()}`);
  } finally {
    rmSync(secrets, { recursive: true, force: true });
  }
}

/** From version 17 on Postgres has a Unicode locale of its own, the same on every system; before, only C is the same. */
function clusterForm(program: string): string[] {
  const locale =
    postgresMajor(program) >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  return [
    '--encoding=UTF8',
    '--locale=C',
    ...locale,
    '--auth=scram-sha-256',
    '--no-instructions',
    '--data-checksums',
  ];
}

/** Nobody is asked before the process says that it has the port: somebody else may answer on it, or take the call and never answer. */
async function ready(child: ChildProcess, url: string, said: () => string): Promise<void> {
  const listens = () => {
    if (child.exitCode !== null || child.pid === undefined) throw endedAtOnce('Postgres', said());
    return said().includes('ready to accept connections');
  };
  await until(listens, START_LIMIT_MS, `Postgres's start`);
  const answers = () =>
    withClient(url, async (client) => void (await client.query('select 1'))).then(
      () => true,
      () => false,
    );
  await until(answers, START_LIMIT_MS, `Postgres's first answer`);
}

async function createDatabase(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
