import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '#apps/local/src/data-folder';
import { checkout } from '#apps/local/src/paths';
import { isAlive, until } from '#apps/local/src/processes';
import { Disk } from './disk.ts';

export const parts = ['api', 'worker', 'temporal', 'postgres'] as const;
export type Part = (typeof parts)[number];

const startLimitMs = 180_000;

/** The whole product, as `npm start` runs it, on data and ports of its own. */
export class Product {
  key = '';
  private output = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    private readonly disk: Disk | null,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  static async start(folder: string, receiver: string): Promise<Product> {
    const ports = ['PORT', 'WORKER_HEALTH_PORT', 'HOLDFAST_POSTGRES_PORT', 'HOLDFAST_TEMPORAL_PORT'];
    const disk = Disk.possible ? new Disk(join(folder, 'postgres')) : null;
    const args = [join(checkout(), 'apps/local/run.mjs'), 'start'];
    const [command, its] = disk?.around(process.execPath, args) ?? [process.execPath, args];
    const child = spawn(command, its, {
      cwd: checkout(),
      env: {
        ...process.env,
        ...Object.fromEntries([...ports, 'HOLDFAST_TEMPORAL_UI_PORT'].map((name) => [name, '0'])),
        DATABASE_URL: '',
        TEMPORAL_ADDRESS: '',
        HOLDFAST_DATA: folder,
        EGRESS_ALLOW: new URL(receiver).host,
        LOG_LEVEL: 'warn',
        RATE_API_PER_MINUTE: '1000000',
        RATE_ASYNC_PER_MINUTE: '1000000',
        PRICE_PER_EXECUTION: '0.01',
        CALL_PRICES: '{"http":0.001,"table":0.0001}',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const product = new Product(folder, child, disk);
    const key = () => /^Key +(\S+)$/m.exec(product.output)?.[1] ?? '';
    await until(() => child.exitCode !== null || key() !== '', startLimitMs, 'The first start');
    product.key = key();
    if (!product.key) throw new Error(`npm start ended with ${child.exitCode}.`);
    await product.ready();
    return product;
  }

  get url(): string {
    return `http://127.0.0.1:${this.run().ports['api']}`;
  }

  get temporalAddress(): string {
    return `127.0.0.1:${this.run().ports['temporal']}`;
  }

  /** Ends a process with SIGKILL. False when it is not running at this moment. */
  kill(part: Part): boolean {
    const pid = this.run().processes[part];
    if (!pid || !isAlive(pid)) return false;
    process.kill(pid, 'SIGKILL');
    return true;
  }

  /** Leaves Postgres without space for a while. Resolves to how often it was refused some; null where that cannot be done. */
  async fillDisk(): Promise<number | null> {
    return this.disk ? this.disk.fill(this.child.pid ?? 0, join(this.folder, 'logs/postgres.log')) : null;
  }

  /** Resolves when all four processes run, and API and worker say that they are ready and reach what they need. */
  async ready(): Promise<void> {
    await until(() => this.isReady(), startLimitMs, 'All processes being up again');
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await new Promise((resolve) => this.child.once('exit', resolve));
  }

  private async isReady(): Promise<boolean> {
    const { processes, ports } = this.run();
    if (!parts.every((part) => isAlive(processes[part] ?? 0))) return false;
    const [api, worker] = await Promise.all([health(ports['api']), health(ports['worker'])]);
    const dependencies = Object.values(Object(api?.dependencies));
    return worker !== null && dependencies.length > 0 && dependencies.every((state) => state === 'up');
  }

  private run(): Run {
    const file = join(this.folder, 'run.json');
    if (!existsSync(file)) return { processes: {}, ports: {} } as Run;
    return JSON.parse(readFileSync(file, 'utf8')) as Run;
  }
}

/** What a process says of itself; null when it is not ready. */
async function health(port: number | undefined): Promise<{ dependencies?: unknown } | null> {
  try {
    const signal = AbortSignal.timeout(5000);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    return response.ok ? ((await response.json()) as { dependencies?: unknown }) : null;
  } catch {
    return null;
  }
}
