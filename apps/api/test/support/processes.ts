import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, newLines } from '#apps/local/src/processes';
import { pauseSince } from '#libs/platform/settings/support/soon';

/** The files of this test run. `testing-teardown.ts` ends the processes that are still named there. */
export const runFolder = process.env['HOLDFAST_TEST_FOLDER'] ?? mkdtempSync(join(tmpdir(), 'holdfast-run-'));

/** A process of the product as in production: compiled, in a process of its own, killable. Its log is a file. */
export class Program {
  private readonly read: () => string;

  constructor(
    readonly pid: number,
    readonly log: string,
  ) {
    this.read = newLines(log);
  }

  static launch(path: string, env: Record<string, string>): Program {
    const log = join(mkdtempSync(join(runFolder, 'program-')), 'log');
    const output = openSync(log, 'a');
    const child = spawn(process.execPath, [`dist/${path}`], {
      env: { ...passedOn(), ...env },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    child.unref();
    const program = new Program(child.pid ?? 0, log);
    writeFileSync(program.mark, '');
    return program;
  }

  /** The lines of the log since this object was made. */
  get lines(): string[] {
    return this.read().trimEnd().split('\n');
  }

  /** Returns the lines about failed attempts of a block: of the process that accepted its run, or of Temporal in a worker. */
  failedAttempts(path: string, executionId: string): { msg: string; error?: { code: string } }[] {
    const beginnings = [`"msg":"The attempt of ${path} has failed: `, '"msg":"Activity failed"'];
    return this.lines
      .filter((one) => one.includes(executionId) && beginnings.some((beginning) => one.includes(beginning)))
      .map((one) => JSON.parse(one));
  }

  /** Waits for the log line with this message. Returns its fields. */
  async logged(message: string): Promise<Record<string, unknown>> {
    const begun = performance.now();
    for (;;) {
      const isAtWork = isAlive(this.pid);
      const line = this.lines.find((one) => one.includes(`"msg":"${message}"`));
      if (line) return JSON.parse(line);
      if (!isAtWork) throw new Error(`it ended:\n${this.lines.slice(-30).join('\n')}`);
      await pauseSince(begun);
    }
  }

  /** Throws when the database has refused a statement to the process: no permission is missing by intent. */
  requireGrants(): void {
    const refused = readFileSync(this.log, 'utf8').match(/.*permission denied for .*/);
    if (refused) throw new Error(refused[0]);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (isAlive(this.pid)) process.kill(this.pid, signal);
    while (isAlive(this.pid)) await pause(5);
    rmSync(this.mark, { force: true });
  }

  private get mark(): string {
    return join(runFolder, `${this.pid}.pid`);
  }
}

/** Settings of the test run that the processes take over. */
function passedOn(): Record<string, string> {
  const names = ['PATH', 'HOME', 'ROLES', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
