import { readdirSync, readFileSync } from 'node:fs';
import { Sandbox, SandboxError, type SandboxOptions, type SandboxRun } from '../sandbox.ts';
import { buildChild } from './child-program.ts';

/** A sandbox for the tests of one file, closed after the last of them. */
export function givenSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  buildChild();
  const sandbox = new Sandbox(options);
  afterAll(() => sandbox.close());
  return sandbox;
}

/** A sandbox for one test, closed at its end also when the test fails: a process left over would keep jest waiting. */
export function disposableSandbox(options: Partial<SandboxOptions> = {}): Sandbox & AsyncDisposable {
  buildChild();
  const sandbox = new Sandbox(options);
  return Object.assign(sandbox, { [Symbol.asyncDispose]: () => sandbox.close() });
}

export type Outcome = { output: unknown; logs: string[] } | { code: string; message: string; line?: number };

/** The end of the code: result and log, or code, message and line of the error. */
export async function outcomeOf(
  sandbox: Sandbox,
  run: Partial<SandboxRun> & { code: string },
): Promise<Outcome> {
  try {
    const { output, logs } = await sandbox.runCode({ input: null, ...run });
    return { output, logs };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { line } = error.details;
    return { code: error.code, message: error.message, ...(line === undefined ? {} : { line }) };
  }
}

let marks = 0;

/**
 * A memory size that no other sandbox of these tests has. It stands on the command line of every process that is started
 * for it, also of one that lost its parent.
 */
export function mark(): number {
  marks += 1;
  return 16 * 1024 * 1024 + (process.pid % 100_000) * 100 + marks;
}

/** The processes that were started for a sandbox of this memory size and still run, by Linux's own account. */
export function processesOf(memoryBytes: number): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // A zombie has no command line: it is gone but for its parent's asking.
  return pids.filter((pid) => read(`/proc/${pid}/cmdline`).endsWith(`child.cjs\0${memoryBytes}\0`));
}

/** Kills them as a host short of memory would. Tells whether none was left to kill. */
export function noneAfterKilling(memoryBytes: number): boolean {
  const pids = processesOf(memoryBytes);
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // One falls with another: bubblewrap takes its inner process along.
    }
  }
  return pids.length === 0;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Waits for a condition, `limitMs` at most, and returns how long it took. A process that calls exec has no command line
 * for a moment, so the condition is not asked again once it held.
 */
export async function soon(holds: () => boolean, limitMs = 5_000): Promise<number> {
  const startedMs = performance.now();
  while (!holds()) {
    if (performance.now() - startedMs > limitMs)
      throw new Error(`${holds} did not hold within ${limitMs} ms.`);
    await new Promise((turn) => setTimeout(turn, 5));
  }
  return performance.now() - startedMs;
}
