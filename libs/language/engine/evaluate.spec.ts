import type { JsonObject } from '#libs/platform/json/json';

import { evaluateBlock, evaluationFailure, packRendered } from './evaluate.ts';

const scope = { start: { n: 2, text: 'x', list: ['a'], yes: true } };

const rendered: [string, JsonObject, JsonObject][] = [
  [
    'condition',
    {
      cases: [
        { port: 'a', when: 'start.n > 5' },
        { port: 'b', when: 'start.n > 1' },
      ],
    },
    { port: 'b' },
  ],
  ['condition', { cases: [{ port: 'a', when: 'start.gone' }] }, { port: 'else' }],
  ['variables', { set: { v: '{{ start.n }}', w: 1 }, types: { v: 'number', w: 'json' } }, { v: 2, w: 1 }],
  ['variables', { set: { v: '{{ start.gone }}' }, types: { v: 'number' } }, { v: null }],
  ['response', {}, { data: null, status: 200, headers: {}, raw: false }],
  [
    'response',
    {
      data: { x: '{{ start.n }}' },
      status: '{{ start.n + 200 }}',
      headers: { a: '{{ start.n }}', b: '{{ start.gone }}' },
      raw: true,
    },
    { data: { x: 2 }, status: 202, headers: { a: '2' }, raw: true },
  ],
  ['wait', { duration: '{{ start.n }}' }, { durationMs: 2000 }],
  ['wait', { until: '2026-01-01' }, { untilMs: Date.UTC(2026, 0, 1) }],
  [
    'human',
    {
      title: 'For {{ start.text }}',
      fields: [{ label: 'N', value: '{{ start.n }}', format: 'number' }],
      expiresAfter: 'PT1M',
      metadata: { m: '{{ start.list }}' },
    },
    {
      title: 'For x',
      message: '',
      fields: [{ label: 'N', value: 2, format: 'number' }],
      form: [],
      expiresAfterMs: 60_000,
      metadata: { m: ['a'] },
    },
  ],
];

const refused: [string, JsonObject, string][] = [
  ['condition', { cases: [{ port: 'a', when: 'start.text' }] }, 'INVALID_VALUE'],
  ['condition', { cases: [{ port: 'a', when: 'start.gone > 1' }] }, 'EXPRESSION_FAILED'],
  ['variables', { set: { v: '{{ start.text }}' }, types: { v: 'number' } }, 'INVALID_VALUE'],
  ['response', { status: '{{ start.n }}' }, 'INVALID_VALUE'],
  ['response', { status: '{{ start.text }}' }, 'INVALID_VALUE'],
  ['response', { headers: { a: '{{ start.list }}' } }, 'INVALID_VALUE'],
  ['response', { headers: { a: '{{ "a\\r\\nb" }}' } }, 'INVALID_VALUE'],
  ['wait', { duration: '{{ start.text }}' }, 'INVALID_VALUE'],
  ['wait', { duration: '{{ 400 * 86400 }}' }, 'INVALID_VALUE'],
  ['wait', { until: '{{ start.text }}' }, 'INVALID_VALUE'],
  [
    'human',
    { title: 'x', form: [{ name: 'a', type: 'json', default: { $payload: 'pay_1' } }] },
    'INVALID_VALUE',
  ],
  ['human', { title: 'x', expiresAfter: '{{ start.list }}' }, 'INVALID_VALUE'],
];

function failing(type: string, params: JsonObject): unknown {
  try {
    return evaluateBlock(type, params, scope);
  } catch (error) {
    return evaluationFailure(error)?.code ?? error;
  }
}

describe('evaluateBlock', () => {
  test.each(rendered)('a %s of %j gives %j', (type, params, value) => {
    expect(evaluateBlock(type, params, scope)).toEqual(value);
  });

  test.each(refused)('a %s of %j fails: %s', (type, params, code) => {
    expect(failing(type, params)).toBe(code);
  });

  test('evaluateBlock rethrows the error of a bug, and does not make it a failure of the block', () => {
    expect(failing('teleport', {})).toEqual(new Error('a block of type teleport is not pure'));
  });
});

test('packRendered packs only values that the run does not have to read', () => {
  const seen: unknown[] = [];
  const pack = (value: unknown): string => `packed ${seen.push(value)}`;
  expect(packRendered('variables', { a: 1, b: 2 }, pack)).toEqual({ a: 'packed 1', b: 'packed 2' });
  expect(packRendered('response', { data: 3, status: 200 }, pack)).toEqual({ data: 'packed 3', status: 200 });
  expect(packRendered('human', { title: 't', form: [1], fields: [{ label: 'l', value: 4 }] }, pack)).toEqual({
    title: 't',
    form: [1],
    fields: [{ label: 'l', value: 'packed 4' }],
  });
  expect(packRendered('condition', { port: 'x' }, pack)).toEqual({ port: 'x' });
  expect(seen).toEqual([1, 2, 3, 4]);
});
