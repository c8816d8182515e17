import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { join } from 'node:path';
import { checkout } from './paths.ts';

let keeper: Writable | undefined;

/**
 * Tells the keeper of a program that must end with this process. The keeper is a process of its own that notices our end,
 * even by `kill -9`, because the pipe between us closes; it then stops the programs that are left, latest first.
 */
export function keep(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  keeper ??= startKeeper();
  keeper?.write(`+${pid} ${signal}\n`);
  // Its number may belong to someone else's process later on.
  child.once('exit', () => keeper?.write(`-${pid}\n`));
}

function startKeeper(): Writable | undefined {
  const program = join(checkout(), 'dist/apps/local/src/keeper.js');
  if (!existsSync(program)) return undefined;
  const child = spawn(process.execPath, [program], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Neither the process nor the pipe may keep us from ending.
  child.unref();
  (child.stdin as Writable & { unref?(): void }).unref?.();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}
