import { fileURLToPath } from 'node:url';
import { NoSlot } from '../effects/workspace-share.ts';
import { buildCheckPlace, isStrict, StructuredAnswers } from './structured.ts';

/** The compiled file from `npm test`, because a thread cannot run the TypeScript of the specs. */
const program = fileURLToPath(new URL('../../../dist/libs/worker/models/answer-check.js', import.meta.url));
const answer = (content: string) => ({ content, model: 'm', usage: null, finishReason: 'stop' });

const inTime = (workspaceId = 'ws_a') => buildCheckPlace({ workspaceId }, { timeoutMs: 60_000 });

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

test.each([
  ['a closed object', closed({ a: { type: 'string' }, b: closed({}) }), true],
  ['a list of closed objects', { type: 'array', items: closed({ a: { type: 'null' } }) }, true],
  ['an open object', { type: 'object', properties: {}, required: [] }, false],
  ['an optional member', closed({ a: {}, b: {} }, ['a']), false],
  ['an open object inside', closed({ a: { anyOf: [{ type: 'object' }] } }), false],
  ['a choice by oneOf', closed({ a: { oneOf: [{ type: 'string' }] } }), false],
])('the schema decides about strict mode: %s', (_, schema, strict) => {
  expect(isStrict(JSON.parse(JSON.stringify(schema)))).toBe(strict);
});

test('an answer is checked against its schema', async () => {
  const answers = new StructuredAnswers(program);
  expect(await answers.readAnswer(inTime(), answer('1'), { type: 'integer' })).toBe(1);
  for (const content of ['"one"', 'no JSON'])
    await expect(answers.readAnswer(inTime(), answer(content), { type: 'integer' })).rejects.toMatchObject({
      type: 'MODEL_OUTPUT_INVALID',
      details: [{ retryable: true, details: { content } }],
    });
  await answers.onModuleDestroy();
});

test('a schema that deploy should have refused fails its block without a retry', async () => {
  const answers = new StructuredAnswers(program);
  await expect(answers.readAnswer(inTime(), answer('1'), { $ref: '#/nowhere' })).rejects.toMatchObject({
    type: 'INVALID_VALUE',
    details: [{ retryable: false }],
  });
  await answers.onModuleDestroy();
});

/** An answer and a schema whose check would take minutes. */
function endless() {
  const anyOf = Array.from({ length: 50 }, (_, n) => ({
    anyOf: Array.from({ length: 50 }, () => ({ const: `no ${n}` })),
  }));
  const schema = { type: 'array', items: { anyOf: [...anyOf, { type: 'integer' }] } };
  return {
    many: answer(`[${Array(2_000_000).fill(1).join(',')}]`),
    schema: JSON.parse(JSON.stringify(schema)),
  };
}

test('a check that would take minutes is ended, and neither the process nor the next check waits for it', async () => {
  const answers = new StructuredAnswers(program);
  const { many, schema } = endless();
  let turns = 0;
  const loop = setInterval(() => turns++, 10);
  const checks = [many, many].map((one) => answers.readAnswer(inTime(), one, schema));
  for (const outcome of await Promise.allSettled(checks))
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { type: 'MODEL_OUTPUT_UNCHECKED', message: expect.stringContaining('fewer alternatives') },
    });
  clearInterval(loop);
  expect(turns).toBeGreaterThan(20);
  expect(await answers.readAnswer(inTime(), answer('1'), { type: 'integer' })).toBe(1);
  await answers.onModuleDestroy();
});

test("a workspace with a queue of endless checks delays no other's, and the wait for a thread fails no check", async () => {
  const answers = new StructuredAnswers(program);
  const { many, schema } = endless();
  const ended: string[] = [];
  const hostile = Array.from({ length: 3 }, () =>
    answers.readAnswer(inTime('ws_hostile'), many, schema).catch(() => ended.push('hostile')),
  );
  const late = { workspaceId: 'ws_hostile', waitSignal: AbortSignal.timeout(200) };
  const putOff = answers.readAnswer(late, answer('1'), { type: 'integer' });
  await answers.readAnswer(inTime('ws_honest'), answer('1'), { type: 'integer' });
  expect(ended).toEqual([]);
  await expect(putOff).rejects.toThrow(NoSlot);
  // The check itself is short, and it waits for longer than a check may take.
  expect(await answers.readAnswer(inTime('ws_hostile'), answer('1'), { type: 'integer' })).toBe(1);
  await Promise.all(hostile);
  await answers.onModuleDestroy();
});
