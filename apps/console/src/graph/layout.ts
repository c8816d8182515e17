import { graphlib, layout } from '@dagrejs/dagre';

/** A block as it is to be drawn. */
export interface DrawnBlock {
  id: string;
  name: string;
  type: string;
  container: string | null;
  /** The state, where a run is shown. */
  status?: string;
  /** How many visits have each state. */
  states?: Record<string, number>;
}

export interface DrawnEdge {
  from: string;
  to: string;
  port: string;
  /** Whether the run went this way, where a run is shown. */
  taken?: boolean;
}

export interface Point {
  x: number;
  y: number;
}

export interface PlacedBlock extends DrawnBlock, Point {
  width: number;
  height: number;
  isContainer: boolean;
}

export interface PlacedEdge extends DrawnEdge {
  id: string;
  points: Point[];
  /** The middle of the label. */
  label: Point;
}

export interface Drawing {
  blocks: PlacedBlock[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

const leaf = { width: 224, height: 60 };
const start = { width: 96, height: 36 };
const headHeight = 56;
const padding = 16;
const letterWidth = 7.5;

/** Places blocks and edges from the top down, the body of a container inside of it. No edge runs behind a block, and each label has a place of its own. */
export function placeGraph(blocks: DrawnBlock[], edges: DrawnEdge[]): Drawing {
  const first: DrawnBlock = { id: 'start', name: 'start', type: 'start', container: null };
  return placeBody([first, ...blocks], edges, null);
}

function placeBody(blocks: DrawnBlock[], edges: DrawnEdge[], container: string | null): Drawing {
  const own = blocks.filter((block) => block.container === container);
  const ids = new Set(own.map(({ id }) => id));
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 28, edgesep: 24 });
  const inner = new Map<string, Drawing>();
  for (const { id, type } of own) {
    const body = blocks.some((block) => block.container === id) ? placeBody(blocks, edges, id) : undefined;
    if (body) inner.set(id, body);
    graph.setNode(id, { ...sizeOf(type, body) });
  }
  const drawn = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  drawn.forEach(({ from, to, port }, n) => {
    const width = port === 'out' ? 0 : port.length * letterWidth + 12;
    graph.setEdge(from, to, { width, height: port === 'out' ? 0 : 20, labelpos: 'c' }, String(n));
  });
  layout(graph);
  const placed = own.flatMap((block) => placedBlocks(block, graph.node(block.id), inner.get(block.id)));
  const ways = drawn.map((edge, n) => placedEdge(edge, graph.edge(edge.from, edge.to, String(n)), n));
  for (const { id } of own) {
    const body = inner.get(id);
    if (body) ways.push(...movedEdges(body, graph.node(id)));
  }
  const { width = 0, height = 0 } = graph.graph();
  return { blocks: placed, edges: ways, width, height };
}

function sizeOf(type: string, body: Drawing | undefined) {
  if (type === 'start') return start;
  if (!body) return leaf;
  return {
    width: Math.max(leaf.width, body.width + 2 * padding),
    height: body.height + headHeight + padding,
  };
}

interface Node extends Point {
  width: number;
  height: number;
}

function placedBlocks(block: DrawnBlock, at: Node, body: Drawing | undefined): PlacedBlock[] {
  const { width, height } = at;
  const self = {
    ...block,
    x: at.x - width / 2,
    y: at.y - height / 2,
    width,
    height,
    isContainer: body !== undefined,
  };
  if (!body) return [self];
  const shift = shiftOf(body, at);
  return [self, ...body.blocks.map((one) => ({ ...one, x: one.x + shift.x, y: one.y + shift.y }))];
}

/** From the corner of a body to that of the drawing around it. */
function shiftOf(body: Drawing, at: Node): Point {
  return { x: at.x - body.width / 2, y: at.y - at.height / 2 + headHeight };
}

function movedEdges(body: Drawing, at: Node): PlacedEdge[] {
  const shift = shiftOf(body, at);
  const moved = ({ x, y }: Point) => ({ x: x + shift.x, y: y + shift.y });
  return body.edges.map((edge) => ({ ...edge, points: edge.points.map(moved), label: moved(edge.label) }));
}

function placedEdge(
  edge: DrawnEdge,
  way: { points: Point[]; x?: number; y?: number },
  n: number,
): PlacedEdge {
  const middle = way.points[Math.floor(way.points.length / 2)] ?? { x: 0, y: 0 };
  return {
    ...edge,
    id: `${edge.from}.${edge.port}.${edge.to}.${n}`,
    points: way.points,
    label: { x: way.x ?? middle.x, y: way.y ?? middle.y },
  };
}
