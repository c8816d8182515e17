import { type RunCosts, measureCosts } from './costs.ts';
import { approval, pure } from './definitions.ts';
import { mean, round, table } from './figures.ts';
import type { Ground } from './ground.ts';
import { type Installation, isObject } from './installation.ts';
import { TemporalSync } from './temporal-sync.ts';
import { goalsHold } from './reports.ts';
import { loop, measure, type Subject } from './rounds.ts';

/** The time for which clients send calls when answers are counted. */
const spellMs = 10_000;
const costRuns = 1000;
/** Temporal needs minutes for the runs of a spell, so there are few spells. */
const spellsMax = 2;
const hundredMs = 3000;

/**
 * A synchronous execution of three pure blocks over HTTP, and one that comes to a pause, beside a bare start and its
 * result. A subject is timed only when Temporal has all runs of the others.
 */
export async function execute(
  ground: Ground,
  { rounds, runs, say }: { rounds: number; runs: number; say: (line: string) => void },
): Promise<object> {
  const { bare, installation: product } = ground;
  const sync = new TemporalSync(product);
  const [ours, pausing] = [await pureRuns(product, sync), await pausingRuns(product, sync)];
  const at1 = await measure([bare.start, ours, pausing], { rounds, runs, clients: 1, warmUp: 60, say });
  const p50 = ({ name }: Subject) => at1.get(name)?.p50Ms ?? 0;

  const { answers, caughtUpS } = await spells({ bare: bare.start, ours, sync }, rounds, say);
  say('Counting commits, CPU time and bytes ...');
  const { databaseUrl } = product;
  const barely = await measureCosts(bare.start, { databaseUrl, pids: ground.barePids }, costRuns);
  const costs = await measureCosts(ours, { databaseUrl, pids: ground.getPids(product) }, costRuns);
  const { api = 0, worker = 0, postgres = 0 } = costs.cpuMs;
  const rate = (name: string) => round(mean(answers[name] ?? []));
  const figures = {
    ratioP50At1: round(p50(ours) / p50(bare.start)),
    answersRatioAt10: round(rate('ours') / rate('bare')),
    syncCaughtUpS: Math.max(...caughtUpS),
    pauseRatioAt1: round(p50(pausing) / p50(bare.start)),
    cpuMsPerRun: round(api + worker + postgres),
    diskKbPerRun: sum(costs.diskKb),
  };
  const titles = ['', 'p50@1 ms', 'answers/s@10', 'answers/s@100', 'commits', 'CPU ms', 'kB to disk'];
  const spent = ({ commits, cpuMs, diskKb }: RunCosts) => [commits, sum(cpuMs), sum(diskKb)];
  say(
    table(titles, [
      ['bare start', p50(bare.start), rate('bare'), '', ...spent(barely)],
      ['ours', p50(ours), rate('ours'), rate('hundred'), ...spent(costs)],
      ['ours, to a pause', p50(pausing), '', '', '', '', ''],
    ]),
  );
  return {
    bench: 'execute',
    ...figures,
    goalsHold: goalsHold('execute', figures),
    at1: Object.fromEntries(at1),
    answersPerS: { bareAt10: rate('bare'), oursAt10: rate('ours'), oursAt100: rate('hundred') },
    perRun: { ours: costs, bare: barely },
  };
}

/** The answers per second of ten and of a hundred clients, and the time until Temporal has the runs of ten. */
async function spells(
  { bare, ours, sync }: { bare: Subject; ours: Subject; sync: TemporalSync },
  rounds: number,
  say: (line: string) => void,
) {
  const answers: Record<string, number[]> = { bare: [], ours: [], hundred: [] };
  const caughtUpS: number[] = [];
  for (let turn = 0; turn < Math.min(rounds, spellsMax); turn++) {
    answers['bare']?.push(await answersPerS(bare, 10));
    answers['ours']?.push(await answersPerS(ours, 10));
    caughtUpS.push(await sync.caughtUp());
    answers['hundred']?.push(await answersPerS(ours, 100, hundredMs));
    await sync.caughtUp();
    say(
      `10 clients, round ${turn + 1} of ${rounds}: answers a second ${JSON.stringify(answers)}, sync ${JSON.stringify(caughtUpS)} s`,
    );
  }
  return { answers, caughtUpS };
}

async function answersPerS(subject: Subject, clients: number, forMs = spellMs): Promise<number> {
  const { durationsMs, wallMs } = await loop(subject, Infinity, clients, forMs);
  return round((durationsMs.length * 1000) / wallMs);
}

export async function pureRuns(product: Installation, sync: TemporalSync): Promise<Subject> {
  const path = `/api/workflows/${await product.deployed('pure', pure)}/execute`;
  return {
    name: 'ours',
    settle: () => sync.settle(),
    once: async () => {
      const { output } = await product.post(path, { inputs: { amount: 5000 } }, 200);
      if (!isObject(output) || output['size'] !== 'large') throw new Error('The run gave another output.');
    },
  };
}

async function pausingRuns(product: Installation, sync: TemporalSync): Promise<Subject> {
  const path = `/api/workflows/${await product.deployed('to a pause', approval)}/execute`;
  return {
    name: 'ours, to a pause',
    settle: () => sync.settle(),
    once: async () => {
      const { status, paused } = await product.post(path, {}, 200);
      if (status !== 'paused' || !isObject(paused)) throw new Error('The run did not pause.');
    },
  };
}

const sum = (parts: Record<string, number>) => round(Object.values(parts).reduce((all, one) => all + one, 0));
