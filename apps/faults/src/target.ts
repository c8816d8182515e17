import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { AnswerCutter } from '#libs/platform/database/support/answer-cutter';
import { until } from '#apps/local/src/processes';

export type Signal = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT';

/** An installation whose processes a campaign kills. */
export interface Target {
  /** The key of an owner, who makes the workspaces of the campaign. */
  readonly personalKey: string;
  /** The addresses of the APIs, or of their balancer. */
  readonly urls: string[];
  /** Undefined: the campaign does not compare runs with Temporal. */
  readonly temporalAddress?: string;
  /** Loses answers of Postgres to the processes; absent where nothing stands between them. */
  cutter?: AnswerCutter;
  /** The address of the database for its owner. Undefined: no table is held. */
  readonly databaseUrl?: string;
  /** The processes that are killed, and those of them that get SIGTERM, as in a rolling restart. */
  readonly parts: readonly string[];
  readonly programs: readonly string[];
  /** True when this program has started it: its machine is this one, and each execution has a price. */
  readonly isLocal: boolean;
  /** Sends a signal to a process. False when it does not run now. */
  signal(part: string, signal: Signal): Promise<boolean>;
  /** Gives a workspace a plan, as an operator does. */
  assignPlan(workspaceId: string, plan: string): Promise<void>;
  /** Leaves Postgres without space for a while. Resolves to the number of its refusals; null where this is not possible. */
  fillDisk(): Promise<number | null>;
  /** Resolves when everything runs and is ready. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** What the file of `--target` holds. All commands are run by `sh -c`. */
export interface TargetFile {
  urls: string[];
  personalKey: string;
  /** Where the campaign takes the calls of the runs: the port here, and the address that the installation calls. */
  receiver: { port: number; url: string };
  /** By name of a process: the commands that kill it and that tell it to stop. Both must bring it back, or leave that to its supervisor. */
  processes: Record<string, { kill: string; stop?: string }>;
  /** Addresses that answer 200 when a process is ready, beside the APIs of `urls`. */
  ready?: string[];
  /** Gives a workspace a plan: `$WORKSPACE` and `$PLAN` are set. */
  assignPlan?: string;
  temporalAddress?: string;
  databaseUrl?: string;
}

const readyLimitMs = 180_000;
/** Answers in a row with which an installation is ready: a balancer may still lead to a process that is about to end. */
const readyAnswers = 5;
const shell = promisify(execFile);

/** An installation that stands elsewhere. */
export class RemoteTarget implements Target {
  readonly isLocal = false;
  /** By process and signal: what was tried, and whether it ever worked. */
  private readonly tried = new Map<string, { worked: boolean; said: string }>();
  readonly parts: string[];
  readonly programs: string[];

  constructor(readonly file: TargetFile) {
    this.parts = Object.keys(file.processes);
    const stoppable = this.parts.filter((part) => file.processes[part]?.stop);
    this.programs = stoppable.length > 0 ? stoppable : this.parts;
  }

  get personalKey(): string {
    return this.file.personalKey;
  }

  get urls(): string[] {
    return this.file.urls;
  }

  get temporalAddress(): string | undefined {
    return this.file.temporalAddress;
  }

  get databaseUrl(): string | undefined {
    return this.file.databaseUrl;
  }

  async signal(part: string, signal: Signal): Promise<boolean> {
    const { kill, stop } = this.file.processes[part] ?? {};
    const command = { SIGTERM: stop, SIGKILL: kill, SIGSTOP: undefined, SIGCONT: undefined }[signal];
    if (!command) return false;
    const name = `${signal === 'SIGTERM' ? 'stop' : 'kill'} of ${part}`;
    const worked = this.tried.get(name)?.worked ?? false;
    // A process that is down already is no fault of the campaign.
    const said = await runCommand(command);
    this.tried.set(name, { worked: worked || said === null, said: said ?? '' });
    return said === null;
  }

  /** A sentence for each command that never worked: a campaign that breaks nothing proves nothing. */
  findUseless(): string[] {
    return [...this.tried].flatMap(([name, { worked, said }]) =>
      worked ? [] : [`The command for ${name} never worked: ${said}`],
    );
  }

  async assignPlan(WORKSPACE: string, PLAN: string): Promise<void> {
    const { assignPlan } = this.file;
    const said = assignPlan ? await runCommand(assignPlan, { WORKSPACE, PLAN }) : null;
    if (said !== null)
      throw new Error(
        `assignPlan failed. The installation needs a plan "${PLAN}", see the page Faults: ${said}`,
      );
  }

  /** Throws unless each address answers. The commands may be wrong as well, which shows in the campaign. */
  async refuseAbsent(): Promise<void> {
    for (const address of this.addresses)
      if (!(await isHealthy(address)))
        throw new Error(`${address} does not answer 200: start the installation, or correct its file.`);
  }

  async fillDisk(): Promise<null> {
    return null;
  }

  async ready(): Promise<void> {
    let inRow = 0;
    const isReady = async () => {
      const states = await Promise.all(this.addresses.map(isHealthy));
      inRow = states.every(Boolean) ? inRow + 1 : 0;
      return inRow >= readyAnswers;
    };
    await until(isReady, readyLimitMs, 'Everything being ready again');
  }

  async stop(): Promise<void> {}

  private get addresses(): string[] {
    return [...this.urls.map((url) => `${url}/health/ready`), ...(this.file.ready ?? [])];
  }
}

/** Runs a command of the file. Resolves to the end of its errors when it fails; null when it works. */
const runCommand = async (command: string, env = {}): Promise<string | null> =>
  shell('sh', ['-c', command], { timeout: 60_000, env: { ...process.env, ...env } }).then(
    () => null,
    ({ stderr, message }: Error & { stderr?: string }) => (stderr || message).trim().slice(-500),
  );

const isHealthy = async (address: string) =>
  fetch(address, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Reads the file of `--target`. Throws a sentence for what is missing or of another type. */
export function readTarget(path: string): TargetFile {
  let file: Partial<TargetFile>;
  try {
    file = Object(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(`${path} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const wrong = [
    Array.isArray(file.urls) && file.urls.length > 0 && file.urls.every(isUrl)
      ? []
      : 'urls must be a list of addresses of APIs.',
    isText(file.personalKey) ? [] : 'personalKey must be the key of an owner, who may make workspaces.',
    Number.isInteger(file.receiver?.port) && isUrl(file.receiver?.url)
      ? []
      : 'receiver must have a port here, and the url at which the installation reaches it.',
    Object.values(file.processes ?? {}).length > 0 &&
    Object.values(file.processes ?? {}).every((one) => isText(one?.kill))
      ? []
      : 'processes must have the command "kill" for each process.',
  ].flat();
  if (wrong.length > 0) throw new Error(`${path}: ${wrong.join(' ')}`);
  return file as TargetFile;
}

const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);
