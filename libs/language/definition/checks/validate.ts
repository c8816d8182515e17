import { cutText } from '#libs/platform/text/whole-text';
import type { Definition } from '../definition.ts';

import { Exclusive } from './exclusive.ts';
import { type DefinitionFault, Faults } from './faults.ts';
import { collectGraphs, type LooseGraph } from './nesting.ts';
import { checkReads } from './reads.ts';
import { checkStart, listReadInputs } from './start-expressions.ts';
import { screen } from './screen.ts';
import { at, isObject } from '../shapes/shape.ts';
import { definitionShape } from '../shapes/shapes.ts';

export type { DefinitionFault } from './faults.ts';

export interface Validated {
  faults: DefinitionFault[];
  warnings: string[];
  /** Present when there is no fault. */
  definition?: Definition;
}

/** The largest definition, in characters of JSON. */
export const definitionCharsMax = 512 * 1024;

/**
 * Reports everything that is wrong with a definition at once, whatever the input is: one broken part does not keep
 * the others from being checked. Never throws. A warning is about a definition that runs but may do something
 * unexpected.
 */
export function validate(input: unknown): Validated {
  const screened = screen(input, '', definitionCharsMax);
  const faults = new Faults((path) => idAt(input, path));
  for (const { path, code, message } of screened.details) faults.add(path, code, message);
  if (!screened.sound) return { faults: faults.all, warnings: [] };
  definitionShape.check(input, '', faults.add);
  const warnings = isObject(input) ? checkMeaning(input, faults) : [];
  return isSound(input, faults)
    ? { faults: [], warnings, definition: input }
    : { faults: faults.all, warnings };
}

function checkMeaning(input: Record<string, unknown>, faults: Faults): string[] {
  const graphs = collectGraphs(input, faults.add);
  for (const graph of graphs) checkSets(graph, input.variables, faults);
  const warnings = checkReads(
    { graphs, inputs: listReadInputs(input.start), variables: input.variables },
    faults.add,
  );
  return [...checkStart(input.start, faults.add), ...warnings, ...graphs.flatMap(besides)];
}

/**
 * Reports a block that sets an undeclared variable, or one inside a parallel, whose branches would set it side by
 * side.
 */
function checkSets({ blocks, around }: LooseGraph, variables: unknown, faults: Faults): void {
  const parallel = around.find(({ block }) => block.type === 'parallel')?.block.id;
  for (const { type, raw, path } of blocks) {
    if (type !== 'variables' || !isObject(raw.params) || !isObject(raw.params.set)) continue;
    if (parallel !== undefined) {
      const message = `The branches of "${parallel}" run side by side and would overwrite each other; use collect.`;
      faults.add(path, 'parallel_write', message);
    }
    for (const name of Object.keys(raw.params.set)) {
      if (isObject(variables) && Object.hasOwn(variables, name)) continue;
      const where = at(at(at(path, 'params'), 'set'), name);
      faults.add(where, 'unknown_variable', `There is no variable "${name}".`);
    }
  }
}

/**
 * The warnings about a human block beside a response: a waiting caller gets the response when all branches have
 * ended or wait, so the human block delays it.
 */
function besides({ blocks, edges, reachability }: LooseGraph): string[] {
  if (!reachability) return [];
  const humans = blocks.filter(({ type }) => type === 'human');
  const responses = blocks.filter(({ type }) => type === 'response');
  if (humans.length === 0 || responses.length === 0) return [];
  const exclusive = new Exclusive(edges);
  return humans.flatMap((human) => {
    const beside = responses.find(
      ({ id }) =>
        !reachability.leads(human.id, id) &&
        !reachability.leads(id, human.id) &&
        !exclusive.excludes(human.id, id),
    );
    if (!beside) return [];
    return [`${human.path}: "${human.id}" may wait for a person beside the response "${beside.id}".`];
  });
}

/** The id of the innermost block that a path leads through. */
function idAt(input: unknown, path: string): string | undefined {
  const steps = /^(?:blocks\[\d+\](?:\.body\.(?=blocks\[))?)+/.exec(path)?.[0].match(/\d+/g) ?? [];
  let graph: unknown = input;
  let id: unknown;
  for (const step of steps) {
    const blocks: unknown = isObject(graph) ? graph.blocks : undefined;
    const block: unknown = Array.isArray(blocks) ? blocks[Number(step)] : undefined;
    if (!isObject(block)) break;
    id = block.id;
    graph = block.body;
  }
  return typeof id === 'string' && id !== '' ? cutText(id, 64) : undefined;
}

/** The input is a Definition when the checks above found no fault. */
function isSound(input: unknown, faults: Faults): input is Definition {
  return isObject(input) && faults.none;
}
