import { isContainerType } from '../blocks/registry.ts';
import { blocksMax, edgesMax } from '../shapes/graph-shapes.ts';
import { at, isObject, type Report } from '../shapes/shape.ts';
import { Reachability } from './reachability.ts';
import { checkEdges, checkIds, checkReachable, type LooseBlock, type LooseEdge } from './wiring.ts';

/** The greatest depth of containers in containers. */
export const nestingMax = 8;

/** One graph of a definition: the outermost, or the body of a container. */
export interface LooseGraph {
  blocks: LooseBlock[];
  edges: LooseEdge[];
  /** Absent when the graph is too large for it. */
  reachability: Reachability | undefined;
  /** The containers around the graph, the innermost first. */
  around: { block: LooseBlock; graph: LooseGraph }[];
}

/** Every graph of a definition, each before those inside it, with ids, edges and reachability checked. */
export function collectGraphs(input: Record<string, unknown>, report: Report): LooseGraph[] {
  const taken = new Set<string>();
  const graphs: LooseGraph[] = [];
  const open = [{ raw: input, path: '', around: [] as LooseGraph['around'] }];
  for (let next = open.shift(); next; next = open.shift()) {
    const { raw, path, around } = next;
    const blocks = checkIds(raw.blocks, at(path, 'blocks'), taken, report);
    const edges = checkEdges(raw.edges, at(path, 'edges'), blocks, report);
    checkReachable(blocks, edges, report);
    const small = blocks.length <= blocksMax && edges.length <= edgesMax;
    const graph: LooseGraph = {
      blocks,
      edges,
      reachability: small ? new Reachability(blocks, edges) : undefined,
      around,
    };
    graphs.push(graph);
    for (const block of blocks) {
      const { body } = block.raw;
      if (!isContainerType(block.type) || !isObject(body)) continue;
      const inside = { raw: body, path: at(block.path, 'body'), around: [{ block, graph }, ...around] };
      if (inside.around.length <= nestingMax) open.push(inside);
      else report(inside.path, 'too_deep', `Containers are nested deeper than ${nestingMax}.`);
    }
  }
  checkSize(graphs, report);
  return graphs;
}

/** Checks the caps, which count the whole definition with all bodies. */
function checkSize(graphs: LooseGraph[], report: Report): void {
  const blocks = graphs.reduce((sum, graph) => sum + graph.blocks.length, 0);
  const edges = graphs.reduce((sum, graph) => sum + graph.edges.length, 0);
  if (graphs.length > 1 && blocks > blocksMax)
    report(
      'blocks',
      'too_many',
      `There are ${blocks} blocks, bodies included; at most ${blocksMax} are allowed.`,
    );
  if (graphs.length > 1 && edges > edgesMax)
    report(
      'edges',
      'too_many',
      `There are ${edges} edges, bodies included; at most ${edgesMax} are allowed.`,
    );
}
