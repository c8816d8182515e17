import { http, line, respond } from '../given.ts';
import { chain, loop, parallel, type Row, wait } from './row.ts';

const one = { count: 1 };
const nap = wait('nap');
const bare = (type: string, more: object): Row[1] => line([{ id: 'a', type, ...more }]);

/** Faults in the list, the count and the collected value of loops and parallels. */
export const params: Row[] = [
  ['a loop without a body', bare('loop', { params: one }), 'a blocks[0].body required'],
  ['a loop without parameters', bare('loop', { body: chain(nap) }), 'a blocks[0].params required'],
  ['a parallel without a body', bare('parallel', { params: one }), 'a blocks[0].body required'],
  ['a body that is a list', bare('loop', { params: one, body: [] }), 'a blocks[0].body type'],
  ['a body that is null', bare('parallel', { params: one, body: null }), 'a blocks[0].body type'],
  [
    'a body without edges',
    bare('loop', { params: one, body: { blocks: [nap] } }),
    'a blocks[0].body.edges required',
    'nap blocks[0].body.blocks[0] unreachable',
  ],
  [
    'a body without blocks',
    bare('loop', { params: one, body: { edges: [] } }),
    'a blocks[0].body.blocks required',
  ],
  [
    'an empty body',
    bare('loop', { params: one, body: { blocks: [], edges: [] } }),
    'a blocks[0].body.blocks too_few',
  ],
  [
    'a body with variables of its own',
    bare('loop', { params: one, body: { ...chain(nap), variables: {} } }),
    'a blocks[0].body.variables unknown_key',
  ],
  [
    'a body with a start of its own',
    bare('loop', { params: one, body: { ...chain(nap), start: {} } }),
    'a blocks[0].body.start unknown_key',
  ],
  ['a loop without a count, list or test', line([loop('a', {}, nap)]), 'a blocks[0].params exactly_one'],
  ['a parallel over nothing', line([parallel('a', {}, nap)]), 'a blocks[0].params exactly_one'],
  [
    'a loop by count and by list',
    line([loop('a', { count: 1, forEach: [1] }, nap)]),
    'a blocks[0].params exactly_one',
  ],
  [
    'a loop by count and by test',
    line([loop('a', { count: 1, while: 'true', maxIterations: 2 }, nap)]),
    'a blocks[0].params exactly_one',
  ],
  [
    'a loop by two tests',
    line([loop('a', { while: 'true', until: 'true', maxIterations: 2 }, nap)]),
    'a blocks[0].params exactly_one',
  ],
  [
    'a parallel by count and by list',
    line([parallel('a', { count: 1, forEach: [1] }, nap)]),
    'a blocks[0].params exactly_one',
  ],
  [
    'a parallel with a test',
    line([parallel('a', { while: 'true' }, nap)]),
    'a blocks[0].params.while unknown_key',
  ],
  [
    'a parallel with maxIterations',
    line([parallel('a', { count: 1, maxIterations: 1 }, nap)]),
    'a blocks[0].params.maxIterations unknown_key',
  ],
  [
    'a test without a bound',
    line([loop('a', { while: 'true' }, nap)]),
    'a blocks[0].params.maxIterations required',
  ],
  [
    'an until without a bound',
    line([loop('a', { until: 'true' }, nap)]),
    'a blocks[0].params.maxIterations required',
  ],
  [
    'a bound without a test',
    line([loop('a', { count: 1, maxIterations: 1 }, nap)]),
    'a blocks[0].params.maxIterations needs_test',
  ],
  [
    'a bound of zero',
    line([loop('a', { while: 'true', maxIterations: 0 }, nap)]),
    'a blocks[0].params.maxIterations range',
  ],
  [
    'a bound of 10,001',
    line([loop('a', { while: 'true', maxIterations: 10_001 }, nap)]),
    'a blocks[0].params.maxIterations range',
  ],
  [
    'a bound that is a template',
    line([loop('a', { while: 'true', maxIterations: '{{ 1 }}' }, nap)]),
    'a blocks[0].params.maxIterations type',
  ],
  ['a count below zero', line([loop('a', { count: -1 }, nap)]), 'a blocks[0].params.count range'],
  ['half a count', line([loop('a', { count: 1.5 }, nap)]), 'a blocks[0].params.count range'],
  ['a count of 10,001', line([loop('a', { count: 10_001 }, nap)]), 'a blocks[0].params.count range'],
  ['a count that is text', line([loop('a', { count: '3' }, nap)]), 'a blocks[0].params.count type'],
  ['a count that is null', line([loop('a', { count: null }, nap)]), 'a blocks[0].params.count type'],
  ['1,001 branches', line([parallel('a', { count: 1001 }, nap)]), 'a blocks[0].params.count range'],
  [
    'a list of 10,001',
    line([loop('a', { forEach: Array.from({ length: 10_001 }, () => 1) }, nap)]),
    'a blocks[0].params.forEach too_many',
  ],
  [
    '1,001 branches in a list',
    line([parallel('a', { forEach: Array.from({ length: 1001 }, () => 1) }, nap)]),
    'a blocks[0].params.forEach too_many',
  ],
  [
    'a list that is an object',
    line([loop('a', { forEach: { a: 1 } }, nap)]),
    'a blocks[0].params.forEach type',
  ],
  [
    'a list that is plain text',
    line([parallel('a', { forEach: 'abc' }, nap)]),
    'a blocks[0].params.forEach type',
  ],
  [
    'no concurrency',
    line([parallel('a', { count: 1, concurrency: 0 }, nap)]),
    'a blocks[0].params.concurrency range',
  ],
  [
    'a concurrency of 51',
    line([parallel('a', { count: 1, concurrency: 51 }, nap)]),
    'a blocks[0].params.concurrency range',
  ],
  [
    'a concurrency of a loop',
    line([loop('a', { count: 1, concurrency: 2 }, nap)]),
    'a blocks[0].params.concurrency unknown_key',
  ],
  [
    'another onBranchError',
    line([parallel('a', { count: 1, onBranchError: 'ignore' }, nap)]),
    'a blocks[0].params.onBranchError choice',
  ],
  [
    'an onBranchError of a loop',
    line([loop('a', { count: 1, onBranchError: 'fail' }, nap)]),
    'a blocks[0].params.onBranchError unknown_key',
  ],
  [
    'a test that is not text',
    line([loop('a', { while: true, maxIterations: 1 }, nap)]),
    'a blocks[0].params.while type',
  ],
  [
    'an empty test',
    line([loop('a', { while: '', maxIterations: 1 }, nap)]),
    'a blocks[0].params.while too_short',
    'a blocks[0].params.while expression_syntax',
  ],
  [
    'a test that gives a number',
    line([loop('a', { while: '1 + 1', maxIterations: 1 }, nap)]),
    'a blocks[0].params.while expression_type',
  ],
  [
    'an until that gives text',
    line([loop('a', { until: '"x"', maxIterations: 1 }, nap)]),
    'a blocks[0].params.until expression_type',
  ],
  [
    'a test in braces',
    line([loop('a', { while: '{{ true }}', maxIterations: 1 }, nap)]),
    'a blocks[0].params.while expression_syntax',
  ],
  [
    'a test that does not parse',
    line([loop('a', { until: 'loop.index >', maxIterations: 1 }, nap)]),
    'a blocks[0].params.until expression_syntax',
  ],
  [
    'a collect that does not parse',
    line([loop('a', { count: 1, collect: '{{ nap. }}' }, nap)]),
    'a blocks[0].params.collect expression_syntax',
  ],
  [
    'a collect that cannot be',
    line([loop('a', { count: 1, collect: ['{{ "a" * 2 }}'] }, nap)]),
    'a blocks[0].params.collect[0] expression_type',
  ],
  ['a retry of a loop', line([{ ...loop('a', one, nap), retry: {} }]), 'a blocks[0].retry unknown_key'],
  [
    'a time-out of a parallel',
    line([{ ...parallel('a', one, nap), timeout: 1 }]),
    'a blocks[0].timeout unknown_key',
  ],
  ['a body of a wait', line([{ ...nap, body: chain(wait('b')) }]), 'nap blocks[0].body unknown_key'],
];

