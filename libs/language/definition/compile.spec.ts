import { canonicalJson, compile } from './compile.ts';
import type { Definition } from './definition.ts';

const definition: Definition = {
  start: { inputs: { n: { type: 'number' } } },
  variables: { v: { type: 'number', initial: 1 } },
  blocks: [
    { id: 'end', type: 'response', params: { data: '{{ work.x }} {{ fork.port }}' } },
    {
      id: 'work',
      type: 'function',
      params: { code: 'return "{{ not.read }}"', input: ['{{ start.n }}', '{{ secrets.K }}'] },
      retry: { maxAttempts: 2, initialDelay: 'PT2S', retryOn: ['X'] },
      timeout: 3,
    },
    { id: 'fork', name: 'The fork', type: 'condition', cases: [{ port: 'yes', when: 'start.n > vars.v' }] },
    { id: 'set', type: 'variables', params: { set: { v: '{{ start.n }}' } } },
  ],
  edges: [
    { from: 'fork', port: 'yes', to: 'work' },
    { from: 'work', to: 'end' },
    { from: 'work', port: 'error', to: 'end' },
    { from: 'start', to: 'set' },
    { from: 'start', to: 'fork' },
  ],
};

const plan = {
  planVersion: 1,
  inputs: { n: { type: 'number' } },
  variables: { v: { type: 'number', initial: 1 } },
  first: [0, 3],
  blocks: [
    {
      index: 0,
      id: 'fork',
      name: 'The fork',
      type: 'condition',
      params: { cases: [{ port: 'yes', when: 'start.n > vars.v' }] },
      references: [
        ['start', 'n'],
        ['vars', 'v'],
      ],
      incoming: [{ from: -1, port: 'out' }],
      outgoing: [{ port: 'yes', to: 1 }],
    },
    {
      index: 1,
      id: 'work',
      name: 'work',
      type: 'function',
      params: { code: 'return "{{ not.read }}"', input: ['{{ start.n }}', '{{ secrets.K }}'] },
      references: [['start', 'n']],
      incoming: [{ from: 0, port: 'yes' }],
      outgoing: [
        { port: 'out', to: 2 },
        { port: 'error', to: 2 },
      ],
      retry: { maxAttempts: 2, initialDelayMs: 2000, backoff: 2, retryOn: ['X'] },
      timeoutMs: 3000,
    },
    {
      index: 2,
      id: 'end',
      name: 'end',
      type: 'response',
      params: { data: '{{ work.x }} {{ fork.port }}' },
      references: [
        ['work', 'x'],
        ['fork', 'port'],
      ],
      incoming: [
        { from: 1, port: 'out' },
        { from: 1, port: 'error' },
      ],
      outgoing: [],
    },
    {
      index: 3,
      id: 'set',
      name: 'set',
      type: 'variables',
      params: { set: { v: '{{ start.n }}' }, types: { v: 'number' } },
      references: [['start', 'n']],
      incoming: [{ from: -1, port: 'out' }],
      outgoing: [],
    },
  ],
};

test('a plan has blocks in order, edges by index, references and milliseconds', () => {
  expect(compile(definition)).toEqual(plan);
});

test('equal definitions give equal plans, and a plan is JSON', () => {
  const again: Definition = JSON.parse(JSON.stringify(definition));
  expect(canonicalJson(compile(again))).toBe(canonicalJson(compile(definition)));
  expect(JSON.parse(JSON.stringify(compile(definition)))).toEqual(compile(definition));
});

test('canonical JSON ignores the order of keys and keeps the order of lists', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test.each([
  ['its data', '{{ tell.data.id }}', '1', true],
  ['the whole', 'so: {{ tell }}', '1', true],
  ['its data in a loop', '1', '{{ tell.data }}', true],
  ['its status', '{{ tell.status }} {{ tell.id }}', '1', undefined],
  ['another block', '{{ other.data }}', '1', undefined],
])('a plan says of a webhook whether an expression reads its answer: %s', (_, data, v, isRead) => {
  const params = { url: 'https://a.test', event: 'a.b', secret: '{{ secrets.K }}' };
  const body: Definition = {
    blocks: [{ id: 'each', type: 'variables', params: { set: { v } } }],
    edges: [{ from: 'start', to: 'each' }],
  };
  const { blocks } = compile({
    blocks: [
      { id: 'tell', type: 'webhook', params },
      { id: 'other', type: 'http', params: { url: 'https://a.test' } },
      { id: 'all', type: 'loop', params: { count: 1 }, body },
      { id: 'end', type: 'response', params: { data } },
    ],
    edges: ['tell', 'other', 'all', 'end'].map((to) => ({ from: 'start', to })),
  });
  expect(blocks.map(({ answerIsRead }) => answerIsRead)).toEqual([isRead, ...Array(3)]);
});
