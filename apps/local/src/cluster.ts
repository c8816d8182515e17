import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, withFreePorts } from './ports.ts';
import { removePostgres, startPostgres, stopPostgres } from './postgres.ts';
import { startTemporal, stopTemporal } from './temporal.ts';

export interface ClusterOptions {
  /** Kept after `stop`; a temporary folder that goes with the cluster when absent. */
  dataDir?: string;
  /** True when commits survive a power cut, as for measurements. False for tests. */
  durable?: boolean;
  /** True when Temporal serves its web interface. */
  ui?: boolean;
}

/** A Postgres and a Temporal of one's own, on free ports of the loopback address. */
export interface Cluster {
  /** The owner's address of the database `postgres`. */
  databaseUrl: string;
  temporalAddress: string;
  temporalUiUrl?: string;
  stop(): Promise<void>;
}

/** The servers that the environment names, which are left running; null when it does not name both. */
export function givenCluster(env: NodeJS.ProcessEnv): Cluster | null {
  const [databaseUrl, temporalAddress] = [env['HOLDFAST_TEST_DATABASE_URL'], env['HOLDFAST_TEST_TEMPORAL']];
  return databaseUrl && temporalAddress
    ? { databaseUrl, temporalAddress, stop: () => Promise.resolve() }
    : null;
}

/** Starts both servers at once and resolves when both answer. The caller must call `stop`. */
export function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return withFreePorts(() => startOnce(options));
}

async function startOnce({ dataDir, durable = false, ui = false }: ClusterOptions): Promise<Cluster> {
  const folder = dataDir ?? join(tmpdir(), `holdfast-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const data = join(folder, 'postgres');
  const uiPort = ui ? await freePort() : undefined;
  const [postgres, temporal] = await Promise.allSettled([
    startPostgres({
      folder: data,
      port: await freePort(),
      log: join(folder, 'postgres.log'),
      password: 'holdfast',
      durable,
      database: 'postgres',
    }),
    startTemporal({
      file: durable ? join(folder, 'temporal.db') : undefined,
      port: await freePort(),
      uiPort,
      namespace: 'default',
      log: join(folder, 'temporal.log'),
    }),
  ]);
  const stop = async () => {
    if (temporal.status === 'fulfilled') await stopTemporal(temporal.value.child.pid ?? 0);
    if (postgres.status === 'fulfilled') await stopPostgres(postgres.value.child.pid ?? 0);
    if (dataDir === undefined) {
      removePostgres(data);
      rmSync(folder, { recursive: true, force: true });
    }
  };
  if (postgres.status === 'rejected' || temporal.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : (temporal as PromiseRejectedResult).reason;
  }
  return {
    databaseUrl: postgres.value.url,
    temporalAddress: temporal.value.address,
    temporalUiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
    stop,
  };
}
