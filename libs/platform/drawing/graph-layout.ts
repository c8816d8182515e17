import { graphlib, layout } from '@dagrejs/dagre';
import { cutText } from '#libs/platform/text/whole-text';

/** A block to draw. */
export interface DrawnBlock {
  id: string;
  name: string;
  type: string;
  container: string | null;
  /** The state of the block in a run. */
  status?: string;
  /** The number of visits in each state. */
  states?: Record<string, number>;
}

export interface DrawnEdge {
  from: string;
  to: string;
  port: string;
  /** True when the run took this edge. Absent without a run. */
  taken?: boolean;
}

export interface DrawingPoint {
  x: number;
  y: number;
}

export interface PlacedBlock extends DrawnBlock, DrawingPoint {
  width: number;
  height: number;
  isContainer: boolean;
}

export interface PlacedEdge extends DrawnEdge {
  id: string;
  /** Its index in the given list of edges. */
  index: number;
  /** The label for the port; empty for the port `out`. */
  text: string;
  points: DrawingPoint[];
  /** The middle of the label. */
  label: DrawingPoint;
}

export interface Drawing {
  blocks: PlacedBlock[];
  edges: PlacedEdge[];
  width: number;
  height: number;
}

const leaf = { width: 244, height: 60 };
const start = { width: 96, height: 36 };
const headHeight = 56;
const padding = 16;
const letterWidth = 7.5;
/** The most characters of a label. A longer label would push the blocks apart. */
const portMax = 24;

/** Lays out blocks and edges from top to bottom. The body of a container is inside it. No edge runs behind a block, and labels do not overlap. */
export function placeGraph(blocks: DrawnBlock[], edges: DrawnEdge[]): Drawing {
  const first: DrawnBlock = { id: 'start', name: 'start', type: 'start', container: null };
  const numbered = edges.map((edge, index) => ({ ...edge, index, text: textOfPort(edge.port) }));
  return placeBody([first, ...blocks], numbered, null);
}

function textOfPort(port: string): string {
  if (port === 'out') return '';
  const letters = [...port];
  return letters.length > portMax ? cutText(port, portMax - 1, '…') : port;
}

type NumberedEdge = DrawnEdge & Pick<PlacedEdge, 'index' | 'text'>;

function placeBody(blocks: DrawnBlock[], edges: NumberedEdge[], container: string | null): Drawing {
  const own = blocks.filter((block) => block.container === container);
  const ids = new Set(own.map(({ id }) => id));
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 32, ranksep: 44, edgesep: 24 });
  const inner = new Map<string, Drawing>();
  for (const { id, type } of own) {
    const body = blocks.some((block) => block.container === id) ? placeBody(blocks, edges, id) : undefined;
    if (body) inner.set(id, body);
    graph.setNode(id, { ...computeSize(type, body) });
  }
  const drawn = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  for (const { from, to, text, index } of drawn) {
    const size =
      text === '' ? { width: 0, height: 0 } : { width: text.length * letterWidth + 12, height: 20 };
    graph.setEdge(from, to, { ...size, labelpos: 'c' }, String(index));
  }
  layout(graph);
  const bands = toBands([
    ...own.map(({ id }) => graph.node(id)),
    ...drawn.map(({ from, to, index }) => graph.edge(from, to, String(index))),
  ]);
  const placed = own.flatMap((block) => placedBlocks(block, graph.node(block.id), inner.get(block.id)));
  const ways = drawn.map((edge) =>
    placedEdge(edge, graph.edge(edge.from, edge.to, String(edge.index)), {
      bands,
      from: graph.node(edge.from),
      to: graph.node(edge.to),
    }),
  );
  for (const { id } of own) {
    const body = inner.get(id);
    if (body) ways.push(...movedEdges(body, graph.node(id)));
  }
  const { width = 0, height = 0 } = graph.graph();
  return { blocks: placed, edges: ways, width, height };
}

function computeSize(type: string, body: Drawing | undefined) {
  if (type === 'start') return start;
  if (!body) return leaf;
  return {
    width: Math.max(leaf.width, body.width + 2 * padding),
    height: body.height + headHeight + padding,
  };
}

interface LayoutNode extends DrawingPoint {
  width: number;
  height: number;
}

function placedBlocks(block: DrawnBlock, at: LayoutNode, body: Drawing | undefined): PlacedBlock[] {
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
  const shift = computeShift(body, at);
  return [self, ...body.blocks.map((one) => ({ ...one, x: one.x + shift.x, y: one.y + shift.y }))];
}

/** The distance from the corner of the outer drawing to the corner of a body in it. */
function computeShift(body: Drawing, at: LayoutNode): DrawingPoint {
  return { x: at.x - body.width / 2, y: at.y - at.height / 2 + headHeight };
}

function movedEdges(body: Drawing, at: LayoutNode): PlacedEdge[] {
  const shift = computeShift(body, at);
  const moved = ({ x, y }: DrawingPoint) => ({ x: x + shift.x, y: y + shift.y });
  return body.edges.map((edge) => ({ ...edge, points: edge.points.map(moved), label: moved(edge.label) }));
}

/** The blocks of an edge, and the layers between them. */
interface NodeSurroundings {
  bands: Map<number, number>;
  from: LayoutNode;
  to: LayoutNode;
}

function placedEdge(
  edge: NumberedEdge,
  way: { points: DrawingPoint[]; x?: number; y?: number },
  around: NodeSurroundings,
): PlacedEdge {
  const middle = way.points[Math.floor(way.points.length / 2)] ?? { x: 0, y: 0 };
  return {
    ...edge,
    id: `${edge.from}.${edge.port}.${edge.to}.${edge.index}`,
    points: wayAround(way.points.slice(1, -1), around),
    label: { x: way.x ?? middle.x, y: way.y ?? middle.y },
  };
}

/** Half the height of each layer, by the y of its middle. */
function toBands(parts: { y?: number; height?: number }[]): Map<number, number> {
  const bands = new Map<number, number>();
  for (const { y, height = 0 } of parts)
    if (y !== undefined) bands.set(Math.round(y), Math.max(bands.get(Math.round(y)) ?? 0, height / 2));
  return bands;
}

/**
 * The points of an edge. Within a layer the edge is vertical, at the free place that the layout gave it. It is slanted only between
 * layers, because a slanted line beside a tall block would run behind it.
 */
function wayAround(places: DrawingPoint[], { bands, from, to }: NodeSurroundings): DrawingPoint[] {
  const half = (y: number) => bands.get(Math.round(y)) ?? 0;
  const out = portOn(from, places[0] ?? to);
  const into = portOn(to, places.at(-1) ?? from);
  return [
    { x: out, y: from.y + from.height / 2 },
    { x: out, y: from.y + half(from.y) },
    ...places.flatMap(({ x, y }) => [
      { x, y: y - half(y) },
      { x, y: y + half(y) },
    ]),
    { x: into, y: to.y - half(to.y) },
    { x: into, y: to.y - to.height / 2 },
  ];
}

/** The x at which an edge meets the border of a block: as near to the next point as the corners allow. */
function portOn({ x, width }: LayoutNode, next: DrawingPoint): number {
  const reach = Math.max(0, width / 2 - 20);
  return Math.min(Math.max(next.x, x - reach), x + reach);
}
