import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describeWith } from '#libs/platform/binaries/support/needs';
import { writePythonClient } from '../src/python-client.ts';
import { needPython, installTools } from '../src/python-tools.ts';
import { describeMoreInWhole, isWhole } from '#libs/platform/settings/support/whole';
import { flavours, PythonDriver } from './python-driver.ts';
import { cut, hang, json, refusal, ScriptedServer } from './scripted-server.ts';

let driver: PythonDriver;
beforeAll(async () => {
  const python = await needPython();
  await writePythonClient(python);
  driver = PythonDriver.start(await installTools(python), { PYTHONPATH: resolve('libs/sdk-python/src') });
});
afterAll(() => driver?.stop());

/** Asks for a try at once. */
const now = { 'retry-after': '0' };
const run = { success: true, status: 'completed', output: { ok: true } };
const event = (id: string, name: string, status: string) =>
  `id: ${id}\r\nevent: ${name}\r\ndata: ${JSON.stringify({ status })}\r\n\r\n`;
const events = { 'content-type': 'text/event-stream' };

const setUp = 'client = AsyncHoldfast(base_url=url, api_key="sk-holdfast-secret", **settings)';

describeWith('the tools of the Python client')('the Python client', () => {
  describeMoreInWhole.each(isWhole ? flavours : flavours.slice(0, 1))('in its %s form', (_, write) => {
    /** Runs a piece of a program with a client of the server. */
    const outcome = (server: { url: string }, code: string, settings: object = {}, scope: object = {}) =>
      driver.run(write(`${setUp}\n${code}`), { url: server.url, settings, ...scope });
    const valueOf = async (...words: Parameters<typeof outcome>) => {
      const { value, error } = await outcome(...words);
      if (error) throw new Error(error.trace);
      return value;
    };
    const errorOf = async (...words: Parameters<typeof outcome>) => (await outcome(...words)).error;

    describe('sends a call that does nothing twice', () => {
      test.each([
        ['is refused with 429', refusal(429, 'RATE_LIMITED', now)],
        ['is refused with 503', refusal(503, 'UNAVAILABLE', now)],
        ['is still at work', refusal(409, 'IDEMPOTENCY_IN_FLIGHT', now)],
        ['is cut off', cut],
      ])(
        'the client sends a call that does nothing twice again with the same key when it %s',
        async (__, first) => {
          await using server = await ScriptedServer.start(first, json(200, run));
          const code = 'return (await client.workflows.execute("wf_1", inputs={"a": 1})).output';
          expect(await valueOf(server, code)).toEqual({ ok: true });
          const [one, two] = server.calls;
          expect(one?.headers['idempotency-key']).toMatch(/^sdk-/);
          expect(two?.headers['idempotency-key']).toBe(one?.headers['idempotency-key']);
          expect(two?.body).toBe(one?.body);
          expect(one?.body).toBe('{"inputs":{"a":1}}');
        },
      );

      test('the client sends a call that does nothing twice until its retries are used up, and raises the last refusal', async () => {
        await using server = await ScriptedServer.start(refusal(503, 'UNAVAILABLE', now));
        expect(await errorOf(server, 'await client.workflows.list()', { max_retries: 3 })).toMatchObject({
          name: 'ServerError',
          status: 503,
          code: 'UNAVAILABLE',
          request_id: 'req_1',
        });
        expect(server.calls).toHaveLength(4);
      });

      test('the client sends a call that does nothing twice once when another conflict refuses it', async () => {
        await using server = await ScriptedServer.start(refusal(409, 'NAME_TAKEN', now));
        const error = await errorOf(server, 'await client.workflows.execute("wf_1")');
        expect(error).toMatchObject({ name: 'ConflictError', code: 'NAME_TAKEN' });
        expect(server.calls).toHaveLength(1);
      });

      test('the client sends a call that does nothing twice once when the server asks for a longer wait than a minute', async () => {
        await using server = await ScriptedServer.start(
          refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' }),
        );
        const error = await errorOf(server, 'await client.workflows.list()');
        expect(error).toMatchObject({ name: 'RateLimitError', retry_after: 3600 });
        expect(server.calls).toHaveLength(1);
      });

      test.each(['', '-5', '1, 1', 'soon', '1.5', '0x10'])(
        'the client sends a call that does nothing twice after its own delay where Retry-After is %j',
        async (value) => {
          const odd = refusal(409, 'NAME_TAKEN', { 'retry-after': value });
          await using server = await ScriptedServer.start(odd);
          const error = await errorOf(server, 'await client.workflows.execute("wf_1")');
          expect(error).toMatchObject({ retry_after: null });
        },
      );

      test('a call that does nothing twice waits by the clock of the server where Retry-After is a date', async () => {
        const date = new Date('2090-01-01T00:00:00Z').toUTCString();
        await using server = await ScriptedServer.start(
          refusal(503, 'UNAVAILABLE', { date, 'retry-after': date }),
          json(200, { data: [], nextCursor: null }),
        );
        expect(await valueOf(server, 'return (await client.workflows.list()).items')).toEqual([]);
      });
    });

    describe('sends a call that would do something twice', () => {
      const create = 'return (await client.workflows.create(name="x", definition={})).id';

      test('the client sends a call that would do something twice once when it is cut off', async () => {
        await using server = await ScriptedServer.start(cut, json(201, { data: {} }));
        expect(await errorOf(server, create)).toMatchObject({
          name: 'ConnectionError',
          code: 'CONNECTION_FAILED',
        });
        expect(server.calls).toHaveLength(1);
      });

      test('the client sends a call that would do something twice again when it was not let in, and gives an answer that lacks members', async () => {
        await using server = await ScriptedServer.start(
          refusal(429, 'RATE_LIMITED', now),
          json(201, { data: { id: 'wf_1' } }),
        );
        expect(await valueOf(server, create)).toBe('wf_1');
      });
    });

    describe('raises', () => {
      test('a TimeoutError when no answer comes, which is one of Python too', async () => {
        await using server = await ScriptedServer.start(hang);
        const code = `
import builtins
try:
    await client.workflows.list()
except builtins.TimeoutError as error:
    return [type(error).__module__, str(error)]`;
        const [module, message] = (await valueOf(server, code, {
          timeout: 0.05,
          max_retries: 0,
        })) as string[];
        expect(module).toMatch(/^holdfast/);
        expect(message).toContain('within 0.05 s');
      });

      test('a TimeoutError when the end of an answer does not come', async () => {
        await using server = await ScriptedServer.start((response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).write('{ "data":');
        });
        const error = await errorOf(server, 'await client.workflows.list()', { timeout: 0.05 });
        expect(error).toMatchObject({ name: 'TimeoutError' });
      });

      test('an error with the address when the answer is no JSON', async () => {
        await using server = await ScriptedServer.start((response) => response.end('<html>'));
        const error = await errorOf(server, 'await client.workflows.list()');
        expect(error).toMatchObject({
          name: 'UnreadableAnswerError',
          message: expect.stringContaining(server.url),
        });
      });

      test('an error when a list is none', async () => {
        await using server = await ScriptedServer.start(json(200, { other: 1 }));
        const error = await errorOf(server, 'await client.workflows.list()');
        expect(error).toMatchObject({ name: 'UnreadableAnswerError' });
      });

      test('the status when another server refuses the call', async () => {
        await using server = await ScriptedServer.start((response) => response.writeHead(418).end('teapot'));
        const error = await errorOf(server, 'await client.workflows.list()');
        expect(error).toMatchObject({ name: 'ApiError', status: 418, code: 'HTTP_418' });
      });

      test('the place where an answer leads, and does not take the key there', async () => {
        await using server = await ScriptedServer.start((response) =>
          response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
        );
        const error = await errorOf(server, 'await client.workflows.list()');
        expect(error).toMatchObject({
          status: 302,
          message: expect.stringContaining('http://elsewhere.example/'),
        });
      });

      test('a ConnectionError when the server is away', async () => {
        const server = await ScriptedServer.start(hang);
        await server[Symbol.asyncDispose]();
        const error = await errorOf(server, 'await client.workflows.list()', { max_retries: 0 });
        expect(error).toMatchObject({
          name: 'ConnectionError',
          message: expect.stringContaining('cannot be reached'),
        });
      });

      test('a ConfigurationError for what cannot be written as JSON, and sends nothing', async () => {
        await using server = await ScriptedServer.start(json(200, run));
        for (const value of ['object()', 'float("nan")', '"\\ud800"']) {
          const error = await errorOf(
            server,
            `await client.workflows.execute("wf_1", inputs={"a": ${value}})`,
          );
          expect(error).toMatchObject({ name: 'ConfigurationError' });
        }
        expect(server.calls).toEqual([]);
      });
    });

    describe('follows a stream', () => {
      const states = `
states = []
async for event in client.jobs.follow("job_1"):
    states.append(event.data.status)`;

      test('the client follows a stream after its last event when it breaks', async () => {
        await using server = await ScriptedServer.start(
          (response) => {
            response.writeHead(200, events);
            response.write(`: hello\n\n${event('1', 'status', 'queued')}`, () => response.destroy());
          },
          (response) => response.writeHead(200, events).end(event('2', 'done', 'completed')),
        );
        expect(await valueOf(server, `${states}\nreturn states`)).toEqual(['queued', 'completed']);
        expect(server.calls.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
      });

      test('the client follows a stream again when nothing comes for the time-out, and gives it up in the end', async () => {
        await using server = await ScriptedServer.start((response) => {
          response.writeHead(200, events).write(event('1', 'status', 'queued'));
        }, hang);
        const error = await errorOf(server, states, { timeout: 1, max_retries: 0 });
        expect(error).toMatchObject({
          name: 'ConnectionError',
          message: expect.stringContaining('again and again'),
        });
        expect(server.calls.length).toBeGreaterThan(1);
      });

      test('the client follows a stream once when its execution does not exist', async () => {
        await using server = await ScriptedServer.start(refusal(404, 'NOT_FOUND'));
        const error = await errorOf(server, 'await client.executions.wait("job_1")');
        expect(error).toMatchObject({ name: 'NotFoundError' });
        expect(server.calls).toHaveLength(1);
      });

      test('a stream ends with an error when the answer is no stream', async () => {
        await using server = await ScriptedServer.start((response) => response.end('<html>'));
        expect(await errorOf(server, states)).toMatchObject({ name: 'UnreadableAnswerError' });
      });

      test('the client follows a stream until its reader aborts it', async () => {
        await using server = await ScriptedServer.start((response) => {
          response.writeHead(200, events).write(event('1', 'status', 'queued'));
        });
        const code = `
stream = client.jobs.follow("job_1")
async for event in stream:
    stream.abort()`;
        expect(await errorOf(server, code)).toMatchObject({ name: 'AbortedError' });
        expect(server.calls).toHaveLength(1);
      });
    });

    describe('waits', () => {
      const silent = (response: import('node:http').ServerResponse) => {
        response.writeHead(200, events).flushHeaders();
      };

      test.each([
        ['no answer comes', hang, ''],
        ['no event comes', silent, ''],
        ['an answer is asked for again and again', json(200, { status: 'processing' }), ', poll=True'],
        ['the server is at work no more', refusal(503, 'UNAVAILABLE', { 'retry-after': '30' }), ''],
      ])(
        'the client waits until its deadline when %s, and says that the execution goes on',
        async (__, reaction, more) => {
          await using server = await ScriptedServer.start(reaction);
          const error = await errorOf(server, `await client.executions.wait("job_1", deadline=0.3${more})`);
          expect(error).toMatchObject({ name: 'TimeoutError', message: expect.stringContaining('goes on') });
        },
      );

      test('no longer than until a handler of a pause fails', async () => {
        const point = { contextId: 'c', resumeLinks: { apiUrl: 'http://x/api/resume/wf_1/exec_1/c' } };
        const paused = { status: 'processing', paused: { pausePoints: [point] } };
        await using server = await ScriptedServer.start(
          (response) => {
            response
              .writeHead(200, events)
              .write(`id: 1\nevent: status\ndata: ${JSON.stringify(paused)}\n\n`);
          },
          refusal(403, 'FORBIDDEN'),
        );
        const code = 'await client.executions.wait("job_1", on_pause=lambda pause: pause.answer({"a": 1}))';
        expect(await errorOf(server, code)).toMatchObject({ name: 'PermissionError', status: 403 });
        expect(server.calls[1]).toMatchObject({
          url: '/api/resume/wf_1/exec_1/c',
          body: '{"input":{"a":1}}',
        });
      });
    });

    describe('uploads', () => {
      const text = 'id,name\n1,Ann\n';
      const upload = (content: string) => `
sent = []
options = {"on_upload_progress": lambda one: sent.append([one.sent_bytes, one.total_bytes])}
await client.tables.imports.create("tbl_1", ${content}, options=options)
return sent[-1]`;

      test('a file that vanishes with an error that names it', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'holdfast-upload-'));
        const path = join(folder, 'gone.md');
        await writeFile(path, 'a'.repeat(100_000));
        await using server = await ScriptedServer.start(json(201, { data: {} }));
        const code = `
import os
def vanish(progress):
    if os.path.exists(path):
        os.truncate(path, 0)
await client.knowledge.documents.add("kb_1", files=path, options={"on_upload_progress": vanish})`;
        const error = await errorOf(server, code, {}, { path });
        expect(error).toMatchObject({ name: 'FileReadError', message: expect.stringContaining('gone.md') });
        await rm(folder, { recursive: true });
        expect(await errorOf(server, code, {}, { path })).toMatchObject({ name: 'FileReadError' });
        expect(server.calls).toEqual([]);
      });

      test('a stream once, since it can be read once', async () => {
        await using server = await ScriptedServer.start(
          refusal(503, 'UNAVAILABLE', now),
          json(200, { data: {} }),
        );
        const error = await errorOf(server, upload('iter([text.encode()])'), {}, { text });
        expect(error).toMatchObject({ status: 503 });
        expect(server.calls.map(({ body }) => body)).toEqual([text]);
      });

      test.each(['text', 'text.encode()', 'io.BytesIO(text.encode())'])(
        '%s again, and tells how much was sent',
        async (content) => {
          await using server = await ScriptedServer.start(
            refusal(503, 'UNAVAILABLE', now),
            json(200, { data: {} }),
          );
          const sent = await valueOf(server, `import io\n${upload(content)}`, {}, { text });
          expect(server.calls.map(({ body }) => body)).toEqual([text, text]);
          expect(server.calls[1]?.headers['content-length']).toBe(String(text.length));
          expect(sent).toEqual([text.length, text.length]);
        },
      );

      test.each(['iter([7])', 'io.StringIO("a text")'])(
        'no %s, which is not made of bytes',
        async (content) => {
          await using server = await ScriptedServer.start(json(200, { data: {} }));
          const error = await errorOf(server, `import io\n${upload(content)}`);
          expect(error).toMatchObject({
            name: 'ConfigurationError',
            message: expect.stringContaining('mode rb'),
          });
          expect(server.calls).toEqual([]);
        },
      );

      test('the client uploads files beside the fields of a form', async () => {
        await using server = await ScriptedServer.start(json(201, { data: { answer: 1 } }));
        const files =
          '[{"name": "a\\"b.md", "content": "one", "type": "text/markdown"}, {"name": "c", "content": b"two"}]';
        await valueOf(
          server,
          `await client.knowledge.documents.add("kb_1", tags={"a": "ä"}, wait=5, files=${files})`,
        );
        const { url, body } = server.calls[0] ?? { url: '', body: '' };
        expect(url).toBe('/api/v1/knowledge/kb_1/documents?wait=5');
        expect(body).toContain('name="tags"\r\n\r\n{"a":"ä"}\r\n');
        expect(body).toContain(
          'name="file"; filename="a%22b.md"\r\nContent-Type: text/markdown\r\n\r\none\r\n',
        );
        expect(body).toContain('filename="c"\r\nContent-Type: application/octet-stream\r\n\r\ntwo\r\n');
      });
    });

    describe('has settings', () => {
      const none = { url: 'http://127.0.0.1:9' };

      test.each([
        ['base_url="localhost:3000"', 'base_url must be an address'],
        ['base_url="ftp://localhost"', 'base_url must be an address'],
        ['base_url="http://ann:secret@localhost"', 'base_url must be an address'],
        ['api_key="sk-holdfast-x\\n"', 'api_key has a space, a line end'],
        ['timeout=0', 'timeout must be a number of seconds above 0'],
        ['timeout=None', 'timeout must be a number of seconds above 0'],
        ['max_retries=1.5', 'max_retries must be a whole number'],
      ])('the client has settings that refuse %s', async (settings, message) => {
        const error = await errorOf(none, `AsyncHoldfast(${settings})`);
        expect(error).toMatchObject({
          name: 'ConfigurationError',
          message: expect.stringContaining(message),
        });
      });

      test('the client has settings that give the workspace to calls without one', async () => {
        await using server = await ScriptedServer.start(json(200, { success: true, data: { tables: [] } }));
        await valueOf(server, 'await client.tables.list()\nawait client.tables.list(workspace_id="ws_2")', {
          workspace_id: 'ws_1',
        });
        expect(server.calls.map(({ url }) => url)).toEqual([
          '/api/v1/tables?workspaceId=ws_1',
          '/api/v1/tables?workspaceId=ws_2',
        ]);
      });

      test('the client has settings that show no key in the log, nor in the log of Python', async () => {
        await using server = await ScriptedServer.start(json(200, run));
        const code = `
import logging
entries, records = [], []
log = logging.getLogger("holdfast")
handler = logging.Handler()
handler.emit = lambda record: records.append(record.getMessage() + repr(record.holdfast))
log.addHandler(handler)
log.setLevel(logging.DEBUG)
client = AsyncHoldfast(base_url=url, api_key="sk-holdfast-secret", logger=entries.append)
await client.workflows.execute("wf_1")
log.removeHandler(handler)
return [[one.status for one in entries], repr(entries) + repr(records), len(records)]`;
        const [statuses, text, count] = (await valueOf(server, code)) as [unknown, string, number];
        expect(statuses).toEqual([null, 200]);
        expect(count).toBe(2);
        expect(text).not.toContain('sk-holdfast-secret');
      });

      test('the client has settings that put the name of the program before its own', async () => {
        await using server = await ScriptedServer.start(json(200, { status: 'up' }));
        await valueOf(server, 'await client.health.check_liveness()', { user_agent: 'robot/2' });
        expect(server.calls[0]?.headers['user-agent']).toMatch(
          /^robot\/2 holdfast-sdk-python\/0\.1\.0 python\/3/,
        );
      });

      test.each(['', '.', '..'])('the client turns the id "%s" into no other path', async (id) => {
        const error = await errorOf(none, `await client.workflows.get("${id}")`);
        expect(error).toMatchObject({
          name: 'ConfigurationError',
          message: expect.stringContaining('An id is missing'),
        });
      });

      test('the client takes no path that would lead to another server', async () => {
        const error = await errorOf(none, 'await client.get("@elsewhere.example/")');
        expect(error).toMatchObject({
          name: 'ConfigurationError',
          message: expect.stringContaining('slash'),
        });
      });
    });

    describe('reads a signed event', () => {
      const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
      const other = `whsec_${Buffer.from('another secret that is new').toString('base64')}`;
      const body = '{"type":"execution.completed","timestamp":"2026-01-02T09:00:00Z","data":{"id":1}}';
      const headersAt = (date: Date) => ({
        'webhook-id': 'msg_1',
        'Webhook-Timestamp': String(Math.floor(date.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', date, body),
      });
      const unwrap = (text: string, headers: object, secrets: string | string[]) =>
        outcome(
          { url: 'http://127.0.0.1:9' },
          'return client.webhooks.unwrap(body, headers, secret).data',
          {},
          {
            body: text,
            headers,
            secret: secrets,
          },
        );

      test('the client reads a signed event when its signature fits, with either secret while one is exchanged', async () => {
        expect(await unwrap(body, headersAt(new Date()), secret)).toEqual({ value: { id: 1 } });
        expect(await unwrap(body, headersAt(new Date()), [other, secret])).toEqual({ value: { id: 1 } });
        expect(await unwrap(body, headersAt(new Date()), other)).toMatchObject({
          error: { name: 'WebhookError' },
        });
      });

      test.each([
        ['was changed', `${body} `, () => headersAt(new Date()), 'No signature fits'],
        [
          'is old',
          body,
          () => headersAt(new Date(Date.now() - 3_600_000)),
          'Check the clock of this machine',
        ],
        ['has no headers', body, () => ({}), 'is missing'],
      ])('the client reads a signed event unless it %s', async (__, text, headers, message) => {
        const { error } = await unwrap(text, headers(), secret);
        expect(error).toMatchObject({ code: 'WEBHOOK_INVALID', message: expect.stringContaining(message) });
      });
    });
  });
});
