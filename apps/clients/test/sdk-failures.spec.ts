import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { parseKeepingDigits } from '#libs/sdk/src/download';
import { readRetryAfter } from '#libs/sdk/src/retries';
import { Holdfast, type HoldfastOptions, type LogEntry } from '#libs/sdk/src/holdfast';
import { cut, hang, json, refusal, ScriptedServer } from './scripted-server.ts';

const none = { baseUrl: 'http://127.0.0.1:9', apiKey: 'sk-holdfast-x', maxRetries: 0 };
const clientOf = ({ url }: ScriptedServer, options: HoldfastOptions = {}) =>
  new Holdfast({ baseUrl: url, apiKey: 'sk-holdfast-secret', ...options });
const thrownBy = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => new Error('It did not throw.'),
    (error: unknown) => error,
  );
/** Asks for a try at once. */
const now = { 'retry-after': '0' };
const run = { success: true, status: 'completed', output: { ok: true } };

describe('a call that does nothing twice', () => {
  test.each([
    ['is refused with 429', refusal(429, 'RATE_LIMITED', now)],
    ['is refused with 503', refusal(503, 'UNAVAILABLE', now)],
    ['is still at work', refusal(409, 'IDEMPOTENCY_IN_FLIGHT', now)],
    ['is cut off', cut],
  ])('a call that does nothing twice is sent again with the same key when it %s', async (_, first) => {
    await using server = await ScriptedServer.start(first, json(200, run));
    const { output } = await clientOf(server).workflows.execute('wf_1', { inputs: { a: 1 } });
    expect(output).toEqual({ ok: true });
    const [one, two] = server.calls;
    expect(one?.headers['idempotency-key']).toMatch(/^sdk-/);
    expect(two?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
    expect(two?.body).toBe(one?.body);
  });

  test('a call that does nothing twice is given up after its retries, with the last refusal', async () => {
    await using server = await ScriptedServer.start(refusal(503, 'UNAVAILABLE', now));
    const error = await thrownBy(clientOf(server, { maxRetries: 3 }).workflows.list());
    expect(error).toMatchObject({
      name: 'ServerError',
      status: 503,
      code: 'UNAVAILABLE',
      requestId: 'req_1',
    });
    expect(server.calls).toHaveLength(4);
  });

  test('a call that does nothing twice is not sent again after another conflict', async () => {
    await using server = await ScriptedServer.start(refusal(409, 'NAME_TAKEN', now));
    expect(await thrownBy(clientOf(server).workflows.execute('wf_1'))).toMatchObject({ code: 'NAME_TAKEN' });
    expect(server.calls).toHaveLength(1);
  });

  test('a call that does nothing twice is not sent again when the server asks for a longer wait than a minute', async () => {
    await using server = await ScriptedServer.start(refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' }));
    const error = await thrownBy(clientOf(server).workflows.list());
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: 3_600_000 });
    expect(server.calls).toHaveLength(1);
  });

  test.each(['', '-5', '1, 1', 'soon', '1.5', '0x10'])(
    'a call that does nothing twice waits as it would without Retry-After where that is %j',
    (value) => {
      expect(readRetryAfter(new Headers({ 'retry-after': value }))).toBeUndefined();
    },
  );

  test('a call that does nothing twice waits by the clock of the server where Retry-After is a date', async () => {
    const date = new Date('2099-01-01T00:00:00Z').toUTCString();
    await using server = await ScriptedServer.start(
      refusal(503, 'UNAVAILABLE', { date, 'retry-after': date }),
      json(200, { data: [], nextCursor: null }),
    );
    expect((await clientOf(server).workflows.list()).items).toEqual([]);
  });
});

test.each([
  [
    '{"n":7615917337495251231,"m":-9007199254740993.5}',
    { n: '7615917337495251231', m: '-9007199254740993.5' },
  ],
  [
    String.raw`{"a\"7615917337495251231":"7615917337495251231\\"}`,
    { 'a"7615917337495251231': '7615917337495251231\\' },
  ],
  [
    '[9007199254740991,0.1234567890123456789,1e23,1234567890123456e3]',
    [9007199254740991, 0.12345678901234568, 1e23, 1234567890123456e3],
  ],
])('an answer of %s keeps the digits of whole numbers', (text, value) => {
  expect(parseKeepingDigits(text)).toEqual(value);
});

