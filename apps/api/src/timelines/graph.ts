import type { PlanGraph } from '#libs/language/definition/plan';
import type { Tally } from '#libs/runs/executions/read/timelines';

/** A block of the graph, with its visits. */
export interface GraphBlock {
  id: string;
  name: string;
  type: string;
  /** The loop or parallel around it. */
  container: string | null;
  status: string;
  visits: number;
  /** The number of visits by status. */
  states: Tally['states'];
  startedAt: string | null;
  endedAt: string | null;
}

export interface GraphEdge {
  from: string;
  to: string;
  port: string;
  /** True when the run used this edge. */
  taken: boolean;
}

export interface RunGraph {
  blocks: GraphBlock[];
  edges: GraphEdge[];
}

const none: Omit<Tally, 'blockId' | 'startedAt'> = {
  visits: 0,
  states: {},
  status: 'skipped',
  endedAt: null,
  ports: [],
};

/** The blocks of a plan in order; blocks of a body follow their container. Blocks of another plan are not shown. */
export function buildGraph(plan: PlanGraph, tallies: Tally[]): RunGraph {
  const done = new Map(tallies.map((tally) => [tally.blockId, tally]));
  const graph: RunGraph = { blocks: [], edges: [] };
  add(graph, plan, null, done);
  return graph;
}

function add(graph: RunGraph, plan: PlanGraph, container: string | null, done: Map<string, Tally>): void {
  const idAt = (index: number) => plan.blocks[index]?.id ?? '';
  // The start of a body has no visit. Its first blocks show whether it ran.
  for (const index of plan.first) {
    const to = idAt(index);
    if (container === null) graph.edges.push({ from: 'start', to, port: 'out', taken: done.has(to) });
  }
  for (const { id, name, type, outgoing, body } of plan.blocks) {
    const { visits, states, status, endedAt, ports } = done.get(id) ?? none;
    const startedAt = done.get(id)?.startedAt.toISOString() ?? null;
    const state = visits > 0 ? status : 'not visited';
    graph.blocks.push({
      id,
      name,
      type,
      container,
      status: state,
      visits,
      states,
      startedAt,
      endedAt: endedAt?.toISOString() ?? null,
    });
    for (const { port, to } of outgoing)
      graph.edges.push({ from: id, to: idAt(to), port, taken: ports.includes(port) && done.has(idAt(to)) });
    if (body) add(graph, body, id, done);
  }
}
