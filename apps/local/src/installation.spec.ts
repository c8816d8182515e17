import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openDataFolder, readFolderSecrets, writeRun, type Run } from './data-folder.ts';
import { DATABASE, buildReach } from './installation.ts';
import { freePort } from './ports.ts';
import { removePostgres, startPostgres, stopPostgres } from './postgres.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-installation-'));
  openDataFolder(folder);
});

afterEach(() => {
  removePostgres(join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
});

function givenRun(run: Partial<Run>): void {
  const urls = { api: 'http://localhost:3000', openapi: '', docs: '' };
  writeRun(folder, { supervisor: 0, launcher: 0, startedAt: '', processes: {}, ports: {}, urls, ...run });
}

test('a program of the operator reaches the installation that runs, until that is stopped', async () => {
  const { secret, postgresPassword: password } = readFolderSecrets(folder);
  const port = await freePort(0);
  const { child } = await startPostgres({
    folder: join(folder, 'postgres'),
    log: join(folder, 'logs', 'postgres.log'),
    port,
    password,
    durable: false,
    database: DATABASE,
  });
  const pid = child.pid ?? 0;
  try {
    givenRun({ processes: { postgres: pid }, ports: { postgres: port } });
    const reach = buildReach(folder, { DATABASE_URL: '' });
    expect(reach['HOLDFAST_SECRET']).toBe(secret);
    const client = new Client({ connectionString: reach['DATABASE_URL'] });
    await client.connect();
    expect((await client.query('select current_database() as name')).rows).toEqual([{ name: DATABASE }]);
    await client.end();
  } finally {
    await stopPostgres(pid);
  }
  expect(() => buildReach(folder, {})).toThrow(
    `No installation runs on ${folder}. Start it with \`npm start\`, or give DATABASE_URL and HOLDFAST_SECRET of the one that you mean.`,
  );
});

test('a given database and secret are used, and one of them without the other is refused', () => {
  const both = { DATABASE_URL: 'postgres://elsewhere/db', HOLDFAST_SECRET: 'x'.repeat(32) };
  expect(buildReach(folder, both)).toEqual({});
  expect(() => buildReach(folder, { DATABASE_URL: both.DATABASE_URL })).toThrow('HOLDFAST_SECRET is missing');
  expect(() => buildReach(folder, { HOLDFAST_SECRET: both.HOLDFAST_SECRET })).toThrow(
    'DATABASE_URL is missing',
  );
});
