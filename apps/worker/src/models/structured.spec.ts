import { isStrict, structured } from './structured.ts';

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
])('strict mode is asked for by the schema: %s', (_, schema, strict) => {
  expect(isStrict(JSON.parse(JSON.stringify(schema)))).toBe(strict);
});

test('a schema that deploy should have refused fails for good', () => {
  const answer = { content: '1', model: 'm', usage: null, finishReason: 'stop' };
  const check = () => structured(answer, { $ref: '#/nowhere' });
  expect(check).toThrow(expect.objectContaining({ type: 'INVALID_VALUE', nonRetryable: true }));
  expect(structured(answer, { type: 'integer' })).toBe(1);
});
