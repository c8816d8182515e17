import * as fc from 'fast-check';

import type { Block } from '#libs/language/definition/blocks/registry';
import type { Definition, Edge, Graph } from '#libs/language/definition/definition';
import type { Json } from '#libs/platform/json/json';

/** The expression of a generated condition or variable, in CEL and for the model. */
export interface Term {
  cel: string;
  /** Null when the expression fails. */
  value(n: number, v: number): number | boolean | null;
}

/** The results of effects. Each number chooses among the possible results of a step. */
export interface Fortune {
  picks: number[];
  /** By visit: 0 fails, all else succeeds; even numbers answer a pause and odd ones let it expire. */
  luck: number[];
  /** The step before which the run is cancelled; larger than any step when it is not. */
  cancelAt: number;
}

export interface Case {
  definition: Definition;
  terms: Map<string, Term>;
  /** By the id of a container. */
  passes: Map<string, Passes>;
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
const leafTypes = ['http', 'function', 'condition', 'response', 'human'] as const;

/** The items and the results of a container, in CEL and for the model. */
export interface Passes {
  params: Record<string, Json>;
  /** The number of passes; null when the container fails. */
  count: number | null;
  collects: boolean;
}

interface Seed {
  type: (typeof types)[number];
  term: number;
  reads: number;
  expires: boolean;
  from: [number, number][];
  body: Seed[];
  passes: number;
  parallel: boolean;
}

const noSeeds: Seed[] = [];

const bodies = (depth: number): fc.Arbitrary<Seed[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(noSeeds) },
    { weight: 1, arbitrary: fc.array(seedOf(depth - 1), { minLength: 1, maxLength: 3 }) },
  );

const seedOf = (depth: number): fc.Arbitrary<Seed> =>
  fc.record({
    type: fc.constantFrom(...types),
    term: fc.nat(5),
    reads: fc.nat(20),
    expires: fc.boolean(),
    from: fc.array(fc.tuple(fc.nat(20), fc.nat(3)), { minLength: 1, maxLength: 3 }),
    body: depth === 0 ? fc.constant(noSeeds) : bodies(depth),
    passes: fc.nat(7),
    parallel: fc.boolean(),
  });

/**
 * Any acyclic definition of up to 9 blocks and two levels of bodies that `validate` passes, with the results of its
 * run.
 */
export const cases: fc.Arbitrary<Case> = fc
  .tuple(
    fc.array(seedOf(2), { minLength: 1, maxLength: 9 }),
    fc.nat(9),
    fc.record({
      picks: fc.array(fc.nat(30), { minLength: 9, maxLength: 9 }),
      luck: fc.array(fc.nat(5), { minLength: 9, maxLength: 9 }),
      cancelAt: fc.oneof({ weight: 6, arbitrary: fc.constant(99) }, { weight: 1, arbitrary: fc.nat(6) }),
    }),
  )
  .map(([seeds, n, fortune]) => {
    const maker = new Maker();
    const graph = maker.graph(seeds, 'b', false);
    const definition: Definition = { variables: { v: { type: 'number', initial: 1 } }, ...graph };
    return { definition, terms: maker.terms, passes: maker.passes, n, fortune };
  });

/** Turns seeds into graphs, and bodies into graphs of their own. */
class Maker {
  readonly terms = new Map<string, Term>();
  readonly passes = new Map<string, Passes>();

  graph(seeds: Seed[], prefix: string, inParallel: boolean): Graph {
    const blocks: Block[] = [];
    const edges: Edge[] = [];
    seeds.forEach((seed, i) => {
      const id = `${prefix}${i}`;
      const incoming = seed.from.map(([source, port]) => edgeTo(id, blocks[source % (i + 1)], port));
      const ancestors = [...ancestorsOf(incoming, edges)].toSorted();
      const read = ancestors[seed.reads % (ancestors.length + 1)];
      blocks.push(this.block(id, seed, read, inParallel));
      edges.push(...distinct(incoming));
    });
    return { blocks, edges };
  }

  private block(id: string, seed: Seed, read: string | undefined, inParallel: boolean): Block {
    // A branch may not set variables, and all waits of a parallel end at one moment.
    const type = inParallel ? (leafTypes[seed.term % leafTypes.length] ?? 'http') : seed.type;
    if (seed.body.length === 0) return blockOf(id, { ...seed, type }, read, this.terms);
    const body = this.graph(seed.body, `${id}_`, inParallel || seed.parallel);
    const passes = passesOf(seed);
    this.passes.set(id, passes);
    return { id, type: seed.parallel ? 'parallel' : 'loop', params: passes.params, body };
  }
}

function passesOf({ passes, parallel, expires, term }: Seed): Passes {
  const name = parallel ? 'branch' : 'loop';
  const collect: Record<string, Json> = expires ? { collect: `{{ ${name}.index }}` } : {};
  const window: Record<string, Json> = parallel
    ? { concurrency: 1 + (term % 2), onBranchError: term < 3 ? 'fail' : 'collect' }
    : {};
  const over: [Record<string, Json>, number | null][] = [
    [{ count: 2 }, 2],
    [{ count: 3 }, 3],
    [{ forEach: ['x', 'y'] }, 2],
    [{ forEach: '{{ [1] }}' }, 1],
    [{ count: 0 }, 0],
    [{ count: '{{ start.gone }}' }, null],
    [parallel ? { count: 1 } : { while: 'loop.index < 2', maxIterations: 5 }, parallel ? 1 : 2],
    [parallel ? { forEach: [] } : { until: 'loop.index == 1', maxIterations: 5 }, parallel ? 0 : 2],
  ];
  const [params, count] = over[passes] ?? [{ count: 1 }, 1];
  return { params: { ...params, ...window, ...collect }, count, collects: expires };
}

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

/** The default port is in the list twice, so that most edges lead on. */
function portsOf(block: Block): (string | undefined)[] {
  if (block.type === 'condition') return ['yes', 'else', 'yes', 'error'];
  if (block.type === 'human' && block.params.onExpiry === 'continue') return [undefined, 'expired', 'error'];
  return [undefined, 'error', undefined];
}

function ancestorsOf(incoming: Edge[], edges: Edge[]): Set<string> {
  const ancestors = new Set<string>();
  const open = incoming.map(({ from }) => from);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === 'start' || ancestors.has(id)) continue;
    ancestors.add(id);
    for (const edge of edges) if (edge.to === id) open.push(edge.from);
  }
  return ancestors;
}

function distinct(edges: Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()];
}

/** The number that decides the result of a visit. */
export function drawLuck({ luck }: Fortune, path: string): number {
  const sum = [...path].reduce((total, char) => total + char.charCodeAt(0), 0);
  return luck[sum % luck.length] ?? 0;
}
