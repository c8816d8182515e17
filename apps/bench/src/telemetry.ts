import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '#apps/local/src/ports';
import { cpuOf } from './costs.ts';
import { pure } from './definitions.ts';
import { quantile, round, table } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { loop, type Subject } from './rounds.ts';

const goals = { metricsCost: 0.02, tracesCost: 0.05 };
const clients = 10;

interface Options {
  rounds: number;
  runs: number;
  say(line: string): void;
}

/** An installation, what to read while it works, and of each round its throughput and what API and worker used for a run. */
interface Watched extends Subject {
  scrape(): Promise<void>;
  cpuMs(): number;
  runsPerS: number[];
  cpuMsPerRun: number[];
}

/**
 * What share of the throughput it costs to count and serve metrics, and to trace one call in ten: the same installation three times
 * side by side, each working alone in its turn. Each round is compared with the plain one of the same round.
 */
export async function telemetry(ground: Ground, { rounds, runs, say }: Options) {
  const collector = await anyCollector();
  const [port, workerPort] = [await freePort(), await freePort()];
  const ports = { METRICS_PORT: String(port), WORKER_METRICS_PORT: String(workerPort) };
  const sampled = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0.1' };
  const scrape = async () => {
    for (const one of [port, workerPort]) await (await fetch(`http://127.0.0.1:${one}/metrics`)).text();
  };
  const plain = await watched('plain', await ground.another('plain'));
  const metrics = await watched('metrics', await ground.another('metrics', { env: ports }), scrape);
  const traces = await watched('traces', await ground.another('traces', { env: sampled }));
  const subjects = [plain, metrics, traces];
  for (const subject of subjects) await loop(subject, runs, clients);
  for (let turn = 0; turn < rounds; turn++) {
    for (const subject of [...subjects.slice(turn % 3), ...subjects.slice(0, turn % 3)]) {
      const cpuMs = subject.cpuMs();
      const [measured] = await Promise.all([loop(subject, runs * 5, clients), subject.scrape()]);
      const { length } = measured.durationsMs;
      subject.runsPerS.push((length * 1000) / measured.wallMs);
      subject.cpuMsPerRun.push((subject.cpuMs() - cpuMs) / length);
    }
    say(
      `round ${turn + 1} of ${rounds}: ${subjects.map(({ name, runsPerS }) => `${name} ${round(runsPerS[turn] ?? 0)}/s`).join(', ')}`,
    );
  }
  collector.stop();
  if (collector.requests() === 0) throw new Error('No span was sent.');
  const costs = { metricsCost: costOf(metrics, plain), tracesCost: costOf(traces, plain) };
  say(
    table(
      ['', 'runs/s'],
      subjects.map(({ name, runsPerS }) => [name, quantile(runsPerS, 0.5)]),
    ),
  );
  return {
    bench: 'telemetry',
    ...costs,
    goals,
    goalsHold: costs.metricsCost <= goals.metricsCost && costs.tracesCost <= goals.tracesCost,
    // Steadier than the throughput where something else is at work on the machine.
    cpuMsPerRun: Object.fromEntries(
      subjects.map(({ name, cpuMsPerRun }) => [name, round(quantile(cpuMsPerRun, 0.5))]),
    ),
    runsPerS: Object.fromEntries(
      subjects.map(({ name, runsPerS }) => [name, runsPerS.map((one) => round(one))]),
    ),
  };
}

/** The median over the rounds of what is lost beside the plain one; below zero when the noise is greater than the cost. */
function costOf(subject: Watched, plain: Watched): number {
  const shares = subject.runsPerS.map((runsPerS, turn) => 1 - runsPerS / (plain.runsPerS[turn] ?? 1));
  return round(quantile(shares, 0.5), 4);
}

async function watched(
  name: string,
  installation: Installation,
  scrape = async (): Promise<void> => undefined,
): Promise<Watched> {
  const path = `/api/workflows/${await installation.deployed('pure', pure)}/execute`;
  const once = async () => void (await installation.post(path, { inputs: { amount: 5000 } }, 200));
  const cpuMs = () => Object.values(cpuOf(installation.pids)).reduce((sum, one) => sum + one, 0);
  return { name, once, scrape, cpuMs, runsPerS: [], cpuMsPerRun: [] };
}

/** Takes spans and does nothing with them: what a collector does elsewhere is no cost of ours. */
async function anyCollector(): Promise<{ url: string; requests(): number; stop(): void }> {
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
