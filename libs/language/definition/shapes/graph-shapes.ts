import { blockShape, effectKeys } from '../blocks/block-shape.ts';
import { blockKinds } from '../blocks/registry.ts';
import type { BlockKind } from '../blocks/kind.ts';
import { refusingPlaceholders } from '../blocks/placeholder.ts';
import * as shape from './shape.ts';
import type { Shape } from './shape.ts';

export const blocksMax = 500;
export const edgesMax = 2000;

const edge = shape.object(
  { from: shape.text({ min: 1, max: 64 }), to: shape.text({ min: 1, max: 64 }) },
  { port: shape.text({ min: 1, max: 64 }) },
);

/** The members of a graph: of the definition itself, and of the body of a container. */
export const graphMembers = (): Record<string, Shape> => ({
  blocks: shape.list(block, { min: 1, max: blocksMax }),
  edges: shape.list(edge, { max: edgesMax }),
});

const body = shape.named('graph', () => shape.object(graphMembers()));

function shapeOf(type: string, { members, effect, container }: BlockKind): Shape {
  return blockShape(type, container ? { ...members, body } : members, effect ? effectKeys : {});
}

/** A block of any type, chosen by `type`. */
const block: Shape = refusingPlaceholders(
  shape.variant(
    'type',
    Object.fromEntries(Object.entries(blockKinds).map(([type, kind]) => [type, shapeOf(type, kind)])),
  ),
);
