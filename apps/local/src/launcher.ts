import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readCommand, isAlive } from './processes.ts';

const LOOK_EVERY_MS = 500;

/**
 * The process number of the `npm` that started us, 0 when none did. Between the two there may be a shell, which
 * would not tell us of npm's end.
 */
export function findLauncher(): number {
  if (!process.env['npm_lifecycle_event']) return 0;
  const isShell = /^(\/\S*\/)?(ba|da|z)?sh /.test(readCommand(process.ppid));
  return isShell ? parentOf(process.ppid) : process.ppid;
}

/** Calls back once when the launcher has gone, as after `kill -9` of `npm`: nobody could stop us any more then. */
export function onLaunchersEnd(launcher: number, call: () => void): void {
  if (launcher <= 1) return;
  const look = setInterval(() => {
    if (isAlive(launcher)) return;
    clearInterval(look);
    call();
  }, LOOK_EVERY_MS);
  look.unref();
}

function parentOf(pid: number): number {
  try {
    // The name in brackets may itself hold brackets and blanks; the parent is the second word after the last one.
    if (process.platform === 'linux')
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
  } catch {
    return 0;
  }
}
