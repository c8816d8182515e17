import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#apps/local/src/ports';
import { pure } from './definitions.ts';
import { mean, round, table } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { metricsParts, type MetricsParts, scrapeEveryMs, shareOf, used } from './metrics-parts.ts';
import { loop, type Subject } from './rounds.ts';
import { goalsHold } from './reports.ts';

const clients = 10;
/** Each round has new processes and this many turns. Each turn gives one figure for each subject and load. */
const turnsARound = 2;
/**
 * A turn switches between the subjects this often, each time for a third of a second, so that a slow moment of the
 * machine affects all of them.
 */
const slices = 12;
/** Each process warms up before its first turn: its ten thousandth run needs half as much CPU time as its first. */
const warmUpRuns = { pure: 10_000, calls: 500 };
const sliceRuns = { pure: 200, calls: 10 };
/** Spans are sent a second after they have ended. A turn must include that. */
const settleMs = 1500;
const names = ['plain', 'metrics', 'traces'] as const;
type Name = (typeof names)[number];
/** Every order of the three, so that none always follows the same other one. */
const orders: Name[][] = [
  ['plain', 'metrics', 'traces'],
  ['traces', 'metrics', 'plain'],
  ['metrics', 'plain', 'traces'],
  ['traces', 'plain', 'metrics'],
  ['metrics', 'traces', 'plain'],
  ['plain', 'traces', 'metrics'],
];
/** Calls in a row of the second load, whose runs go through Temporal. */
const calls = ['a', 'b', 'c'];

interface Options {
  rounds: number;
  say(line: string): void;
}

/** An installation under measurement: how to read its counters, and its throughput and CPU time for each load and turn. */
interface Watched {
  loads: Record<Load, Subject>;
  /** Reads the counters, as Prometheus does. */
  scrape(): Promise<string>;
  /** The time of its work since the last scrape. */
  unscrapedMs: number;
  pids: Record<string, number>;
  stop(): Promise<void>;
  msPerRun: Record<Load, number[]>;
  cpuMsPerRun: Record<Load, number[]>;
}

const loads = ['pure', 'calls'] as const;
type Load = (typeof loads)[number];

/**
 * The share of the throughput that metrics cost, and that tracing one call in ten costs. The same installation runs
 * three times side by side, on pure blocks and on calls; only one works at a time. They are compared by the CPU time of
 * all processes for a run. All cores are busy, so the throughput is inverse to it, and later work such as sending spans
 * counts too. The throughput by the clock is shown beside it.
 * Two processes of the same code differ by some 3 %. So each round has new processes, and the cost of metrics is also
 * measured part by part. The sum of the parts is `metricsCost`; the comparison shows that there is no more. Ended runs
 * are not shown in Temporal (`TEMPORAL_SYNC`), because that work would fall into another installation's time.
 */
export async function telemetry(ground: Ground, { rounds, say }: Options) {
  const collector = await anyServer();
  const receiver = await anyServer();
  const measured: Round[] = [];
  let parts: Parts | undefined;
  for (let n = 1; n <= rounds; n++) {
    const subjects = await started(ground, collector.url, receiver.url);
    for (const name of names)
      for (const load of loads) await loop(subjects[name].loads[load], warmUpRuns[load], clients);
    parts ??= await partsOf(ground, subjects);
    for (let turn = 0; turn < turnsARound; turn++)
      for (const load of loads) await take(ground, subjects, load);
    for (const name of names) await subjects[name].stop();
    measured.push(roundOf(subjects));
    say(`round ${n} of ${rounds}`);
  }
  for (const { stop } of [collector, receiver]) stop();
  if (collector.requests() === 0) throw new Error('No span was sent.');
  if (!parts) throw new Error('There was no round.');
  return figuresOf(measured, parts, say);
}

type Parts = MetricsParts & { collectionsPerRun: Record<Load, number> };

