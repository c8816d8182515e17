import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pure } from './definitions.ts';
import { quantile, round } from './figures.ts';
import type { Ground } from './ground.ts';
import { hasBegun, type HostileLoad, hostileLoads, type HostileOptions } from './hostile.ts';
import type { NeighbourWorkspace } from './installation.ts';
import { goalsHold } from './reports.ts';

/** The rows of all tables of the hostile tenant together. */
const rowsMax = 200_000;
/** The time between two calls, and the time for which each load is observed. */
const [everyMs, lookMs] = [25, 15_000];
/** The bench waits this long for the rest of the hostile work. */
const calmWithinMs = 180_000;

interface SharesOptions {
  rows: number;
  /** Runs only this load; all when absent. */
  load: string | undefined;
  say(line: string): void;
}

/** The times of the honest tenant's short calls, and the failures among them. */
interface Times {
  execute: number[];
  read: number[];
  refused: string[];
}

/**
 * The p95 of one tenant's short calls while another uses everything it can get, beside the p95 while the other is
 * quiet. The hostile tenant is a process with a low priority, and no rate limit stops it.
 */
export async function shares(
  ground: Ground,
  { rows, load: only, say }: SharesOptions,
): Promise<Record<string, unknown>> {
  const load1Before = loadavg()[0] ?? 0;
  const installation = await ground.another('shares');
  const honest = await Honest.in(await installation.neighbour('honest'));
  // The first calls warm up.
  await honest.callFor(lookMs / 3);
  const quiet = await honest.callFor(lookMs);
  const timesByLoad = new Map<HostileLoad, Times>();
  for (const load of hostileLoads.filter((one) => !only || one === only)) {
    const { key } = await installation.neighbour(load);
    const hostile = await begin({
      url: installation.url,
      key,
      personalKey: installation.personalKey,
      load,
      rows: Math.min(rows, rowsMax),
    });
    const times = await honest.callFor(lookMs);
    const answers = await endOf(hostile);
    timesByLoad.set(load, times);
    say(
      `${load}: execute ${p95(times.execute)} ms, read ${p95(times.read)} ms; the other was answered ${answers}`,
    );
    if (times.refused.length > 0) say(`${times.refused.length} calls failed: ${times.refused[0] ?? ''}`);
    await calmed(honest, quiet);
    // A machine gets slower and faster, so the quiet time is measured between all loads.
    add(quiet, await honest.callFor(lookMs / 3));
  }
  const loads = Object.fromEntries([...timesByLoad].map(([load, times]) => [load, figuresOf(times, quiet)]));
  return {
    bench: 'shares',
    quietP95Ms: { execute: p95(quiet.execute), read: p95(quiet.read) },
    loads,
    load1Before: round(load1Before),
    goalsHold:
      goalsHold('shares', { loads }, `loads/${only ? `${only}/` : ''}`) &&
      Object.values(loads).every(({ failed }) => failed === 0),
  };
}

/** The tenant that must not notice anything. */
class Honest {
  private constructor(
    private readonly home: NeighbourWorkspace,
    private readonly workflowId: string,
    private readonly rows: string,
  ) {}

  static async in(home: NeighbourWorkspace): Promise<Honest> {
    const { data } = await home.post('/api/v1/workflows', { name: 'short', definition: pure }, 201);
    const { id } = data as { id: string };
    await home.post(`/api/v1/workflows/${id}/deploy`, {}, 200);
    const schema = { columns: [{ name: 'a', type: 'number' }] };
    const created = await home.post('/api/v1/tables', { name: 'short', schema }, 200);
    const path = `/api/v1/tables/${(created['data'] as { table: { id: string } }).table.id}/rows`;
    await home.post(path, { rows: Array.from({ length: 100 }, (_, a) => ({ a })) }, 201);
    return new Honest(home, id, `${path}/query`);
  }

  /** Makes one execution and reads one page of rows in turn, like a person at a desk. */
  async callFor(ms: number): Promise<Times> {
    const times: Times = { execute: [], read: [], refused: [] };
    const endsAtMs = performance.now() + ms;
    while (performance.now() < endsAtMs) {
      const execute = () =>
        this.home.post(`/api/workflows/${this.workflowId}/execute`, { inputs: { amount: 7 } }, 200);
      times.execute.push(await timed(execute, times.refused));
      const read = () => this.home.post(this.rows, { filter: { a: { $lt: 20 } }, limit: 20 }, 200);
      times.read.push(await timed(read, times.refused));
      await pause(everyMs);
    }
    return times;
  }
}

/** The time of the call, also when it fails. */
async function timed(call: () => Promise<unknown>, refused: string[]): Promise<number> {
  const begunAtMs = performance.now();
  await call().catch((error: unknown) => refused.push(String(error)));
  return performance.now() - begunAtMs;
}

/** Starts the load. Resolves when it has begun. */
async function begin(options: HostileOptions): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('./hostile.js', import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => ['']),
  ]);
  if (line !== hasBegun) throw new Error(`The hostile tenant has ended: ${String(line)}`);
  return child;
}

/** Ends the load. Returns the number of its answers by status; 0 is a broken connection. */
async function endOf(child: ChildProcess): Promise<string> {
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return Buffer.concat(output).toString().trim();
}

/** Waits until the calls are about as short as before, because work of the hostile tenant may still be under way. */
async function calmed(honest: Honest, quiet: Times): Promise<void> {
  const endsAtMs = performance.now() + calmWithinMs;
  while (performance.now() < endsAtMs) {
    const { execute, read } = await honest.callFor(3000);
    if (p95(execute) < 1.5 * p95(quiet.execute) && p95(read) < 1.5 * p95(quiet.read)) return;
  }
}

function figuresOf({ execute, read, refused }: Times, quiet: Times) {
  return {
    executeP95Ms: p95(execute),
    executeRatio: round(p95(execute) / p95(quiet.execute)),
    readP95Ms: p95(read),
    readRatio: round(p95(read) / p95(quiet.read)),
    calls: execute.length + read.length,
    failed: refused.length,
  };
}

const p95 = (times: number[]) => round(quantile(times, 0.95));

function add(sum: Times, { execute, read, refused }: Times): void {
  sum.execute.push(...execute);
  sum.read.push(...read);
  sum.refused.push(...refused);
}
