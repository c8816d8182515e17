import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#apps/local/src/ports';
import { startTemporal, type Temporal } from '#apps/local/src/temporal';

/** A Temporal server that a test may kill and start again: its runs are in a file. */
export class OwnTemporal {
  private readonly folder = mkdtempSync(join(tmpdir(), 'holdfast-temporal-'));
  private server!: Temporal;

  private constructor(private readonly port: number) {}

  static async start(): Promise<OwnTemporal> {
    const own = new OwnTemporal(await freePort());
    await own.start();
    return own;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.server = await startTemporal({
      file: join(this.folder, 'temporal.db'),
      port: this.port,
      namespace: 'default',
      log: join(this.folder, 'temporal.log'),
    });
  }

  async kill(): Promise<void> {
    const { child } = this.server;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
