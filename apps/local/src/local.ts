import { join } from 'node:path';
import {
  claim,
  endRun,
  openDataFolder,
  refuseHalfRestored,
  readFolderSecrets,
  writeRun,
  type Run,
  type FolderSecrets,
} from './data-folder.ts';
import { checkout } from './paths.ts';
import { DATABASE } from './installation.ts';
import { freePort, PortTaken, withFreePorts } from './ports.ts';
import { startPostgres, stopPostgres } from './postgres.ts';
import { lastLines, launch, stopProcess, until } from './processes.ts';
import { setUp, type FirstAccess } from './set-up.ts';
import { Supervisor, type SupervisedProcess } from './supervisor.ts';
import { startTemporal, stopTemporal } from './temporal.ts';

export interface LocalOptions {
  folder: string;
  /** The `npm` that started this process; it is written to `run.json`. */
  launcher?: number;
  /** Settings that override the environment of this process, also for the API and the worker. */
  env?: NodeJS.ProcessEnv;
  say(line: string): void;
}

const READY_LIMIT_MS = 90_000;
const WORKER_READY_LIMIT_MS = 20_000;
const DEATHS_BEFORE_GIVING_UP = 3;
/** Together with Temporal's 2 s and Postgres's 2 s this stays below the 10 s that a stop may take. */
const PROGRAM_GRACE_MS = 2500;
const SERVER_GRACE_MS = 2000;
/** The time for calls in flight, and for the worker to report the aborted calls to Temporal. */
const CALLS_GRACE_S = '2';
const CALLS_REPORT_MS = 500;

/** A whole installation on this machine with the data of one folder. */
export class Local {
  readonly run: Run;
  /** Only after the very first start with this data. */
  first?: FirstAccess;
  private env: NodeJS.ProcessEnv;
  private supervisor: Supervisor;
  private stopping = false;

  /** Takes the folder for this process, see `claim`. Nothing runs yet. */
  static async open(options: LocalOptions): Promise<Local> {
    openDataFolder(options.folder);
    await claim(options.folder);
    refuseHalfRestored(options.folder);
    return new Local(options, readFolderSecrets(options.folder));
  }

  private constructor(
    private readonly options: LocalOptions,
    private readonly secrets: FolderSecrets,
  ) {
    this.env = this.given();
    this.run = {
      supervisor: process.pid,
      launcher: options.launcher ?? 0,
      startedAt: new Date().toISOString(),
      processes: {},
      ports: {},
      urls: { api: '', openapi: '', docs: '' },
    };
    this.supervisor = this.newSupervisor();
  }

  private given(): NodeJS.ProcessEnv {
    return {
      HOST: '127.0.0.1',
      ...(process.env['HOLDFAST_SECRET_FILE'] ? {} : { HOLDFAST_SECRET: this.secrets.secret }),
      SHUTDOWN_GRACE_S: CALLS_GRACE_S,
      ROLES: 'api,worker',
      ...defined(process.env),
      ...this.options.env,
    };
  }

  private newSupervisor(): Supervisor {
    return new Supervisor({ say: this.options.say, changed: (processes) => this.note(processes) });
  }

  /**
   * Starts Postgres and Temporal unless the environment has addresses of them, sets the database up, starts the
   * API, and a worker beside it unless it is one too, and resolves when the API says that it is ready. Keeps all of them running until `stop`. When somebody takes one of the
   * ports meanwhile, all is started again on others: the addresses of one process are settings of another.
   */
  start(): Promise<void> {
    return withFreePorts(() =>
      this.startOnce().catch(async (error: unknown) => {
        if (error instanceof PortTaken) await this.startOver();
        throw error;
      }),
    );
  }

  private async startOver(): Promise<void> {
    await this.supervisor.stop();
    if (this.stopping) return;
    this.options.say('Another process has taken a port; the start begins again.');
    [this.env, this.supervisor, this.run.ports] = [this.given(), this.newSupervisor(), {}];
  }

  private async startOnce(): Promise<void> {
    await this.choosePorts();
    await this.startServers();
    this.first ??= await setUp(this.env, this.log('setup'));
    if (this.workerProgram === 'worker') await this.supervisor.start(this.program('worker'));
    await this.supervisor.start(this.program('api'));
    await Promise.all([this.apiReady(), this.workerReady()]);
  }

