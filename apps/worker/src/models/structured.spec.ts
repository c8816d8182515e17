import { fileURLToPath } from 'node:url';
import { isStrict, StructuredAnswers } from './structured.ts';

/** The compiled file from `npm test`, because a thread cannot run the TypeScript of the specs. */
const program = fileURLToPath(
  new URL('../../../../dist/apps/worker/src/models/answer-check.js', import.meta.url),
);
const answer = (content: string) => ({ content, model: 'm', usage: null, finishReason: 'stop' });

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
  expect(await answers.readAnswer(answer('1'), { type: 'integer' })).toBe(1);
  for (const content of ['"one"', 'no JSON'])
    await expect(answers.readAnswer(answer(content), { type: 'integer' })).rejects.toMatchObject({
      type: 'MODEL_OUTPUT_INVALID',
      details: [{ retryable: true, details: { content } }],
    });
  await answers.onModuleDestroy();
});

test('a schema that deploy should have refused fails its block without a retry', async () => {
  const answers = new StructuredAnswers(program);
  await expect(answers.readAnswer(answer('1'), { $ref: '#/nowhere' })).rejects.toMatchObject({
    type: 'INVALID_VALUE',
    details: [{ retryable: false }],
  });
  await answers.onModuleDestroy();
});

test('a check that would take minutes is ended, and neither the process nor the next check waits for it', async () => {
  const answers = new StructuredAnswers(program, 1500);
  const anyOf = Array.from({ length: 50 }, (_, n) => ({
    anyOf: Array.from({ length: 50 }, () => ({ const: `no ${n}` })),
  }));
  const schema = { type: 'array', items: { anyOf: [...anyOf, { type: 'integer' }] } };
  const many = answer(`[${Array(2_000_000).fill(1).join(',')}]`);
  let turns = 0;
  const loop = setInterval(() => turns++, 10);
  const checks = [many, many].map((one) => answers.readAnswer(one, JSON.parse(JSON.stringify(schema))));
  for (const outcome of await Promise.allSettled(checks))
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { type: 'MODEL_OUTPUT_UNCHECKED', message: expect.stringContaining('fewer alternatives') },
    });
  clearInterval(loop);
  expect(turns).toBeGreaterThan(20);
  expect(await answers.readAnswer(answer('1'), { type: 'integer' })).toBe(1);
  await answers.onModuleDestroy();
});
