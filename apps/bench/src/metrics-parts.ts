import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  accepted,
  blocks,
  countProcess,
  requests,
  requestSeconds,
  settled,
} from '#libs/platform/telemetry/metrics/metrics';
import { cpuOf } from './costs.ts';
import { round } from './figures.ts';

const counted = 1_000_000;
/** Blocks of a run whose visits are counted. */
const blocksARun = 4;
/** Collections of garbage whose time is taken at once. */
const collections = 5000;
const scrapes = 20;
/** What the load has left to do is to be over first, and each loop of a worker takes its turn at least once a minute. */
const calmMs = 15_000;
const idleMs = 60_000;
/** Prometheus asks this often where nobody says otherwise in its examples; its own default is a minute. */
export const scrapeEveryMs = 15_000;

/** What counting costs, each part measured by itself, in milliseconds of CPU time. */
export interface MetricsParts {
  /** Counting one request and its time, and what a run counts. */
  runMs: number;
  /** Noting one garbage collection. */
  collectionMs: number;
  /** One scrape of the API and the worker, with what Postgres does for it. */
  scrapeMs: number;
  /** What observing the process itself costs in a second: with metrics less without, both idle. */
  idleMsPerS: number;
}

interface Place {
  plain: Record<string, number>;
  metrics: Record<string, number>;
  servers: Record<string, number>;
  scrape(): Promise<string>;
}

/**
 * Two processes of the same code differ by more than metrics cost, so the parts are also measured where nothing else is at work: to a
 * few microseconds. Nothing else may run meanwhile.
 */
export async function metricsParts({ plain, metrics, servers, scrape }: Place): Promise<MetricsParts> {
  await scrape();
  const scraped = await usedIn({ ...metrics, ...servers }, async () => {
    for (let n = 0; n < scrapes; n++) await scrape();
  });
  await pause(calmMs);
  const before = [used(metrics), used(plain)];
  await pause(idleMs);
  const [withMs = 0, withoutMs = 0] = [metrics, plain].map((pids, i) => used(pids) - (before[i] ?? 0));
  return {
    runMs: round(countingMs() / counted, 5),
    collectionMs: round(await notingMs(), 5),
    scrapeMs: round(scraped / scrapes, 3),
    idleMsPerS: round(((withMs - withoutMs) * 1000) / idleMs, 3),
  };
}

/** The share of a run that takes so much CPU time, that is followed by the next after so long, and for which garbage is collected so often. */
export function shareOf(
  { runMs, collectionMs, scrapeMs, idleMsPerS }: MetricsParts,
  run: { cpuMsPerRun: number; msPerRun: number; collections: number },
): number {
  const meanwhile = (scrapeMs / scrapeEveryMs + idleMsPerS / 1000) * run.msPerRun;
  return round((runMs + collectionMs * run.collections + meanwhile) / run.cpuMsPerRun, 4);
}

function countingMs(): number {
  const begun = process.cpuUsage();
  for (let n = 0; n < counted; n++) {
    const labels = { method: n % 2 ? 'POST' : 'GET', route: `/api/workflows/:id/${n % 7}` };
    requests.inc({ ...labels, status: n % 9 ? 200 : 404 });
    requestSeconds.observe(labels, (n % 100) / 1000);
    accepted.inc({ mode: 'sync', trigger: 'api' });
    settled.inc({ status: 'completed' });
    for (let block = 0; block < blocksARun; block++) blocks.inc({ type: 'condition', status: 'completed' });
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

/**
 * What one collection costs more while this process notes its collections, as others do with metrics on. Watching the event loop begins
 * at the same time, so this is a little too much.
 */
async function notingMs(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: (of: { type: 'minor' }) => void = runInNewContext('gc');
  const collectingMs = async () => {
    const begun = process.cpuUsage();
    for (let n = 0; n < collections; n++) {
      collect({ type: 'minor' });
      await turn();
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000 / collections;
  };
  await collectingMs();
  const without = await collectingMs();
  countProcess();
  return Math.max(0, (await collectingMs()) - without);
}

async function usedIn(pids: Record<string, number>, work: () => Promise<void>): Promise<number> {
  const before = used(pids);
  await work();
  return used(pids) - before;
}

export const used = (pids: Record<string, number>) =>
  Object.values(cpuOf(pids)).reduce((sum, one) => sum + one, 0);
