import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bare } from './bare.ts';
import { quantile, round, summarise } from './figures.ts';
import type { Ground } from './ground.ts';
import type { Installation } from './installation.ts';
import { goalsHold } from './reports.ts';
import { callInEachBranch, loop } from './rounds.ts';

/** The receiver keeps a call this long. */
const holdMs = 1;
const branches = 1000;
const window = 50;

interface HttpOptions {
  rounds: number;
  runs: number;
  say: (line: string) => void;
}

/** One, three and ten HTTP calls in a row to a receiver that answers in 1 ms, and a parallel of 1,000 of them, beside bare activities. */
export async function http(ground: Ground, { rounds, runs, say }: HttpOptions): Promise<object> {
  const product = ground.installation;
  const receiver = await Receiver.start();
  try {
    const row = await Promise.all([1, 3, 10].map((count) => callsInRow(product, count, receiver.url)));
    const wide = await wideCalls(product, receiver.url);
    const timed = new Timed(ground.bare, receiver.url);
    for (let turn = 0; turn < rounds; turn++) {
      for (let i = 0; i < runs; i++) await timed.rows(row);
      await timed.wide(wide);
      say(`round ${turn + 1} of ${rounds}: ${timed.line}`);
    }
    const { figures } = timed;
    const at10 = await loop({ name: '3 calls', once: async () => void (await row[1]?.()) }, runs * 5, 10);
    const { p50Ms, runsPerS } = summarise(at10);
    return {
      bench: 'http',
      ...figures,
      goalsHold: goalsHold('http', figures),
      calls3At10: { p50Ms, runsPerS },
    };
  } finally {
    receiver.stop();
  }
}

/** The times of all rounds, ours beside bare ones. */
class Timed {
  private readonly ours: number[][] = [[], [], []];
  private readonly bare10: number[] = [];
  private readonly raw: number[] = [];
  private readonly rates = { ours: [] as number[], bare: [] as number[] };

  constructor(
    private readonly bare: Bare,
    private readonly url: string,
  ) {}

  async rows(row: TimedRun[]): Promise<void> {
    for (const [n, run] of row.entries()) {
      this.ours[n]?.push((await run()).ms);
    }
    this.bare10.push(await this.bare.calls(10, this.url));
    this.raw.push(await rawCalls(this.url, 10));
  }

  async wide(run: TimedRun): Promise<void> {
    this.rates.ours.push(branches / ((await run()).ms / 1000));
    this.rates.bare.push(branches / ((await this.bare.branches(branches, window, this.url)) / 1000));
  }

  get line(): string {
    const { calls1P50Ms, calls3P50Ms, calls10P50Ms, bare10P50Ms, effectsPerS } = this.figures;
    return `1, 3, 10 calls in ${calls1P50Ms}, ${calls3P50Ms}, ${calls10P50Ms} ms; 10 bare activities in ${bare10P50Ms} ms; effects a second ${JSON.stringify(effectsPerS)}`;
  }

  get figures() {
    const p50 = (all: number[] = []) => quantile(all, 0.5);
    const [p1, p3, p10] = [p50(this.ours[0]), p50(this.ours[1]), p50(this.ours[2])];
    const [bare10, rawCallMs] = [p50(this.bare10), p50(this.raw) / 10];
    const [ours, bare] = [p50(this.rates.ours), p50(this.rates.bare)];
    return {
      calls10P50Ms: round(p10),
      calls10RatioToBare: round(p10 / bare10),
      perCallOverheadMs: round((p10 - p1) / 9 - rawCallMs),
      branches1000RatioToBare: round(ours / bare),
      calls1P50Ms: round(p1),
      calls3P50Ms: round(p3),
      rawCallMs: round(rawCallMs),
      bare10P50Ms: round(bare10),
      effectsPerS: { ours: round(ours), bare: round(bare) },
    };
  }
}

/** Three function blocks in a row beside three HTTP calls. */
export async function functions(ground: Ground, { rounds, runs, say }: HttpOptions): Promise<object> {
  const product = ground.installation;
  const receiver = await Receiver.start();
  try {
    const calls = await callsInRow(product, 3, receiver.url);
    const code = await inRow(product, 'three functions', 3, (id) => ({
      id,
      type: 'function',
      params: { code: 'return 1' },
    }));
    const times = { calls: [] as number[], code: [] as number[] };
    for (let turn = 0; turn < rounds; turn++) {
      for (let i = 0; i < runs; i++) {
        times.calls.push((await calls()).ms);
        times.code.push((await code()).ms);
      }
      say(
        `round ${turn + 1} of ${rounds}: three calls in ${round(quantile(times.calls, 0.5))} ms, three functions in ${round(quantile(times.code, 0.5))} ms`,
      );
    }
    const [callsMs, codeMs] = [quantile(times.calls, 0.5), quantile(times.code, 0.5)];
    const at10 = await loop({ name: '3 functions', once: async () => void (await code()) }, runs * 5, 10);
    const figures = {
      overHttp3Ms: round(codeMs - callsMs),
      functions3P50Ms: round(codeMs),
      functions3P95Ms: round(quantile(times.code, 0.95)),
      functions3RunsPerS: summarise(at10).runsPerS,
      calls3P50Ms: round(callsMs),
    };
    return { bench: 'functions', ...figures, goalsHold: goalsHold('functions', figures) };
  } finally {
    receiver.stop();
  }
}

export type TimedRun = () => Promise<{ ms: number; executionId: string }>;

export function callsInRow(product: Installation, count: number, url: string): Promise<TimedRun> {
  return inRow(product, `${count} calls`, count, (id) => ({
    id,
    type: 'http',
    params: { method: 'GET', url },
  }));
}

/** Puts blocks one after the other, with a response at the end. */
async function inRow(
  product: Installation,
  name: string,
  count: number,
  block: (id: string) => { id: string },
): Promise<TimedRun> {
  const blocks = [
    ...Array.from({ length: count }, (_, i) => block(`b${i}`)),
    { id: 'done', type: 'response', params: { data: 'done' } },
  ];
  const edges = blocks.map(({ id }, i) => ({ from: blocks[i - 1]?.id ?? 'start', to: id }));
  return running(product, await product.deployed(name, { blocks, edges }));
}

async function wideCalls(product: Installation, url: string): Promise<TimedRun> {
  return running(product, await product.deployed('1,000 calls', callInEachBranch(url, branches, window)));
}

async function running(product: Installation, workflowId: string): Promise<TimedRun> {
  const run = async () => {
    const begin = performance.now();
    const { executionId, status } = await product.post(`/api/workflows/${workflowId}/execute`, {}, 200);
    if (status !== 'completed') throw new Error(`The run ${String(executionId)} is ${String(status)}.`);
    return { ms: performance.now() - begin, executionId: String(executionId) };
  };
  for (let i = 0; i < 3; i++) await run();
  return run;
}

async function rawCalls(url: string, count: number): Promise<number> {
  const begin = performance.now();
  for (let i = 0; i < count; i++) await (await fetch(url)).text();
  return performance.now() - begin;
}

/** Answers each call after 1 ms. */
export class Receiver {
  /** The status of its answers. */
  status = 200;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Starts one, which tells when each call came and when it was answered, by `performance.now()`. */
  static async start(tell = (_cameMs: number, _answeredMs: number): void => {}): Promise<Receiver> {
    const server = createServer((_, response) => {
      const came = performance.now();
      setTimeout(() => {
        response.writeHead(receiver.status).end('ok');
        tell(came, performance.now());
      }, holdMs);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/`);
    return receiver;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
