import { found, http, human, line, respond } from '../support/given.ts';

const wrong: [string, unknown, string[]][] = [
  ['nothing', null, [' type']],
  ['a list', [], [' type']],
  ['an empty object', {}, ['blocks required', 'edges required']],
  ['no blocks', { blocks: [], edges: [] }, ['blocks too_few']],
  ['an unknown key', line([http('a')], { extra: 1 }), ['extra unknown_key']],
  ['a block that is null', { blocks: [null], edges: [] }, ['blocks[0] type']],
  [
    'a missing id',
    {
      blocks: [http('a'), { ...http('a'), id: undefined }].map((b) => JSON.parse(JSON.stringify(b))),
      edges: [{ from: 'start', to: 'a' }],
    },
    ['blocks[1].id required'],
  ],
  ['an id with a dash', line([http('a-b')]), ['blocks[0].id pattern']],
  ['an id of 65 letters', line([http('x'.repeat(65))]), ['edges[0].to too_long', 'blocks[0].id pattern']],
  ['a function name as id', line([http('size')]), ['blocks[0].id reserved_name']],
  ['a CEL word as id', line([http('in')]), ['blocks[0].id reserved_name']],
  ['a retry on a response', line([{ ...respond('a', 1), retry: {} }]), ['blocks[0].retry unknown_key']],
  [
    'too many attempts',
    line([http('a', { retry: { maxAttempts: 11 } })]),
    ['blocks[0].retry.maxAttempts range'],
  ],
  [
    'half an attempt',
    line([http('a', { retry: { maxAttempts: 1.5 } })]),
    ['blocks[0].retry.maxAttempts range'],
  ],
  [
    'a code in lower case',
    line([http('a', { retry: { retryOn: ['oops'] } })]),
    ['blocks[0].retry.retryOn[0] pattern'],
  ],
  ['a timeout in words', line([http('a', { timeout: 'soon' })]), ['blocks[0].timeout duration']],
  ['a timeout of zero', line([http('a', { timeout: 0 })]), ['blocks[0].timeout range']],
  ['a timeout as template', line([http('a', { timeout: '{{ start.t }}' })]), ['blocks[0].timeout duration']],
  [
    'a header with a line end',
    line([http('a', { params: { method: 'GET', url: 'https://a.test', headers: { x: 'a\r\nb' } } })]),
    ['blocks[0].params.headers.x pattern'],
  ],
  [
    'a header name with a space',
    line([http('a', { params: { method: 'GET', url: 'https://a.test', headers: { 'a b': 'c' } } })]),
    ['blocks[0].params.headers["a b"] pattern'],
  ],
  [
    'a status of 99',
    line([{ id: 'a', type: 'response', params: { status: 99 } }]),
    ['blocks[0].params.status range'],
  ],
  ['a wait without end', line([{ id: 'a', type: 'wait', params: {} }]), ['blocks[0].params exactly_one']],
  [
    'a wait with two ends',
    line([{ id: 'a', type: 'wait', params: { duration: 1, until: '2026-01-01' } }]),
    ['blocks[0].params exactly_one'],
  ],
  [
    'a wait of two years',
    line([{ id: 'a', type: 'wait', params: { duration: 'P2Y' } }]),
    ['blocks[0].params.duration range'],
  ],
  [
    'a wait until never',
    line([{ id: 'a', type: 'wait', params: { until: 'never' } }]),
    ['blocks[0].params.until moment'],
  ],
  [
    'a variable that is not declared',
    line([{ id: 'a', type: 'variables', params: { set: { n: 1 } } }]),
    ['blocks[0].params.set.n unknown_variable'],
  ],
  [
    'a variables block that sets nothing',
    line([{ id: 'a', type: 'variables', params: { set: {} } }]),
    ['blocks[0].params.set too_few'],
  ],
  [
    'a condition without cases',
    line([{ id: 'a', type: 'condition', cases: [] }]),
    ['blocks[0].cases too_few'],
  ],
  [
    'a case named else',
    line([{ id: 'a', type: 'condition', cases: [{ port: 'else', when: 'true' }] }]),
    ['blocks[0].cases[0].port reserved_name'],
  ],
  [
    'two cases of one port',
    line([
      {
        id: 'a',
        type: 'condition',
        cases: [
          { port: 'x', when: 'true' },
          { port: 'x', when: 'true' },
        ],
      },
    ]),
    ['blocks[0].cases[1].port duplicate_port'],
  ],
  [
    'a form with a reserved name',
    line([human('a', { form: [{ name: 'submission', type: 'string' }] })]),
    ['blocks[0].params.form[0].name reserved_name'],
  ],
  [
    'a form with __proto__',
    line([human('a', { form: [{ name: '__proto__', type: 'string' }] })]),
    ['blocks[0].params.form[0].name reserved_name'],
  ],
  [
    'two fields of one name',
    line([
      human('a', {
        form: [
          { name: 'x', type: 'string' },
          { name: 'x', type: 'string' },
        ],
      }),
    ]),
    ['blocks[0].params.form[1].name duplicate_name'],
  ],
  [
    'a select without options',
    line([human('a', { form: [{ name: 'x', type: 'select' }] })]),
    ['blocks[0].params.form[0].options required'],
  ],
  [
    'options on a boolean',
    line([human('a', { form: [{ name: 'x', type: 'boolean', options: ['a'] }] })]),
    ['blocks[0].params.form[0].options not_applicable'],
  ],
  [
    'an option twice',
    line([human('a', { form: [{ name: 'x', type: 'select', options: ['a', { label: 'A', value: 'a' }] }] })]),
    ['blocks[0].params.form[0].options[1] duplicate_name'],
  ],
  [
    'a default that is no option',
    line([human('a', { form: [{ name: 'x', type: 'select', options: ['a'], default: 'b' }] })]),
    ['blocks[0].params.form[0].default option'],
  ],
  [
    'a pattern in a form',
    line([human('a', { form: [{ name: 'x', type: 'string', pattern: '(a+)+' }] })]),
    ['blocks[0].params.form[0].pattern unsupported'],
  ],
  [
    'bounds that cross',
    line([human('a', { form: [{ name: 'x', type: 'number', min: 2, max: 1 }] })]),
    ['blocks[0].params.form[0].min range'],
  ],
  [
    'an expiry rule without expiry',
    line([human('a', { onExpiry: 'fail' })]),
    ['blocks[0].params.onExpiry needs_expiry'],
  ],
  [
    'an input with a default of another type',
    line([http('a')], { start: { inputs: { n: { type: 'number', default: 'x' } } } }),
    ['start.inputs.n.default type'],
  ],
  [
    'an input with a length on a number',
    line([http('a')], { start: { inputs: { n: { type: 'number', maxLength: 1 } } } }),
    ['start.inputs.n.maxLength not_applicable'],
  ],
  [
    'an input of an unknown type',
    line([http('a')], { start: { inputs: { n: { type: 'money' } } } }),
    ['start.inputs.n.type choice'],
  ],
  [
    'an enum of another type',
    line([http('a')], { start: { inputs: { n: { type: 'number', enum: [1, '2'] } } } }),
    ['start.inputs.n.enum[1] type'],
  ],
];

describe('shapes', () => {
  test.each(wrong)('%s is refused', (_name, definition, faults) => {
    expect(found(definition)).toEqual(faults);
  });
});