/** Reads into containers and out of them. */
export const reads: Row[] = [
  [
    'a read out of a body',
    line([loop('a', one, nap), respond('b', '{{ nap.waitedUntil }}')]),
    'b blocks[1].params.data not_before',
  ],
  [
    'a read between bodies',
    line([loop('a', one, nap), loop('b', one, respond('c', '{{ nap }}'))]),
    'c blocks[1].body.blocks[0].params.data not_before',
  ],
  [
    'a read out of an inner body',
    line([loop('a', { count: 1, collect: '{{ nap }}' }, loop('b', one, nap))]),
    'a blocks[0].params.collect not_before',
  ],
  [
    'a loop that reads itself',
    line([loop('a', { count: '{{ a.index }}' }, nap)]),
    'a blocks[0].params.count not_before',
  ],
  [
    'a list that reads its pass',
    line([loop('a', { forEach: '{{ loop.items }}' }, nap)]),
    'a blocks[0].params.forEach unknown_reference',
  ],
  [
    'a while that reads its body',
    line([loop('a', { while: 'nap.x', maxIterations: 1 }, nap)]),
    'a blocks[0].params.while not_before',
  ],
  [
    'loop outside of a loop',
    line([respond('a', '{{ loop.index }}')]),
    'a blocks[0].params.data unknown_reference',
  ],
  [
    'loop in a parallel',
    line([parallel('a', one, respond('b', '{{ loop.index }}'))]),
    'b blocks[0].body.blocks[0].params.data unknown_reference',
  ],
  [
    'branch in a loop',
    line([loop('a', one, respond('b', '{{ branch.item }}'))]),
    'b blocks[0].body.blocks[0].params.data unknown_reference',
  ],
  [
    'branch after a parallel',
    line([parallel('a', one, nap), respond('b', '{{ branch.item }}')]),
    'b blocks[1].params.data unknown_reference',
  ],
  [
    'a collect that reads a branch',
    line([loop('a', { count: 1, collect: '{{ branch.index }}' }, nap)]),
    'a blocks[0].params.collect unknown_reference',
  ],
  [
    'a collect that reads an unknown name',
    line([parallel('a', { count: 1, collect: '{{ nobody }}' }, nap)]),
    'a blocks[0].params.collect unknown_reference',
  ],
  [
    'a test that reads an unknown name',
    line([loop('a', { until: 'nobody', maxIterations: 1 }, nap)]),
    'a blocks[0].params.until unknown_reference',
  ],
  [
    'a count of what comes later',
    line([loop('a', { count: '{{ b.x }}' }, nap), respond('b', 1)]),
    'a blocks[0].params.count not_before',
  ],
  [
    'a list of a secret',
    line([loop('a', { forEach: '{{ secrets.LIST }}' }, nap)]),
    'a blocks[0].params.forEach secret_not_allowed',
  ],
  [
    'a collected secret',
    line([parallel('a', { count: 1, collect: '{{ secrets.KEY }}' }, nap)]),
    'a blocks[0].params.collect secret_not_allowed',
  ],
  [
    'a secret in a test',
    line([loop('a', { while: 'secrets.KEY == "x"', maxIterations: 1 }, nap)]),
    'a blocks[0].params.while secret_not_allowed',
  ],
  [
    'a body block that reads what comes after its loop',
    line([loop('a', one, respond('b', '{{ c }}')), http('c')]),
    'b blocks[0].body.blocks[0].params.data not_before',
  ],
  [
    'a body block that reads a later block of the body',
    line([loop('a', one, respond('b', '{{ c }}'), http('c'))]),
    'b blocks[0].body.blocks[0].params.data not_before',
  ],
];