async function partsOf({ servers }: Ground, { plain, metrics }: Record<Name, Watched>): Promise<Parts> {
  const collectionsPerRun = await collectionsOf(metrics);
  const place = { plain: plain.pids, metrics: metrics.pids, servers, scrape: metrics.scrape };
  return { ...(await metricsParts(place)), collectionsPerRun };
}

/** The garbage collections that a run of each load causes. */
async function collectionsOf({ loads: subjects, scrape }: Watched): Promise<Record<Load, number>> {
  const counted = async () =>
    [...(await scrape()).matchAll(/^nodejs_gc_duration_seconds_count\S* (\d+)$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  const perRun = async (subject: Subject, runs: number) => {
    const before = await counted();
    await loop(subject, runs, clients);
    return round(((await counted()) - before) / runs, 3);
  };
  return { pure: await perRun(subjects.pure, 2000), calls: await perRun(subjects.calls, 200) };
}

async function take(ground: Ground, subjects: Record<Name, Watched>, load: Load): Promise<void> {
  const wallMs = { plain: 0, metrics: 0, traces: 0 };
  const before = usedBy(ground, subjects);
  for (let slice = 0; slice < slices; slice++)
    for (const name of orders[slice % orders.length] ?? names)
      wallMs[name] += (await loop(subjects[name].loads[load], sliceRuns[load], clients)).wallMs;
  for (const name of names) {
    subjects[name].unscrapedMs += wallMs[name];
    if (subjects[name].unscrapedMs < scrapeEveryMs) continue;
    subjects[name].unscrapedMs = 0;
    await subjects[name].scrape();
  }
  await pause(settleMs);
  const after = usedBy(ground, subjects);
  const runs = slices * sliceRuns[load];
  const sharedMs = (after.shared - before.shared) / names.length;
  for (const name of names) {
    subjects[name].msPerRun[load].push(wallMs[name] / runs);
    subjects[name].cpuMsPerRun[load].push((after[name] - before[name] + sharedMs) / runs);
  }
}

/** The CPU time of each installation's processes, and of the shared servers. */
function usedBy(ground: Ground, subjects: Record<Name, Watched>): Record<Name | 'shared', number> {
  const { plain, metrics, traces } = subjects;
  return {
    plain: used(plain.pids),
    metrics: used(metrics.pids),
    traces: used(traces.pids),
    shared: used({ ...ground.servers, client: process.pid }),
  };
}

/** For each load and installation: the milliseconds of a run in one round. */
type Round = Record<'cpuMs' | 'wallMs', Record<Load, Record<Name, number>>>;

/**
 * The mean of all turns. Once a minute a loop of a worker takes a tenth of a turn; a median would count it for one
 * subject only.
 */
function roundOf(subjects: Record<Name, Watched>): Round {
  const means = (of: (subject: Watched) => Record<Load, number[]>) => {
    const ofLoad = (load: Load) => ({
      plain: mean(of(subjects.plain)[load]),
      metrics: mean(of(subjects.metrics)[load]),
      traces: mean(of(subjects.traces)[load]),
    });
    return { pure: ofLoad('pure'), calls: ofLoad('calls') };
  };
  return { cpuMs: means(({ cpuMsPerRun }) => cpuMsPerRun), wallMs: means(({ msPerRun }) => msPerRun) };
}

function figuresOf(rounds: Round[], parts: Parts, say: (line: string) => void) {
  const costs = loads.flatMap((load) =>
    (['metrics', 'traces'] as const).map((name) => ({
      name,
      load,
      ...costOf(rounds.map(({ cpuMs }) => 1 - cpuMs[load].plain / cpuMs[load][name])),
      byClock: costOf(rounds.map(({ wallMs }) => 1 - wallMs[load].plain / wallMs[load][name])),
    })),
  );
  const head = ['share of throughput', 'by CPU', 'from', 'to', 'by the clock', 'from', 'to'];
  say(
    table(
      head,
      costs.map(({ name, load, share, from, to, byClock }) => [
        `${name}, ${load}`,
        share,
        from,
        to,
        byClock.share,
        byClock.from,
        byClock.to,
      ]),
    ),
  );
  const worst = (name: Name, of: 'share' | 'from') =>
    Math.max(...costs.filter((cost) => cost.name === name).map((cost) => cost[of]));
  const plainly = (of: keyof Round, load: Load) => mean(rounds.map((one) => one[of][load].plain));
  const partShares = loads.map((load) =>
    shareOf(parts, {
      cpuMsPerRun: plainly('cpuMs', load),
      msPerRun: plainly('wallMs', load),
      collections: parts.collectionsPerRun[load],
    }),
  );
  const [metricsCost, tracesCost] = [Math.max(...partShares), worst('traces', 'share')];
  return {
    bench: 'telemetry',
    metricsCost,
    tracesCost,
    // The comparison of whole installations must agree, as far as it can tell.
    goalsHold: [metricsCost, worst('metrics', 'from')].every((cost) =>
      goalsHold('telemetry', { metricsCost: cost, tracesCost }),
    ),
    metricsParts: parts,
    metricsCompared: worst('metrics', 'share'),
    costs,
    perRun: rounds,
  };
}

interface Cost {
  share: number;
  from: number;
  to: number;
}

/** The mean of the shares of all rounds. `from` and `to` are two standard errors away, and unknown after one round. */
function costOf(shares: number[]): Cost {
  const share = mean(shares);
  const variance = shares.reduce((sum, one) => sum + (one - share) ** 2, 0) / (shares.length - 1);
  const reach = shares.length > 1 ? 2 * Math.sqrt(variance / shares.length) : Infinity;
  return { share: round(share, 4), from: round(share - reach, 4), to: round(share + reach, 4) };
}

async function started(ground: Ground, collector: string, receiver: string): Promise<Record<Name, Watched>> {
  const [port, workerPort] = [await freePort(), await freePort()];
  const scrape = async () => {
    const read = async (one: number) => (await fetch(`http://127.0.0.1:${one}/metrics`)).text();
    return (await read(port)) + (await read(workerPort));
  };
  const alike = { TEMPORAL_SYNC: 'failed' };
  const counted = { ...alike, METRICS_PORT: String(port), WORKER_METRICS_PORT: String(workerPort) };
  const sampled = { ...alike, OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: '0.1' };
  const nothing = async () => '';
  return {
    plain: await watched(await ground.another('plain', { env: alike }), receiver, nothing),
    metrics: await watched(await ground.another('metrics', { env: counted }), receiver, scrape),
    traces: await watched(await ground.another('traces', { env: sampled }), receiver, nothing),
  };
}

async function watched(
  installation: Installation,
  receiver: string,
  scrape: () => Promise<string>,
): Promise<Watched> {
  const subject = async (name: Load, definition: object, inputs: object): Promise<Subject> => {
    const path = `/api/workflows/${await installation.deployed(name, definition)}/execute`;
    return { name, once: async () => void (await installation.post(path, { inputs }, 200)) };
  };
  const blocks = calls.map((id) => ({ id, type: 'http', params: { method: 'GET', url: receiver } }));
  const edges = calls.map((id, i) => ({ from: calls[i - 1] ?? 'start', to: id }));
  return {
    loads: {
      pure: await subject('pure', pure, { amount: 5000 }),
      calls: await subject('calls', { blocks, edges }, {}),
    },
    scrape,
    unscrapedMs: 0,
    pids: installation.pids,
    stop: () => installation.stop(),
    msPerRun: { pure: [], calls: [] },
    cpuMsPerRun: { pure: [], calls: [] },
  };
}

/** A server that takes spans or calls and ignores them, because the cost of other servers is not ours. */
async function anyServer(): Promise<{ url: string; requests(): number; stop(): void }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, stop };
}