describe('a call that would do something twice', () => {
  test('a call that would do something twice is not sent again when it is cut off', async () => {
    await using server = await ScriptedServer.start(cut, json(201, { data: {} }));
    const error = await thrownBy(clientOf(server).workflows.create({ name: 'x', definition: {} }));
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'CONNECTION_FAILED' });
    expect(server.calls).toHaveLength(1);
  });

  test('a call that would do something twice is sent again when it was not let in', async () => {
    await using server = await ScriptedServer.start(
      refusal(429, 'RATE_LIMITED', now),
      json(201, { data: { id: 'wf_1' } }),
    );
    expect(await clientOf(server).workflows.create({ name: 'x', definition: {} })).toEqual({ id: 'wf_1' });
  });
});

describe('an answer', () => {
  test('an answer ends in a TimeoutError when it does not come', async () => {
    await using server = await ScriptedServer.start(hang);
    const error = await thrownBy(clientOf(server, { timeout: 50, maxRetries: 0 }).workflows.list());
    expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('within 50 ms') });
  });

  test('an answer ends in a TimeoutError when its end does not come', async () => {
    await using server = await ScriptedServer.start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{ "data":');
    });
    const error = await thrownBy(clientOf(server, { timeout: 50 }).workflows.list());
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });

  test('an answer throws an error with the address when it is no JSON', async () => {
    await using server = await ScriptedServer.start((response) => response.end('<html>'));
    const error = await thrownBy(clientOf(server).workflows.list());
    expect(error).toMatchObject({
      name: 'UnreadableAnswerError',
      message: expect.stringContaining(server.url),
    });
  });

  test('an answer keeps its status when another server refuses the call', async () => {
    await using server = await ScriptedServer.start((response) => response.writeHead(418).end('teapot'));
    const error = await thrownBy(clientOf(server).workflows.list());
    expect(error).toMatchObject({ name: 'ApiError', status: 418, code: 'HTTP_418' });
  });

  test('an answer is not followed when it leads elsewhere, since the key would go there', async () => {
    await using server = await ScriptedServer.start((response) =>
      response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
    );
    const error = await thrownBy(clientOf(server).workflows.list());
    expect(error).toMatchObject({
      status: 302,
      message: expect.stringContaining('http://elsewhere.example/'),
    });
  });

  test('an answer is not waited for after an abort', async () => {
    await using server = await ScriptedServer.start(hang);
    const controller = new AbortController();
    const call = thrownBy(clientOf(server).workflows.list({}, { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortedError' });
  });

  test('an answer is not read to its end after an abort', async () => {
    await using server = await ScriptedServer.start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{ "data":');
    });
    const controller = new AbortController();
    const logger = ({ status }: LogEntry) => status === 200 && controller.abort();
    const call = clientOf(server, { logger }).workflows.list({}, { signal: controller.signal });
    expect(await thrownBy(call)).toMatchObject({ name: 'AbortedError', code: 'ABORTED' });
  });

  test('an answer is an error with the reason when the server is away', async () => {
    const server = await ScriptedServer.start(hang);
    await server[Symbol.asyncDispose]();
    const error = await thrownBy(clientOf(server, { maxRetries: 0 }).workflows.list());
    expect(error).toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('a stream', () => {
  const event = (id: string, name: string, status: string) =>
    `id: ${id}\r\nevent: ${name}\r\ndata: ${JSON.stringify({ status })}\r\n\r\n`;

  test('a stream goes on after its last event when it breaks', async () => {
    await using server = await ScriptedServer.start(
      (response) => {
        response.write(`: hello\n\n${event('1', 'status', 'queued')}`, () => response.destroy());
      },
      (response) => response.end(event('2', 'done', 'completed')),
    );
    const states: string[] = [];
    for await (const { data } of clientOf(server).jobs.follow('job_1')) states.push(data.status);
    expect(states).toEqual(['queued', 'completed']);
    expect(server.calls.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
  });

  test('a stream is opened again when nothing comes for the time-out, and given up in the end', async () => {
    await using server = await ScriptedServer.start((response) => {
      response.write(event('1', 'status', 'queued'));
    }, hang);
    const states: string[] = [];
    const error = await thrownBy(
      (async () => {
        for await (const { data } of clientOf(server, { timeout: 1000, maxRetries: 0 }).jobs.follow('job_1'))
          states.push(data.status);
      })(),
    );
    expect(states).toEqual(['queued']);
    expect(error).toMatchObject({ name: 'ConnectionError' });
  });

  test('a stream is not opened again when its execution does not exist', async () => {
    await using server = await ScriptedServer.start(refusal(404, 'NOT_FOUND'));
    const error = await thrownBy(clientOf(server).executions.wait('job_1'));
    expect(error).toMatchObject({ name: 'NotFoundError' });
    expect(server.calls).toHaveLength(1);
  });

  test('a stream ends when its reader stops', async () => {
    await using server = await ScriptedServer.start((response) => {
      response.write(event('1', 'status', 'queued'));
    });
    const stream = clientOf(server).jobs.follow('job_1');
    for await (const { data } of stream) {
      expect(data.status).toBe('queued');
      break;
    }
  });
});

test('a wait ends at its deadline, and says that the execution goes on', async () => {
  await using server = await ScriptedServer.start((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  });
  const error = await thrownBy(clientOf(server).executions.wait('job_1', { deadline: 50 }));
  expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('goes on') });
});

test.each([false, true])(
  'a wait ends with an AbortedError when its caller aborts it, polling: %s',
  async (poll) => {
    const state = { status: 'running' };
    await using server = await ScriptedServer.start(
      poll
        ? json(200, state)
        : (response) => response.end(`id: 1\nevent: status\ndata: ${JSON.stringify(state)}\n\n`),
    );
    const { signal, abort } = abortable();
    const error = await thrownBy(clientOf(server).executions.wait('job_1', { poll, signal, onState: abort }));
    expect(error).toMatchObject({ name: 'AbortedError', cause: new Error('enough') });
  },
);

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error('enough')) };
}

