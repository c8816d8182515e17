import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { canonicalJson, compile } from '#libs/language/definition/compile';
import type { Definition, Edge, Graph } from '#libs/language/definition/definition';
import type { Plan, PlanBlock, PlanGraph } from '#libs/language/definition/plan';
import { validate } from '#libs/language/definition/checks/validate';

/** The plans of runs that an earlier build compiled, by name. */
const recorded: [string, Plan][] = Object.entries(
  JSON.parse(readFileSync('temporal/test/plans.json', 'utf8')),
);

/** The definition of a plan: the reverse of `compile`. */
function definitionOf(plan: Plan): Definition {
  const { inputs, variables } = plan;
  return { start: { inputs }, variables, ...graphOf(plan) };
}

function graphOf({ blocks, first }: PlanGraph): Graph {
  const idOf = (index: number) => blocks[index]?.id ?? '';
  const edges: Edge[] = [
    ...first.map((to) => ({ from: 'start', to: idOf(to) })),
    ...blocks.flatMap(({ id, outgoing }) =>
      outgoing.map(({ port, to }) => ({ from: id, port, to: idOf(to) })),
    ),
  ];
  return { blocks: blocks.map(blockOf) as Graph['blocks'], edges };
}

function blockOf({ id, name, type, params, retry, timeoutMs, body }: PlanBlock): object {
  const { types: _, ...written } = params;
  const { initialDelayMs = 0, ...tries } = retry ?? {};
  return {
    id,
    name,
    type,
    ...(type === 'condition' ? params : { params: type === 'variables' ? written : params }),
    ...(retry ? { retry: { ...tries, initialDelay: initialDelayMs / 1000 } } : {}),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs / 1000 }),
    ...(body ? { body: graphOf(body) } : {}),
  };
}

/** Removes the default time-outs, which recorded plans have, so that the compiler must add them again. */
function withoutDefaults(definition: Definition): Definition {
  return JSON.parse(JSON.stringify(definition), (key, value) => (key === 'timeout' ? undefined : value));
}

describe('the compiler gives the recorded plan', () => {
  test.each(recorded)('%s', (_, plan) => {
    const definition = definitionOf(plan);
    expect(validate(definition).faults).toEqual([]);
    expect(canonicalJson(compile(definition))).toBe(canonicalJson(plan));
    expect(canonicalJson(compile(withoutDefaults(definition)))).toBe(canonicalJson(plan));
  });

  test('the compiler gives the recorded plan for effects, pauses, waits, children, loops and parallels', () => {
    const typesIn = ({ blocks }: PlanGraph): string[] =>
      blocks.flatMap(({ type, body }) => [type, ...(body ? typesIn(body) : [])]);
    expect(new Set(recorded.flatMap(([, plan]) => typesIn(plan)))).toEqual(
      new Set('response http function human wait loop parallel workflow router condition'.split(' ')),
    );
  });
});

/** The plan of a deployed workflow keeps its hash, so an example must always compile to the same plan. */
const examples = {
  'approval.json': '1a16e29e6682fcc386a45fa6d2998e0e052932fbf0ad16ca354dd8a7798cd390',
  'licence-review.json': '78f7d048d7b89a4136a7f342268ca56280e6547df390a8e812126d6a3df986b0',
};

test.each(Object.entries(examples))('the example %s compiles to its first plan', (file, hash) => {
  const example = JSON.parse(readFileSync(`apps/local/examples/${file}`, 'utf8'));
  const { definition } = validate(example.definition ?? example);
  if (!definition) throw new Error(`${file} has faults`);
  const plan = canonicalJson(compile(definition));
  expect(createHash('sha256').update(plan).digest('hex')).toBe(hash);
});
