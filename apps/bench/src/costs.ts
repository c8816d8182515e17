import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { round } from './figures.ts';
import { loop, type Subject } from './rounds.ts';

/** The cost of one run, apart from its time. */
export interface RunCosts {
  /** Committed transactions of Postgres, reads included. */
  commits: number;
  /** CPU time by process, in milliseconds, of warm processes. */
  cpuMs: Record<string, number>;
  /** Bytes that each server wrote into files, in kB. Temporal's include sockets. */
  diskKb: Record<string, number>;
}

export interface MeasuredSystem {
  databaseUrl: string;
  /** Process ids by name. The children of a process count as it. */
  pids: Record<string, number>;
}

/** Kernel ticks a second: 100 on every Linux that Node runs on. */
const tickMs = 10;

/** An idle Postgres backend reports its counters after 10 s (PGSTAT_IDLE_INTERVAL). */
const flushMs = 11_000;

/** This many runs come before the CPU time is counted. */
const warmUpRuns = 300;

/** Counts the cost of `runs` runs at 10 clients, after a warm-up. Subtracts the cost of the idle installation. */
export async function measureCosts(
  subject: Subject,
  { databaseUrl, pids }: MeasuredSystem,
  runs: number,
): Promise<RunCosts> {
  const all = warmUpRuns + runs;
  await subject.prepare?.(all);
  const prepared: Subject = { name: subject.name, once: () => subject.once() };
  await subject.settle?.();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await pause(flushMs);
    const first = await readCommits(client);
    await pause(flushMs);
    // This writes earlier changes now. The changes of the runs are written before the end.
    await client.query('checkpoint');
    const [second, diskBefore] = [await readCommits(client), diskOf(pids)];
    const begin = performance.now();
    await loop(prepared, warmUpRuns, 10);
    await subject.settle?.();
    const cpuBefore = readCpu(pids);
    await loop(prepared, runs, 10);
    await subject.settle?.();
    const [wallMs, cpuAfter] = [performance.now() - begin, readCpu(pids)];
    await client.query('checkpoint');
    const diskAfter = diskOf(pids);
    await pause(flushMs);
    const third = await readCommits(client);
    const idle = ((second - first) / flushMs) * (flushMs + wallMs);
    const grown = (before: Record<string, number>, after: Record<string, number>, over: number) =>
      Object.fromEntries(
        Object.keys(after).map((name) => [name, round(((after[name] ?? 0) - (before[name] ?? 0)) / over)]),
      );
    return {
      commits: round(Math.max(0, third - second - idle) / all),
      cpuMs: grown(cpuBefore, cpuAfter, runs),
      diskKb: grown(diskBefore, diskAfter, all),
    };
  } finally {
    await client.end();
  }
}

/** Our processes on this machine, by a word of their command line. */
export function childrenNamed(word: string): number {
  for (const { pid, parent, command } of processes())
    if (parent === process.pid && command.includes(word)) return pid;
  return 0;
}

async function readCommits(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ commits: number }>(
    'select xact_commit::float8 as commits from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.commits ?? 0;
}

/** The CPU time of each process, children included, in milliseconds. */
export function readCpu(pids: Record<string, number>): Record<string, number> {
  const all = processes();
  const sum = (pid: number) =>
    all.reduce((total, one) => (one.pid === pid || one.parent === pid ? total + one.cpuMs : total), 0);
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [
      name,
      pid === process.pid ? process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000 : sum(pid),
    ]),
  );
}

/**
 * The kB that each server has written, children included. A child that ends meanwhile is left out. The kernel's count
 * of disk bytes would be ten times as high, because it counts a whole large page for each commit.
 */
function diskOf(pids: Record<string, number>): Record<string, number> {
  const all = processes();
  const sum = (root: number) =>
    all
      .filter(({ pid, parent }) => pid === root || parent === root)
      .reduce((total, { pid }) => total + writtenBy(pid) / 1024, 0);
  const servers = Object.entries(pids).filter(([name]) => name === 'temporal' || name === 'postgres');
  return Object.fromEntries(servers.map(([name, pid]) => [name, sum(pid)]));
}

function writtenBy(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // It has ended, or belongs to another user.
  }
}

/** All processes of the machine. Empty where there is no /proc. */
function processes(): { pid: number; parent: number; cpuMs: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        // The time of the process and of its ended children: Postgres' backends come and go.
        const cpuMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
        return [{ pid: Number(name), parent: Number(fields[1]), cpuMs, command }];
      } catch {
        return []; // The process has ended since the folder was listed.
      }
    });
}
