import { measureCosts, readCpu } from './costs.ts';
import { quantile, round, type Summary } from './figures.ts';
import type { Ground } from './ground.ts';
import { Receiver } from './http.ts';
import {
  type PeerLoad,
  peerLoads,
  startDbos,
  startOurs,
  startRestate,
  type System,
  type SystemName,
} from './peer-systems.ts';
import { goalsHold } from './reports.ts';
import { measure, type Subject } from './rounds.ts';

interface PeersOptions {
  rounds: number;
  runs: number;
  /** Runs only this load; all, and counts commits, when absent. */
  load: string | undefined;
  /** Starts only this peer; all when absent. */
  peer: string | undefined;
  say(line: string): void;
}

/** The loads that ten clients make too. */
const wide: PeerLoad[] = ['calls3', 'pure'];
const peers = { dbos: startDbos, restate: startRestate };
const warmUp = 60;
const costRuns = 300;

/** The same runs by ours, DBOS and Restate, each behind HTTP: calls in a row, pure steps, and answers to runs that wait. */
export async function compareWithPeers(ground: Ground, options: PeersOptions): Promise<object> {
  const { load: onlyLoad, peer: onlyPeer, say } = options;
  const loads = oneOrAll(peerLoads, onlyLoad);
  const starts = oneOrAll(['dbos', 'restate'] as const, onlyPeer).map((name) => peers[name]);
  const calls: CallTimes[] = [];
  const receiver = await Receiver.start((came, answered) => void calls.push({ came, answered }));
  await ground.keep(Promise.resolve({ stop: async () => receiver.stop() }));
  const systems = [await startOurs(ground, receiver.url)];
  for (const start of starts) {
    say('Starting a peer ...');
    systems.push(await ground.keep(start(ground, receiver.url)));
  }
  const figures: Record<string, Figures> = {};
  for (const load of loads)
    for (const clients of wide.includes(load) ? [1, 10] : [1])
      await measureLoad({ systems, load, clients, calls, figures, options });
  if (!onlyLoad) await countCommits(systems, figures, say);
  const { ours = {}, dbos = {} } = figures;
  const ratio = Object.fromEntries(
    Object.entries(ours).map(([path, value]) => [path, round(value / (dbos[path] ?? NaN))]),
  );
  const { answerP50Ms, answerP95Ms } = ours;
  const tail = answerP50Ms && answerP95Ms ? { answerP95ToP50: round(answerP95Ms / answerP50Ms) } : {};
  const printed = { ...figures, ratio, ...tail };
  return { bench: 'peers', ...printed, goalsHold: goalsHold('peers', printed) };
}

type Figures = Record<string, number>;

/** When a call came to the receiver, and when it was answered. */
interface CallTimes {
  came: number;
  answered: number;
}

/** Times one load of all systems in alternating rounds, and adds what was measured to the figures of each. */
async function measureLoad({
  systems,
  load,
  clients,
  calls,
  figures,
  options: { rounds, runs, say },
}: {
  systems: System[];
  load: PeerLoad;
  clients: number;
  calls: CallTimes[];
  figures: Record<string, Figures>;
  options: PeersOptions;
}): Promise<void> {
  const scale = clients === 1 ? 1 : 5;
  const watched = systems.map((system) => new PeerFigures(system, load, calls));
  say(`${load} by ${clients} client(s):`);
  const plan = { rounds, runs: runs * scale, clients, warmUp: warmUp * scale, say };
  const times = await measure(
    watched.map(({ subject }) => subject),
    plan,
  );
  for (const { name, cpuMsPerRun, waits } of watched) {
    const { p50Ms = 0, p95Ms = 0, runsPerS = 0 }: Partial<Summary> = times.get(name) ?? {};
    const own: Figures =
      clients === 1
        ? { P50Ms: p50Ms, P95Ms: p95Ms, ...(load === 'calls3' ? waits : {}) }
        : { RunsPerS: runsPerS, CpuMs: cpuMsPerRun };
    for (const [path, value] of Object.entries(own)) (figures[name] ??= {})[`${load}${path}`] = value;
  }
}

/** A subject whose CPU time and calls are watched. The warm-up is left out. */
class PeerFigures {
  readonly name: SystemName;
  readonly subject: Subject;
  private readonly first: number[] = [];
  private readonly steps: number[] = [];
  private runs = 0;
  private cpuMs = 0;

  constructor({ name, subjects, pids }: System, load: PeerLoad, calls: CallTimes[]) {
    this.name = name;
    const { prepare, once, settle } = subjects[load];
    let [isWarm, begun, before] = [false, 0, 0];
    this.subject = {
      name,
      prepare: async (runs) => {
        await prepare?.(runs);
        [begun, before] = [runs, sumCpu(pids)];
      },
      once: async () => {
        calls.length = 0;
        const begin = performance.now();
        await once();
        if (isWarm) this.noteCalls(begin, calls);
      },
      settle: async () => {
        await settle?.();
        if (isWarm) {
          this.runs += begun;
          this.cpuMs += sumCpu(pids) - before;
        }
        isWarm = true;
      },
    };
  }

  get cpuMsPerRun(): number {
    return round(this.cpuMs / this.runs);
  }

  /** From the client's request to the first call of its run; and from the answer to a call to the next call. */
  get waits(): { FirstMs: number; StepMs: number } {
    return { FirstMs: round(quantile(this.first, 0.5)), StepMs: round(quantile(this.steps, 0.5)) };
  }

  /** The values of several clients mean nothing, and nobody reads them. */
  private noteCalls(begin: number, calls: CallTimes[]): void {
    for (const [i, { came }] of calls.entries()) {
      const before = calls[i - 1];
      if (before) this.steps.push(came - before.answered);
      else this.first.push(came - begin);
    }
  }
}

async function countCommits(
  systems: System[],
  figures: Record<string, Figures>,
  say: (line: string) => void,
): Promise<void> {
  for (const { name, subjects, pids, databaseUrl } of systems) {
    if (!databaseUrl) continue;
    say(`Counting commits of ${name} ...`);
    const { commits } = await measureCosts(subjects.calls3, { databaseUrl, pids }, costRuns);
    (figures[name] ??= {})['calls3Commits'] = commits;
  }
}

function sumCpu(pids: Record<string, number>): number {
  return Object.values(readCpu(pids)).reduce((sum, ms) => sum + ms, 0);
}

function oneOrAll<T extends string>(all: readonly T[], only: string | undefined): readonly T[] {
  if (only === undefined) return all;
  const one = all.filter((name) => name === only);
  if (one.length === 0) throw new Error(`${only} is none of ${all.join(', ')}.`);
  return one;
}
