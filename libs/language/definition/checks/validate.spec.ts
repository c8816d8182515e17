import { blockTypes } from '../blocks/registry.ts';
import type { DefinitionFault } from './faults.ts';
import { http, line, respond } from '../support/given.ts';
import { validate } from './validate.ts';

const byPath = (a: DefinitionFault, b: DefinitionFault): number =>
  a.path + a.code < b.path + b.code ? -1 : 1;

const faults: DefinitionFault[] = [
  {
    blockId: 'a',
    path: 'blocks[0].params.method',
    code: 'choice',
    message: 'It must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.',
  },
  {
    blockId: 'a',
    path: 'blocks[0].params.url',
    code: 'url',
    message: 'It must begin with http:// or https://.',
  },
  {
    blockId: 'a',
    path: 'blocks[0].params.extra',
    code: 'unknown_key',
    message:
      'It is not known here. Known: url, method, headers, query, body, idempotent, followRedirects, maxResponseBytes.',
  },
  {
    blockId: 'start',
    path: 'blocks[2].type',
    code: 'unknown_type',
    message: `It must be one of ${blockTypes.join(', ')}.`,
  },
  { path: 'variables.n.initial', code: 'type', message: 'It must be of type number.' },
  {
    blockId: 'a',
    path: 'blocks[1].id',
    code: 'duplicate_id',
    message: 'Another block has the id "a" already.',
  },
  {
    blockId: 'start',
    path: 'blocks[2].id',
    code: 'reserved_name',
    message:
      '"start" means something else in expressions; choose another id, as "start1". An id is at most 64 letters, digits and _, not beginning with a digit.',
  },
  {
    path: 'edges[1]',
    code: 'duplicate_edge',
    message: 'This edge from "start" by "out" to "a" is there already.',
  },
  { path: 'edges[2].port', code: 'unknown_port', message: '"a" has no port "maybe", but out, error.' },
  { path: 'edges[3].to', code: 'unknown_block', message: 'There is no block "zzz".' },
  {
    blockId: 'c',
    path: 'blocks[3].params.data',
    code: 'expression_syntax',
    message: 'The expression "gone.x +" is refused: a value is expected at its end, and nothing follows.',
  },
  {
    blockId: 'c',
    path: 'blocks[3].params.data',
    code: 'unknown_reference',
    message: '"c" reads "nobody", which is no block and no other name.',
  },
];

test('a valid definition is returned unchanged', () => {
  const definition = line([http('a'), respond('b', '{{ a.data }}')]);
  expect(validate(definition)).toEqual({ faults: [], warnings: [], definition });
});

test('all faults are reported at once, with block, path, code and sentence', () => {
  const definition = {
    variables: { n: { type: 'number', initial: 'x' } },
    blocks: [
      http('a', { params: { method: 'FETCH', url: 'ftp://x', extra: 1 } }),
      http('a'),
      { id: 'start', type: 'teleport' },
      respond('c', '{{ gone.x + }} {{ nobody.y }}'),
    ],
    edges: [
      { from: 'start', to: 'a' },
      { from: 'start', to: 'a' },
      { from: 'a', port: 'maybe', to: 'c' },
      { from: 'c', to: 'zzz' },
    ],
  };
  expect(validate(definition).faults.toSorted(byPath)).toEqual(faults.toSorted(byPath));
});
