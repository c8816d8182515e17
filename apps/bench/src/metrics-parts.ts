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
/** The blocks of a run whose visits are counted. */
const blocksARun = 4;
/** The garbage collections of one measurement. */
const collections = 5000;
const scrapes = 20;
/** Waits for the rest of the load. Each loop of a worker takes a turn at least once a minute. */
const calmMs = 15_000;
const idleMs = 60_000;
/** The scrape interval in most examples of Prometheus. Its own default is a minute. */
export const scrapeEveryMs = 15_000;

/** The cost of counting, each part measured by itself, in milliseconds of CPU time. */
export interface MetricsParts {
  /** One counted request with its time, and everything that a run counts. */
  runMs: number;
  /** One noted garbage collection. */
  collectionMs: number;
  /** One scrape of the API and the worker, with the work of Postgres for it. */
  scrapeMs: number;
  /** The cost of observing the process itself, per second: with metrics minus without, both idle. */
  idleMsPerS: number;
}

interface Place {
  plain: Record<string, number>;
  metrics: Record<string, number>;
  servers: Record<string, number>;
  scrape(): Promise<string>;
}

/**
 * Measures the parts alone, to a few microseconds, because two processes of the same code differ by more than metrics
 * cost. Nothing else may run meanwhile.
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

/**
 * The share of metrics in a run's CPU time, from the time of a run, the time to the next one, and its garbage
 * collections.
 */
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
 * The additional cost of one collection while this process notes its collections, as a process with metrics does. It
 * also includes the watch on the event loop, so it is a little too high.
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
