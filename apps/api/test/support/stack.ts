import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  Client,
  Connection,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import {
  type FirstWorkspace,
  firstWorkspace,
  workspaceOfNewAdmin,
} from '#libs/workspace/auth/first-workspace';
import { cloneTemplate, databaseSettings, dropDatabase } from '#libs/platform/database/template';
import { pauseSince } from '#libs/platform/settings/support/soon';
import { departures } from './contract.ts';
import { Program, runFolder } from './processes.ts';

/** One response with its whole body. */
export interface Answer {
  status: number;
  headers: Headers;
  // Tests compare whole bodies.
  body: any; // oxlint-disable-line typescript/no-explicit-any
}

export interface Workspace {
  id: string;
  key: string;
}

const settings = {
  HOLDFAST_SECRET: 'the secret of the tests, which is long enough',
  LOG_LEVEL: 'info',
  OUTBOX_EVERY_MS: '250',
  RECONCILE_EVERY_MS: '1000',
  EGRESS_ALLOW: '127.0.0.1',
  CODE_SLOTS: '2',
  EMBEDDER: 'hash',
  WORKSPACES_PER_USER: '1000',
  // The speed of a busy machine must not decide which executions go to Temporal or which calls are refused.
  INLINE_MAX_MS: '1000',
  DIRECT_MAX_MS: '60000',
  EVENT_LOOP_DELAY_MAX_MS: '60000',
};

/** The processes of an installation and where they answer, as the next spec file of a Jest worker reads them. */
interface Installation {
  env: Record<string, string>;
  url: string;
  programs: { pid: number; log: string }[];
}

/** Where the files of a Jest worker find the installation that they share. */
const sharedFile = join(runFolder, `shared-${process.env['JEST_WORKER_ID']}.json`);
/** True in a spec file that works on the shared installation. */
let isSharedInUse = false;

const readShared = (): Installation | null =>
  existsSync(sharedFile) ? JSON.parse(readFileSync(sharedFile, 'utf8')) : null;

/** An API and a worker on a database of their own. They share the one Temporal server of the test run. */
export class Stack {
  readonly home: Workspace;
  readonly personalKey: string;
  api!: Program;
  /** Absent in a stack that was started without it. */
  worker!: Program;
  url = '';
  private port = '0';
  private connection: Connection | null = null;

  private constructor(
    readonly env: Record<string, string>,
    { workspace, keys }: FirstWorkspace,
    /** The address of the admin of `home`, whose key `personalKey` is. */
    readonly email: string,
    private readonly domain: string,
    private readonly end: (stack: Stack) => Promise<void>,
  ) {
    this.home = { id: workspace.id, key: keys.workspace };
    this.personalKey = keys.personal;
    this.port = env['PORT'] ?? '0';
  }

  /**
   * An own installation, for a spec file that needs settings, kills or counts everything. Other spec files use `shared`.
   * Starts the API and, unless the tests need none, a worker.
   */
  static async start(extra: Record<string, string> = {}, programs = { worker: true }): Promise<Stack> {
    if (!isSharedInUse) await Stack.endShared();
    return Stack.launch(extra, programs);
  }

  private static async launch(
    extra: Record<string, string>,
    { worker }: { worker: boolean },
  ): Promise<Stack> {
    const database = await cloneTemplate(required('HOLDFAST_TEST_DATABASE_URL'));
    const env = {
      ...settings,
      ...databaseSettings(database.url),
      TEMPORAL_ADDRESS: required('HOLDFAST_TEST_TEMPORAL'),
      TASK_QUEUE: `test-${randomBytes(5).toString('hex')}`,
      // A worker role in the API has this port too.
      WORKER_HEALTH_PORT: '0',
      ...extra,
    };
    const first = await firstWorkspace({ databaseDirectUrl: database.url, secret: env.HOLDFAST_SECRET });
    if (!first) throw new Error('The template database is not empty.');
    const stack = new Stack(env, first, 'admin@localhost', 'example.org', async ({ api, worker: second }) => {
      await Promise.all([api, second].map((program) => program?.kill('SIGTERM')));
      await database.drop();
      for (const program of [api, second]) program?.requireGrants();
    });
    await Promise.all([stack.startApi(), worker ? stack.startWorker() : undefined]);
    return stack;
  }

  /** A stack that people open in a browser: its public URL is the one where it listens. */
  static async startPublic(extra: Record<string, string> = {}, programs = { worker: true }): Promise<Stack> {
    return Stack.start({ ...(await publicAddress()), ...extra }, programs);
  }

