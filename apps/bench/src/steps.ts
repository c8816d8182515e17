import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bare } from './bare.ts';
import { mean, quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { TemporalSync } from './temporal-sync.ts';
import { replaySteps } from './replay.ts';
import { goalsHold } from './reports.ts';
import { callInEachBranch } from './rounds.ts';

const calls = 200;
/** This many calls make about 300 events. */
const fewCalls = 44;
const branches = 1000;
const window = 50;
/** The receiver keeps each call of the parallel this long. */
const holdMs = 2000;

export interface StepFigures {
  bench: 'steps';
  goalsHold: boolean;
  [figure: string]: unknown;
}

/** The cost of a step of a long run: pure blocks, effects beside bare activities, a wide parallel, and a replay. */
export async function steps(
  ground: Ground,
  { rounds, say }: { rounds: number; say: (line: string) => void },
): Promise<StepFigures> {
  const product = ground.installation;
  const receiver = await CountingReceiver.start();
  try {
    const pure = await pureSteps(product, ground.bare, rounds, say);
    const effects = await effectSteps(product, ground.bare, { rounds, receiver, say });
    const memory = await memoryOfLoop(product, say);
    const wide = await wideParallel(product, receiver, say);
    const replay = await replaySteps(
      ground.bare,
      { ours: effects.replayed, bare: effects.bareReplayed },
      say,
    );
    const figures = { ...pure, ...effects.figures, ...memory, ...wide, ...replay };
    return { bench: 'steps', ...figures, goalsHold: goalsHold('steps', figures) };
  } finally {
    receiver.stop();
  }
}

const counter = { variables: { n: { type: 'number', initial: 0 } } };

/** A loop of `count` passes, with further blocks in its body. */
function loopOf(count: number, body: { id: string }[], more: object = {}): object {
  const ids = ['start', ...body.map(({ id }) => id)];
  const edges = body.map(({ id }, i) => ({ from: ids[i], to: id }));
  return {
    ...counter,
    blocks: [
      { id: 'each', type: 'loop', params: { count }, body: { blocks: body, edges }, ...more },
      { id: 'done', type: 'response', params: { data: '{{ each.count }}' } },
    ],
    edges: [
      { from: 'start', to: 'each' },
      { from: 'each', to: 'done' },
    ],
  };
}

const add = (id: string) => ({ id, type: 'variables', params: { set: { n: '{{ vars.n + 1 }}' } } });

async function pureSteps(product: Installation, bare: Bare, rounds: number, say: (line: string) => void) {
  const run = async (count: number) =>
    timed(product, await product.deployed(`pure-${count}`, loopOf(count, [add('inc')])));
  // The API runs a hundred blocks itself. It only tries the first blocks of longer runs; Temporal runs them.
  const counts = [0, 100, 1000, 2000, 10_000] as const;
  const all: Awaited<ReturnType<typeof timed>>[] = [];
  for (const count of counts) all.push(await run(count));
  const times: number[][] = all.map(() => []);
  for (const each of all) await each.times(5);
  for (let turn = 0; turn < rounds; turn++) {
    // The time of a thousand steps is a small difference of two times, so these are measured often, and in turn.
    for (let i = 0; i < 20; i++)
      for (const [at, each] of all.entries())
        if (at < 4 || i % 4 === 0) times[at]?.push(...(await each.times(1)));
    say(
      `pure steps, round ${turn + 1} of ${rounds}: ${counts.map((count, i) => `${count} in ${round(mean(times[i] ?? []))} ms`).join(', ')}`,
    );
  }
  // Means, because other work of a busy machine adds to each long run and only to some short ones. A median would drop
  // it there.
  const [base = 0, of100 = 0, of1000 = 0, of2000 = 0, of10000 = 0] = times.map(mean);
  const further = (of10000 - of2000) / 8000;
  await new TemporalSync(product).settle();
  const [, , , twoThousand = 0, many = 0] = await Promise.all(
    all.map((each) => bare.historyLength(each.last())),
  );
  return {
    pureBlockMs: round(further, 4),
    pureBlockOf100Ms: round((of100 - base) / 100, 4),
    costPerStepRatio10000To1000: round(further / ((of2000 - of1000) / 1000)),
    // A segment is the 1,000 blocks of one record.
    eventsPerPureSegment: round((many - twoThousand) / 8),
  };
}

async function effectSteps(
  product: Installation,
  bare: Bare,
  { rounds, receiver, say }: { rounds: number; receiver: CountingReceiver; say: (line: string) => void },
) {
  const body = [{ id: 'fetch', type: 'http', params: { method: 'GET', url: receiver.url('/') } }];
  const run = async (count: number) =>
    timed(product, await product.deployed(`calls-${count}`, loopOf(count, body)));
  const [none, some, replayed] = [await run(0), await run(calls), await run(fewCalls)];
  const ours: number[] = [];
  const theirs: number[] = [];
  await bare.calls(20, receiver.url('/'));
  await replayed.times(1);
  for (let turn = 0; turn < rounds; turn++) {
    theirs.push(await bare.calls(calls, receiver.url('/')));
    ours.push(...(await some.times(1)));
    say(
      `effects, round ${turn + 1} of ${rounds}: ${calls} bare activities in ${round(quantile(theirs, 0.5))} ms, ours in ${round(quantile(ours, 0.5))} ms`,
    );
  }
  const base = quantile(await none.times(5), 0.5);
  await new TemporalSync(product).settle();
  // The difference is the cost of further calls. The timer for the run's time limit is two events for any number of
  // calls.
  const events = (await bare.historyLength(some.last())) - (await bare.historyLength(replayed.last()));
  await bare.calls(fewCalls, receiver.url('/'));
  const effectMs = (quantile(ours, 0.5) - base) / calls;
  const bareActivityMs = quantile(theirs, 0.5) / calls;
  return {
    replayed: replayed.last(),
    bareReplayed: bare.lastCalls,
    figures: {
      effectMs: round(effectMs),
      bareActivityMs: round(bareActivityMs),
      effectRatioToBareActivity: round(effectMs / bareActivityMs),
      eventsPerActivity: round(events / (calls - fewCalls)),
    },
  };
}

async function memoryOfLoop(product: Installation, say: (line: string) => void) {
  const one = await timed(product, await product.deployed('loop', loopOf(2000, ['a', 'b', 'c'].map(add))));
  await one.times(2);
  const before = residentMb(product.pids['api'] ?? 0);
  const times = await one.times(5);
  const loop2000x3GrowthMb = round(residentMb(product.pids['api'] ?? 0) - before);
  say(
    `2,000 × 3 blocks in ${round(quantile(times, 0.5))} ms; the process grew by ${loop2000x3GrowthMb} MB over 5 runs`,
  );
  return { loop2000x3Ms: round(quantile(times, 0.5)), loop2000x3GrowthMb };
}

/** The use of the window as the receiver sees it, from the first call to the last answer. */
async function wideParallel(product: Installation, receiver: CountingReceiver, say: (line: string) => void) {
  const definition = callInEachBranch(receiver.url('/hold'), branches, window);
  const one = await timed(product, await product.deployed('wide', definition));
  const [ms = 0] = await one.times(1);
  const windowUse = round((branches * holdMs) / ms / window);
  say(
    `1,000 branches in ${round(ms)} ms; at most ${receiver.most} calls at once, the window ${windowUse * 100} % full on average`,
  );
  return {
    parallel1000Ms: round(ms),
    parallel1000MostAtOnce: receiver.most,
    parallel1000WindowUse: windowUse,
  };
}

/** Runs of one workflow, each timed from the caller's view. */
async function timed(product: Installation, workflowId: string) {
  let last = '';
  const once = async () => {
    const begin = performance.now();
    const { executionId, status } = await product.post(`/api/workflows/${workflowId}/execute`, {}, 200);
    if (status !== 'completed') throw new Error(`The run ${String(executionId)} is ${String(status)}.`);
    last = String(executionId);
    return performance.now() - begin;
  };
  await once();
  return {
    last: () => last,
    times: async (count: number) => {
      const all: number[] = [];
      for (let i = 0; i < count; i++) all.push(await once());
      return all;
    },
  };
}

function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** Answers at once, and `/hold` after a while. Counts the most calls that it held at the same time. */
class CountingReceiver {
  most = 0;
  private held = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CountingReceiver> {
    const server = createServer();
    const receiver = new CountingReceiver(server);
    server.on('request', ({ url }, response) => {
      if (url !== '/hold') return response.end('ok');
      receiver.most = Math.max(receiver.most, ++receiver.held);
      return setTimeout(() => {
        receiver.held--;
        response.end('ok');
      }, holdMs);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
