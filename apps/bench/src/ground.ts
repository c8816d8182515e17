import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplate } from '#libs/platform/database/template';
import { type Cluster, givenCluster, startCluster } from '#apps/local/src/cluster';
import { Bare } from './bare.ts';
import { childrenNamed } from './costs.ts';
import { Installation } from './installation.ts';

/** The servers of a bench; their commits are durable. Some benches also compare an installation with Temporal alone. */
export class Ground {
  readonly folder = join(tmpdir(), `holdfast-bench-${randomBytes(6).toString('hex')}`);
  private readonly undo: (() => Promise<void>)[] = [];
  cluster!: Cluster;
  bare!: Bare;
  installation!: Installation;

  /** Starts the servers. `stop` undoes it, also after a failure or an interruption. */
  async start(say: (line: string) => void): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o755 });
    const cluster = givenCluster(process.env);
    say(
      cluster
        ? 'Using the servers that are given ...'
        : 'Starting Postgres and Temporal (commits are safe on disk) ...',
    );
    this.cluster = cluster ?? (await this.keep(startCluster({ durable: true })));
    await createTemplate(this.cluster.databaseUrl);
  }

  /** Starts Temporal's bare worker, and an installation that is compared with it. */
  async startCompared(say: (line: string) => void): Promise<void> {
    say('Starting the bare worker ...');
    this.bare = await this.keep(Bare.start(this.cluster.temporalAddress, join(this.folder, 'bare.log')));
    say('Starting API and worker ...');
    this.installation = await this.keep(
      Installation.start(this.cluster, { logs: this.folder, name: 'compared' }),
    );
  }

  /** One more installation on the servers. */
  async another(
    name: string,
    {
      deployment,
      pairs = 1,
      env = {},
    }: { deployment?: string; pairs?: number; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Installation> {
    const place = { logs: this.folder, name, pairs, env, ...(deployment ? { deployment } : {}) };
    return this.keep(Installation.start(this.cluster, place));
  }

  /** The processes that take part in the runs of an installation. */
  getPids({ pids }: Installation): Record<string, number> {
    return { ...pids, ...this.servers, client: process.pid };
  }

  /** The processes that serve all installations. */
  get servers(): Record<string, number> {
    return { temporal: childrenNamed('start-dev'), postgres: childrenNamed('postgres') };
  }

  /** The processes that take part in a bare run. */
  get barePids(): Record<string, number> {
    return { worker: this.bare.workerPid, temporal: childrenNamed('start-dev'), client: process.pid };
  }

  /** Stops everything in the reverse order of its start. */
  async stop(): Promise<void> {
    for (const one of this.undo.splice(0).toReversed()) await one();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Stops it with the ground. */
  async keep<T extends { stop(): Promise<void> | void }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    this.undo.push(async () => started.stop());
    return started;
  }
}
