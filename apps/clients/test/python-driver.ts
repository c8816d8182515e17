import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { toSync } from '../src/python-sync.ts';

/** The result of a piece of Python. */
export interface Outcome {
  value?: unknown;
  error?: { name: string; message: string; trace: string; code?: string; status?: number };
}

/** Both clients of Python, by the words of the asynchronous one: for the other, they are taken out. */
export const flavours = [
  ['asynchronous', (code: string) => code],
  ['synchronous', toSync],
] as const;

/** A Python that runs one piece of a program after the other, with the client imported. */
export class PythonDriver {
  readonly #lines: AsyncIterator<string>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    reader: Interface,
  ) {
    this.#lines = reader[Symbol.asyncIterator]();
  }

  static start(program: string, env: Record<string, string> = {}): PythonDriver {
    const { PATH = '' } = process.env;
    const child = spawn(program, ['-B', 'apps/clients/test/python-driver.py'], { env: { PATH, ...env } });
    child.stderr.pipe(process.stderr);
    return new PythonDriver(child, createInterface(child.stdout));
  }

  /** Runs the body of a function; its names besides those of the client are in `scope`. */
  async run(code: string, scope: Record<string, unknown> = {}): Promise<Outcome> {
    this.child.stdin.write(`${JSON.stringify({ code, scope })}\n`);
    const { done, value } = await this.#lines.next();
    if (done) throw new Error('The Python of the test has ended.');
    return JSON.parse(value);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    await ended;
  }
}
