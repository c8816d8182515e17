import { found, http, human, type Raw } from '../support/given.ts';
import { validate } from './validate.ts';

const edges = (...pairs: string[]): Raw[] =>
  pairs.map((pair) => {
    const [from = '', to = '', port] = pair.split(' ');
    return port ? { from, to, port } : { from, to };
  });

const astray: [string, Raw[], Raw[], string[]][] = [
  ['an edge to the start', [http('a')], edges('start a', 'a start'), ['edges[1].to edge_to_start']],
  ['an edge from nowhere', [http('a')], edges('start a', 'b a'), ['edges[1].from unknown_block']],
  ['a port of the start', [http('a')], edges('start a error'), ['edges[0].port unknown_port']],
  [
    'the expired port without onExpiry',
    [human('a'), http('b')],
    edges('start a', 'a b expired'),
    ['edges[1].port unknown_port'],
  ],
  [
    'out of a condition',
    [{ id: 'a', type: 'condition', cases: [{ port: 'x', when: 'true' }] }, http('b')],
    edges('start a', 'a b'),
    ['edges[1].port unknown_port'],
  ],
  ['a block that nothing leads to', [http('a'), http('b')], edges('start a'), ['blocks[1] unreachable']],
  [
    'a cycle',
    [http('a'), http('b'), http('c'), http('d')],
    edges('start a', 'a b', 'b c', 'c b', 'c d'),
    ['blocks[1] cycle'],
  ],
  ['an edge to itself', [http('a')], edges('start a', 'a a'), ['blocks[0] cycle']],
  [
    'two knots',
    [http('a'), http('b'), http('c'), http('d')],
    edges('start a', 'a b', 'b a', 'start c', 'c d', 'd c'),
    ['blocks[0] cycle', 'blocks[2] cycle'],
  ],
];

describe('edges', () => {
  test.each(astray)('%s is refused', (_name, blocks, given, faults) => {
    expect(found({ blocks, edges: given })).toEqual(faults);
  });

  test('a fault names the blocks of a cycle in their order', () => {
    const { faults } = validate({ blocks: [http('a'), http('b')], edges: edges('start a', 'a b', 'b a') });
    expect(faults[0]?.message).toBe('These blocks wait for each other: a → b → a.');
  });

  test('a human block has an expired port when onExpiry is continue', () => {
    const blocks = [human('a', { expiresAfter: 60, onExpiry: 'continue' }), http('b')];
    expect(found({ blocks, edges: edges('start a', 'a b expired') })).toEqual([]);
  });
});
