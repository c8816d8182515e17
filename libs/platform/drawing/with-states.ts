import type { Drawing, DrawnBlock, DrawnEdge } from './graph-layout.ts';

/** The same drawing with the states that blocks and edges have now: a run that goes on moves nothing. */
export function withStates(drawing: Drawing, blocks: DrawnBlock[], edges: DrawnEdge[]): Drawing {
  const now = new Map(blocks.map((block) => [block.id, block]));
  return {
    ...drawing,
    blocks: drawing.blocks.map((block) => ({ ...block, ...now.get(block.id) })),
    edges: drawing.edges.map((edge) => ({ ...edge, ...edges[edge.index] })),
  };
}
