import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { obtain } from './binaries.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { checkout } from './paths.ts';

/** The cluster of this test run, when the run started one. */
export const started: { cluster?: Cluster } = {};

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
  await createTemplate(env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
}

/** Runs the compiled program of libs/platform/database that makes the template database. */
async function createTemplate(adminUrl: string): Promise<void> {
  const file = join(checkout(), 'dist/libs/platform/database/template.js');
  if (!existsSync(file)) return;
  const template = (await import(pathToFileURL(file).href)) as { createTemplate(url: string): Promise<void> };
  await template.createTemplate(adminUrl);
}
