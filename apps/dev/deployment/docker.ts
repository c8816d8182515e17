import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program and returns what it prints. Rejects with the end of its output when it fails. */
export async function output(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
) {
  try {
    const { stdout } = await run(command, args, { maxBuffer: 100_000_000, ...options });
    return stdout.trim();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `${command} ${args.slice(0, 6).join(' ')} failed:\n${`${stdout}\n${stderr}`.slice(-2000)}`,
      {
        cause: error,
      },
    );
  }
}

export const docker = async (...args: string[]) => output('docker', args);

/** An installation of docker-compose.yml and apps/deploy/balanced.yml, in a folder of its own. */
export class Composed {
  constructor(
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  async compose(...args: string[]): Promise<string> {
    const files = ['-f', 'docker-compose.yml', '-f', 'apps/deploy/balanced.yml'];
    return output('docker', ['compose', ...files, ...args], { cwd: this.folder, env: this.env });
  }

  /** Starts services, and waits until they are healthy, at most `waitS` seconds. */
  async start(waitS: number, ...args: string[]): Promise<string> {
    return this.compose('up', '--detach', '--wait', '--wait-timeout', String(waitS), ...args);
  }

  async script(path: string, ...args: string[]): Promise<string> {
    return output('sh', [path, ...args], { cwd: this.folder, env: this.env });
  }

  async containers(service: string): Promise<string[]> {
    return (await this.compose('ps', '--quiet', service)).split('\n').filter(Boolean);
  }
}

/** A caller of an installation, with a key. */
export class ApiCaller {
  constructor(
    private readonly url: string,
    readonly key: string,
  ) {}

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        'x-api-key': this.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    // A balancer answers for itself with a page.
    const isPage = response.headers.get('content-type')?.startsWith('text/html');
    if (isPage) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as T };
  }

  /** Makes a call whose status must be the given one. */
  async must<T = Record<string, unknown>>(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status !== status)
      throw new Error(
        `${method} ${path}: ${answer.status} in place of ${status}: ${JSON.stringify(answer.body).slice(0, 500)}`,
      );
    return answer.body;
  }
}
