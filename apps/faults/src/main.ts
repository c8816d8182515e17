import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '#apps/local/src/say';
import { Campaign, type Told } from './campaign.ts';
import { broken } from './checks.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';

const usage = `npm run faults -- [options]

  --runs N   executions in all (default 1000)
  --seed N   which processes are killed, and when (default 1)
  --round N  executions that begin between one recovery and the next (default 15)
  --pure N   so many executions of pure blocks follow each of the other kinds, for a great load (default 0)

Starts the whole product as npm start does, on data of its own. Executes workflows of all kinds while API, worker, Temporal and
Postgres are killed with SIGKILL at random, and once Postgres has no space left. At the end each accepted execution must have ended as its
kind does, or be paused still, each of its calls must have arrived under one key, no completed block may have been repeated, Temporal must
agree with the rows, and each run must be in the logs once, with costs whose sum is that of the ledger.
The last line of standard output is one JSON object. The exit code is 1 when something is broken.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      round: { type: 'string', default: '15' },
      pure: { type: 'string', default: '0' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const [runs, seed] = [Number(values.runs), Number(values.seed)];
  if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed))
    throw new Error('--runs and --seed are whole numbers, and --runs is above 0.');
  const [roundSize, pure] = [Number(values.round), Number(values.pure)];
  if (!Number.isInteger(roundSize) || roundSize < 1 || !Number.isInteger(pure) || pure < 0)
    throw new Error('--round and --pure are whole numbers, and --round is above 0.');
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-faults-'));
  const receiver = await Receiver.start();
  const product = await Product.start(folder, receiver.url);
  try {
    const load = { runs, roundSize, pure };
    const told = await new Campaign(product, { ...load, seed, receiver: receiver.url, say }).run();
    const faults = await broken(told, receiver, product.temporalAddress);
    for (const fault of faults) say(fault);
    const figures = {
      ...load,
      seed,
      minutes: Math.round((performance.now() - begun) / 6000) / 10,
      broken: faults.length,
      ended: ends(told),
      kills: told.kills,
      refusedSpace: told.refusedSpace,
      repeatedDeliveries: [...receiver.receipts.values()].filter(({ deliveries }) => deliveries > 1).length,
      putOff: receiver.putOff.size,
      underWayAtRecovery: told.movesS.length,
      ...spread('move', told.movesS),
      ...spread('end', told.recoveriesS),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await product.stop();
    receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many runs ended in which way. */
function ends({ outcomes }: Told): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Median, 95 % and longest of some times in seconds. */
function spread(name: string, seconds: number[]): Record<string, number> {
  const sorted = seconds.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
  return { [`${name}P50S`]: at(0.5), [`${name}P95S`]: at(0.95), [`${name}MaxS`]: at(1) };
}

try {
  await main();
  process.exit();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
