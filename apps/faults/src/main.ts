import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '#apps/local/src/say';
import { Campaign } from './campaign.ts';
import { faultsOf } from './checks.ts';
import { poolerVersion } from './pooler.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';
import { figuresOf, machine } from './report.ts';

const usage = `npm run faults -- [options]

  --runs N   executions in all (default 1000)
  --seed N   which processes are killed, and when (default 1)
  --round N  executions that begin between one recovery and the next (default 15)
  --pure N   so many executions of pure blocks follow each of the other kinds, for a great load (default 0)
  --away S   for how many seconds the database is away in the fifth round (default 20)
  --held S   for how many seconds another writer holds the table in the third round, and in each sixth after it (default 8)
  --ahead S  by how many seconds the clock of the first worker is ahead of all others (default 3600)
  --pooler   put PgBouncer, in transaction mode, between all processes and Postgres, where it is installed

Starts the whole product as npm start does, on data of its own, with a second API and a second worker. Executes workflows of all kinds
and imports files, while processes are killed with SIGKILL and told to stop with SIGTERM at random; once Postgres has no space left, once
it is away, and a table is held. At the end each accepted execution must have ended as its
kind does, or be paused still, each of its calls must have arrived under one key, no completed block may have been repeated, each vote and
each row must be there once, no key may have two executions, Temporal must agree with the rows, and each run must be in the logs once,
with costs whose sum is that of the ledger.
The last line of standard output is one JSON object. The exit code is 1 when something is broken.`;

/** The options that are numbers, each with its minimum. */
const least = { runs: 1, seed: -Infinity, round: 1, pure: 0, away: 0, held: 0, ahead: -Infinity };
type Numbers = Record<keyof typeof least, number>;

function readOptions(): (Numbers & { pooler: boolean }) | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      runs: text('1000'),
      seed: text('1'),
      round: text('15'),
      pure: text('0'),
      away: text('20'),
      held: text('8'),
      ahead: text('3600'),
      pooler: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const numbers = {} as Numbers;
  for (const name of Object.keys(least) as (keyof Numbers)[]) {
    numbers[name] = Number(values[name]);
    if (!Number.isInteger(numbers[name]) || numbers[name] < least[name])
      throw new Error(
        `--${name} is a whole number${Number.isFinite(least[name]) ? ` of ${least[name]} at least` : ''}.`,
      );
  }
  return { ...numbers, pooler: values.pooler };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return void process.stdout.write(`${usage}\n`);
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-faults-'));
  const receiver = await Receiver.start();
  const pooler = options.pooler ? poolerVersion() : null;
  if (options.pooler && !pooler)
    say('PgBouncer 1.21 or later is not installed, so all processes reach Postgres directly.');
  const aheadMs = options.ahead * 1000;
  const product = await Product.start({ folder, receiver: receiver.url, pooler: pooler !== null, aheadMs });
  try {
    const { runs, round: roundSize, pure, seed, away, held } = options;
    const troubles = { awayMs: away * 1000, heldMs: held * 1000 };
    const load = { runs, roundSize, pure, seed };
    const campaign = await Campaign.begin(product, { ...load, ...troubles, receiver: receiver.url, say });
    const result = await campaign.run();
    const { lost, repeated, other } = await faultsOf(result, receiver, product.temporalAddress);
    const faults = [...lost, ...repeated, ...other];
    for (const fault of faults) say(fault);
    const figures = {
      ...load,
      minutes: Math.round((performance.now() - begun) / 6000) / 10,
      broken: faults.length,
      lost: lost.length,
      repeated: repeated.length,
      ...figuresOf(result, receiver),
      firstWorkerAheadS: options.ahead,
      ...(await machine(product, pooler)),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await product.stop();
    receiver.stop();
    if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
    else say(`The data and the logs are kept in ${folder}.`);
  }
}

try {
  await main();
  process.exit();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