  /**
   * A workspace and an admin of their own in the public installation that this Jest worker keeps for its spec files.
   * The runs that a spec file leaves open end with it. When a process no longer answers, a new installation starts.
   * It ends when the worker comes to a file with an own installation; `test-order.mjs` puts those behind.
   */
  static async shared(): Promise<Stack> {
    isSharedInUse = true;
    const kept = readShared();
    if (kept && (await isWell(kept))) return Stack.join(kept);
    await Stack.endShared();
    const settingsOfShared = { ...(await publicAddress()), WORKER_HEALTH_PORT: await unusedPort() };
    const { env, url, api, worker } = await Stack.launch(settingsOfShared, { worker: true });
    const programs = [api, worker].map(({ pid, log }) => ({ pid, log }));
    writeFileSync(sharedFile, JSON.stringify({ env, url, programs } satisfies Installation));
    return Stack.join({ env, url, programs });
  }

  private static async endShared(): Promise<void> {
    const kept = readShared();
    if (!kept) return;
    rmSync(sharedFile);
    await Promise.all(kept.programs.map(({ pid, log }) => new Program(pid, log).kill()));
    await dropDatabase(required('HOLDFAST_TEST_DATABASE_URL'), kept.env['DATABASE_DIRECT_URL'] ?? '');
  }

  private static async join({ env, url, programs }: Installation): Promise<Stack> {
    const databaseDirectUrl = env['DATABASE_DIRECT_URL'] ?? '';
    const domain = `${randomBytes(4).toString('hex')}.example.org`;
    const email = `admin@${domain}`;
    const own = await workspaceOfNewAdmin({ databaseDirectUrl, secret: settings.HOLDFAST_SECRET }, email);
    const stack = new Stack(env, own, email, domain, (leaving) => leaving.endRuns());
    const [api, worker] = programs.map(({ pid, log }) => new Program(pid, log));
    return Object.assign(stack, { url, api, worker });
  }

  /** Starts the API, after a kill on the same port again, as a service would. */
  async startApi(extra: Record<string, string> = {}): Promise<void> {
    this.api = Program.launch('apps/api/src/main.js', { ...this.env, ...extra, PORT: this.port });
    const { url } = await this.api.logged('the API is listening');
    this.url = String(url).replace('[::1]', 'localhost');
    if (this.env['HOST'] === 'localhost') this.url = this.url.replace('127.0.0.1', 'localhost');
    this.port = new URL(this.url).port;
  }

  async startWorker(extra: Record<string, string> = {}): Promise<void> {
    this.worker = Program.launch('apps/worker/src/main.js', { ...this.env, ...extra });
    await this.worker.logged('the worker is running');
  }

  async stop(): Promise<void> {
    await this.end(this);
    await this.connection?.close();
  }

  /** Ends the runs of the installation that are still open, because they would go on beside the next spec file. */
  private async endRuns(): Promise<void> {
    const { workflow } = await this.temporal();
    const query = `TaskQueue = '${this.env['TASK_QUEUE']}' and ExecutionStatus = 'Running'`;
    for await (const { workflowId } of workflow.list({ query }))
      await workflow
        .getHandle(workflowId)
        .terminate('its spec file has ended')
        .catch(() => undefined);
  }

  /** The address of a person whom no other spec file knows. */
  at(person: string): string {
    return `${person}@${this.domain}`;
  }

  /** A client with an operator's access. */
  async temporal(): Promise<Client> {
    // One task may write more events than the default of 4 MiB for a client, and a page ends only between tasks.
    const channelArgs = { 'grpc.max_receive_message_length': -1 };
    this.connection ??= await Connection.connect({ address: this.env.TEMPORAL_ADDRESS, channelArgs });
    return new Client({ connection: this.connection });
  }

  /** The operator's handle of a run, once Temporal has it. */
  async runOf(executionId: string): Promise<WorkflowHandle> {
    const client = await this.temporal();
    await describeRun(client, executionId);
    return client.workflow.getHandle(executionId);
  }

