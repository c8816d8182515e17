import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, withFreePorts } from '#apps/local/src/ports';
import { startTemporal, type Temporal } from '#apps/local/src/temporal';

/** A Temporal server that a test can kill and start again. A file keeps its runs. */
export class OwnTemporal {
  private readonly folder = mkdtempSync(join(tmpdir(), 'holdfast-temporal-'));
  private server!: Temporal;

  private constructor(private readonly port: number) {}

  static start(): Promise<OwnTemporal> {
    return withFreePorts(async () => {
      const own = new OwnTemporal(await freePort());
      await own.start();
      return own;
    });
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

  /** Stops the server and copies its runs for `startFromCopy`. */
  async copy(): Promise<void> {
    await this.kill();
    for (const name of this.files()) copyFileSync(join(this.folder, name), join(this.folder, `${name}.kept`));
    await this.start();
  }

  /** Starts with the copied runs. Later changes are lost. */
  async startFromCopy(): Promise<void> {
    for (const name of this.files()) rmSync(join(this.folder, name));
    for (const name of readdirSync(this.folder).filter((one) => one.endsWith('.kept')))
      copyFileSync(join(this.folder, name), join(this.folder, name.slice(0, -'.kept'.length)));
    await this.start();
  }

  /** The SQLite file and its log. */
  private files(): string[] {
    return readdirSync(this.folder).filter((name) => /^temporal\.db(-wal)?$/.test(name));
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
