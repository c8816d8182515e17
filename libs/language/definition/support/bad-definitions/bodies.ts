import { http, human, line, respond } from '../given.ts';
import { child, code, condition, edges, loop, parallel, type Row, set, wait } from './row.ts';

const one = { count: 1 };
const nap = wait('nap');

/** Faults that are the same wherever a block is: each is reported with the block and its path. */
const inner: [wrong: string, block: object, fault: string][] = [
  ['a wrong parameter', wait('x', { duration: 'soon' }), '.params.duration duration'],
  ['an unknown type', { id: 'x', type: 'teleport' }, '.type unknown_type'],
  ['a read of an unknown name', respond('x', '{{ nobody }}'), '.params.data unknown_reference'],
  ['a broken expression', condition('x', 'start.a +'), '.cases[0].when expression_syntax'],
  ['a form without names', human('x', { form: [{ type: 'string' }] }), '.params.form[0].name required'],
  [
    'an undeclared variable',
    code('x', { code: '1', input: '{{ vars.gone }}' }),
    '.params.input unknown_variable',
  ],
  ['a child with an invalid workflow id', child('x', { workflowId: 'exec_1' }), '.params.workflowId pattern'],
];
type Put = (block: object) => ReturnType<typeof loop>;
const places: [where: string, put: Put, path: string][] = [
  ['in a loop', (x) => loop('a', one, { ...x }), 'blocks[0].body.blocks[0]'],
  ['in a parallel', (x) => parallel('a', one, { ...x }), 'blocks[0].body.blocks[0]'],
  [
    'in a loop in a parallel',
    (x) => parallel('a', one, loop('b', one, { ...x })),
    'blocks[0].body.blocks[0].body.blocks[0]',
  ],
  [
    'behind a block in a parallel in a loop',
    (x) => loop('a', one, nap, parallel('b', one, wait('c'), { ...x })),
    'blocks[0].body.blocks[1].body.blocks[1]',
  ],
];
export const placed: Row[] = places.flatMap(([where, put, path]) =>
  inner.map(([wrong, block, fault]): Row => [`${wrong} ${where}`, line([put(block)]), `x ${path}${fault}`]),
);

const nest = (depth: number): ReturnType<typeof loop> => {
  let block: ReturnType<typeof loop> = wait('deep');
  for (let i = depth; i > 0; i--) block = (i % 2 ? loop : parallel)(`n${i}`, one, block);
  return block;
};
const body = (blocks: object[], wires: object[]) =>
  line([{ id: 'a', type: 'loop', params: one, body: { blocks, edges: wires } }]);

/** Ids, edges and caps across bodies. */
export const graphs: Row[] = [
  [
    'nine containers in each other',
    line([nest(9)]),
    'n9 blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body.blocks[0].body too_deep',
  ],
  [
    'a body block with the id of its loop',
    line([loop('a', one, wait('a'))]),
    'a blocks[0].body.blocks[0].id duplicate_id',
    'a blocks[0].body.edges[0].to unknown_block',
  ],
  [
    'a body block with the id of a block outside',
    line([loop('a', one, wait('b')), http('b')]),
    'b blocks[0].body.blocks[0].id duplicate_id',
    'a blocks[0].body.edges[0].to unknown_block',
  ],
  [
    'two bodies with one id',
    line([loop('a', one, nap), loop('b', one, wait('nap'))]),
    'nap blocks[1].body.blocks[0].id duplicate_id',
    'b blocks[1].body.edges[0].to unknown_block',
  ],
  [
    'an edge into a body',
    { blocks: [loop('a', one, nap)], edges: edges('start a', 'a nap') },
    '- edges[1].to unknown_block',
  ],
  [
    'an edge out of a body',
    body([nap], edges('start nap', 'nap a')),
    'a blocks[0].body.edges[1].to unknown_block',
  ],
  [
    'a block in a body that nothing leads to',
    body([nap, wait('b')], edges('start nap')),
    'b blocks[0].body.blocks[1] unreachable',
  ],
  [
    'a cycle in a body',
    body([nap, wait('b')], edges('start nap', 'nap b', 'b nap')),
    'nap blocks[0].body.blocks[0] cycle',
  ],
  ['a body without an edge from its start', body([nap], []), 'nap blocks[0].body.blocks[0] unreachable'],
  [
    'an edge to the start of a body',
    body([nap], edges('start nap', 'nap start')),
    'a blocks[0].body.edges[1].to edge_to_start',
  ],
  [
    'an edge twice in a body',
    body([nap], edges('start nap', 'start nap')),
    'a blocks[0].body.edges[1] duplicate_edge',
  ],
  [
    'an unknown port in a body',
    body([nap, wait('b')], edges('start nap', 'nap b else')),
    'a blocks[0].body.edges[1].port unknown_port',
  ],
  [
    'an unknown port of a loop',
    { blocks: [loop('a', one, nap), http('b')], edges: edges('start a', 'a b done') },
    '- edges[1].port unknown_port',
  ],
  [
    'a variable set in a branch',
    { ...line([parallel('a', one, set('b', { v: 1 }))]), variables: { v: { type: 'number' } } },
    'b blocks[0].body.blocks[0] parallel_write',
  ],
  [
    'a variable set in a loop in a branch',
    {
      ...line([parallel('a', one, loop('c', one, set('b', { v: 1 })))]),
      variables: { v: { type: 'number' } },
    },
    'b blocks[0].body.blocks[0].body.blocks[0] parallel_write',
  ],
  [
    '501 blocks with bodies',
    line([loop('a', one, ...Array.from({ length: 500 }, (_, i) => wait(`b${i}`)))]),
    '- blocks too_many',
  ],
];