describe('an upload', () => {
  const text = 'id,name\n1,Ann\n';

  test('an upload names the file when a file vanishes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-upload-'));
    const path = join(folder, 'gone.md');
    await writeFile(path, 'text');
    const content = await openAsBlob(path);
    await rm(folder, { recursive: true });
    await using server = await ScriptedServer.start(json(201, { data: {} }));
    const files = { name: 'gone.md', content };
    const error = await thrownBy(
      clientOf(server).knowledge.documents.add('kb_1', { files }, { onUploadProgress: () => {} }),
    );
    expect(error).toMatchObject({ name: 'FileReadError', message: expect.stringContaining('gone.md') });
  });

  test('an upload is not sent again for a stream, which can be read once', async () => {
    await using server = await ScriptedServer.start(
      refusal(503, 'UNAVAILABLE', now),
      json(200, { data: {} }),
    );
    const content = new Blob([text]).stream();
    expect(await thrownBy(clientOf(server).tables.imports.create('tbl_1', content))).toMatchObject({
      status: 503,
    });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.body).toBe(text);
  });

  test('an upload is sent again for bytes, and tells the sent part', async () => {
    await using server = await ScriptedServer.start(
      refusal(503, 'UNAVAILABLE', now),
      json(200, { data: {} }),
    );
    const sent: unknown[] = [];
    await clientOf(server).tables.imports.create(
      'tbl_1',
      text,
      {},
      { onUploadProgress: (one) => sent.push(one) },
    );
    expect(server.calls.map(({ body }) => body)).toEqual([text, text]);
    expect(sent.at(-1)).toEqual({ sentBytes: text.length, totalBytes: text.length });
  });
});

