import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import pg from 'pg';
import { approval } from './support/definitions.ts';
import { block, line, respond } from './support/graphs.ts';
import { Receiver } from './support/receiver.ts';
import { describeRun, Stack, until } from './support/stack.ts';
import { testInWhole } from '#libs/platform/settings/support/whole';

const marker = 'marker-51c0ffee-of-a-value';
const [keyA, keyB] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const token = 'the token of the codec, of 32 characters'.replaceAll(' ', '-');
const origin = 'https://temporal.example';
const bearer = { authorization: `Bearer ${token}`, 'x-api-key': '' };

let stack: Stack;
let echo: Receiver;
beforeAll(async () => {
  echo = await Receiver.start(({ body }, response) => {
    response.statusCode = body.includes('refuse') ? 400 : 200;
    response.end(JSON.stringify({ heard: body }));
  });
  const codec = { CODEC_TOKEN: token, CODEC_ORIGIN: `${origin}/namespaces` };
  stack = await Stack.start({ PAYLOAD_KEYS: `a:${keyA}`, ...codec });
});
afterAll(async () => {
  echo.stop();
  await stack.stop();
});

interface WirePayload {
  metadata: Record<string, string>;
  data: string;
}

/** All that Temporal holds of a run, as a reader without a key sees it: bytes to search, and payloads to open. */
async function held(
  executionId: string,
  ended = true,
): Promise<{ bytes: string; payloads: WirePayload[]; json: string }> {
  const client = await stack.temporal();
  const handle = client.workflow.getHandle(executionId);
  // The row is committed before the run closes.
  const { raw } = await until(
    () => describeRun(client, executionId),
    ({ status }) => !ended || status.name !== 'RUNNING',
  );
  const history = await handle.fetchHistory();
  const { History } = proto.temporal.api.history.v1;
  const described =
    proto.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse.encode(raw).finish();
  const json = historyToJSON(history);
  const bytes = [History.encode(history).finish(), described].map((one) =>
    Buffer.from(one).toString('latin1'),
  );
  return { bytes: bytes.join('\n'), payloads: payloadsIn(JSON.parse(json)), json };
}

function payloadsIn(value: unknown): WirePayload[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('metadata' in value && 'data' in value) return [value as WirePayload];
  return Object.values(value).flatMap(payloadsIn);
}

const textOf = (base64 = '') => Buffer.from(base64, 'base64').toString('utf8');
const keysOf = (payloads: WirePayload[]) =>
  new Set(payloads.map(({ metadata }) => textOf(metadata['encryption-key-id'])).filter(Boolean));

/**
 * The plain text that is allowed: search attributes and the request id, which are ids, and the times that the SDK adds
 * for a local activity.
 */
