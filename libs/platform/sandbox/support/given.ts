import { readdirSync, readFileSync } from 'node:fs';
import { Sandbox, SandboxError, type SandboxOptions, type SandboxRun } from '../sandbox.ts';
import { buildChild } from './child-program.ts';

/** A longer time than a test waits, so that no process ends for this reason where a test waits for another. */
const idleMs = 600_000;

/** A sandbox for the tests of one file, closed after the last of them. */
export function givenSandbox(options: Partial<SandboxOptions> = {}): Sandbox {
  buildChild();
  const sandbox = new Sandbox({ idleMs, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** A sandbox for one test. It is closed even when the test fails, because jest waits for processes that are left. */
export function disposableSandbox(options: Partial<SandboxOptions> = {}): Sandbox & AsyncDisposable {
  buildChild();
  const sandbox = new Sandbox({ idleMs, ...options });
  return Object.assign(sandbox, { [Symbol.asyncDispose]: () => sandbox.close() });
}

export type Outcome = { output: unknown; logs: string[] } | { code: string; message: string; line?: number };

/**
 * The outcome of the code: result and log, or code, message and line of the error. Runs of one sandbox are of one workspace, so they
 * use its processes again.
 */
export async function outcomeOf(
  sandbox: Sandbox,
  run: Partial<SandboxRun> & { code: string },
): Promise<Outcome> {
  try {
    const { output, logs } = await sandbox.runCode({ input: null, workspaceId: 'ws_one', ...run });
    return { output, logs };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { line } = error.details;
    return { code: error.code, message: error.message, ...(line === undefined ? {} : { line }) };
  }
}

let marks = 0;

/**
 * A memory size that no other sandbox of these tests has. It is in the command line of every process of its sandbox, even of a process
 * whose parent has ended.
 */
export function mark(): number {
  marks += 1;
  return 16 * 1024 * 1024 + (process.pid % 100_000) * 100 + marks;
}

/** The ids of the running processes of the sandbox with this memory size, from `/proc`. They may be those of one program alone. */
export function listProcesses(memoryBytes: number, program = ''): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // A zombie has no command line. It has ended, and its parent has not read its status yet.
  const commandOf = (pid: string) => read(`/proc/${pid}/cmdline`);
  return pids.filter(
    (pid) => commandOf(pid).startsWith(program) && commandOf(pid).endsWith(`child.cjs\0${memoryBytes}\0`),
  );
}

/** Kills these processes, as a host without free memory does. Returns whether there was none to kill. */
export function noneAfterKilling(memoryBytes: number): boolean {
  const pids = listProcesses(memoryBytes);
  for (const pid of pids) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // The process ended with another: bubblewrap kills its inner process.
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
