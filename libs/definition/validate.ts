import type { Definition } from '#libs/definition/definition';

import { type DefinitionFault, Faults } from './faults.ts';
import { checkReads } from './reads.ts';
import { screen } from './screen.ts';
import { at, isObject } from './shape.ts';
import { blocksMax, definitionShape, edgesMax } from './shapes.ts';
import { Ways } from './ways.ts';
import { checkEdges, checkIds, checkWays, type LooseBlock } from './wiring.ts';

export type { DefinitionFault } from './faults.ts';

export interface Validated {
  faults: DefinitionFault[];
  warnings: string[];
  /** Present when there is no fault. */
  definition?: Definition;
}

/** Largest definition, in characters of JSON. */
export const definitionCharsMax = 512 * 1024;

/**
 * Everything that is wrong with a definition at once, whatever it is that came in: what can be told of one part is
 * told although another is broken. Never throws. Warnings say what will run but may surprise.
 */
export function validate(input: unknown): Validated {
  const screened = screen(input, '', definitionCharsMax);
  const faults = new Faults((index) => idAt(input, index));
  for (const { path, code, message } of screened.details) faults.add(path, code, message);
  if (!screened.sound) return { faults: faults.all, warnings: [] };
  definitionShape.check(input, '', faults.add);
  const warnings = isObject(input) ? checkMeaning(input, faults) : [];
  return isSound(input, faults)
    ? { faults: [], warnings, definition: input }
    : { faults: faults.all, warnings };
}

function checkMeaning(input: Record<string, unknown>, faults: Faults): string[] {
  const blocks = checkIds(input.blocks, faults.add);
  const edges = checkEdges(input.edges, blocks, faults.add);
  checkWays(blocks, edges, faults.add);
  const ways = blocks.length <= blocksMax && edges.length <= edgesMax ? new Ways(blocks, edges) : undefined;
  checkSets(blocks, input.variables, faults);
  const inputs = isObject(input.start) ? input.start.inputs : undefined;
  const warnings = checkReads({ blocks, inputs, variables: input.variables, ways }, faults.add);
  return ways ? [...warnings, ...besides(blocks, ways)] : warnings;
}

/** Only declared variables can be set. */
function checkSets(blocks: LooseBlock[], variables: unknown, faults: Faults): void {
  for (const { type, raw, path } of blocks) {
    if (type !== 'variables' || !isObject(raw.params) || !isObject(raw.params.set)) continue;
    for (const name of Object.keys(raw.params.set)) {
      if (isObject(variables) && Object.hasOwn(variables, name)) continue;
      const where = at(at(at(path, 'params'), 'set'), name);
      faults.add(where, 'unknown_variable', `There is no variable "${name}".`);
    }
  }
}

/** A caller who waits is answered when all ways have ended or rest, so a person beside a response delays it. */
function besides(blocks: LooseBlock[], ways: Ways): string[] {
  const humans = blocks.filter(({ type }) => type === 'human');
  const responses = blocks.filter(({ type }) => type === 'response');
  return humans.flatMap((human) => {
    const beside = responses.find(({ id }) => !ways.leads(human.id, id) && !ways.leads(id, human.id));
    if (!beside) return [];
    return [`${human.path}: "${human.id}" may wait for a person beside the response "${beside.id}".`];
  });
}

function idAt(input: unknown, index: number): string | undefined {
  const blocks = isObject(input) && Array.isArray(input.blocks) ? input.blocks : [];
  const block: unknown = blocks[index];
  return isObject(block) && typeof block.id === 'string' ? block.id.slice(0, 64) : undefined;
}

/** The checks above are what makes it one. */
function isSound(input: unknown, faults: Faults): input is Definition {
  return isObject(input) && faults.none;
}
