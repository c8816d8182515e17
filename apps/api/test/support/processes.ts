import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A process of the product as in production: compiled, in a process of its own, killable. */
export class Program {
  readonly lines: string[] = [];
  readonly exited: Promise<void>;
  /** The fields of the log line that reports the start. */
  readonly started: Promise<Record<string, unknown>>;

  constructor(path: string, env: Record<string, string>, readyMessage: string) {
    this.child = spawn(process.execPath, [`dist/${path}`], {
      env: { ...passedOn(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) => this.child.once('exit', () => resolve()));
    this.started = this.awaitLine(`"msg":"${readyMessage}"`);
    // A caller who awaits `started` gets the failure. A process that a test kills earlier must not fail that test.
    this.started.catch(() => undefined);
    void this.exited.then(() => this.lines.push(`${path} ended`));
  }

  private readonly child: ChildProcess;

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    await this.exited;
  }

  private awaitLine(text: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      for (const stream of [this.child.stdout, this.child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          this.lines.push(line);
          if (line.includes(text)) resolve(JSON.parse(line));
        });
      }
      void this.exited.then(() => reject(new Error(`it ended:\n${this.lines.slice(-30).join('\n')}`)));
    });
  }
}

/**
 * Settings of the test run that the processes take over. `EFFECT_CHAINS=off npm test` tests the mode in which each
 * effect is an activity of its own.
 */
function passedOn(): Record<string, string> {
  const names = ['PATH', 'HOME', 'EFFECT_CHAINS', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
