import type { StartInput } from './definition.ts';
import { checkInputs, undeclaredInputs } from './inputs.ts';

const declared: Record<string, StartInput> = {
  amount: { type: 'number', required: true, min: 1, max: 10 },
  name: { type: 'string', minLength: 2, maxLength: 4 },
  kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
  tags: { type: 'array', maxLength: 2 },
  day: { type: 'date' },
  any: { type: 'json' },
  'odd name': { type: 'boolean' },
};

describe('checkInputs', () => {
  test('checkInputs fills in defaults and keeps undeclared inputs', () => {
    expect(checkInputs(declared, { amount: 3, extra: { x: 1 } })).toEqual({
      inputs: { amount: 3, extra: { x: 1 }, kind: 'a' },
      details: [],
    });
  });

  test.each([
    [{}, 'inputs.amount required'],
    [{ amount: null }, 'inputs.amount required'],
    [{ amount: '3' }, 'inputs.amount type'],
    [{ amount: 0 }, 'inputs.amount min'],
    [{ amount: 11 }, 'inputs.amount max'],
    [{ amount: 1, name: 'x' }, 'inputs.name min_length'],
    [{ amount: 1, name: 'xxxxx' }, 'inputs.name max_length'],
    [{ amount: 1, kind: 'c' }, 'inputs.kind enum'],
    [{ amount: 1, tags: {} }, 'inputs.tags type'],
    [{ amount: 1, tags: [1, 2, 3] }, 'inputs.tags max_length'],
    [{ amount: 1, day: '2026-02-30' }, 'inputs.day type'],
    [{ amount: 1, 'odd name': 1 }, 'inputs["odd name"] type'],
    [{ amount: 1, extra: { a: ['x\0'] } }, 'inputs.extra.a[0] null_byte'],
    [{ amount: 1, extra: '\ud800' }, 'inputs.extra lone_surrogate'],
    [JSON.parse('{"amount": 1, "__proto__": {"x": 1}}'), 'inputs.__proto__ forbidden_key'],
  ])('%j is refused: %s', (inputs, fault) => {
    expect(checkInputs(declared, inputs).details.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });

  test('checkInputs counts characters, not halves of them', () => {
    const faults = (name: string) =>
      checkInputs(declared, { amount: 1, name }).details.map(({ code }) => code);
    expect([faults('👍👍👍👍'), faults('👍'), faults('👍👍👍👍👍')]).toEqual([
      [],
      ['min_length'],
      ['max_length'],
    ]);
  });

  test('checkInputs reports every fault', () => {
    expect(checkInputs(declared, { name: 1, tags: 1, kind: 1 }).details).toHaveLength(4);
  });

  test('null counts as not given, but a json input may be null', () => {
    expect(checkInputs(declared, { amount: 1, name: null, kind: null, any: null })).toEqual({
      inputs: { amount: 1, name: null, kind: 'a', any: null },
      details: [],
    });
  });

  test('endless nesting is one fault', () => {
    let deep: never[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep] as never[];
    expect(checkInputs({}, { deep }).details).toMatchObject([{ code: 'too_deep' }]);
  });

  test.each(['2026-02-28', '2026-02-28T10:00', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.123+02:00'])(
    'the date %s passes',
    (day) => {
      expect(checkInputs(declared, { amount: 1, day }).details).toEqual([]);
    },
  );
});

describe('inputs that are not declared', () => {
  const limited = { limit: { type: 'number' as const } };

  test('inputs that are not declared are warned about by name, with the names that are declared', () => {
    expect(undeclaredInputs(limited, { limt: 9, limit: 1 })).toEqual([
      'The input "limt" is not declared, so nothing checks it; declared are limit.',
    ]);
  });

  test('inputs that are not declared are no matter for a workflow that declares none, and very many are counted', () => {
    expect(undeclaredInputs({}, { any: 1 })).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, n]));
    expect(undeclaredInputs(limited, many)).toHaveLength(21);
  });
});
