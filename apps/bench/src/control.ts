import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readCpu } from './costs.ts';
import { approval, pure } from './definitions.ts';
import { quantile, round, summarise } from './figures.ts';
import type { Ground } from './ground.ts';
import { Receiver } from './http.ts';
import type { Installation, NeighbourWorkspace } from './installation.ts';
import { goalsHold } from './reports.ts';
import { loop } from './rounds.ts';

/** Visits of the executions that are forked. */
const visits = 10_000;
const forks = 10;
/** Executions that a backtest replays. */
const backtested = 200;
const backtests = 10;
const perSecond = 50;
const quietMs = 20_000;

interface ControlOptions {
  /** Executions of the bulk job. */
  waiting: number;
  say: (line: string) => void;
}

/** Forks of long executions, a backtest, and a bulk retry of many beside a neighbour. */
export async function control(ground: Ground, { waiting, say }: ControlOptions): Promise<object> {
  const product = await ground.another('control');
  const receiver = await ground.keep(Receiver.start());
  const fork = await forkLongRun(ground, product, small);
  say(`a fork of ${visits} visits: p50 ${fork.p50Ms} ms, CPU ${fork.cpuMs} ms`);
  const [called] = callOnce(receiver.url).blocks;
  const forkOfCalls = await forkLongRun(ground, product, { ...called, id: 'small' });
  say(`a fork of ${visits} calls: p50 ${forkOfCalls.p50Ms} ms, CPU ${forkOfCalls.cpuMs} ms`);
  const backtest = await backtestRuns(product, receiver);
  say(`a backtest of ${backtested} executions: p50 ${backtest.p50Ms} ms`);
  const bulk = await retryInBulk(ground, product, receiver, waiting);
  say(
    `${waiting} retries at ${perSecond} a second: ${bulk.ratioToAsked} of the rate, CPU ${bulk.cpuMs} ms each`,
  );
  say(`a neighbour: p95 ${bulk.besideP95Ms} ms, without the job ${bulk.quietP95Ms} ms`);
  const figures = { fork, forkOfCalls, backtest, bulk };
  return { bench: 'control', ...figures, goalsHold: goalsHold('control', figures) };
}

const small = { id: 'small', type: 'condition', cases: [{ port: 'large', when: 'start.n > 3' }] };

/** Forks an execution whose loop repeats the block, from the pause behind the loop. */
async function forkLongRun(ground: Ground, product: Installation, repeated: object) {
  const body = { blocks: [repeated], edges: [{ from: 'start', to: 'small' }] };
  const [ask, done] = approval.blocks;
  const long = await product.deployed(`long ${Object(repeated).type}`, {
    start: { inputs: { n: { type: 'number', default: 1 } } },
    blocks: [{ id: 'each', type: 'loop', params: { count: visits - 10 }, body }, ask, done],
    edges: [{ from: 'start', to: 'each' }, { from: 'each', to: 'approve' }, ...approval.edges.slice(1)],
  });
  const run = await product.post(`/api/workflows/${long}/execute`, { async: true }, 202);
  const path = `/api/workflows/${long}/executions/${String(run['executionId'])}`;
  while ((await product.get(path))['status'] !== 'paused') await pause(200);
  const once = async () => void (await product.post(`${path}/fork`, { from: 'approve' }, 202));
  await loop({ name: 'warm', once }, 3, 1);
  const before = readCpu(ground.getPids(product));
  const { p50Ms, p95Ms } = summarise(await loop({ name: 'fork', once }, forks, 1));
  const { api = 0, postgres = 0 } = growth(before, readCpu(ground.getPids(product)));
  return { p50Ms, p95Ms, cpuMs: round((api + postgres) / forks) };
}

