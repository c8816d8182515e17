import { join } from 'node:path';
import pg from 'pg';
import { readRun } from '#apps/local/src/data-folder';
import { buildReach } from '#apps/local/src/installation';
import { dataFolder } from '#apps/local/src/paths';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { Environment } from '#libs/platform/settings/environment';
import { databaseUrl, Settings } from '#libs/platform/settings/settings';

/** The file in which the Temporal of `npm start` keeps its runs, and the process that writes it. */
export interface RunsFile {
  file: string;
  pid: number;
}

/** An installation that runs, and where its Temporal keeps the runs; undefined when that is not known. */
export interface Place {
  settings: Settings;
  runsFile?: RunsFile;
  temporalDatabaseUrl?: string;
}

/** True when the environment names an installation with a database of its own, and not that of `npm start`. */
export const isGiven = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env['DATABASE_URL'] || env['DATABASE_URL_FILE']);

/** The installation that the environment names, else the one that `npm start` runs here. */
export function findPlace(): Place {
  const folder = dataFolder();
  const reach = buildReach(folder, process.env);
  const settings = new Settings({ ...process.env, ...reach });
  const temporalDatabaseUrl = readTemporalDatabase();
  const run = reach['HOLDFAST_SECRET'] ? readRun(folder) : undefined;
  const pid = run?.ports['temporal'] === undefined ? undefined : run.processes['temporal'];
  if (pid === undefined) return { settings, temporalDatabaseUrl };
  settings.temporal.address = `127.0.0.1:${run?.ports['temporal']}`;
  return { settings, runsFile: { file: join(folder, 'temporal', 'runs.db'), pid }, temporalDatabaseUrl };
}

/** Reads the address of our database, past a pooler where one is named. */
export const readOwnDatabase = (read: Environment): string =>
  databaseUrl(read, 'DATABASE_DIRECT_URL', databaseUrl(read, 'DATABASE_URL', ''));

export function readTemporalDatabase(): string | undefined {
  const read = new Environment(process.env);
  const url = databaseUrl(read, 'TEMPORAL_DATABASE_URL', undefined);
  read.finish();
  return url;
}

/** The database of the lists of runs, which stands beside that of the runs. */
export function toVisibilityUrl(url: string): string {
  const beside = new URL(url);
  beside.pathname = `${beside.pathname}_visibility`;
  return beside.href;
}

export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A broken connection fails the statement that waits for it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export async function readMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
}

/** Throws unless the user of this connection reads all rows, which the policies keep from the owner of the schema too. */
export async function refuseBoundUser(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; free: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as free from pg_roles where rolname = current_user',
  );
  if (!rows[0]?.free)
    throw new CannotStart(
      `The user ${rows[0]?.name} of Postgres cannot read the rows of all workspaces, because row-level security binds it. ` +
        'Give DATABASE_URL with a superuser, or let a superuser run: alter role NAME bypassrls.',
    );
}
