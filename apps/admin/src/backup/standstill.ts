import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { until } from '#apps/local/src/processes';
import { connected, type RunsFile } from './place.ts';

/**
 * Stops the process of the embedded Temporal for the time of `work`. Another process wakes it after `longestS`, so that it never
 * stays asleep when this one is killed.
 */
export async function whileAsleep<T>(
  { pid }: RunsFile,
  longestS: number,
  work: () => Promise<T>,
): Promise<T> {
  const waker = spawn('/bin/sh', ['-c', `sleep ${longestS}; kill -CONT ${pid}`], {
    detached: true,
    stdio: 'ignore',
  });
  waker.unref();
  await new Promise((resolve, reject) => waker.once('spawn', resolve).once('error', reject));
  process.kill(pid, 'SIGSTOP');
  try {
    await until(() => isAsleep(pid), 5000, `The standstill of Temporal (process ${pid})`);
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

function isAsleep(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  return /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Keeps every writer of runs out of Temporal's database for the time of `work`, by a lock that each of them needs. */
export function whileLocked<T>(url: string, work: () => Promise<T>): Promise<T> {
  // The lock ends with the connection, also when this process is killed.
  return connected(url, async (client) => {
    await client.query(
      `begin; set local lock_timeout = '30s'; lock table executions, current_executions in share mode`,
    );
    return work();
  });
}

/**
 * The generation of the log of an SQLite file: it changes when the log begins anew, after all its pages are in the file. While it is
 * the same, the file and afterwards the whole log make one moment: each page that changed meanwhile is in the log too.
 */
export function readGeneration(log: string): string {
  try {
    const opened = openSync(log, 'r');
    try {
      const header = Buffer.alloc(32);
      return readSync(opened, header, 0, 32, 0) === 32 ? header.subarray(12).toString('hex') : '';
    } finally {
      closeSync(opened);
    }
  } catch {
    return '';
  }
}