  /** Stops API, worker, Temporal and Postgres in this order within 10 s, also when `start` is still under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.supervisor.stop();
    endRun(this.options.folder);
  }

  private async choosePorts(): Promise<void> {
    const { env, run } = this;
    run.ports['api'] = await this.port('PORT', 3000, env['HOST']);
    run.ports['worker'] = await this.port('WORKER_HEALTH_PORT', 3901);
    if (!env['DATABASE_URL'] && !env['DATABASE_URL_FILE'])
      run.ports['postgres'] = await this.port('HOLDFAST_POSTGRES_PORT', 54_329);
    if (!env['TEMPORAL_ADDRESS']) {
      run.ports['temporal'] = await this.port('HOLDFAST_TEMPORAL_PORT', 7233);
      run.ports['temporalUi'] = await this.port('HOLDFAST_TEMPORAL_UI_PORT', 8233);
      env['TEMPORAL_UI_URL'] ??= `http://localhost:${run.ports['temporalUi']}`;
    }
    env['TEMPORAL_NAMESPACE'] ??= 'default';
    env['PUBLIC_URL'] ??= `http://localhost:${run.ports['api']}`;
    const api = `http://localhost:${run.ports['api']}`;
    run.urls = {
      api,
      openapi: `${api}/openapi.json`,
      docs: `${api}/docs`,
      publicUrl: env['PUBLIC_URL'],
      temporalUi: env['TEMPORAL_UI_URL'],
    };
  }

  private async port(variable: string, usual: number, host?: string): Promise<number> {
    const wish = portOf(variable, this.env[variable] ?? String(usual));
    const port = await freePort(wish, host);
    if (port !== wish && wish !== 0) this.options.say(`Port ${wish} is taken; ${port} is used instead.`);
    this.env[variable] = String(port);
    return port;
  }

  private async startServers(): Promise<void> {
    const { ports } = this.run;
    const starts = [
      ports['postgres'] === undefined ? undefined : this.postgres(ports['postgres']),
      ports['temporal'] === undefined ? undefined : this.temporal(ports['temporal'], ports['temporalUi']),
    ];
    const outcomes = await Promise.allSettled(
      starts.map(async (part) => part && this.supervisor.start(part)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private postgres(port: number): SupervisedProcess {
    const { folder } = this.options;
    return {
      name: 'postgres',
      start: async () => {
        const password = this.secrets.postgresPassword;
        const options = { folder: join(folder, 'postgres'), log: this.log('postgres'), port, password };
        const { child, url } = await startPostgres({ ...options, durable: true, database: DATABASE });
        this.env['DATABASE_URL'] = url;
        return child;
      },
      stop: (pid) => stopPostgres(pid, SERVER_GRACE_MS),
    };
  }

  private temporal(port: number, uiPort: number | undefined): SupervisedProcess {
    const namespace = this.env['TEMPORAL_NAMESPACE'] ?? 'default';
    const file = join(this.options.folder, 'temporal', 'runs.db');
    return {
      name: 'temporal',
      start: async () => {
        const started = await startTemporal({ file, port, uiPort, namespace, log: this.log('temporal') });
        this.env['TEMPORAL_ADDRESS'] = started.address;
        return started.child;
      },
      stop: (pid) => stopTemporal(pid, SERVER_GRACE_MS),
    };
  }

  private program(name: 'api' | 'worker'): SupervisedProcess {
    const args = [join(checkout(), 'dist/apps', name, 'src/main.js')];
    return {
      name,
      start: async () =>
        launch({ command: process.execPath, args, env: this.env, cwd: checkout(), log: this.log(name) }),
      stop: (pid) => stopProcess(pid, 'SIGTERM', this.graceOf(name)),
    };
  }

  /** The program whose process is the worker. */
  private get workerProgram(): 'api' | 'worker' {
    return this.env['ROLES'] === 'api,worker' ? 'api' : 'worker';
  }

  /** A worker that is to finish its calls is waited for, also when that takes longer than a stop usually may. */
  private graceOf(name: 'api' | 'worker'): number {
    const calls =
      name === this.workerProgram ? Number(this.env['SHUTDOWN_GRACE_S']) * 1000 + CALLS_REPORT_MS : 0;
    return Math.max(PROGRAM_GRACE_MS, calls || 0);
  }

  private async apiReady(): Promise<void> {
    const host = this.env['HOST'] === '0.0.0.0' || this.env['HOST'] === '::' ? 'localhost' : this.env['HOST'];
    const isReady = async () => {
      this.refuseDeaths('api');
      return answers(`http://${host}:${this.run.ports['api']}/health/ready`);
    };
    await until(isReady, READY_LIMIT_MS, `The API's readiness`).catch((error: Error) => {
      throw error.message.includes('did not happen') ? this.gaveUp('api', error.message) : error;
    });
  }

  /** Without the worker the first caller only has to wait, so its absence does not fail the start. */
  private async workerReady(): Promise<void> {
    const url = `http://127.0.0.1:${this.run.ports['worker']}/health/ready`;
    const isReady = () => {
      this.refuseDeaths(this.workerProgram);
      return answers(url);
    };
    await until(isReady, WORKER_READY_LIMIT_MS, `The worker's readiness`).catch((error: Error) => {
      if (error instanceof PortTaken) throw error;
      this.options.say(`${error.message} Its log: ${this.log(this.workerProgram)}`);
    });
  }

  private refuseDeaths(name: 'api' | 'worker'): void {
    if (this.supervisor.deaths(name) >= DEATHS_BEFORE_GIVING_UP)
      throw this.gaveUp(name, `${name === 'api' ? 'The API' : 'The worker'} ends at once`);
  }

  private gaveUp(name: 'api' | 'worker', what: string): Error {
    const said = lastLines(this.log(name));
    const message = `${what}. The end of ${this.log(name)}:\n${said}`;
    return said.includes('EADDRINUSE') ? new PortTaken(message) : new Error(message);
  }

  private note(processes: Record<string, number>): void {
    this.run.processes = { ...processes };
    writeRun(this.options.folder, this.run);
  }

  private log(name: string): string {
    return join(this.options.folder, 'logs', `${name}.log`);
  }
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5000) }).then(
    (response) => response.ok,
    () => false,
  );
}

/** The processes check all their settings, but this one is needed before they start. */
function portOf(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`${variable} must be a whole number from 0 to 65535: it is ${JSON.stringify(text)}.`);
}

/** An empty variable is how a shell says "not set". */
function defined(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}
