import { join } from 'node:path';
import { FormData, Pool } from 'undici';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { cloneTemplate, databaseSettings } from '#libs/platform/database/template';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Cluster } from '#apps/local/src/cluster';
import { checkout } from '#apps/local/src/paths';
import { freePort } from '#apps/local/src/ports';
import { lastLines, launch, stopProcess, until } from '#apps/local/src/processes';

/** High enough that no run is refused. All other settings are the defaults. */
const settings = {
  NODE_ENV: 'production',
  HOLDFAST_SECRET: 'the secret of the benchmark, which is long enough',
  LOG_LEVEL: 'warn',
  EGRESS_ALLOW: '127.0.0.1',
  RATE_SYNC_PER_MINUTE: '100000000',
  WORKSPACES_PER_USER: '1000',
  RATE_API_PER_MINUTE: '100000000',
};

/** A caller with a key. */
export interface Neighbour {
  post(path: string, body: unknown, expected: number): Promise<JsonObject>;
}

/** A new workspace, and the key for it. */
export interface NeighbourWorkspace extends Neighbour {
  id: string;
  key: string;
}

/** An API and a worker of the compiled product, on a database of their own. The bench calls them over HTTP. */
export class Installation {
  pids: Record<string, number> = {};
  /** The URL of its first API. */
  url = '';
  private apis: Pool[] = [];
  private turn = 0;

  private constructor(
    readonly databaseUrl: string,
    readonly workspaceId: string,
    readonly key: string,
    readonly personalKey: string,
    private readonly place: { name: string; logs: string; env: NodeJS.ProcessEnv; pairs: number },
  ) {}

  /**
   * Starts an installation. `name` tells its queue and its logs from those of others on the same servers. With a
   * `deployment`, this is build 1. Calls go to the APIs of the `pairs` in turn.
   */
  static async start(
    cluster: Cluster,
    {
      logs,
      name,
      deployment,
      pairs = 1,
      env: more = {},
    }: { logs: string; name: string; deployment?: string; pairs?: number; env?: NodeJS.ProcessEnv },
  ): Promise<Installation> {
    const { url: databaseUrl } = await cloneTemplate(cluster.databaseUrl);
    const first = await firstWorkspace({ databaseDirectUrl: databaseUrl, secret: settings.HOLDFAST_SECRET });
    if (!first) throw new Error('The template database is not empty.');
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...settings,
      ...databaseSettings(databaseUrl),
      TEMPORAL_ADDRESS: cluster.temporalAddress,
      TASK_QUEUE: `bench-${name}`,
      ...(deployment ? { DEPLOYMENT_NAME: deployment, BUILD_ID: '1' } : {}),
      ...more,
    };
    const place = { name, logs, env, pairs };
    const installation = new Installation(
      databaseUrl,
      first.workspace.id,
      first.keys.workspace,
      first.keys.personal,
      place,
    );
    await installation.launch({});
    return installation;
  }

  /** Starts the processes of another build beside the old ones. The old ones end after `handOver`. */
  async upgrade(buildId: string, handOver: () => Promise<void>): Promise<void> {
    const [old, oldApis] = [this.pids, this.apis];
    await this.launch({ BUILD_ID: buildId });
    await handOver();
    await Promise.all(oldApis.map((api) => api.close()));
    await ended(old);
  }

  private async launch(more: NodeJS.ProcessEnv): Promise<void> {
    [this.pids, this.apis] = [{}, []];
    for (let pair = 1; pair <= this.place.pairs; pair++)
      await this.launchPair(pair === 1 ? '' : String(pair), more);
  }

  private async launchPair(number: string, more: NodeJS.ProcessEnv): Promise<void> {
    const { name, logs, env } = this.place;
    const [port, healthPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), WORKER_HEALTH_PORT: String(healthPort) };
    const start = (part: 'api' | 'worker') => {
      const args = ['--enable-source-maps', join(checkout(), 'dist/apps', part, 'src/main.js')];
      const log = join(logs, `${name}-${part}${number}.log`);
      const child = {
        command: process.execPath,
        args,
        env: { ...env, ...ports, ...more },
        cwd: checkout(),
        log,
      };
      this.pids[`${part}${number}`] = launch(child).pid ?? 0;
    };
    start('api');
    start('worker');
    const url = `http://127.0.0.1:${port}`;
    if (this.apis.length === 0) this.url = url;
    this.apis.push(new Pool(url));
    for (const at of [port, healthPort])
      await this.ready(`http://127.0.0.1:${at}/health/ready`, join(logs, `${name}-api${number}.log`));
  }

  /** Creates and deploys a workflow. Returns its id. */
  async deployed(name: string, definition: object): Promise<string> {
    const { data } = await this.post('/api/v1/workflows', { name, definition }, 201);
    const id = isObject(data) && typeof data['id'] === 'string' ? data['id'] : '';
    await this.post(`/api/v1/workflows/${id}/deploy`, undefined, 200);
    return id;
  }

  /** Makes one POST on a kept connection. Rejects unless the status is the expected one. */
  async post(path: string, body: unknown, expected: number): Promise<JsonObject> {
    return this.call('POST', path, body, expected);
  }

  patch(path: string, body: unknown): Promise<JsonObject> {
    return this.call('PATCH', path, body, 200);
  }

  put(path: string, body: unknown): Promise<JsonObject> {
    return this.call('PUT', path, body, 200);
  }

  /** Makes another workspace. */
  async neighbour(name = 'neighbour'): Promise<NeighbourWorkspace> {
    const mine = this.personalKey;
    const created = await this.call('POST', '/api/v1/workspaces', { name }, 201, mine);
    const { id } = created.data as { id: string };
    const keyBody = { name: 'bench', role: 'admin' };
    const { data } = await this.call('POST', `/api/v1/workspaces/${id}/keys`, keyBody, 201, mine);
    const { key } = data as { key: string };
    return { id, key, post: (path, body, expected) => this.call('POST', path, body, expected, key) };
  }

  /** Sends one file. */
  async upload(path: string, filename: string, content: Buffer<ArrayBuffer>): Promise<JsonObject> {
    const [api] = this.apis;
    if (!api) throw new Error('The installation is not started.');
    const form = new FormData();
    form.append('file', new Blob([content]), filename);
    const answer = await api.request({
      path,
      method: 'POST',
      headers: { 'x-api-key': this.key },
      body: form,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : {};
  }

  get(path: string, key = this.key): Promise<JsonObject> {
    return this.call('GET', path, undefined, 200, key);
  }

  private async call(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: unknown,
    expected: number,
    key = this.key,
  ): Promise<JsonObject> {
    const api = this.apis[this.turn++ % this.apis.length];
    if (!api) throw new Error('The installation is not started.');
    const answer = await api.request({
      path,
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== expected) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : {};
  }

  /** Stops the processes. The database goes with its cluster. A second call does nothing. */
  async stop(): Promise<void> {
    const [apis, pids] = [this.apis, this.pids];
    [this.apis, this.pids] = [[], {}];
    await Promise.all(apis.map((api) => api.close()));
    await ended(pids);
  }

  private async ready(url: string, log: string): Promise<void> {
    const answers = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, 60_000, `An answer of ${url}`).catch((error: Error) => {
      throw new Error(`${error.message}\n${lastLines(log)}`);
    });
  }
}

async function ended(pids: Record<string, number>): Promise<void> {
  await Promise.all(Object.values(pids).map((pid) => stopProcess(pid, 'SIGTERM', 8000)));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