describe('the settings', () => {
  test.each([
    [{ baseUrl: 'localhost:3000' }, 'baseUrl must be an address'],
    [{ baseUrl: 'ftp://localhost' }, 'baseUrl must be an address'],
    [{ apiKey: 'sk-holdfast-x\n' }, 'apiKey has a space, a line end'],
    [{ timeout: 0 }, 'timeout must be a number of milliseconds above 0'],
    [{ maxRetries: 1.5 }, 'maxRetries must be a whole number'],
  ])('%j are refused', (options, message) => {
    expect(() => new Holdfast(options)).toThrow(message);
  });

  test('the settings hold no key in a browser, unless it is allowed by name', () => {
    Object.assign(globalThis, { window: {}, document: {} });
    try {
      expect(() => new Holdfast(none)).toThrow('A key in a browser can be read by everybody');
      expect(() => new Holdfast({ ...none, allowKeyInBrowser: true })).not.toThrow();
    } finally {
      Reflect.deleteProperty(globalThis, 'window');
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  test('the settings need no address and no key in a page that the installation serves', async () => {
    await using server = await ScriptedServer.start(json(200, { status: 'up' }));
    Object.assign(globalThis, { window: {}, document: {}, location: { origin: server.url } });
    try {
      await new Holdfast().health.checkLiveness();
      expect(server.calls[0]?.url).toBe('/health/live');
      expect(server.calls[0]?.headers).not.toHaveProperty('x-api-key');
    } finally {
      for (const name of ['window', 'document', 'location']) Reflect.deleteProperty(globalThis, name);
    }
  });

  test('the settings give the workspace to the calls that name none', async () => {
    await using server = await ScriptedServer.start(json(200, { success: true, data: { tables: [] } }));
    const client = clientOf(server, { workspaceId: 'ws_1' });
    await client.tables.list();
    await client.tables.list({ workspaceId: 'ws_2' });
    expect(server.calls.map(({ url }) => url)).toEqual([
      '/api/v1/tables?workspaceId=ws_1',
      '/api/v1/tables?workspaceId=ws_2',
    ]);
  });

  test('the settings show no key in the log', async () => {
    const entries: LogEntry[] = [];
    await using server = await ScriptedServer.start(json(200, run));
    await clientOf(server, { logger: (entry) => entries.push(entry) }).workflows.execute('wf_1');
    expect(entries.map(({ status }) => status)).toEqual([undefined, 200]);
    expect(JSON.stringify(entries)).not.toContain('sk-holdfast-secret');
  });

  test.each(['', '.', '..'])('the settings cannot turn the id %j into another path', async (id) => {
    expect(() => new Holdfast(none).workflows.get(id)).toThrow('An id is missing');
  });
});

describe('a signed event', () => {
  const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
  const body = '{"type":"execution.completed","timestamp":"2026-01-02T09:00:00Z","data":{"id":1}}';
  const headersAt = (date: Date) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', date, body),
  });
  const { webhooks } = new Holdfast(none);

  test('a signed event is read when its signature fits, with either secret while one is exchanged', async () => {
    const other = `whsec_${Buffer.from('another secret that is new').toString('base64')}`;
    expect(await webhooks.unwrap(body, headersAt(new Date()), secret)).toMatchObject({ data: { id: 1 } });
    expect(await webhooks.unwrap(body, new Headers(headersAt(new Date())), [other, secret])).toBeDefined();
    expect(await thrownBy(webhooks.unwrap(body, headersAt(new Date()), other))).toMatchObject({
      name: 'WebhookError',
    });
  });

  test.each([
    ['was changed', `${body} `, () => headersAt(new Date()), 'No signature fits'],
    ['is old', body, () => headersAt(new Date(Date.now() - 3_600_000)), 'Check the clock of this machine'],
    ['has no headers', body, () => ({}), 'is missing'],
  ])('a signed event is refused when it %s', async (_, text, headers, message) => {
    expect(await thrownBy(webhooks.unwrap(text, headers(), secret))).toMatchObject({
      code: 'WEBHOOK_INVALID',
      message: expect.stringContaining(message),
    });
  });
});
