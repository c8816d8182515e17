import { compile } from '#libs/language/definition/compile';
import type { Definition } from '#libs/language/definition/definition';
import { buildInputSchema, buildOutputSchema } from './tool-schemas.ts';

const start = { inputs: { n: { type: 'number', required: true }, text: { type: 'string' } } };
const done = (data: unknown, id = 'done') => ({ id, type: 'response', params: { data } });
const schemaOf = (blocks: object[], edges: object[]) =>
  buildOutputSchema(compile({ start, blocks, edges } as unknown as Definition));
const first = [{ from: 'start', to: 'done' }];

test('the inputs of a start become a closed schema with their bounds', () => {
  const schema = buildInputSchema({
    n: { type: 'number', required: true, min: 1, max: 9 },
    list: { type: 'array', default: [], maxLength: 3 },
    when: { type: 'date', description: 'The day.' },
    any: { type: 'json', enum: [1, 'a'] },
  });
  expect(schema).toEqual({
    type: 'object',
    properties: {
      n: { type: 'number', minimum: 1, maximum: 9 },
      list: { type: 'array', default: [], maxItems: 3 },
      when: { type: 'string', description: 'The day.' },
      any: { enum: [1, 'a'] },
    },
    required: ['n'],
    additionalProperties: false,
  });
});

test('a start without inputs takes any', () => {
  expect(buildInputSchema({})).toEqual({ type: 'object', properties: {}, additionalProperties: true });
});

test('a response promises its certain members, and nothing about the others', () => {
  const data = {
    n: '{{ start.n }}',
    text: '{{ start.text }}',
    said: 'n is {{ start.n }}',
    fixed: true,
    twice: '{{ start.n * 2.0 }}',
  };
  expect(schemaOf([done(data)], first)).toEqual({
    type: 'object',
    properties: {
      n: { type: 'number' },
      text: {},
      said: { type: 'string' },
      fixed: { type: 'boolean' },
      twice: {},
    },
    required: ['n', 'text', 'said', 'fixed', 'twice'],
  });
});

test.each([
  ['a text', 'hello'],
  ['a list', [1]],
  ['any value', '{{ start.text }}'],
])('a response with %s promises nothing', (_, data) => {
  expect(schemaOf([done(data)], first)).toBeNull();
});

const check = { id: 'check', type: 'condition', cases: [{ port: 'yes', when: 'start.n > 1.0' }] };
const toCheck = { from: 'start', to: 'check' };

test('two responses promise either of the two', () => {
  const edges = [
    toCheck,
    { from: 'check', port: 'yes', to: 'done' },
    { from: 'check', port: 'else', to: 'other' },
  ];
  expect(schemaOf([check, done({ a: 1 }), done({ b: 1 }, 'other')], edges)).toMatchObject({
    type: 'object',
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  });
});

test('a run that may end without a response promises nothing', () => {
  expect(schemaOf([check, done({ a: 1 })], [toCheck, { from: 'check', port: 'yes', to: 'done' }])).toBeNull();
});
