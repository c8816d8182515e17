import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#apps/local/src/ports';
import { cpuOf } from './costs.ts';
import { pure } from './definitions.ts';
import { quantile, round, table } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { loop, type Subject } from './rounds.ts';

const goals = { metricsCost: 0.02, tracesCost: 0.05 };
const clients = 10;
/** Turns of each subject in one of the asked rounds. Seconds each, so that what slows the machine meets all subjects. */
const turnsARound = 4;
/** A process needs half as much CPU time for its ten thousandth run as for its first: each warms up before its first turn. */
const warmUpRuns = { pure: 10_000, calls: 500 };
const turnRuns = { pure: 2000, calls: 150 };
/** Spans are sent a second after they have ended: that is to be over before the next subject's turn. */
const settleMs = 1500;
const names = ['plain', 'metrics', 'traces'] as const;
type Name = (typeof names)[number];
/** Each order of the three as often as the others, so that none has always the same one before it. */
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

/** An installation, what to read while it works, and of each load and turn its throughput and what all processes used for a run. */
interface Watched {
  loads: Record<Load, Subject>;
  scrape(): Promise<void>;
  cpuMs(): number;
  runsPerS: Record<Load, number[]>;
  cpuMsPerRun: Record<Load, number[]>;
}

const loads = ['pure', 'calls'] as const;
type Load = (typeof loads)[number];

/**
 * What share of the throughput it costs to count and serve metrics, and to trace one call in ten: the same installation three times
 * side by side, each working alone in its turn, on runs of pure blocks and on runs with calls. Each turn is compared with the plain
 * one beside it, by the CPU time that all processes use for a run: where all cores work, as here, the throughput is inverse to it,
 * and it does not fall when the machine waits. The throughput by the clock stands beside. Ended runs are not shown in Temporal (`MIRROR`): that is done later, in the turn of another subject.
 */
export async function telemetry(ground: Ground, { rounds, say }: Options) {
  const collector = await anyServer();
  const receiver = await anyServer();
  const subjects = await started(ground, collector.url, receiver.url);
  for (const name of names)
    for (const load of loads) await loop(subjects[name].loads[load], warmUpRuns[load], clients);
  for (let turn = 0; turn < rounds * turnsARound; turn++) {
    for (const load of loads)
      for (const name of orders[turn % orders.length] ?? names)
        await take(subjects[name], load, turnRuns[load]);
    if (turn % turnsARound === turnsARound - 1) say(`round ${(turn + 1) / turnsARound} of ${rounds}`);
  }
  for (const { stop } of [collector, receiver]) stop();
  if (collector.requests() === 0) throw new Error('No span was sent.');
  return figuresOf(subjects, say);
}

async function take(subject: Watched, load: Load, runs: number): Promise<void> {
  const cpuMs = subject.cpuMs();
  const [measured] = await Promise.all([loop(subject.loads[load], runs, clients), subject.scrape()]);
  await pause(settleMs);
  const { length } = measured.durationsMs;
  subject.runsPerS[load].push((length * 1000) / measured.wallMs);
  subject.cpuMsPerRun[load].push((subject.cpuMs() - cpuMs) / length);
}

function figuresOf(subjects: Record<Name, Watched>, say: (line: string) => void) {
  const costs = loads.flatMap((load) =>
    (['metrics', 'traces'] as const).map((name) => ({
      name,
      load,
      ...costOf(subjects.plain.cpuMsPerRun[load], subjects[name].cpuMsPerRun[load]),
      byClock: costOf(subjects[name].runsPerS[load], subjects.plain.runsPerS[load]),
    })),
  );
  const head = ['share of throughput', 'by CPU', 'from', 'to', 'by the clock', 'from', 'to'];
  say(
    table(
      head,
      costs.map(({ name, load, median, from, to, byClock }) => [
        `${name}, ${load}`,
        median,
        from,
        to,
        byClock.median,
        byClock.from,
        byClock.to,
      ]),
    ),
  );
  const worst = (name: Name) =>
    Math.max(...costs.filter((cost) => cost.name === name).map(({ median }) => median));
  const [metricsCost, tracesCost] = [worst('metrics'), worst('traces')];
  const medians = (of: (subject: Watched) => Record<Load, number[]>) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        Object.fromEntries(loads.map((load) => [load, round(quantile(of(subjects[name])[load], 0.5))])),
      ]),
    );
  return {
    bench: 'telemetry',
    metricsCost,
    tracesCost,
    goals,
    goalsHold: metricsCost <= goals.metricsCost && tracesCost <= goals.tracesCost,
    costs,
    cpuMsPerRun: medians(({ cpuMsPerRun }) => cpuMsPerRun),
    runsPerS: medians(({ runsPerS }) => runsPerS),
  };
}

/** The median over the turns of what is lost beside the plain one, and the bounds within which it lies in 95 of 100 such measurements. */
function costOf(subject: number[], plain: number[]): { median: number; from: number; to: number } {
  const shares = subject.map((one, turn) => 1 - one / (plain[turn] ?? 1));
  // By the ranks of the binomial distribution, whatever the distribution of the shares is.
  const reach = 0.98 / Math.sqrt(shares.length);
  const at = (share: number) => round(quantile(shares, Math.min(1, Math.max(0, share))), 4);
  return { median: at(0.5), from: at(0.5 - reach), to: at(0.5 + reach) };
}

async function started(ground: Ground, collector: string, receiver: string): Promise<Record<Name, Watched>> {
  const [port, workerPort] = [await freePort(), await freePort()];
  const scrape = async () => {
    for (const one of [port, workerPort]) await (await fetch(`http://127.0.0.1:${one}/metrics`)).text();
  };
  const alike = { MIRROR: 'none' };
  const counted = { ...alike, METRICS_PORT: String(port), WORKER_METRICS_PORT: String(workerPort) };
  const sampled = { ...alike, OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_TRACES_SAMPLER_ARG: '0.1' };
  const nothing = async () => undefined;
  return {
    plain: await watched(ground, await ground.another('plain', { env: alike }), {
      receiver,
      scrape: nothing,
    }),
    metrics: await watched(ground, await ground.another('metrics', { env: counted }), { receiver, scrape }),
    traces: await watched(ground, await ground.another('traces', { env: sampled }), {
      receiver,
      scrape: nothing,
    }),
  };
}

async function watched(
  ground: Ground,
  installation: Installation,
  { receiver, scrape }: { receiver: string; scrape: () => Promise<void> },
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
    cpuMs: () => Object.values(cpuOf(ground.pidsOf(installation))).reduce((sum, one) => sum + one, 0),
    runsPerS: { pure: [], calls: [] },
    cpuMsPerRun: { pure: [], calls: [] },
  };
}

/** Takes spans, or calls, and does nothing with them: what others do elsewhere is no cost of ours. */
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
