import { isObject, type Json } from '#libs/platform/json/json';
import type { PlanGraph } from '#libs/language/definition/plan';
import { Invalid } from '#libs/platform/errors/errors';

/** One output that a caller wants beside the result: a block, and a path into its output. */
export interface OutputSelection {
  /** The caller's spelling. */
  selector: string;
  blockId: string;
  path: string[];
}

export interface NamedBlock {
  id: string;
  name: string;
}

const selectionsMax = 100;

/**
 * Reads selectors such as `block.path` against the blocks of a plan. Throws when a selector names no block, and lists
 * the blocks.
 */
export function parseSelections(selectors: string[], plan: PlanGraph): OutputSelection[] {
  if (selectors.length > selectionsMax)
    throw Invalid.field('selectedOutputs', `must have at most ${selectionsMax} items`, 'length');
  const blocks = listBlocks(plan);
  return selectors.map((selector, n) => {
    const [head = '', ...path] = selector.split('.');
    const block =
      blocks.find(({ id }) => id === head) ?? blocks.find(({ name }) => bare(name) === bare(head));
    if (block) return { selector, blockId: block.id, path };
    const ids = blocks.map(({ id }) => id).join(', ');
    throw Invalid.field(`selectedOutputs.${n}`, `names no block; there are ${ids}`, 'unknown_block');
  });
}

/** The blocks of a plan, including those within containers. */
export function listBlocks({ blocks }: PlanGraph): NamedBlock[] {
  return blocks.flatMap((block) => [block, ...(block.body ? listBlocks(block.body) : [])]);
}

/** The clients write names without spaces and dots, and ignore case. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[\s.]/g, '');
}

/** The selected values by selector. A block without an output, or a path that does not exist, is left out. */
export function selectedFrom(
  outputs: ReadonlyMap<string, Json>,
  selections: OutputSelection[],
): Record<string, Json> {
  return Object.fromEntries(
    selections.flatMap(({ selector, blockId, path }) => {
      const value = path.reduce<Json | undefined>(getMember, outputs.get(blockId));
      return value === undefined ? [] : [[selector, value] as const];
    }),
  );
}

function getMember(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
