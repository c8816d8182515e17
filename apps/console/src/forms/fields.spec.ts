import { answersOf, decisionOf, draftsOf, faultsOf, type FieldSpec } from './fields.ts';

const texts = { wrongNumber: 'number', wrongJson: 'json', missing: 'missing' };
const field = (name: string, type: string, more: Partial<FieldSpec> = {}): FieldSpec => ({
  name,
  type,
  label: name,
  required: false,
  ...more,
});

describe('the answers of a form', () => {
  test('the answers of a form have the types of their fields', () => {
    const fields = [
      field('n', 'number'),
      field('b', 'boolean'),
      field('j', 'json'),
      field('s', 'string'),
      field('m', 'multiselect'),
    ];
    const { answers } = answersOf(fields, { n: ' 1.5', b: 'false', j: '{"a":1}', s: '7', m: ['x'] }, texts);
    expect(answers).toEqual({ n: 1.5, b: false, j: { a: 1 }, s: '7', m: ['x'] });
  });

  test('the answers of a form leave out empty fields, and name missing required fields', () => {
    const fields = [
      field('a', 'string', { required: true }),
      field('b', 'string'),
      field('c', 'number', { required: true, default: 3 }),
    ];
    expect(answersOf(fields, { a: '', b: '', c: '' }, texts)).toEqual({
      answers: {},
      faults: { a: 'missing', c: 'missing' },
    });
  });

  test('the answers of a form keep what a person has emptied from taking its default', () => {
    const fields = [
      field('s', 'text', { default: 'x' }),
      field('m', 'multiselect', { default: ['x'] }),
      field('n', 'number', { default: 3 }),
      field('f', 'file', { default: { url: 'x' } }),
      field('needed', 'file', { required: true, default: { url: 'x' } }),
      field('g', 'string', { default: 'left out' }),
    ];
    expect(answersOf(fields, { s: '', m: [], n: '', f: '', needed: '' }, texts)).toEqual({
      answers: { s: '', m: [], n: null },
      faults: {},
    });
  });

  test('the answers of a form name the field that holds no number, or no JSON', () => {
    const { faults } = answersOf([field('n', 'number'), field('j', 'json')], { n: 'much', j: '{' }, texts);
    expect(faults).toEqual({ n: 'number', j: 'json' });
  });

  test('the answers of a form begin with the defaults, as text', () => {
    const drafts = draftsOf([
      field('n', 'number', { default: 5 }),
      field('j', 'json', { default: { a: 1 } }),
      field('m', 'multiselect', { default: ['x'] }),
    ]);
    expect(drafts).toEqual({ n: '5', j: '{\n  "a": 1\n}', m: ['x'] });
  });

  test('the answers of a form get the faults that the API has found, also faults within a value', () => {
    const details = [
      { path: 'input.sites[2]', message: 'no' },
      { path: 'input.n', message: 'small' },
      { path: '', message: 'late' },
    ];
    expect(faultsOf(details, 'input')).toEqual({ sites: 'no', n: 'small', '': 'late' });
  });
});

describe('a decision by one press', () => {
  test('a decision by one press is offered for the only required boolean', () => {
    expect(decisionOf([field('ok', 'boolean', { required: true }), field('note', 'text')])?.name).toBe('ok');
  });

  test('a decision by one press is not offered where two are needed', () => {
    const both = [field('a', 'boolean', { required: true }), field('b', 'boolean', { required: true })];
    expect(decisionOf(both)).toBeUndefined();
  });
});