const isOpen = ({ metadata, data }: WirePayload) =>
  metadata['encryption-key-id'] === undefined &&
  metadata.type === undefined &&
  !/^"req_[0-9a-f]{32}"$/.test(textOf(data)) &&
  !/^\{"seq":\d+,"attempt":\d+,"activity_id":"\d+","activity_type":"(advance|checkpoints)",/.test(
    textOf(data),
  );

const isReference = ({ metadata }: WirePayload) =>
  textOf(metadata['messageType']) === 'temporal.api.sdk.v1.ExternalStorageReference';
/**
 * Each of these variables is small enough for the state of a run. Together they are too large for a payload of
 * Temporal.
 */
const names = Array.from({ length: 100 }, (_, n) => `v${n}`);
const counting = {
  start: { inputs: { text: { type: 'string', required: true } } },
  variables: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  ...line(
    block('set', 'variables', { set: Object.fromEntries(names.map((name) => [name, '{{ start.text }}'])) }),
    block('count', 'function', { code: 'return Object.keys(input).length', input: '{{ vars }}' }),
    respond('{{ count }}'),
  ),
};

const calling = {
  start: { inputs: { text: { type: 'string', required: true } } },
  blocks: [
    { id: 'call', type: 'http', params: { method: 'POST', url: '', body: { said: '{{ start.text }}' } } },
    {
      id: 'code',
      type: 'function',
      params: { code: 'throw new Error("no " + input.t)', input: { t: '{{ start.text }}' } },
    },
  ],
  edges: [
    { from: 'start', to: 'call' },
    { from: 'call', to: 'code' },
  ],
};

const called = () => {
  const [call, code] = calling.blocks;
  return { ...calling, blocks: [{ ...call, params: { ...call?.params, url: echo.url() } }, code] };
};

describe('with a payload key', () => {
  test('Temporal holds no value of a run: neither inputs, outputs, failures, answers nor summaries', async () => {
    const failing = await stack.givenDeployed(called());
    const failed = await stack.execute(failing, { inputs: { text: marker } });
    expect(failed.body).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining(marker) },
    });
    const refused = await stack.execute(failing, { inputs: { text: `refuse ${marker}` } });
    expect(refused.body).toMatchObject({ status: 'failed', failure: { code: 'HTTP_400' } });
    const asking = await stack.givenDeployed({
      ...approval,
      start: { inputs: { amount: { type: 'string', default: marker } } },
    });
    const answered = await stack.givenPaused(asking);
    const handle = await stack.runOf(answered.executionId);
    const table = await handle.query('__temporal_workflow_metadata').catch((error: Error) => error.message);
    expect(table).toMatch(/encrypted/);
    const note = 'marker-51c0ffee';
    const done = await stack.post(answered.apiUrl, { input: { approved: true, note } });
    expect(done.body.output).toEqual({ approved: true, note });
    for (const { body } of [failed, refused, { body: answered }]) {
      const { bytes, payloads } = await held(body.executionId);
      expect(bytes).not.toContain('51c0ffee');
      expect(bytes).not.toContain(Buffer.from(marker).toString('base64').slice(4, 24));
      expect(bytes).not.toMatch(/api sync|Please decide/);
      expect(payloads.filter(isOpen).map(({ data }) => textOf(data))).toEqual([]);
      // The search can find the marker: the opened bytes hold it.
      const opened = await stack.post('/codec/decode', { payloads }, bearer);
      expect(opened.status).toBe(200);
      const texts = opened.body.payloads.map(({ data }: WirePayload) => textOf(data)).join('\n');
      expect(texts).toContain('51c0ffee');
      expect(texts).toContain('v1 · api sync');
    }
  });

  test('an operator sends a signal through the codec, and the run reads it', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { executionId, contextId } = await stack.givenPaused(workflow);
    const plain = { contextId, answers: { approved: true, note: marker.slice(0, 20) } };
    const payloads = [
      {
        metadata: { encoding: Buffer.from('json/plain').toString('base64') },
        data: Buffer.from(JSON.stringify(plain)).toString('base64'),
      },
    ];
    const sealed = await stack.post('/codec/encode', { payloads }, bearer);
    expect(textOf(sealed.body.payloads[0].metadata.encoding)).toBe('binary/encrypted');
    expect(textOf(sealed.body.payloads[0].data)).not.toContain('marker');
    expect((await stack.post('/codec/decode', sealed.body, bearer)).body).toEqual({ payloads });
    const { client } = await stack.runOf(executionId);
    await client.connection.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: executionId },
      signalName: 'resumeSignal',
      input: {
        payloads: sealed.body.payloads.map(({ metadata, data }: WirePayload) => ({
          metadata: Object.fromEntries(
            Object.entries(metadata).map(([k, v]) => [k, Buffer.from(v, 'base64')]),
          ),
          data: Buffer.from(data, 'base64'),
        })),
      },
    });
    const path = `/api/workflows/${workflow}/executions/${executionId}`;
    const { body } = await until(
      () => stack.get(path),
      (answer) => answer.body.status === 'completed',
    );
    expect(body.output).toEqual({ approved: true, note: marker.slice(0, 20) });
  });
});

