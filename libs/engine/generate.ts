import * as fc from 'fast-check';

import type { Block, Definition, Edge } from '#libs/definition/definition';

/** What a generated condition or variable says, in CEL and for the model. */
export interface Term {
  cel: string;
  /** Null means that the expression fails. */
  value(n: number, v: number): number | boolean | null;
}

/** What the outside does, as numbers that choose among what is possible at each step. */
export interface Fortune {
  picks: number[];
  /** By block: 0 fails, the rest succeeds; a pause is answered by even and expires by odd numbers. */
  luck: number[];
  /** The step before which the run is cancelled, or one that never comes. */
  cancelAt: number;
}

export interface Case {
  definition: Definition;
  terms: Map<string, Term>;
  n: number;
  fortune: Fortune;
}

const truths: Term[] = [
  { cel: 'start.n > 5', value: (n) => n > 5 },
  { cel: 'vars.v > 3', value: (_n, v) => v > 3 },
  { cel: 'start.n % 2 == 0 && vars.v < 8', value: (n, v) => n % 2 === 0 && v < 8 },
  { cel: 'true', value: () => true },
  { cel: 'start.gone', value: () => false },
  { cel: 'start.gone > 1', value: () => null },
];

const numbers: Term[] = [
  { cel: '{{ start.n + 1 }}', value: (n) => n + 1 },
  { cel: '{{ vars.v * 2 }}', value: (_n, v) => v * 2 },
  { cel: '{{ start.gone * 2 }}', value: () => null },
];

const types = ['http', 'function', 'condition', 'variables', 'response', 'human', 'wait'] as const;

/** Any acyclic definition of up to 9 blocks that `validate` passes, with what happens to its run. */
export const cases: fc.Arbitrary<Case> = fc
  .tuple(
    fc.array(
      fc.record({
        type: fc.constantFrom(...types),
        term: fc.nat(5),
        reads: fc.nat(20),
        expires: fc.boolean(),
        from: fc.array(fc.tuple(fc.nat(20), fc.nat(3)), { minLength: 1, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 9 },
    ),
    fc.nat(9),
    fc.record({
      picks: fc.array(fc.nat(30), { minLength: 9, maxLength: 9 }),
      luck: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
      cancelAt: fc.oneof({ weight: 6, arbitrary: fc.constant(99) }, { weight: 1, arbitrary: fc.nat(6) }),
    }),
  )
  .map(([seeds, n, fortune]) => {
    const terms = new Map<string, Term>();
    const blocks: Block[] = [];
    const edges: Edge[] = [];
    seeds.forEach((seed, i) => {
      const id = `b${i}`;
      const incoming = seed.from.map(([source, port]) => edgeTo(id, blocks[source % (i + 1)], port));
      const ancestors = [...ancestorsOf(incoming, edges)].toSorted();
      const block = blockOf(id, seed, ancestors[seed.reads % (ancestors.length + 1)], terms);
      blocks.push(block);
      edges.push(...distinct(incoming));
    });
    return {
      definition: { variables: { v: { type: 'number', initial: 1 } }, blocks, edges },
      terms,
      n,
      fortune,
    };
  });

function blockOf(
  id: string,
  seed: { type: (typeof types)[number]; term: number; expires: boolean },
  read: string | undefined,
  terms: Map<string, Term>,
): Block {
  const data = read === undefined ? id : `{{ ${read} }}`;
  const truth = termAt(truths, seed.term);
  const number = termAt(numbers, seed.term);
  switch (seed.type) {
    case 'http':
      return { id, type: 'http', params: { method: 'POST', url: 'https://a.test', body: data } };
    case 'function':
      return { id, type: 'function', params: { code: 'return 1', input: data } };
    case 'condition':
      terms.set(id, truth);
      return { id, type: 'condition', cases: [{ port: 'yes', when: truth.cel }] };
    case 'variables':
      terms.set(id, number);
      return { id, type: 'variables', params: { set: { v: number.cel } } };
    case 'response':
      return { id, type: 'response', params: { data } };
    case 'human':
      return {
        id,
        type: 'human',
        params: {
          title: id,
          form: [{ name: 'ok', type: 'boolean', default: false }],
          expiresAfter: 60,
          onExpiry: seed.expires ? 'continue' : 'fail',
        },
      };
    case 'wait':
      return { id, type: 'wait', params: { duration: seed.term } };
  }
}

function termAt(terms: Term[], i: number): Term {
  const term = terms[i % terms.length];
  if (!term) throw new Error('there are no terms');
  return term;
}

function edgeTo(to: string, source: Block | undefined, port: number): Edge {
  if (!source) return { from: 'start', to };
  const ports = portsOf(source);
  const chosen = ports[port % ports.length];
  return chosen === undefined ? { from: source.id, to } : { from: source.id, to, port: chosen };
}

/** The default port stands twice, so that most ways go on. */
function portsOf(block: Block): (string | undefined)[] {
  if (block.type === 'condition') return ['yes', 'else', 'yes', 'error'];
  if (block.type === 'human' && block.params.onExpiry === 'continue') return [undefined, 'expired', 'error'];
  return [undefined, 'error', undefined];
}

function ancestorsOf(incoming: Edge[], edges: Edge[]): Set<string> {
  const found = new Set<string>();
  const open = incoming.map(({ from }) => from);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === 'start' || found.has(id)) continue;
    found.add(id);
    for (const edge of edges) if (edge.to === id) open.push(edge.from);
  }
  return found;
}

function distinct(edges: Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()];
}
