import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { say } from '#apps/local/src/say';
import { Campaign } from './campaign.ts';
import { findFaults } from './checks.ts';
import { Disk } from './disk.ts';
import { runDeliveries } from './starts/deliveries.ts';
import { runHeld } from './starts/held-runs.ts';
import { poolerVersion } from './pooler.ts';
import { Product } from './product.ts';
import { Receiver } from './receiver.ts';
import { buildFigures, machine } from './report.ts';
import { runSchedules } from './starts/schedules.ts';
import { runStorm } from './storm.ts';
import { readTarget, RemoteTarget, type Target } from './target.ts';

const usage = `npm run faults -- [options]

  --runs N   number of runs (default 1000)
  --seed N   seed of the random choices: which processes are killed, and when (default 1)
  --round N  number of runs that begin between one recovery and the next (default 15)
  --pure N   number of runs of pure blocks after each other run, for a great load (default 0)
  --away S   seconds without a database in the fifth round (default 20)
  --held S   seconds for which another writer holds the table in the third round, and in each sixth after it (default 8)
  --frozen S seconds for which one process is frozen in the sixth round, and in each sixth after it (default 30)
  --ahead S  seconds by which the clock of the first worker is ahead of all others (default 3600)
  --storm    in place of all that: execute runs of three calls, and kill an API or a worker each two seconds
  --deliveries N  in place of all that: eight senders deliver N times to a signed hook, three of ten times again
  --schedules N   in place of all that: N schedules are set back by an hour, or to a change of the clocks, and Temporal is away for --away seconds
  --held-runs N   in place of all that: N runs of a held workflow are released at 50 a second
  --target FILE  break the installation that this JSON file describes, as the page Faults says, and start nothing
  --apart    run workers beside the APIs; otherwise each API is a worker too, as with npm start
  --pooler   put PgBouncer, in transaction mode, between all processes and Postgres, if it is installed

Starts the whole product as npm start does, on data of its own, with a second API and worker. Executes workflows of all
kinds and imports files. Meanwhile processes are killed with SIGKILL and stopped with SIGTERM at random. Once the disk of
Postgres is full, once the database is away, a table is held, a process is frozen, and all are
restarted with calls of 18 seconds under way.
At the end it checks every promise of the page Faults: nothing is lost, nothing is done twice, and rows, Temporal, logs and the
ledger agree.
The last line of standard output is one JSON object. The exit code is 1 when a check failed.`;

/** The options that are numbers, each with its minimum. */
const least = {
  runs: 1,
  seed: -Infinity,
  round: 1,
  pure: 0,
  away: 0,
  held: 0,
  frozen: 0,
  ahead: -Infinity,
  deliveries: 0,
  schedules: 0,
  'held-runs': 0,
};
type Numbers = Record<keyof typeof least, number>;
type Options = Numbers & { pooler: boolean; apart: boolean; storm: boolean; target?: string };

function readOptions(): Options | null {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      runs: text('1000'),
      seed: text('1'),
      round: text('15'),
      pure: text('0'),
      away: text('20'),
      held: text('8'),
      frozen: text('30'),
      ahead: text('3600'),
      deliveries: text('0'),
      schedules: text('0'),
      'held-runs': text('0'),
      pooler: { type: 'boolean', default: false },
      apart: { type: 'boolean', default: false },
      storm: { type: 'boolean', default: false },
      target: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const numbers = {} as Numbers;
  for (const name of Object.keys(least) as (keyof Numbers)[]) {
    numbers[name] = Number(values[name]);
    if (!Number.isInteger(numbers[name]) || numbers[name] < least[name])
      throw new Error(
        `--${name} must be a whole number${Number.isFinite(least[name]) ? `, at least ${least[name]}` : ''}.`,
      );
  }
  const { pooler, apart, storm, target } = values;
  return { ...numbers, pooler, apart, storm, target };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return void process.stdout.write(`${usage}\n`);
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-faults-'));
  const remote = options.target === undefined ? null : new RemoteTarget(readTarget(options.target));
  await remote?.refuseAbsent();
  const receiver = await Receiver.start(remote?.file.receiver);
  const pooler = options.pooler ? poolerVersion() : null;
  if (options.pooler && !pooler)
    say('PgBouncer 1.21 or later is not installed, so all processes reach Postgres directly.');
  const aheadMs = options.ahead * 1000;
  const target =
    remote ??
    (await Product.start({
      folder,
      receiver: receiver.url,
      pooler: pooler !== null,
      aheadMs,
      apart: options.apart,
    }));
  try {
    const { faults, figures } =
      (await findInTrial(target, options, receiver)) ??
      (await findInCampaign(target, options, receiver, remote));
    for (const fault of faults) say(fault);
    const minutes = Math.round((performance.now() - begun) / 6000) / 10;
    const place = { apart: remote ? null : options.apart, minutes, broken: faults.length };
    const printed = { ...figures, ...place, ...(await machine(target, pooler)) };
    process.stdout.write(`${JSON.stringify(printed)}\n`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await target.stop();
    receiver.stop();
    if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
    else if (!remote) say(`The logs are kept in ${folder}${Disk.possible ? '' : ', and so is the data'}.`);
  }
}

interface Finding {
  /** Broken promises, one sentence each. */
  faults: string[];
  figures: Record<string, unknown>;
}

async function findInCampaign(
  target: Target,
  { runs, round: roundSize, pure, seed, away, held, frozen, ahead }: Options,
  receiver: Receiver,
  remote: RemoteTarget | null,
): Promise<Finding> {
  const troubles = { awayMs: away * 1000, heldMs: held * 1000, frozenMs: frozen * 1000 };
  const load = { runs, roundSize, pure, seed };
  const begun = await Campaign.begin(target, { ...load, ...troubles, receiver, say });
  const result = await begun.run();
  const { lost, repeated, other } = await findFaults(result, receiver, target);
  return {
    faults: [...lost, ...repeated, ...other, ...(remote?.findUseless() ?? [])],
    figures: {
      ...load,
      lost: lost.length,
      repeated: repeated.length,
      ...buildFigures(result, receiver),
      firstWorkerAheadS: remote ? 0 : ahead,
    },
  };
}

/** Runs what the options ask for in place of the campaign; null when they ask for nothing else. */
async function findInTrial(target: Target, options: Options, receiver: Receiver): Promise<Finding | null> {
  const { storm, runs, deliveries, schedules, 'held-runs': heldRuns, seed, away } = options;
  if (storm) return findInStorm(target, runs, receiver);
  if (deliveries > 0) return runDeliveries(target, { deliveries, seed, receiver, say });
  if (schedules > 0) return runSchedules(target, { schedules, awayMs: away * 1000, receiver, say });
  return heldRuns > 0 ? runHeld(target, { runs: heldRuns, receiver, say }) : null;
}

async function findInStorm(target: Target, runs: number, receiver: Receiver): Promise<Finding> {
  const { lost, repeated, ...counts } = await runStorm(target, { runs, receiver, say });
  return {
    faults: [...lost, ...repeated],
    figures: { runs, lost: lost.length, repeated: repeated.length, ...counts },
  };
}

try {
  await main();
  process.exit();
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
