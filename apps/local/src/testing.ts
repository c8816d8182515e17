import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { obtain } from './binaries.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { checkout } from './paths.ts';

/** The cluster of this test run, when the run started one, and the folder of the files of its processes. */
export const started: { cluster?: Cluster; folder?: string } = {};

/**
 * Gives every test file of a run one Postgres and one Temporal, through the environment. Addresses that are set
 * already are used as they are, and nothing is started for them. With HOLDFAST_TEST_SERVERS=none nothing is started
 * at all, for tests that only read the repository.
 */
export default async function setUp(): Promise<void> {
  const env = process.env;
  if (env['HOLDFAST_TEST_SERVERS'] === 'none') return;
  if (!env['HOLDFAST_TEST_DATABASE_URL'] || !env['HOLDFAST_TEST_TEMPORAL']) {
    started.cluster = await startCluster();
    env['HOLDFAST_TEST_DATABASE_URL'] ||= started.cluster.databaseUrl;
    env['HOLDFAST_TEST_TEMPORAL'] ||= started.cluster.temporalAddress;
  }
  env['HOLDFAST_TEST_TIMESKIPPING'] ||= await obtain('temporal-test-server');
  env['HOLDFAST_TEST_TEMPORAL_BINARY'] ||= await obtain('temporal');
  await (await loadTemplate())?.createTemplate(env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
  started.folder = mkdtempSync(join(tmpdir(), 'holdfast-run-'));
  env['HOLDFAST_TEST_FOLDER'] = started.folder;
}

/** The compiled module of libs/platform/database that makes the template database and drops its clones. */
export async function loadTemplate(): Promise<Template | null> {
  const file = join(checkout(), 'dist/libs/platform/database/template.js');
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Template) : null;
}

interface Template {
  createTemplate(adminUrl: string): Promise<void>;
  dropDatabase(adminUrl: string, url: string): Promise<void>;
}
