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

export type Outcome = { output: unknown; logs: string[] } | { code: string; message: string; line?: number };

/** What came of the code: result and log, or code, message and line of the error. */
export async function outcomeOf(
  sandbox: Sandbox,
  run: Partial<SandboxRun> & { code: string },
): Promise<Outcome> {
  try {
    const { output, logs } = await sandbox.run({ input: null, ...run });
    return { output, logs };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { line } = error.details;
    return { code: error.code, message: error.message, ...(line === undefined ? {} : { line }) };
  }
}

/** The processes below this one, at any depth, by Linux's own account. */
export function descendants(of = process.pid): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = statOf(name);
    if (stat) parents.set(Number(name), stat);
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  return below(of);
}

/** The parent's id stands after the last parenthesis, since a name may hold one. A zombie counts as gone. */
function statOf(pid: string): number | undefined {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

/** Waits for a condition, `limitMs` at most; tells how long it took. */
export async function soon(holds: () => boolean, limitMs = 5_000): Promise<number> {
  const startedMs = performance.now();
  while (!holds() && performance.now() - startedMs < limitMs)
    await new Promise((turn) => setTimeout(turn, 5));
  expect(holds()).toBe(true);
  return performance.now() - startedMs;
}
