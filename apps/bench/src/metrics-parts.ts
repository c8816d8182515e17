import { setTimeout as pause } from 'node:timers/promises';
import { requests, requestSeconds } from '#libs/metrics/metrics';
import { cpuOf } from './costs.ts';
import { round } from './figures.ts';

const counted = 1_000_000;
const scrapes = 20;
/** What the load has left to do is to be over first, and each loop of a worker takes its turn at least once a minute. */
const calmMs = 15_000;
const idleMs = 60_000;
/** Prometheus asks this often where nobody says otherwise in its examples; its own default is a minute. */
export const scrapeEveryMs = 15_000;

/** What counting costs, each part measured by itself, in milliseconds of CPU time. */
export interface MetricsParts {
  /** Counting one request and its time. */
  requestMs: number;
  /** One scrape of the API and the worker, with what Postgres does for it. */
  scrapeMs: number;
  /** What observing the process itself costs in a second: with metrics less without, both idle. */
  idleMsPerS: number;
}

interface Place {
  plain: Record<string, number>;
  metrics: Record<string, number>;
  servers: Record<string, number>;
  scrape(): Promise<void>;
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
    requestMs: round(countingMs() / counted, 5),
    scrapeMs: round(scraped / scrapes, 3),
    idleMsPerS: round(((withMs - withoutMs) * 1000) / idleMs, 3),
  };
}

/** The share of a run that takes so much CPU time, and that is followed by the next after so long. */
export function shareOf(
  { requestMs, scrapeMs, idleMsPerS }: MetricsParts,
  { cpuMsPerRun, msPerRun }: { cpuMsPerRun: number; msPerRun: number },
): number {
  const meanwhile = (scrapeMs / scrapeEveryMs + idleMsPerS / 1000) * msPerRun;
  return round((requestMs + meanwhile) / cpuMsPerRun, 4);
}

function countingMs(): number {
  const begun = process.cpuUsage();
  for (let n = 0; n < counted; n++) {
    const labels = { method: n % 2 ? 'POST' : 'GET', route: `/api/workflows/:id/${n % 7}` };
    requests.inc({ ...labels, status: n % 9 ? 200 : 404 });
    requestSeconds.observe(labels, (n % 100) / 1000);
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

async function usedIn(pids: Record<string, number>, work: () => Promise<void>): Promise<number> {
  const before = used(pids);
  await work();
  return used(pids) - before;
}

export const used = (pids: Record<string, number>) =>
  Object.values(cpuOf(pids)).reduce((sum, one) => sum + one, 0);
