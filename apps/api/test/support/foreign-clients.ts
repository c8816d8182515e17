import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { again, installedPackages } from '#libs/platform/binaries/npm-packages';
import { unpackedWheel } from '#libs/platform/binaries/unpacked-wheel';

const run = promisify(execFile);
const foreignManifests = 'apps/api/test/support/foreign-clients';

/** Wheels by name, version and SHA-256. Each is pure Python, so one file works on every machine. */
const wheels = {
  'simstudio-sdk 0.1.0': '6a6fbeb0db1748346617dc6bfd2fc0dfe176c80fada25844d70204c760898c83',
  'simstudio-sdk 0.1.1': '5ebce4b2972ff65dd0ebf4ccdb1ca41832380b4c0685c18f8879d4c81cc0c714',
  'simstudio-sdk 0.1.2': '1bbb730400df697fac2f2254662d4651616db9e2cb7be0a889f054027ad338a4',
  'simstudio-sdk 0.2.0': 'dc738563f7c40f34d9c48a98490fc53e35b17dffe15dbbd52946da8dc0faaf11',
  'simstudio-sdk 0.2.1': '38ceb4496b5bddbb5bb0e84adf1e84183fcf44cb913a0b56d23f2a2a7fd8a889',
  'requests 2.32.5': '2462f94637a34fd532264295e186976db0f5d453d1cdd31473c85a6a161affb6',
  'urllib3 2.5.0': 'e6b01673c0fa6a13e374b50871808eb3bf7046c4b125b216f6bf1cc604cff0dc',
  'idna 3.10': '946d195a0d259cbba61165e88e65941f16e9b36ea6ddb97f00452bae8b1287d3',
  'certifi 2025.8.3': 'f6c12493cfb1b06ba2ff328595af9350c65d6644968e5d3a2ffd78699af217a5',
  'charset-normalizer 3.4.3': 'ce571ab16d890d23b5c278547ba694193a45011ff86a9162a71307ed9f86759a',
};
type WheelName = keyof typeof wheels;

/** The result of a client's method, or the error that it threw. */
export interface Outcome {
  // Tests compare whole values.
  value?: any; // oxlint-disable-line typescript/no-explicit-any
  error?: { message: string; code: string | null; status: number | null };
}

/** The URL and the key that a client uses. */
export interface Installation {
  url: string;
  key: string;
}

/** A client of another product in a process of its own. Its methods are called by name. */
export class ForeignClient {
  private readonly lines: AsyncIterator<string>;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    reader: Interface,
  ) {
    this.lines = reader[Symbol.asyncIterator]();
  }

  static async python(version: string, at: Installation): Promise<ForeignClient> {
    const needed: WheelName[] = [
      `simstudio-sdk ${version}` as WheelName,
      'requests 2.32.5',
      'urllib3 2.5.0',
      'idna 3.10',
      'certifi 2025.8.3',
      'charset-normalizer 3.4.3',
    ];
    const folders: string[] = [];
    for (const name of needed) folders.push(await again(() => wheel(name)));
    const env = { ...process.env, PYTHONPATH: folders.join(delimiter), PYTHONNOUSERSITE: '1' };
    return ForeignClient.started('python3', ['-c', pythonDriver, at.url, at.key], env);
  }

  static async typescript(at: Installation): Promise<ForeignClient> {
    const entry = join(await fetchNodeClients(), 'node_modules/simstudio-ts-sdk/dist/index.js');
    const args = ['--input-type=module', '-e', nodeDriver, '--', entry, at.url, at.key];
    return ForeignClient.started(process.execPath, args, process.env);
  }

  private static started(command: string, args: string[], env: NodeJS.ProcessEnv): ForeignClient {
    const child = spawn(command, args, { env, stdio: 'pipe' });
    child.stderr.pipe(process.stderr);
    return new ForeignClient(child, createInterface({ input: child.stdout }));
  }

  /** Calls a method. `options` become named arguments where the language has them, otherwise the last argument. */
  async call(method: string, args: unknown[], options: Record<string, unknown> = {}): Promise<Outcome> {
    this.child.stdin.write(`${JSON.stringify({ method, args, options })}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`The client ended while ${method} was called.`);
    return JSON.parse(value) as Outcome;
  }

  /** Resolves when the process of the client has ended. It is killed, because a client may wait half a minute for a connection. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    if (this.child.kill('SIGKILL')) await ended;
  }
}

/** The command line of another product, for one installation and workspace. `folder` keeps its settings. */
export async function foreignCommand(
  at: Installation & { workspaceId: string; folder: string },
): Promise<(...args: string[]) => Promise<{ code: number; printed: Outcome['value']; said: string }>> {
  const program = join(await fetchNodeClients(), 'node_modules/sim/dist/index.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: at.folder,
    SIM_CONFIG_DIR: at.folder,
    SIM_ENDPOINT: at.url,
    SIM_API_KEY: at.key,
    SIM_WORKSPACE: at.workspaceId,
    SIM_OUTPUT: 'json',
    SIM_NO_UPDATE_CHECK: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  };
  return async (...args) => {
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [printed, said] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
    const code = child.exitCode ?? (await new Promise<number>((resolve) => child.once('close', resolve)));
    return { code, printed: /^[[{]/.test(printed) ? JSON.parse(printed) : printed, said };
  };
}

/** Brings the clients in wheels, and throws where there is no Python to run them. */
export async function fetchWheels(): Promise<void> {
  await run('python3', ['--version']);
  for (const name of Object.keys(wheels)) await wheel(name as WheelName);
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

function wheel(name: WheelName): Promise<string> {
  const [packageName = '', version = ''] = name.split(' ');
  const pin = { title: name, package: packageName, version, tag: 'any', megabytes: 0.1, platform: 'any' };
  return unpackedWheel({ ...pin, sha256: wheels[name] }, { cache: cacheFolder(), say: () => undefined });
}

export const fetchNodeClients = () => installedPackages(foreignManifests);

const pythonDriver = `
import dataclasses, json, sys
from simstudio import SimStudioClient, SimStudioError
client = SimStudioClient(sys.argv[2], sys.argv[1])
for line in sys.stdin:
    call = json.loads(line)
    try:
        value = getattr(client, call['method'])(*call['args'], **call['options'])
        answer = {'value': dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value}
    except SimStudioError as error:
        answer = {'error': {'message': str(error), 'code': error.code, 'status': error.status}}
    print(json.dumps(answer), flush=True)
`;

const nodeDriver = `
import { createInterface } from 'node:readline';
const [entry, baseUrl, apiKey] = process.argv.slice(1);
const { SimStudioClient } = await import(entry);
const client = new SimStudioClient({ apiKey, baseUrl });
for await (const line of createInterface({ input: process.stdin })) {
  const { method, args, options } = JSON.parse(line);
  const given = Object.keys(options).length > 0 ? [...args, options] : args;
  const answer = await client[method](...given).then(
    (value) => ({ value }),
    ({ message, code = null, status = null }) => ({ error: { message, code, status } }),
  );
  console.log(JSON.stringify(answer));
}
`;
