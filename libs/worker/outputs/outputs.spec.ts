import { ApplicationFailure } from '@temporalio/common';
import type { Json } from '#libs/platform/json/json';
import { Unstorable } from '#libs/runs/executions/record/storable';
import { sizeHereMax, toAnswerOutput, Unread } from './large-output.ts';
import { Outputs } from './outputs.ts';

const outputs = new Outputs();
afterAll(() => outputs.onModuleDestroy());

const never = new AbortController().signal;
const pack = (output: Json | Unread, secrets: Record<string, string> = {}, signal = never) =>
  outputs.pack('ws_a', output, { secrets, signal });
const answer = (body: string, { status = 200, type = 'application/json', mayBeText = false } = {}) =>
  toAnswerOutput(
    {
      status,
      headers: { 'content-type': type },
      body: Buffer.from(body),
      url: 'http://a.test/',
      redirects: 0,
    },
    false,
    { beside: { id: 'msg_1' }, mayBeText },
  );
const result = (text: string) => new Unread({ kind: 'result', text, logs: ['a line'] });
/** Returns the value and how many threads have read it. */
async function read(output: Json | Unread, secrets: Record<string, string> = {}) {
  const before = outputs.readInThreads;
  const { value, payloads } = await pack(output, secrets);
  return {
    value,
    stored: payloads.map(({ body }) => JSON.parse(body)),
    threads: outputs.readInThreads - before,
  };
}
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) =>
      error instanceof ApplicationFailure
        ? { type: error.type, message: error.message, details: error.details }
        : error,
  );
const long = 'x'.repeat(sizeHereMax);

describe('an output', () => {
  test('an output that is small is read on the main thread', async () => {
    expect(await read({ a: 1 })).toEqual({ value: { a: 1 }, stored: [], threads: 0 });
    expect(answer('[1]')).toEqual({ id: 'msg_1', status: 200, headers: expect.anything(), data: [1] });
  });

  test.each<[string, Json | Unread, object]>([
    ['JSON', answer(JSON.stringify([long])), { data: [long] }],
    ['a text', answer(long + long, { type: 'text/plain' }), { data: long + long }],
    ['JSON that is none, of a webhook', answer(`[${long}`, { mayBeText: true }), { data: `[${long}` }],
    [
      'a number with many digits',
      answer(`["${long}",12345678901234567890]`),
      {
        data: [long, '12345678901234567890'],
      },
    ],
  ])('an output that is a large answer is read in a thread: %s', async (_, output, expected) => {
    const { value, stored, threads } = await read(output);
    expect(threads).toBe(1);
    expect(value).toMatchObject({ id: 'msg_1', status: 200, data: { bytes: expect.any(Number) } });
    expect({ data: stored[0] }).toEqual(expected);
  });

  test('an output that is a large answer in bytes is kept in base64', async () => {
    const { value, stored } = await read(answer(long + long, { type: 'image/png' }));
    expect(value).toMatchObject({ encoding: 'base64' });
    expect(stored).toEqual([Buffer.from(long + long).toString('base64')]);
  });

  test('an output of code that is large is read in a thread, without names that change a prototype', async () => {
    const { stored, threads } = await read(result(`{"a":["${long}"],"b":{"__proto__":{"c":1},"d":2}}`));
    expect(threads).toBe(1);
    expect(stored).toEqual([[long]]);
  });

  test('an output of another block that is large is packed in a thread', async () => {
    const { value, stored, threads } = await read({ rows: [long], rowCount: 1 });
    expect(threads).toBe(1);
    expect(value).toMatchObject({ rowCount: 1 });
    expect(stored).toEqual([[long]]);
  });

  test('an output that is large loses secrets, and what no row can hold', async () => {
    const { stored } = await read(answer(JSON.stringify([`key sesame-open ${long}`, 'a\0b\ud800'])), {
      KEY: 'sesame-open',
    });
    expect(stored).toEqual([[`key [secret] ${long}`, 'a\ufffdb\ufffd']]);
  });
});

describe('an output that cannot be read', () => {
  test('an output that cannot be read is the failure of its block: an error status', async () => {
    expect(await failureOf(pack(answer(JSON.stringify({ a: long }), { status: 503 })))).toMatchObject({
      type: 'HTTP_503',
      details: [
        { retryable: false, details: { status: 503, data: expect.stringMatching(/^\{"a":"x{100}/) } },
      ],
    });
  });

  test('an output that cannot be read is the failure of its block: a number out of range', async () => {
    expect(await failureOf(pack(answer(`["${long}",1e999]`)))).toMatchObject({
      type: 'RESPONSE_INVALID',
      message: expect.stringContaining('1e999'),
    });
  });

  test('an output that cannot be read is the failure of its block: large JSON that is none', async () => {
    expect(await failureOf(pack(answer(`{"a":"${long}`)))).toEqual({
      type: 'RESPONSE_INVALID',
      message: expect.stringMatching(/It begins: \{"a":"x{194}…$/),
      details: [
        { retryable: false, details: { status: 200, headers: expect.anything(), data: expect.anything() } },
      ],
    });
  });

  test('an output that cannot be read is the failure of its block: more values than there is memory for', async () => {
    expect(await failureOf(pack(answer(`[${'{},'.repeat(4_100_000)}{}]`)))).toMatchObject({
      type: 'RESPONSE_TOO_LARGE',
      message: expect.stringContaining('page by page'),
    });
  });

  test.each([
    ['what is no JSON', `{"a":"${long}"`, 'SANDBOX_CRASHED'],
    ['what is nested too deeply', `[${'['.repeat(129)}"${long}"${']'.repeat(129)}]`, 'CODE_OUTPUT_INVALID'],
  ])(
    'an output that cannot be read is the failure of its block: code that gives %s',
    async (_, text, type) => {
      expect(await failureOf(pack(result(text)))).toMatchObject({
        type,
        details: [{ details: { logs: ['a line'] } }],
      });
    },
  );

  test('an output that cannot be read because it nests too deep is refused as such', async () => {
    const deep = `${'['.repeat(201)}"${long}"${']'.repeat(201)}`;
    await expect(pack(answer(deep))).rejects.toThrow(Unstorable);
  });

  test('an output that cannot be read because the run stops is given up with the reason', async () => {
    const stopped = AbortSignal.abort(new Error('The run stops.'));
    await expect(pack(answer(JSON.stringify([long])), {}, stopped)).rejects.toThrow('The run stops.');
  });
});

test('the memory for large answers leaves room for another workspace while one has all of its own', async () => {
  const all = await outputs.enter('ws_a', 100 * 2 ** 20, never);
  const patience = new AbortController();
  const next = outputs.enter('ws_a', 1, patience.signal);
  const other = await outputs.enter('ws_b', 10 * 2 ** 20, never);
  patience.abort(new Error('out of time'));
  await expect(next).rejects.toThrow('out of time');
  other();
  all();
});
