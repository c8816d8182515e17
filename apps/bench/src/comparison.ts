import { type Costs, costsOf } from './costs.ts';
import { round, type Summary, table } from './figures.ts';
import type { Ground } from './ground.ts';
import { goalsHold } from './reports.ts';
import { measure, type Subject } from './rounds.ts';

export interface Options {
  rounds: number;
  /** Runs of each subject in one round, for each client. */
  runs: number;
  say(line: string): void;
}

/** A subject of ours. It can name its last run in Temporal. */
export interface Ours extends Subject {
  lastRun(): string;
}

/** The subjects of one comparison. */
export interface Contest {
  name: string;
  bare: Subject;
  ours: Ours;
  /** Bare subjects that are timed for information. */
  beside: Subject[];
}

const costRuns = 300;
const warmUp = 60;

/** Times our subject beside the bare one at 1 and at 10 clients, and counts the cost of a run. */
export async function compare(ground: Ground, contest: Contest, options: Options): Promise<object> {
  const { rounds, runs, say } = options;
  const { bare, ours } = contest;
  const subjects = [bare, ours, ...contest.beside];
  const at1 = await measure(subjects, { rounds, runs, clients: 1, warmUp, say });
  const at10 = await measure(subjects, { rounds, runs: runs * 5, clients: 10, warmUp: warmUp * 5, say });
  const costs = await countCosts(ground, contest, say);
  process.stdout.write(`\n${timeTable(subjects, at1, at10)}\n\n${costTable(costs)}\n\n`);
  const timesOf = ({ name }: Subject) => ({ at1: at1.get(name), at10: at10.get(name) });
  const [mine, theirs] = [timesOf(ours), timesOf(bare)];
  const ratios = {
    ratioP50At1: share(mine.at1?.p50Ms, theirs.at1?.p50Ms),
    ratioP50At10: share(mine.at10?.p50Ms, theirs.at10?.p50Ms),
    ratioThroughputAt10: share(mine.at10?.runsPerS, theirs.at10?.runsPerS),
  };
  return {
    bench: contest.name,
    ...ratios,
    goalsHold: goalsHold(contest.name, ratios),
    ours: { ...mine, perRun: costs['ours'] },
    bare: { ...theirs, perRun: costs['bare'] },
    beside: Object.fromEntries(contest.beside.map((subject) => [subject.name, timesOf(subject)])),
  };
}

async function countCosts(
  ground: Ground,
  { bare, ours }: Contest,
  say: Options['say'],
): Promise<Record<string, Costs & { historyEvents?: number }>> {
  const { databaseUrl } = ground.installation;
  say('Counting commits and CPU time ...');
  const barely = await costsOf(bare, { databaseUrl, pids: ground.barePids }, costRuns);
  const counted = await costsOf(ours, { databaseUrl, pids: ground.pidsOf(ground.installation) }, costRuns);
  const historyEvents = await ground.bare.historyLength(ours.lastRun());
  return { bare: barely, ours: { ...counted, historyEvents } };
}

function timeTable(subjects: Subject[], at1: Map<string, Summary>, at10: Map<string, Summary>): string {
  const cells = (summary: Summary | undefined) =>
    summary ? [summary.p50Ms, summary.p95Ms, summary.p99Ms, summary.runsPerS] : [];
  const head = [
    'milliseconds',
    'p50@1',
    'p95@1',
    'p99@1',
    'runs/s@1',
    'p50@10',
    'p95@10',
    'p99@10',
    'runs/s@10',
  ];
  return table(
    head,
    subjects.map(({ name }) => [name, ...cells(at1.get(name)), ...cells(at10.get(name))]),
  );
}

function costTable(costs: Record<string, Costs & { historyEvents?: number }>): string {
  const processes = ['api', 'worker', 'temporal', 'postgres', 'client'];
  const rows = Object.entries(costs).map(([name, { commits, walSyncs, cpuMs, historyEvents }]) => {
    const all = Object.values(cpuMs).reduce((sum, ms) => sum + ms, 0);
    return [
      name,
      commits,
      walSyncs,
      historyEvents ?? '',
      ...processes.map((process) => cpuMs[process] ?? 0),
      all,
    ];
  });
  const head = [
    'per run',
    'commits',
    'WAL syncs',
    'events',
    ...processes.map((name) => `${name} CPU ms`),
    'all CPU ms',
  ];
  return table(head, rows);
}

function share(ours = 0, bare = 0): number {
  return bare === 0 ? 0 : round(ours / bare);
}
