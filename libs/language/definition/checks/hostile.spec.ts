import { fc } from '#libs/platform/text/support/random';

import { found, http, line, type Raw, respond } from '../support/given.ts';
import { validate } from './validate.ts';
import { cpuMs } from '#libs/platform/text/support/cpu';

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};
const circle: Raw = {};
circle.self = circle;

const hostile: [string, unknown, string][] = [
  ['deep nesting', line([respond('a', nested(100_000))]), 'too_deep'],
  ['an object that holds itself', line([respond('a', circle)]), 'too_deep'],
  ['half a megabyte', line([respond('a', 'x'.repeat(600_000))]), 'too_large'],
  [
    'many small members',
    line([
      respond(
        'a',
        Array.from({ length: 300_000 }, () => 1),
      ),
    ]),
    'too_large',
  ],
  ['a null byte', line([respond('a', 'a\0b')]), 'null_byte'],
  ['a null byte in a name', line([respond('a', { 'a\0b': 1 })]), 'null_byte'],
  ['half of a character', line([respond('a', 'a\ud800b')]), 'lone_surrogate'],
  ['__proto__', line([respond('a', JSON.parse('{"__proto__": {"x": 1}}'))]), 'forbidden_key'],
  ['a function', line([respond('a', () => 1)]), 'not_json'],
  ['not a number', line([respond('a', NaN)]), 'not_json'],
  ['a bigint', line([respond('a', 1n)]), 'not_json'],
  ['undefined', line([respond('a', [undefined])]), 'not_json'],
  ['a date', line([respond('a', new Date(0))]), 'not_json'],
];

const names = fc.constantFrom('a', 'b', 'start', 'constructor', '__proto__', 'toString', 'vars', '');
const texts = fc.oneof(
  names,
  fc.string(),
  fc.constantFrom(
    '{{',
    '{{ a.b }}',
    '{{ start.constructor.x + 1 }}',
    '{{ a.__proto__ }}',
    '{{ [a][9] }}',
    '{{ "',
    '\0',
    '\ud800',
    'P1D',
    'http',
  ),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(texts, fc.constantFrom('params', 'form', 'cases', 'set')), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;
const loose = fc.record(
  {
    start: fc.oneof(anyJson, fc.record({ inputs: fc.dictionary(texts, anyJson) })),
    variables: anyJson,
    blocks: fc.oneof(
      anyJson,
      fc.array(
        fc.record(
          {
            id: texts,
            type: fc.constantFrom(
              'http',
              'wait',
              'human',
              'condition',
              'variables',
              'response',
              'function',
              'toString',
            ),
            params: anyJson,
            cases: fc.oneof(anyJson, fc.array(fc.record({ port: texts, when: texts }))),
            retry: anyJson,
          },
          { requiredKeys: [] },
        ),
        { maxLength: 6 },
      ),
    ),
    edges: fc.oneof(
      anyJson,
      fc.array(fc.record({ from: texts, to: texts, port: texts }, { requiredKeys: ['from', 'to'] }), {
        maxLength: 8,
      }),
    ),
  },
  { requiredKeys: [] },
);

describe('hostile input', () => {
  test.each(hostile)('%s is a fault', (_name, definition, code) => {
    expect(validate(definition).faults.map((fault) => fault.code)).toContain(code);
  });

  test('a complete surrogate pair passes', () => {
    expect(found(line([respond('a', '😀')]))).toEqual([]);
  });

  test('500 blocks with an edge between any two are refused quickly', () => {
    const blocks = Array.from({ length: 500 }, (_, i) => ({
      id: `b${i}`,
      type: 'wait',
      params: { duration: 1 },
    }));
    const edges = blocks.flatMap((a) => blocks.map((b) => ({ from: a.id, to: b.id })));
    expect(found({ blocks, edges })).toEqual([' too_large']);
    const some = edges.filter((_, i) => i % 50 === 0);
    const started = cpuMs();
    expect(new Set(validate({ blocks, edges: some }).faults.map(({ code }) => code))).toEqual(
      new Set(['too_many', 'unreachable', 'too_many_faults']),
    );
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('500 blocks with 2,000 edges that read every block before them pass quickly', () => {
    const blocks: Raw[] = Array.from({ length: 500 }, (_, i) =>
      respond(`b${i}`, i ? Array.from({ length: Math.min(i, 4) }, (_2, j) => `{{ b${i - 1 - j}.data }}`) : 1),
    );
    const edges = blocks.flatMap((_, i) =>
      [1, 2, 3, 4].flatMap((back) => (i - back >= 0 ? [{ from: `b${i - back}`, to: `b${i}` }] : [])),
    );
    const started = cpuMs();
    expect(validate({ blocks, edges: [{ from: 'start', to: 'b0' }, ...edges] })).toMatchObject({
      faults: [],
      warnings: [],
    });
    expect(cpuMs() - started).toBeLessThan(5_000);
  });

  test('more than 1,000 faults are listed up to 1,000 and counted, quickly', () => {
    const blocks = Array.from({ length: 400 }, (_, i) =>
      http(`b${i}`, {
        params: { method: 'NO', url: '{{ start.a + }}', body: '{{ nobody.x }} {{ "a" + 1 }}', extra: 1 },
      }),
    );
    const started = cpuMs();
    const { faults } = validate({ blocks, edges: [] });
    expect(cpuMs() - started).toBeLessThan(5_000);
    expect(faults).toHaveLength(101);
    expect(faults.at(-1)).toEqual({
      path: '',
      code: 'too_many_faults',
      message: expect.stringMatching(/^There are \d+ more faults\.$/),
    });
  });
});

test('any input gives faults or a definition, and never an exception', () => {
  fc.assert(
    fc.property(fc.oneof(loose, anyJson, fc.anything()), (input) => {
      const { faults, definition } = validate(input);
      expect(faults.length > 0).toBe(definition === undefined);
    }),
    { numRuns: 3000 },
  );
});
