import { join } from 'node:path';
import { readFolderSecrets } from '#apps/local/src/data-folder';
import { buildReach } from '#apps/local/src/installation';
import { checkout } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { launch, stopProcess } from '#apps/local/src/processes';
import { say } from '#apps/local/src/say';
import { Supervisor } from '#apps/local/src/supervisor';
import { startPooler } from './pooler.ts';

const graceMs = 10_000;

/** Runs a second API beside `npm start`, a second worker unless the API is one, and a pooler if wanted. Starts each again when it ends. */
export class Beside {
  private readonly supervisor = new Supervisor({ say: () => undefined });
  readonly ports: Record<string, number> = {};

  constructor(private readonly folder: string) {}

  get processes(): Record<string, number> {
    return this.supervisor.pids;
  }

  /** Starts the pooler. Postgres may start later; its port is known. Resolves to the port of the pooler. */
  async startPooler(postgresPort: number): Promise<number> {
    const port = await freePort();
    const { postgresPassword: password } = readFolderSecrets(this.folder);
    const options = { folder: join(this.folder, 'pooler'), port, log: this.log('pooler') };
    const start = () => startPooler({ ...options, postgres: { port: postgresPort, password } });
    await this.supervisor.start({
      name: 'pooler',
      start,
      stop: (pid) => stopProcess(pid, 'SIGINT', graceMs),
    });
    say(`PgBouncer stands between the processes and Postgres.`);
    return port;
  }

  /** Starts second processes of the same installation, with the settings of the first ones. */
  async startSecond(settings: NodeJS.ProcessEnv, first: { api: number; temporal: number }): Promise<void> {
    const [api, worker] = [await freePort(), await freePort()];
    Object.assign(this.ports, { api2: api, worker2: worker });
    const env = {
      HOST: '127.0.0.1',
      ...settings,
      ...buildReach(this.folder, {}),
      PUBLIC_URL: `http://localhost:${first.api}`,
      TEMPORAL_ADDRESS: `127.0.0.1:${first.temporal}`,
      TEMPORAL_NAMESPACE: 'default',
      PORT: String(api),
      WORKER_HEALTH_PORT: String(worker),
    };
    const names = settings['ROLES'] === 'api,worker' ? ['api'] : ['worker', 'api'];
    for (const name of names) await this.supervisor.start(this.program(name, env));
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
  }

  private program(name: string, env: NodeJS.ProcessEnv) {
    const args = [join(checkout(), 'dist/apps', name, 'src/main.js')];
    const log = this.log(`${name}2`);
    return {
      name: `${name}2`,
      start: async () => launch({ command: process.execPath, args, env, cwd: checkout(), log }),
      stop: (pid: number) => stopProcess(pid, 'SIGTERM', graceMs),
    };
  }

  private log(name: string): string {
    return join(this.folder, 'logs', `${name}.log`);
  }
}
