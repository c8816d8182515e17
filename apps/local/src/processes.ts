import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { SystemAccount } from './account.ts';
import { keep } from './keep.ts';
import { PortTaken } from './ports.ts';

export interface Program {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The file that takes stdout and stderr. */
  log: string;
  account?: SystemAccount;
  /** The signal that stops this program when we are killed first: Postgres wants SIGINT. */
  stopSignal?: NodeJS.Signals;
}

const LOG_BYTES_MAX = 20_000_000;

/**
 * Starts a program in a process group of its own, so that the terminal's Ctrl-C reaches the parent alone and the
 * parent decides the order. The log is a file and not a pipe: it outlives a parent that was killed.
 */
export function launch({ command, args, env, cwd, log, account, stopSignal }: Program): ChildProcess {
  if (existsSync(log) && statSync(log).size > LOG_BYTES_MAX) renameSync(log, `${log}.1`);
  const output = openSync(log, 'a');
  try {
    const child = spawn(command, args, {
      env,
      cwd,
      detached: true,
      stdio: ['ignore', output, output],
      ...account,
    });
    child.once('error', (error) => appendFileSync(log, `${error.message}\n`));
    keep(child, stopSignal ?? 'SIGTERM');
    return child;
  } finally {
    closeSync(output);
  }
}

/** Resolves once a condition holds; refuses with `what` after the limit. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
  what: string,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${limitMs / 1000} s.`);
    await pause(25);
  }
}

/** True when a process runs. A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
}

/** The command line of a process, empty when it has gone. It tells our process from a later one with its number. */
export function readCommand(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Asks a process to stop, and kills its whole group when it has not within the grace. Resolves when it is gone. */
export async function stopProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  send(pid, signal);
  try {
    await until(() => !isAlive(pid), graceMs, `The end of process ${pid}`);
  } catch {
    send(-pid, 'SIGKILL');
    send(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 5000, `The end of process ${pid} after SIGKILL`);
  }
}

/** Reads the text that is written into a log file from this call on. */
export function newLines(log: string): () => string {
  const sizeOf = () => (existsSync(log) ? statSync(log).size : 0);
  const begin = sizeOf();
  // A log that has become shorter is a new one.
  return () =>
    existsSync(log)
      ? readFileSync(log)
          .subarray(sizeOf() < begin ? 0 : begin)
          .toString()
      : '';
}

/** Why a server ended before it answered. */
export function endedAtOnce(name: string, said: string): Error {
  const message = `${name} ended at once:\n${said.trimEnd().split('\n').slice(-15).join('\n')}`;
  return /address already in use|EADDRINUSE/i.test(said) ? new PortTaken(message) : new Error(message);
}

/** The end of a log file, for a message about the program that wrote it. */
export function lastLines(log: string, count = 15): string {
  return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').slice(-count).join('\n') : '';
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended, which is the goal of the signal.
  }
}

function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
