import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopProcess } from './processes.ts';
import { loadTemplate, started } from './testing.ts';

/** Stops the processes that this run started, also those of spec files that failed, and removes what it shared. */
export default async function tearDown(): Promise<void> {
  const { cluster, folder } = started;
  const files = folder ? readdirSync(folder) : [];
  const left = files.filter((name) => name.endsWith('.pid'));
  await Promise.all(left.map((name) => stopProcess(parseInt(name), 'SIGTERM', 10_000)));
  await cluster?.stop();
  if (folder && !cluster)
    for (const name of files.filter((file) => file.endsWith('.json'))) await drop(join(folder, name));
  if (folder) rmSync(folder, { recursive: true, force: true });
}

/** Drops the database of an installation that spec files shared. */
async function drop(file: string): Promise<void> {
  const { env } = JSON.parse(readFileSync(file, 'utf8'));
  const admin = process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '';
  await (await loadTemplate())?.dropDatabase(admin, env.DATABASE_DIRECT_URL);
}