/** Replays executions of one call on the version that has run them. */
async function backtestRuns(product: Installation, receiver: Receiver) {
  const workflow = await product.deployed('recorded', callOnce(receiver.url));
  const execute = async () => void (await product.post(`/api/workflows/${workflow}/execute`, {}, 200));
  await loop({ name: 'record', once: execute }, backtested, 10);
  const wish = { version: 1, executions: backtested };
  const once = async () => {
    const { data } = await product.post(`/api/v1/workflows/${workflow}/backtest`, wish, 200);
    const { same } = Object(data).counts;
    if (same !== backtested) throw new Error(`${same} of ${backtested} are the same.`);
  };
  await loop({ name: 'warm', once }, 3, 1);
  const { p50Ms, p95Ms } = summarise(await loop({ name: 'backtest', once }, backtests, 1));
  return { p50Ms, p95Ms };
}

/** Lets `count` executions fail, and retries them by one job while a neighbour calls. */
async function retryInBulk(ground: Ground, product: Installation, receiver: Receiver, count: number) {
  receiver.status = 500;
  const workflow = await product.deployed('failing', callOnce(receiver.url));
  const fail = async () => void (await product.post(`/api/workflows/${workflow}/execute`, {}, 200));
  await loop({ name: 'fail', once: fail }, count, 10);
  receiver.status = 200;
  const call = await deployCall(await product.neighbour());
  await loop({ name: 'warm', once: call }, 50, 1);
  const quiet = await loop({ name: 'quiet', once: call }, Infinity, 1, quietMs);

  const [before, begin] = [readCpu(ground.getPids(product)), performance.now()];
  const wish = { verb: 'retry', filter: { workflowIds: workflow }, perSecond };
  const { job } = (await product.post('/api/v1/bulk', wish, 202))['data'] as { job: { id: string } };
  const read = async () => (await product.get(`/api/v1/bulk/${job.id}`))['data'] as { status: string };
  const beside: number[] = [];
  while ((await read()).status === 'running')
    beside.push(...(await loop({ name: 'beside', once: call }, 20, 1)).durationsMs);
  const lastedS = (performance.now() - begin) / 1000;
  const cpu = growth(before, readCpu(ground.getPids(product)));

  const completed = await countCompleted(product.databaseUrl, workflow, count);
  const [quietP95Ms, besideP95Ms] = [quiet.durationsMs, beside].map((times) => round(quantile(times, 0.95)));
  return {
    retried: completed,
    missing: count - completed,
    ratioToAsked: round(count / lastedS / perSecond),
    cpuMs: round(((cpu['api'] ?? 0) + (cpu['worker'] ?? 0) + (cpu['postgres'] ?? 0)) / count),
    quietP95Ms,
    besideP50Ms: round(quantile(beside, 0.5)),
    besideP95Ms,
    neighbourRatio: round((besideP95Ms ?? 0) / (quietP95Ms ?? 1)),
  };
}

const callOnce = (url: string) => ({
  blocks: [{ id: 'call', type: 'http', params: { method: 'POST', url }, retry: { maxAttempts: 1 } }],
  edges: [{ from: 'start', to: 'call' }],
});

/** Makes a workflow of the neighbour. Returns what executes it once. */
async function deployCall(neighbour: NeighbourWorkspace): Promise<() => Promise<void>> {
  const { data } = await neighbour.post('/api/v1/workflows', { name: 'pure', definition: pure }, 201);
  const { id } = data as { id: string };
  await neighbour.post(`/api/v1/workflows/${id}/deploy`, undefined, 200);
  return async () =>
    void (await neighbour.post(`/api/workflows/${id}/execute`, { inputs: { amount: 7 } }, 200));
}

/** Counts the completed executions of a workflow, once they are `count` or ten minutes are over: Temporal may be far behind. */
async function countCompleted(databaseUrl: string, workflow: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const text = `select count(*)::int as n from executions where workflow_id = $1 and status = 'completed'`;
    for (const endsAtMs = performance.now() + 600_000; ; await pause(200)) {
      const { n = 0 } = (await client.query<{ n: number }>(text, [workflow])).rows[0] ?? {};
      if (n >= count || performance.now() > endsAtMs) return n;
    }
  } finally {
    await client.end();
  }
}

const growth = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]));
