import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import {
  Client,
  Connection,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { firstWorkspace } from '#libs/workspace/auth/first-workspace';
import { cloneTemplate, databaseSettings } from '#libs/platform/database/template';
import { departures } from './contract.ts';
import { Program } from './processes.ts';

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
  EVENT_LOOP_DELAY_MAX_MS: '60000',
};

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
    first: { workspace: { id: string }; keys: { workspace: string; personal: string } },
    private readonly drop: () => Promise<void>,
  ) {
    this.home = { id: first.workspace.id, key: first.keys.workspace };
    this.personalKey = first.keys.personal;
    this.port = env['PORT'] ?? '0';
  }

  /** Starts the API and, unless the tests need none, a worker. */
  static async start(extra: Record<string, string> = {}, { worker = true } = {}): Promise<Stack> {
    const database = await cloneTemplate(required('HOLDFAST_TEST_DATABASE_URL'));
    const env = {
      ...settings,
      ...databaseSettings(database.url),
      TEMPORAL_ADDRESS: required('HOLDFAST_TEST_TEMPORAL'),
      TASK_QUEUE: `test-${randomBytes(5).toString('hex')}`,
      ...extra,
    };
    const first = await firstWorkspace({ databaseDirectUrl: database.url, secret: env.HOLDFAST_SECRET });
    if (!first) throw new Error('The template database is not empty.');
    const stack = new Stack(env, first, database.drop);
    await Promise.all([stack.startApi(), worker ? stack.startWorker() : undefined]);
    return stack;
  }

  /** A stack that people open in a browser: its public URL is the one where it listens. */
  static async startPublic(extra: Record<string, string> = {}, programs = { worker: true }): Promise<Stack> {
    const port = await unusedPort();
    return Stack.start(
      { PORT: port, HOST: 'localhost', PUBLIC_URL: `http://localhost:${port}`, ...extra },
      programs,
    );
  }

  /** Starts the API, after a kill on the same port again, as a service would. */
  async startApi(extra: Record<string, string> = {}): Promise<void> {
    this.api = new Program(
      'apps/api/src/main.js',
      { ...this.env, ...extra, PORT: this.port },
      'the API is listening',
    );
    const { url } = await this.api.started;
    this.url = String(url).replace('[::1]', 'localhost');
    if (this.env['HOST'] === 'localhost') this.url = this.url.replace('127.0.0.1', 'localhost');
    this.port = new URL(this.url).port;
  }

  async startWorker(extra: Record<string, string> = {}): Promise<void> {
    const env = { ...this.env, ...extra, WORKER_HEALTH_PORT: '0' };
    this.worker = new Program('apps/worker/src/main.js', env, 'the worker is running');
    await this.worker.started;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, this.worker].map((program) => program?.kill('SIGTERM')));
    await this.connection?.close();
    await this.drop();
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
    const { id } = (await this.post('/api/v1/workspaces', { name }, mine)).body.data;
    const created = await this.post(`/api/v1/workspaces/${id}/keys`, { name: 'key', role: 'admin' }, mine);
    return { id, key: created.body.data.key };
  }

  /** Deploys a workflow with a unique name. Returns its id. */
  async givenDeployed(definition: object, headers?: Record<string, string>): Promise<string> {
    const id = await this.givenWorkflow(definition, headers);
    const deployed = await this.post(`/api/v1/workflows/${id}/deploy`, undefined, headers);
    if (deployed.status !== 200) throw new Error(JSON.stringify(deployed.body));
    return id;
  }

  async givenWorkflow(definition: object, headers?: Record<string, string>): Promise<string> {
    const name = `workflow ${randomBytes(5).toString('hex')}`;
    const created = await this.post('/api/v1/workflows', { name, definition }, headers);
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    return created.body.data.id;
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
  const found = await until(ask, (description) => description !== null, 60_000);
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
  limitMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`never came: the last answer was ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test.`);
  return value;
}
