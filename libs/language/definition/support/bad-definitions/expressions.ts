import { http, line, type Raw, respond } from '../given.ts';
import { condition, edges, type Row, set, wait } from './row.ts';

const read = (data: unknown, more: Raw = {}) => line([http('a'), respond('b', data), wait('c')], more);
const number = { start: { inputs: { n: { type: 'number', required: true } } } };
const flag = { start: { inputs: { f: { type: 'boolean', required: true } } } };

/** Expressions, alone and in text. */
export const expressions: Row[] = [
  ['a member that no output has', read('{{ a.body.x }}'), 'b blocks[1].params.data unknown_member'],
  ['braces without an end', read('a {{ a.data'), 'b blocks[1].params.data expression_syntax'],
  ['nothing between braces', read('{{}}'), 'b blocks[1].params.data expression_syntax'],
  ['a text without an end', read('{{ "abc }}'), 'b blocks[1].params.data expression_syntax'],
  ['a bracket without an end', read('{{ a.data[0 }}'), 'b blocks[1].params.data expression_syntax'],
  ['two operators', read('{{ 1 +* 2 }}'), 'b blocks[1].params.data expression_syntax'],
  ['an assignment', read('{{ a = 1 }}'), 'b blocks[1].params.data expression_syntax'],
  ['two expressions', read('{{ 1; 2 }}'), 'b blocks[1].params.data expression_syntax'],
  ['a function of JavaScript', read('{{ (() => 1)() }}'), 'b blocks[1].params.data expression_syntax'],
  ['a call of an unknown function', read('{{ eval("1") }}'), 'b blocks[1].params.data expression_type'],
  [
    'a member that JavaScript texts have',
    read('{{ "abc".toUpperCase() }}'),
    'b blocks[1].params.data expression_type',
  ],
  [
    'a regular expression',
    read('{{ "aaa".matches("(a+)+$") }}'),
    'b blocks[1].params.data expression_syntax',
  ],
  [
    'the hour in a time zone',
    read('{{ timestamp("2026-01-01T00:00:00Z").getHours("Europe/Berlin") }}'),
    'b blocks[1].params.data expression_syntax',
  ],
  [
    'an expression of 4,097 characters',
    read(`{{ "${'x'.repeat(4096)}" }}`),
    'b blocks[1].params.data expression_syntax',
  ],
  [
    'brackets of sixty levels',
    read(`{{ ${'('.repeat(60)}1${')'.repeat(60)} }}`),
    'b blocks[1].params.data expression_syntax',
  ],
  ['a sum of 700 parts', read(`{{ 1${'+1'.repeat(700)} }}`), 'b blocks[1].params.data expression_syntax'],
  ['a list plus a number', read('{{ [1] + 1 }}'), 'b blocks[1].params.data expression_type'],
  ['a negation of a text', read('{{ !"a" }}'), 'b blocks[1].params.data expression_type'],
  ['a boolean and a text', read('{{ true && "a" }}'), 'b blocks[1].params.data expression_type'],
  [
    'a number in a place of a text',
    read('{{ start.n.substring(1) }}', number),
    'b blocks[1].params.data expression_type',
  ],
  ['the size of a number', read('{{ size(start.n) }}', number), 'b blocks[1].params.data expression_type'],
  ['a boolean in a sum', read('{{ start.f + 1 }}', flag), 'b blocks[1].params.data expression_type'],
  [
    'a test that is a number by its declaration',
    line([condition('a', 'start.n * 2')], number),
    'a blocks[0].cases[0].when expression_type',
  ],
  ['a test in braces', line([condition('a', '{{ true }}')]), 'a blocks[0].cases[0].when expression_syntax'],
  [
    'a test that reads what comes later',
    line([condition('a', 'b.data'), http('b')]),
    '- edges[1].port unknown_port',
    'a blocks[0].cases[0].when not_before',
  ],
  ['an own output', line([respond('a', '{{ a.data }}')]), 'a blocks[0].params.data not_before'],
  [
    'an own output in a text',
    line([http('a', { params: { url: 'https://a.test/{{ a.status }}' } })]),
    'a blocks[0].params.url not_before',
  ],
  ['the start by another name', read('{{ input.n }}'), 'b blocks[1].params.data unknown_reference'],
  [
    'an undeclared variable',
    read('{{ vars.v }}', { variables: { w: { type: 'number' } } }),
    'b blocks[1].params.data unknown_variable',
  ],
  [
    'a new value that reads an unknown name',
    line([set('a', { v: '{{ nobody + 1 }}' })], { variables: { v: { type: 'number' } } }),
    'a blocks[0].params.set.v unknown_reference',
  ],
  [
    'a secret in a human block',
    line([{ id: 'a', type: 'human', params: { title: '{{ secrets.KEY }}' } }]),
    'a blocks[0].params.title secret_not_allowed',
  ],
  [
    'a secret in a condition',
    line([condition('a', 'secrets.KEY == "x"')]),
    'a blocks[0].cases[0].when secret_not_allowed',
  ],
  [
    'a secret in a wait',
    line([wait('a', { duration: '{{ secrets.KEY }}' })]),
    'a blocks[0].params.duration secret_not_allowed',
  ],
  [
    'a secret in a variable',
    line([set('a', { v: '{{ secrets.KEY }}' })], { variables: { v: { type: 'string' } } }),
    'a blocks[0].params.set.v secret_not_allowed',
  ],
  [
    'a secret for a child',
    line([{ id: 'a', type: 'workflow', params: { workflowId: 'wf_1', inputs: { k: '{{ secrets.KEY }}' } } }]),
    'a blocks[0].params.inputs.k secret_not_allowed',
  ],
  [
    'a secret for a row of a table',
    line([
      {
        id: 'a',
        type: 'table',
        params: { operation: 'insert', table: 't', data: { k: '{{ secrets.KEY }}' } },
      },
    ]),
    'a blocks[0].params.data.k secret_not_allowed',
  ],
  [
    'a secret for a document',
    line([
      {
        id: 'a',
        type: 'knowledge',
        params: { operation: 'add', knowledgeBase: 'b', text: '{{ secrets.KEY }}', filename: 'a.txt' },
      },
    ]),
    'a blocks[0].params.text secret_not_allowed',
  ],
  [
    'all secrets at once',
    line([http('a', { params: { url: 'https://a.test', body: '{{ secrets }}' } })]),
    'a blocks[0].params.body secret_not_allowed',
  ],
  [
    'a broken key in a list in a body',
    line([http('a', { params: { url: 'https://a.test', body: [{ 'x y': ['{{ ] }}'] }] } })]),
    'a blocks[0].params.body[0]["x y"][0] expression_syntax',
  ],
  [
    'a header that reads an unknown name',
    line([http('a', { params: { url: 'https://a.test', headers: { 'X-A': '{{ nobody.x }}' } } })]),
    'a blocks[0].params.headers.X-A unknown_reference',
  ],
  [
    'a read of a block that no path leads from',
    {
      blocks: [http('a'), http('b'), respond('c', '{{ b.data }}')],
      edges: edges('start a', 'start b', 'a c'),
    },
    'c blocks[2].params.data not_before',
  ],
  [
    'a read between two ports of a condition',
    {
      blocks: [condition('a', 'true'), http('b'), respond('c', '{{ b.data }}')],
      edges: edges('start a', 'a b yes', 'a c else'),
    },
    'c blocks[2].params.data not_before',
  ],
];