describe('codec endpoint', () => {
  const empty = { payloads: [] };

  test.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['a wrong token', { authorization: `Bearer ${token}x` }],
    ['the token without its scheme', { authorization: token }],
    ['a wrong key header', { 'x-codec-key': 'no' }],
    ['an empty key header', { 'x-codec-key': '' }],
  ])('the codec endpoint refuses %s', async (_, headers) => {
    for (const path of ['/codec/decode', '/codec/encode', '/codec/download'])
      expect(await stack.post(path, empty, headers)).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
  });

  test('the codec endpoint takes the token as Bearer and in the header that a proxy adds', async () => {
    for (const headers of [bearer, { 'x-codec-key': token }])
      expect(await stack.post('/codec/decode', empty, headers as never)).toMatchObject({
        status: 200,
        body: empty,
      });
  });

  test('the codec endpoint answers the preflight request of a browser for the origin of the UI alone', async () => {
    const asked = await stack.call('OPTIONS', '/codec/decode', undefined, { origin });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const read = await stack.post('/codec/decode', empty, { ...bearer, origin });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    for (const other of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const refused = await stack.post('/codec/decode', empty, { ...bearer, origin: other });
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect((await stack.call('OPTIONS', '/codec/decode', undefined, { origin: other })).status).toBe(403);
    }
  });

  test.each([
    ['no body', undefined],
    ['no list', { payloads: 'all' }],
    ['no payload in the list', { payloads: [7] }],
    ['data that is no base64', { payloads: [{ metadata: {}, data: '{"a":1}' }] }],
    ['metadata that is no base64', { payloads: [{ metadata: { encoding: 'json/plain!' }, data: '' }] }],
  ])('the codec endpoint refuses %s with details', async (_, body) => {
    for (const path of ['/codec/decode', '/codec/download'])
      expect(await stack.post(path, body, bearer)).toMatchObject({
        status: 400,
        body: { details: [{ path: expect.stringMatching(/^payloads/) }] },
      });
  });

  test('the codec endpoint gives the stored value for a reference of a large payload', async () => {
    const workflow = await stack.givenDeployed(counting);
    const { body } = await stack.execute(workflow, { inputs: { text: `${marker} ${'x'.repeat(3800)}` } });
    expect(body.output).toBe(names.length);
    const references = (await held(body.executionId)).payloads.filter(isReference);
    expect(references.length).toBeGreaterThan(0);
    // Opened payloads are unchanged, with the size that the UI writes on its button.
    const opened = await stack.post('/codec/decode', { payloads: references }, bearer);
    expect(opened.body.payloads).toEqual(references);
    expect(references).toContainEqual(
      expect.objectContaining({ externalPayloads: [{ sizeBytes: expect.stringMatching(/^\d{6}$/) }] }),
    );
    const answer = await stack.post('/codec/download', { payloads: references }, bearer);
    expect(answer.body.payloads.map(({ data }: WirePayload) => textOf(data)).join()).toContain(marker);
    const named = (text: string) => ({ metadata: {}, data: Buffer.from(text).toString('base64') });
    const others = ['', '{}', '[]', 'null', '{"claimData":7}', '{"claimData":{"id":"pay_1"}}'].map(named);
    const odd = named(String.raw`{"claimData":{"workspace":"w","execution":"e","id":"a\u0000"}}`);
    for (const payload of [...others, odd])
      expect(await stack.post('/codec/download', { payloads: [payload] }, bearer)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'payloads', code: 'unreadable' }] },
      });
  });
});

describe('new key', () => {
  testInWhole('a new key leaves runs of the old key readable only while the old key is kept', async () => {
    const workflow = await stack.givenDeployed(approval);
    const { executionId, apiUrl } = await stack.givenPaused(workflow, { amount: 7 });
    const old = (await held(executionId, false)).payloads;
    expect(keysOf(old)).toEqual(new Set(['a']));
    await Promise.all([stack.api.kill('SIGTERM'), stack.worker.kill('SIGTERM')]);
    const rotated = { PAYLOAD_KEYS: `b:${keyB},a:${keyA}` };
    await Promise.all([stack.startApi(rotated), stack.startWorker(rotated)]);
    const { body } = await stack.post(apiUrl, { input: { approved: true } });
    expect(body).toMatchObject({ status: 'completed', output: { approved: true } });
    expect(keysOf((await held(executionId)).payloads)).toEqual(new Set(['a', 'b']));
    expect((await stack.post('/codec/decode', { payloads: old }, bearer)).status).toBe(200);

    await stack.api.kill('SIGTERM');
    await stack.startApi({ PAYLOAD_KEYS: `b:${keyB}` });
    expect(await stack.post('/codec/decode', { payloads: old }, bearer)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'payloads', code: 'unreadable' }] },
    });
    // A backup asks the database which keys it must have.
    const owner = new pg.Client({ connectionString: stack.env['DATABASE_DIRECT_URL'] });
    await owner.connect();
    const { rows } = await owner.query('select id, left_at is null as here from payload_keys order by id');
    await owner.end();
    expect(rows).toEqual([
      { id: 'a', here: false },
      { id: 'b', here: true },
    ]);
  });

  test('there is no codec endpoint without a token', async () => {
    await stack.api.kill('SIGTERM');
    await stack.startApi({ CODEC_TOKEN: '' });
    for (const method of ['POST', 'OPTIONS'])
      expect(await stack.call(method, '/codec/decode', { payloads: [] }, bearer)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
  });
});
