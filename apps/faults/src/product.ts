import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDataFolder, type Run } from '#apps/local/src/data-folder';
import { buildReach } from '#apps/local/src/installation';
import { checkout } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { isAlive, until } from '#apps/local/src/processes';
import { AnswerCutter } from '#libs/platform/database/support/answer-cutter';
import { Beside } from './beside.ts';
import { Disk } from './disk.ts';
import type { Signal, Target } from './target.ts';

/** The plan of the workspace whose callers meet limits. */
export const narrowPlan = 'narrow';
const wide = { sync: 1_000_000, async: 1_000_000, api: 1_000_000 };
const plans = { self_hosted: wide, [narrowPlan]: { ...wide, async: 120, openExecutions: 1 } };

const startLimitMs = 180_000;

export interface ProductOptions {
  folder: string;
  receiver: string;
  pooler: boolean;
  /** The lead of the first worker's clock, in milliseconds. */
  aheadMs: number;
  /** True: two workers run beside the two APIs. False: each API is a worker too. */
  apart: boolean;
}

/** The whole product as `npm start` runs it, on its own data and ports, with a second process of each kind. */
export class Product implements Target {
  /** A 2 marks the second process of a program. */
  readonly programs: string[];
  readonly parts: string[];
  readonly isLocal = true;
  personalKey = '';
  private output = '';

  private constructor(
    private readonly folder: string,
    private readonly settings: NodeJS.ProcessEnv,
    private readonly beside: Beside,
    private readonly child: ChildProcess,
    private readonly disk: Disk | null,
    readonly cutter: AnswerCutter,
    { apart, pooler }: Pick<ProductOptions, 'apart' | 'pooler'>,
  ) {
    this.programs = apart ? ['api', 'api2', 'worker', 'worker2'] : ['api', 'api2'];
    this.parts = [...this.programs, 'temporal', 'postgres', ...(pooler ? ['pooler'] : [])];
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  static async start({ folder, receiver, pooler, aheadMs, apart }: ProductOptions): Promise<Product> {
    openDataFolder(folder);
    const ports = ['PORT', 'WORKER_HEALTH_PORT', 'HOLDFAST_TEMPORAL_PORT', 'HOLDFAST_TEMPORAL_UI_PORT'];
    const postgres = await freePort();
    const beside = new Beside(folder);
    const port = pooler ? await beside.startPooler(postgres) : postgres;
    const cutter = await AnswerCutter.to(`postgres://127.0.0.1:${port}`);
    const settings: NodeJS.ProcessEnv = {
      ...process.env,
      DATABASE_URL: '',
      TEMPORAL_ADDRESS: '',
      EGRESS_ALLOW: new URL(receiver).host,
      LOG_LEVEL: 'warn',
      SHUTDOWN_GRACE_S: '25',
      ROLES: apart ? 'api,calls' : 'api,worker',
      PLANS: JSON.stringify(plans),
      PRICE_PER_EXECUTION: '0.01',
      CALL_PRICES: '{"http":0.001,"table":0.0001}',
      NODE_OPTIONS: `--import=${pathToFileURL(join(checkout(), 'dist/apps/faults/src/preload.js')).href}`,
      HOLDFAST_FAULTS_DATABASE_PORT: new URL(cutter.url).port,
    };
    const disk = Disk.possible ? new Disk(join(folder, 'postgres')) : null;
    const args = [join(checkout(), 'apps/local/run.mjs'), 'start'];
    const [command, its] = disk?.around(process.execPath, args) ?? [process.execPath, args];
    const child = spawn(command, its, {
      cwd: checkout(),
      env: {
        ...settings,
        ...Object.fromEntries(ports.map((name) => [name, '0'])),
        HOLDFAST_POSTGRES_PORT: String(postgres),
        HOLDFAST_DATA: folder,
        HOLDFAST_FAULTS_WORKER_AHEAD_MS: String(aheadMs),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const product = new Product(folder, settings, beside, child, disk, cutter, { apart, pooler });
    await product.open();
    return product;
  }

  private async open(): Promise<void> {
    const hasStarted = () => this.child.exitCode !== null || this.printed('Personal key') !== '';
    await until(hasStarted, startLimitMs, 'The first start');
    this.personalKey = this.printed('Personal key');
    if (!this.personalKey) throw new Error(`npm start ended with ${this.child.exitCode}.`);
    const { api = 0, temporal = 0 } = this.run().ports;
    await this.beside.startSecond(this.settings, { api, temporal });
    await this.ready();
  }

  /** The value after a name in the output of `npm start`; empty before it is printed. */
  private printed(name: string): string {
    const lines = this.output.split('\n').slice(0, -1);
    return (
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length)
        .trim() ?? ''
    );
  }

  get urls(): string[] {
    return [this.run().ports['api'], this.beside.ports['api2']].map((port) => `http://127.0.0.1:${port}`);
  }

  get temporalAddress(): string {
    return `127.0.0.1:${this.run().ports['temporal']}`;
  }

  /** The database URL of the owner, which bypasses any pooler. */
  get databaseUrl(): string {
    return buildReach(this.folder, {})['DATABASE_URL'] ?? '';
  }

  async signal(part: string, signal: Signal): Promise<boolean> {
    const pid = this.processes()[part];
    if (!pid || !isAlive(pid)) return false;
    process.kill(pid, signal);
    return true;
  }

  async assignPlan(workspaceId: string, plan: string): Promise<void> {
    const env = { ...this.settings, ...buildReach(this.folder, {}), NODE_OPTIONS: '' };
    const program = join(checkout(), 'dist/apps/api/src/commands/plans.js');
    execFileSync(process.execPath, [program, 'assign', workspaceId, plan], { env, stdio: 'pipe' });
  }

  async fillDisk(): Promise<number | null> {
    return this.disk ? this.disk.fill(this.child.pid ?? 0, join(this.folder, 'logs/postgres.log')) : null;
  }

  /** Resolves when all processes run, and each API and worker is ready and reaches its dependencies. */
  async ready(): Promise<void> {
    await until(() => this.isReady(), startLimitMs, 'All processes being up again');
  }

  async stop(): Promise<void> {
    await this.beside.stop();
    this.cutter.stop();
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await new Promise((resolve) => this.child.once('exit', resolve));
  }

  private async isReady(): Promise<boolean> {
    const processes = this.processes();
    if (!this.parts.every((part) => isAlive(processes[part] ?? 0))) return false;
    const ports: Record<string, number> = { ...this.run().ports, ...this.beside.ports };
    const states = await Promise.all(this.programs.map((program) => health(ports[program])));
    return states.every((state, i) => {
      const dependencies = Object.values(Object(state?.dependencies));
      const isApi = this.programs[i]?.startsWith('api');
      return state && (!isApi || dependencies.length > 0) && dependencies.every((one) => one === 'up');
    });
  }

  private processes(): Record<string, number> {
    return { ...this.run().processes, ...this.beside.processes };
  }

  private run(): Run {
    const file = join(this.folder, 'run.json');
    if (!existsSync(file)) return { processes: {}, ports: {} } as Run;
    return JSON.parse(readFileSync(file, 'utf8')) as Run;
  }
}

/** The health that a process reports; null when it is not ready. */
async function health(port: number | undefined): Promise<{ dependencies?: unknown } | null> {
  try {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    return response.ok ? ((await response.json()) as { dependencies?: unknown }) : null;
  } catch {
    return null;
  }
}
