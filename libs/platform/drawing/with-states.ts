import type { Drawing, DrawnBlock, DrawnEdge } from './graph-layout.ts';

/** Puts the present states of blocks and edges into a drawing. No block moves while the run goes on. */
export function withStates(drawing: Drawing, blocks: DrawnBlock[], edges: DrawnEdge[]): Drawing {
  const now = new Map(blocks.map((block) => [block.id, block]));
  return {
    ...drawing,
    blocks: drawing.blocks.map((block) => ({ ...block, ...now.get(block.id) })),
    edges: drawing.edges.map((edge) => ({ ...edge, ...edges[edge.index] })),
  };
}
