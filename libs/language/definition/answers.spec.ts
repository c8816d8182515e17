import { checkAnswers } from './answers.ts';
import type { FieldType, FormField } from './forms.ts';

const field = (name: string, type: FieldType, more: Partial<FormField> = {}): FormField => ({
  name,
  type,
  label: name,
  required: false,
  ...more,
});

const options = [
  { label: 'A', value: 'a' },
  { label: 'B', value: 'b' },
];

const form: FormField[] = [
  field('approved', 'boolean', { required: true }),
  field('reason', 'string', { min: 2, max: 4, default: 'none' }),
  field('amount', 'number', { min: 1, max: 10 }),
  field('day', 'date'),
  field('one', 'select', { options }),
  field('some', 'multiselect', { options, max: 1 }),
  field('note', 'text'),
  field('extra', 'json'),
  field('doc', 'file'),
];

describe('checkAnswers', () => {
  test('checkAnswers returns every field: the answer, the default, or null', () => {
    const input = {
      approved: false,
      amount: 2,
      one: 'a',
      some: ['b'],
      day: '2026-01-01',
      note: '',
      extra: { x: [1] },
    };
    expect(checkAnswers(form, input)).toEqual({
      answers: { ...input, reason: 'none', note: null, doc: null },
      details: [],
    });
  });

  test.each([
    ['a text', field('x', 'text', { default: 'We accept.' }), '', ''],
    ['a text by null', field('x', 'string', { default: 'We accept.' }), null, ''],
    ['a list', field('x', 'multiselect', { options, default: ['a'] }), [], []],
    ['a list by null', field('x', 'multiselect', { options, default: ['a'] }), null, []],
    ['a choice', field('x', 'select', { options, default: 'a' }), '', null],
    ['a number', field('x', 'number', { default: 3 }), null, null],
    ['a boolean', field('x', 'boolean', { default: true }), null, null],
    ['a date', field('x', 'date', { default: '2026-01-01' }), '', null],
    ['JSON', field('x', 'json', { default: { a: 1 } }), null, null],
    ['a file', field('x', 'file', { default: 'http://a.test/x' }), '', null],
    ['a text without a default', field('x', 'text'), '', null],
  ])(
    'checkAnswers keeps %s that a person has emptied, and gives the default to one that is left out',
    (_, one, given, kept) => {
      expect(checkAnswers([one], { x: given })).toEqual({ answers: { x: kept }, details: [] });
      expect(checkAnswers([one], {}).answers).toEqual({ x: one.default ?? null });
    },
  );

  test.each([
    ['a required field', field('x', 'text', { required: true, default: 'yes' }), '', 'required'],
    [
      'a required list',
      field('x', 'multiselect', { options, required: true, default: ['a'] }),
      [],
      'required',
    ],
    ['a text of at least two characters', field('x', 'text', { min: 2, default: 'yes' }), '', 'min'],
    ['a list of at least one', field('x', 'multiselect', { options, min: 1, default: ['a'] }), [], 'min'],
  ])('checkAnswers refuses %s that a person has emptied', (_, one, given, code) => {
    expect(checkAnswers([one], { x: given }).details).toMatchObject([{ path: 'input.x', code }]);
  });

  test('checkAnswers counts characters, not halves of them', () => {
    const faults = (reason: string) =>
      checkAnswers(form, { approved: true, reason }).details.map(({ code }) => code);
    expect([faults('👍👍👍👍'), faults('👍'), faults('👍👍👍👍👍')]).toEqual([[], ['min'], ['max']]);
  });

  test.each([
    [{}, 'input.approved required'],
    [{ approved: null }, 'input.approved required'],
    [{ approved: 'yes' }, 'input.approved type'],
    [{ approved: true, reason: 'x' }, 'input.reason min'],
    [{ approved: true, reason: 'xxxxx' }, 'input.reason max'],
    [{ approved: true, amount: '2' }, 'input.amount type'],
    [{ approved: true, amount: 0 }, 'input.amount min'],
    [{ approved: true, day: 'soon' }, 'input.day type'],
    [{ approved: true, one: 'c' }, 'input.one option'],
    [{ approved: true, some: 'a' }, 'input.some type'],
    [{ approved: true, some: ['a', 'a'] }, 'input.some option'],
    [{ approved: true, some: ['c'] }, 'input.some option'],
    [{ approved: true, some: ['a', 'b'] }, 'input.some max'],
    [{ approved: true, note: 1 }, 'input.note type'],
    [{ approved: true, doc: 1 }, 'input.doc type'],
    [{ approved: true, more: 1 }, 'input.more unknown_key'],
    [{ approved: true, extra: [{ $payload: 'pay_1' }] }, 'input.extra forbidden_key'],
    [{ approved: true, note: 'a\0' }, 'input.note null_byte'],
  ])('%j is refused: %s', (input, fault) => {
    expect(checkAnswers(form, input).details.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });

  test('an empty text does not answer a required field', () => {
    const required = [field('why', 'text', { required: true })];
    expect(checkAnswers(required, { why: '' }).details).toMatchObject([
      { path: 'input.why', code: 'required' },
    ]);
  });

  test('a name of Object.prototype is not a field', () => {
    expect(checkAnswers([field('a', 'json')], { toString: 1 }).details).toMatchObject([
      { code: 'unknown_key' },
    ]);
    expect(checkAnswers([field('a', 'json')], {}).answers).toEqual({ a: null });
  });
});