  /** Makes one call. A body of text or bytes is sent unchanged, anything else as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(path.startsWith('http') ? path : this.url + path, {
      method,
      headers: { 'x-api-key': this.home.key, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    });
    return described(method, path, await answerOf(response));
  }

  get(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  async blockLog(workflowId: string, executionId: string): Promise<Answer['body'][]> {
    const path = `/api/workflows/${workflowId}/executions/${executionId}`;
    const { blocks, nextCursor } = (await this.get(path)).body;
    for (let cursor = nextCursor; cursor !== null;) {
      const { body } = await this.get(`${path}?cursor=${cursor}`);
      blocks.push(...body.blocks);
      cursor = body.nextCursor;
    }
    return blocks;
  }

  /** Makes another workspace, with an admin key of its own. */
  async givenWorkspace(name = 'theirs'): Promise<Workspace> {
    const mine = { 'x-api-key': this.personalKey };
    const { id } = await this.make('/api/v1/workspaces', { name }, mine);
    const { key } = await this.make(`/api/v1/workspaces/${id}/keys`, { name: 'key', role: 'admin' }, mine);
    return { id, key };
  }

  /** Deploys a workflow with a unique name. Returns its id. */
  async givenDeployed(definition: object, headers?: Record<string, string>): Promise<string> {
    const id = await this.givenWorkflow(definition, headers);
    await this.make(`/api/v1/workflows/${id}/deploy`, undefined, headers);
    return id;
  }

  async givenWorkflow(definition: object, headers?: Record<string, string>): Promise<string> {
    const name = `workflow ${randomBytes(5).toString('hex')}`;
    return (await this.make('/api/v1/workflows', { name, definition }, headers)).id;
  }

  /** Returns what a call has made. Repeats a call that finds no connection in time, because other tests may occupy the processor. */
  private async make(path: string, input: unknown, headers?: Record<string, string>) {
    const { status, body } = await until(
      () => this.post(path, input, headers),
      (answer) => answer.status !== 503,
    );
    if (status > 201) throw new Error(JSON.stringify(body));
    return body.data;
  }

  execute(workflowId: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.post(`/api/workflows/${workflowId}/execute`, body, headers);
  }

  /** Starts a run and waits for its first pause. Returns the run and the link to answer it. */
  async givenPaused(
    workflowId: string,
    inputs: object = {},
  ): Promise<{ executionId: string; apiUrl: string; contextId: string }> {
    const { body } = await this.execute(workflowId, { inputs });
    if (body.status !== 'paused') throw new Error(JSON.stringify(body));
    const [{ contextId, resumeLinks }] = body.paused.pausePoints;
    return { executionId: body.executionId, contextId, apiUrl: new URL(resumeLinks.apiUrl).pathname };
  }
}

/** True when both processes answer. */
async function isWell({ env, url }: Installation): Promise<boolean> {
  const probes = [`${url}/health/ready`, `http://localhost:${env['WORKER_HEALTH_PORT']}/health/live`];
  const answers = probes.map((probe) => fetch(probe, { signal: AbortSignal.timeout(5000) }));
  return Promise.all(answers).then(
    (found) => found.every(({ ok }) => ok),
    () => false,
  );
}

/** The settings of an installation that people open in a browser. */
async function publicAddress(): Promise<Record<string, string>> {
  const port = await unusedPort();
  return { PORT: port, HOST: 'localhost', PUBLIC_URL: `http://localhost:${port}` };
}

function unusedPort(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, 'localhost', () => {
      const address = server.address();
      server.close(() => resolve(String(typeof address === 'object' ? address?.port : '')));
    });
  });
}

/** Temporal's description of a run. Temporal may get a run after its caller was answered. */
export async function describeRun(
  client: Client,
  executionId: string,
): Promise<WorkflowExecutionDescription> {
  const ask = () =>
    client.workflow
      .getHandle(executionId)
      .describe()
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      });
  const found = await until(ask, (description) => description !== null);
  if (!found) throw new Error('Temporal does not have the run.');
  return found;
}

/** Reads the body of a response. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  return { status, headers, body: isJson && text ? JSON.parse(text) : text };
}

/** Returns the answer. An answer that `openapi.json` does not describe fails the current test. */
export function described(method: string, path: string, answer: Answer): Answer {
  const faults = departures({ method, path, ...answer });
  if (faults.length === 0) return answer;
  throw new Error(
    `${method} ${path} answered ${answer.status}, and not as openapi.json says:\n${faults.join('\n')}\n${JSON.stringify(answer.body).slice(0, 2000)}`,
  );
}

/** Repeats `ask` until the answer is right. At the limit it fails with the last answer. */
export async function until<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  limitMs = 180_000,
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() > begun + limitMs)
      throw new Error(`never came: the last answer was ${JSON.stringify(answer)}`);
    await pauseSince(begun);
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test.`);
  return value;
}
