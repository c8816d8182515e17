import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { Hook } from '#libs/triggers/webhooks/support/signed-hook';
import { buildPdf } from './knowledge/pdf.ts';
import { type LargeAnswer, startLargeAnswers } from './large-answers.ts';

/** The only argument of the program, as JSON. */
export interface HostileOptions {
  url: string;
  key: string;
  /** The key of a person, who may make workspaces. */
  personalKey: string;
  load: HostileLoad;
  /** The rows of all its tables together. */
  rows: number;
}

export const hostileLoads = [
  'probes',
  'files',
  'inserts',
  'connections',
  'descendants',
  'documents',
  'notices',
  'checks',
  'workspaces',
  'parsers',
  'hooks',
  'largeAnswers',
] as const;
export type HostileLoad = (typeof hostileLoads)[number];

/** The program prints this line when its load has begun. */
export const hasBegun = 'The load has begun.';

const perCall = 1000;
const json = 'application/json';
const lines = (n: number, last = '') =>
  `a,b\n${Array.from({ length: n }, (_, i) => `${i},some text of line ${i}`).join('\n')}\n${last}`;
const part = (name: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;

/** One tenant that uses everything it can get and ignores all answers. */
class Hostile {
  private readonly pool: Pool;
  private readonly answers = new Map<number, number>();
  /** Undoes work that would go on without this process. */
  private takeBack = async (): Promise<unknown> => undefined;

  constructor(private readonly options: HostileOptions) {
    this.pool = new Pool(options.url, { headersTimeout: 0, bodyTimeout: 0 });
  }

  async run(): Promise<void> {
    const loops = await this[this.options.load]();
    process.stdout.write(`${hasBegun}\n`);
    process.once('SIGTERM', () => {
      process.stdout.write(`${JSON.stringify(Object.fromEntries(this.answers))}\n`);
      void this.takeBack().finally(() => process.exit());
    });
    await Promise.all(loops.map((once) => this.repeat(once)));
  }

  /** A flood of calls to the probe, without a key. */
  private async probes() {
    return times(200, () => () => this.send('GET', '/health/ready'));
  }

  /** Files for a pause that was answered already. */
  private async files() {
    const form = [{ name: 'scan', type: 'file' }];
    const id = await this.deployed({
      blocks: [{ id: 'ask', type: 'human', params: { title: 'Scan?', form } }],
      edges: [{ from: 'start', to: 'ask' }],
    });
    const run = await this.send('POST', `/api/workflows/${id}/execute`, {});
    const { paused } = run.body as { paused: { pausePoints: { resumeLinks: { uiUrl: string } }[] } };
    const { pathname, search } = new URL(paused.pausePoints[0]?.resumeLinks.uiUrl ?? '');
    const file = `${part('scan', 'a page '.repeat(1_400_000), '; filename="a.txt"')}--x--\r\n`;
    const answer = () => this.send('POST', pathname + search, file, 'multipart/form-data; boundary=x');
    await answer();
    return times(8, () => answer);
  }

  /** Single inserts into a large table while its columns change all the time. */
  private async inserts() {
    const table = await this.filled(this.options.rows / 4);
    const insert = () => this.send('POST', `${table}/rows`, { data: { b: 'x' } });
    return [...times(300, () => insert), this.changing(table)];
  }

  /** Slow changes of columns, queries and imports, each on a table of its own. */
  private async connections() {
    const tables = await Promise.all(times(8, () => this.filled(this.options.rows / 8)));
    // The last line is bad, so that the whole import is undone.
    const file = lines(200_000, '1,2,3,4\n');
    return tables.flatMap((table, i) => [
      this.changing(table),
      () => this.send('POST', `${table}/rows/query`, { filter: { b: { $contains: 'nowhere' } } }),
      ...(i % 2 ? [() => this.send('POST', `${table}/import?mode=all`, file, 'text/csv')] : []),
    ]);
  }

  /** A workflow that calls itself fifty times. */
  private async descendants() {
    const { body } = await this.send('POST', '/api/v1/workflows', {
      name: 'self',
      definition: { blocks: [], edges: [] },
    });
    const { id } = body['data'] as { id: string };
    const call = { id: 'call', type: 'workflow', params: { workflowId: id, inputs: {} } };
    const within = { blocks: [call], edges: [{ from: 'start', to: 'call' }] };
    const fan = { id: 'fan', type: 'parallel', params: { count: 50, concurrency: 50 }, body: within };
    const definition = { blocks: [fan], edges: [{ from: 'start', to: 'fan' }] };
    await this.send('PATCH', `/api/v1/workflows/${id}`, { definition });
    await this.send('POST', `/api/v1/workflows/${id}/deploy`, {});
    const runs = await Promise.all(
      times(3, () => this.send('POST', `/api/workflows/${id}/execute`, { async: true })),
    );
    const odd = runs.find(({ status }) => status !== 202);
    if (odd) throw new Error(`No workflow has begun: ${JSON.stringify(odd)}`);
    const cancelling = runs.map(
      (one) => `/api/workflows/${id}/executions/${String(one.body['executionId'])}/cancel`,
    );
    this.takeBack = () => Promise.all(cancelling.map((path) => this.send('POST', path, {})));
    return times(1, () => () => this.send('GET', '/api/v1/logs?limit=50'));
  }

  /** Large documents, and searches in logs with large outputs. */
  private async documents() {
    const { body } = await this.send('POST', '/api/v1/knowledge', { name: 'huge' });
    const { knowledgeBase } = body['data'] as { knowledgeBase: { id: string } };
    const path = `/api/v1/knowledge/${knowledgeBase.id}/documents`;
    this.takeBack = () => this.send('DELETE', `/api/v1/knowledge/${knowledgeBase.id}`);
    const pdf = buildPdf(3000).toString('latin1');
    const nested = `[${'[],'.repeat(3_000_000)}[]]`;
    const large = await this.deployed({
      start: { inputs: { text: { type: 'string', required: true } } },
      blocks: [{ id: 'done', type: 'response', params: { data: '{{ start.text }}' } }],
      edges: [{ from: 'start', to: 'done' }],
    });
    for (let n = 0; n < 60; n++)
      await this.send('POST', `/api/workflows/${large}/execute`, {
        inputs: { text: `${n} `.repeat(300_000) },
      });
    const upload = (name: string, content: string) => () =>
      this.send(
        'POST',
        path,
        Buffer.from(`${part('file', content, `; filename="${name}"`)}--x--\r\n`, 'latin1'),
        'multipart/form-data; boundary=x',
      );
    return [
      ...times(2, () => upload('a.pdf', pdf)),
      ...times(2, () => upload('a.json', nested)),
      ...times(4, () => () => this.send('GET', '/api/v1/logs?search=is+nowhere')),
    ];
  }

  /** Pauses, each with a notice to a receiver of its own that never answers. */
  private async notices() {
    const url = await localServer(() => undefined);
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { body } = await this.send('GET', '/api/v1/workspaces');
    const [{ id: workspace }] = body['data'] as [{ id: string }];
    await this.send('PUT', `/api/v1/workspaces/${workspace}/secrets/HOOK`, { value: secret });
    const notify = { webhook: { url: `${url}/{{ start.n }}`, secret: 'HOOK' } };
    const form = [{ name: 'yes', type: 'boolean' }];
    const id = await this.deployed({
      start: { inputs: { n: { type: 'number' } } },
      blocks: [{ id: 'ask', type: 'human', params: { title: 'Yes?', form, notify } }],
      edges: [{ from: 'start', to: 'ask' }],
    });
    let n = 0;
    return times(8, () => () => this.send('POST', `/api/workflows/${id}/execute`, { inputs: { n: n++ } }));
  }

  /** Answers of a model that take seconds to check against their schema. */
  private async checks() {
    const content = `[${Array(1_000_000).fill(1).join(',')}]`;
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
    const answer = JSON.stringify({ id: 'a', object: 'chat.completion', model: 'm', choices: [choice] });
    const baseUrl = await localServer((reply) => reply(answer));
    const anyOf = times(40, (n) => ({ anyOf: times(30, () => ({ const: `no ${n}` })) }));
    const responseSchema = { type: 'array', items: { anyOf: [...anyOf, { type: 'integer' }] } };
    const params = { baseUrl, model: 'm', messages: [{ role: 'user', content: 'x' }], responseSchema };
    const id = await this.deployed({
      blocks: [{ id: 'ask', type: 'llm', params }],
      edges: [{ from: 'start', to: 'ask' }],
    });
    return times(40, () => () => this.send('POST', `/api/workflows/${id}/execute`, {}));
  }

  /** New workspaces, and lists of them all. */
  private async workspaces() {
    const asPerson = () => this.options.personalKey;
    return [
      ...times(8, () => () => this.send('POST', '/api/v1/workspaces', { name: 'w' }, json, asPerson())),
      ...times(2, () => () => this.send('GET', '/api/v2/workspaces', undefined, json, asPerson())),
    ];
  }

  /** The worst input of each parser: an expression with a large result, a long expression of another product, a dense definition. */
  private async parsers() {
    const split = await this.deployed({
      start: { inputs: { s: { type: 'string' } } },
      blocks: [{ id: 'out', type: 'response', params: { data: '{{ start.s.split("") }}' } }],
      edges: [{ from: 'start', to: 'out' }],
    });
    const inputs = { s: 'x'.repeat(1_000_000) };
    const expression = `={{ ${'$json.a + '.repeat(240_000)}1 }}`;
    const assignments = { assignments: [{ id: 'a', name: 'a', value: expression, type: 'string' }] };
    const node = { id: '1', name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3, position: [0, 0] };
    const file = { name: 'n', nodes: [{ ...node, parameters: { assignments } }], connections: {} };
    const blocks = times(3400, (n) => ({
      id: `b${n}`,
      type: 'condition',
      params: { branches: [{ port: 'a', when: `start.a == ${n}` }] },
    }));
    return [
      () => this.send('POST', `/api/workflows/${split}/execute`, { inputs }),
      () => this.send('POST', '/api/v1/workflows/import?from=n8n&dryRun=true', file),
      () => this.send('POST', '/api/v1/workflows/validate', { definition: { blocks, edges: [] } }),
    ];
  }

  /** Senders of signed hooks that wait for nothing but the answer. */
  private async hooks() {
    const id = await this.deployed({
      start: { inputs: { amount: { type: 'number' } } },
      blocks: [{ id: 'done', type: 'response', params: { data: '{{ start.amount }}' } }],
      edges: [{ from: 'start', to: 'done' }],
    });
    const hook = await Hook.create((path, body) => this.create(path, body), [this.options.url], id);
    return times(100, () => () => hook.deliver(randomUUID()));
  }

  /** 60 jobs at a time, each with a call whose answer has 8 MB of objects or 10 MB of empty ones. */
  private async largeAnswers() {
    const { url } = await startLargeAnswers();
    const calling = (answer: LargeAnswer) =>
      this.deployed(
        {
          blocks: [
            { id: 'ask', type: 'http', params: { url: `${url}/${answer}` } },
            { id: 'done', type: 'response', params: { data: '{{ ask.status }}' } },
          ],
          edges: [
            { from: 'start', to: 'ask' },
            { from: 'ask', to: 'done' },
          ],
        },
        answer,
      );
    const ids = await Promise.all((['objects', 'empty'] as const).map(calling));
    return times(60, (n) => () => this.send('POST', `/api/workflows/${ids[n % 2] ?? ''}/execute`, {}));
  }

  private async create(path: string, body: object): Promise<JsonObject> {
    return (await this.send('POST', path, body)).body;
  }

  /** Changes the type of a column back and forth. */
  private changing(table: string) {
    let n = 0;
    return () => {
      const updates = { type: n++ % 2 ? 'number' : 'string' };
      return this.send('PATCH', `${table}/columns`, { columnName: 'a', updates });
    };
  }

  private async filled(rows: number): Promise<string> {
    const columns = [
      { name: 'a', type: 'number' },
      { name: 'b', type: 'string' },
    ];
    const name = `t${Math.random().toString(36).slice(2)}`;
    const { body } = await this.send('POST', '/api/v1/tables', { name, schema: { columns } });
    const path = `/api/v1/tables/${(body['data'] as { table: { id: string } }).table.id}`;
    const many = times(perCall, (i) => ({ a: i, b: `some text of row ${i}` }));
    for (let made = 0; made < rows; made += perCall) await this.send('POST', `${path}/rows`, { rows: many });
    return path;
  }

  private async deployed(definition: object, name = 'hostile'): Promise<string> {
    const { body } = await this.send('POST', '/api/v1/workflows', { name, definition });
    const { id } = body['data'] as { id: string };
    await this.send('POST', `/api/v1/workflows/${id}/deploy`, {});
    return id;
  }

  private async repeat(once: () => Promise<{ status: number }>): Promise<never> {
    for (;;) {
      const status = await once().then(
        (answer) => answer.status,
        () => 0,
      );
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    }
  }

  private async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | string | Buffer,
    type = json,
    key = this.options.key,
  ): Promise<{ status: number; body: JsonObject }> {
    const isFile = typeof body === 'string' || Buffer.isBuffer(body);
    const answer = await this.pool.request({
      path,
      method,
      headers: { 'x-api-key': key, 'content-type': type },
      body: isFile || body === undefined ? (body ?? null) : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const value: Json = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: answer.statusCode, body: value as JsonObject };
  }
}

/** Starts a server on this machine, which answers as `take` decides or not at all. Resolves to its URL. */
async function localServer(take: (reply: (body: string) => void) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', json);
    take((body) => response.end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // This process is not measured, so it leaves the processors to the product where it can.
  setPriority(19);
  await new Hostile(JSON.parse(process.argv[2] ?? '{}')).run();
}
