import { type Costs, costsOf } from './costs.ts';
import { round, type Summary, table } from './figures.ts';
import { defaultMode, type Ground, startModes } from './ground.ts';
import type { StartMode } from './installation.ts';
import { measure, type Subject } from './rounds.ts';

export interface Options {
  rounds: number;
  /** Runs of each subject in one round, for each client. */
  runs: number;
  say(line: string): void;
}

/** A subject of ours, which can name its last run in Temporal. */
export interface Ours extends Subject {
  lastRun(): string;
}

/** What is timed against what. */
export interface Contest {
  name: string;
  bare: Subject;
  ours: Record<StartMode, Ours>;
  /** Bare subjects that are timed for information. */
  beside: Subject[];
  goals: { ratioP50At1: number; ratioThroughputAt10: number };
}

const costRuns = 300;
const warmUp = 60;

/** Times both start modes beside the bare subject at 1 and at 10 clients, and counts what a run costs. */
export async function compare(ground: Ground, contest: Contest, options: Options): Promise<object> {
  const { rounds, runs, say } = options;
  const subjects = [contest.bare, ...startModes.map((mode) => contest.ours[mode]), ...contest.beside];
  const at1 = await measure(subjects, { rounds, runs, clients: 1, warmUp, say });
  const at10 = await measure(subjects, { rounds, runs: runs * 5, clients: 10, warmUp: warmUp * 5, say });
  const costs = await countCosts(ground, contest, say);
  process.stdout.write(`\n${timeTable(subjects, at1, at10)}\n\n${costTable(costs)}\n\n`);
  const of = (subject: Subject) => ({ at1: at1.get(subject.name), at10: at10.get(subject.name) });
  const ratios = (mode: StartMode) => {
    const [ours, bare] = [of(contest.ours[mode]), of(contest.bare)];
    return {
      ratioP50At1: share(ours.at1?.p50Ms, bare.at1?.p50Ms),
      ratioP50At10: share(ours.at10?.p50Ms, bare.at10?.p50Ms),
      ratioThroughputAt10: share(ours.at10?.runsPerS, bare.at10?.runsPerS),
    };
  };
  const modes = startModes.map((mode) => [
    mode,
    { ...ratios(mode), ...of(contest.ours[mode]), perRun: costs[mode] },
  ]);
  const shipped = ratios(defaultMode());
  return {
    bench: contest.name,
    startMode: defaultMode(),
    ...shipped,
    goals: contest.goals,
    goalsHold:
      shipped.ratioP50At1 <= contest.goals.ratioP50At1 &&
      shipped.ratioThroughputAt10 >= contest.goals.ratioThroughputAt10,
    ...Object.fromEntries(modes),
    bare: { ...of(contest.bare), perRun: costs['bare'] },
    beside: Object.fromEntries(contest.beside.map((subject) => [subject.name, of(subject)])),
  };
}

async function countCosts(
  ground: Ground,
  { bare, ours }: Contest,
  say: Options['say'],
): Promise<Record<string, Costs & { historyEvents?: number }>> {
  const costs: Record<string, Costs & { historyEvents?: number }> = {};
  const { databaseUrl } = ground.installations.eager;
  say('Counting commits and CPU time ...');
  costs['bare'] = await costsOf(bare, { databaseUrl, pids: ground.barePids }, costRuns);
  for (const mode of startModes) {
    const place = {
      databaseUrl: ground.installations[mode].databaseUrl,
      pids: ground.pidsOf(ground.installations[mode]),
    };
    const counted = await costsOf(ours[mode], place, costRuns);
    costs[mode] = { ...counted, historyEvents: await ground.bare.historyLength(ours[mode].lastRun()) };
  }
  return costs;
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
