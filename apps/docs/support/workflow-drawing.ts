import { Graph as Layout, layout } from '@dagrejs/dagre';
import { isEffectType } from '#libs/language/definition/blocks/registry';

/** The part of a definition that is drawn: the same for the whole and for the body of a container. */
interface DrawnGraph {
  blocks: DrawnBlock[];
  edges: { from: string; to: string; port?: string }[];
}

interface DrawnBlock {
  id: string;
  type: string;
  name?: string;
  body?: DrawnGraph;
}

/** A piece of the drawing with its size, in pixels. */
interface Piece {
  width: number;
  height: number;
  svg: string;
}

interface Point {
  x: number;
  y: number;
}

/** Widths of letters differ between machines; these leave room for the wide ones. */
const letter = { name: 7.6, soft: 6.8 };
const rowHeight = 46;
const start: Piece = { width: 64, height: 28, svg: '' };
/** Around the body of a container, with room for its name above. */
const frame = { side: 16, above: 40, below: 16 };

const style = `text { font: 13px system-ui, sans-serif; fill: #1b1f24 } .soft { fill: #59636e; font-size: 12px } .name { font-weight: 600 }
.port { paint-order: stroke; stroke: #fff; stroke-width: 5px; stroke-linejoin: round } .inside .port { stroke: #f7f8fa }
.box { fill: #f0f2f5; stroke: #7d8590 } .call { fill: #e6f0ff; stroke: #0a58ca } .person { fill: #fff3d6; stroke: #9a6700 } .end { fill: #e3f5e8; stroke: #116329 }
.body { fill: #f7f8fa; stroke: #7d8590 } .line { stroke: #59636e; fill: none } .failed { stroke-dasharray: 5 4 } .head { fill: #59636e }
@media (prefers-color-scheme: dark) { text { fill: #e8ebee } .soft { fill: #a6b0ba } .port { stroke: #191e24 } .inside .port { stroke: #1e242b }
.box { fill: #232a32; stroke: #76808b } .call { fill: #16263d; stroke: #8ab8ff } .person { fill: #3a2d10; stroke: #e3b341 } .end { fill: #14301d; stroke: #7ee29a }
.body { fill: #1e242b; stroke: #76808b } .line { stroke: #a6b0ba } .head { fill: #a6b0ba } }`;

/** Draws a workflow from its blocks and edges, from the top down. The same definition gives the same text. */
export function drawWorkflow(title: string, graph: DrawnGraph): string {
  const margin = 8;
  const { width, height, svg } = drawGraph(graph, 'start');
  const size = [width + 2 * margin, height + 2 * margin].map(Math.ceil);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}" role="img">
<title>${escaped(title)}</title>
<style>
${style}
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>
${moved(svg, margin, margin)}</svg>
`;
}

function drawGraph({ blocks, edges }: DrawnGraph, startText: string): Piece {
  const plan = new Layout({ multigraph: true });
  plan.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 36, edgesep: 16, rankalign: 'top' });
  const pieces = new Map([['start', { ...start, svg: pill(start, startText) }]]);
  for (const block of blocks) pieces.set(block.id, drawBlock(block));
  for (const [id, { width, height }] of pieces) plan.setNode(id, { width, height });
  edges.forEach(({ from, to, port }, at) =>
    plan.setEdge(
      from,
      to,
      port ? { width: textWidth(port, 'soft'), height: 18, labelpos: 'c' } : {},
      `${at}`,
    ),
  );
  layout(plan);
  const lines = edges.map(({ from, to, port }, at) => {
    const { points = [], ...label } = plan.edge(from, to, `${at}`);
    return drawEdge(points, port) + (port ? portText(port, label) : '');
  });
  const boxes = [...pieces].map(([id, { width, height, svg }]) => {
    const { x = 0, y = 0 } = plan.node(id);
    return moved(svg, x - width / 2, y - height / 2);
  });
  const { width = 0, height = 0 } = plan.graph();
  // The words of the ports stand above every line.
  return { width, height, svg: [...lines, ...boxes].join('') };
}

function drawBlock({ id, type, name = id, body }: DrawnBlock): Piece {
  const words = [text(name, 'name'), text(type, 'soft')];
  const least = Math.max(textWidth(name, 'name'), textWidth(type, 'soft')) + 24;
  if (!body) {
    const size = { width: least, height: rowHeight };
    return {
      ...size,
      svg: rect(size, kindOf(type)) + words.map((word, at) => word(size.width / 2, 20 + 16 * at)).join(''),
    };
  }
  const inner = drawGraph(body, 'each');
  const width = Math.max(inner.width + 2 * frame.side, least);
  const size = { width, height: frame.above + inner.height + frame.below };
  const head = words.map((word, at) => word(width / 2, 18 + 15 * at)).join('');
  const inside = moved(inner.svg, (width - inner.width) / 2, frame.above);
  return { ...size, svg: `${rect(size, 'body')}${head}<g class="inside">${inside}</g>` };
}

function kindOf(type: string): string {
  if (type === 'human') return 'person';
  if (type === 'response') return 'end';
  return isEffectType(type) ? 'call' : 'box';
}

const textWidth = (value: string, kind: keyof typeof letter): number => value.length * letter[kind];

const text = (value: string, kind: string) => (x: number, y: number) =>
  `<text class="${kind}" x="${rounded(x)}" y="${rounded(y)}" text-anchor="middle">${escaped(value)}</text>\n`;

const rect = ({ width, height }: { width: number; height: number }, kind: string): string =>
  `<rect class="${kind}" width="${rounded(width)}" height="${rounded(height)}" rx="5"/>\n`;

const pill = ({ width, height }: Piece, value: string): string =>
  `<rect class="box" width="${width}" height="${height}" rx="${height / 2}"/>\n${text(value, 'soft')(width / 2, height / 2 + 4)}`;

function portText(port: string, { x = 0, y = 0 }: Partial<Point>): string {
  return text(port, 'soft port')(x, y + 4);
}

/** A line through the points with round corners, so that it stays clear of the boxes as it was laid out. Ways behind a failure are dashed. */
function drawEdge(points: Point[], port: string | undefined): string {
  const at = ({ x, y }: Point) => `${rounded(x)} ${rounded(y)}`;
  const [first = { x: 0, y: 0 }, ...rest] = points;
  const last = rest.pop() ?? first;
  const bends = rest.map((corner, i) => {
    const [before, after] = [rest[i - 1] ?? first, rest[i + 1] ?? last];
    return `L${at(towards(corner, before))}Q${at(corner)} ${at(towards(corner, after))}`;
  });
  const kind = port === 'error' || port === 'expired' ? 'line failed' : 'line';
  return `<path class="${kind}" d="M${at(first)}${bends.join('')}L${at(last)}" marker-end="url(#arrow)"/>\n`;
}

/** The point where a round corner begins: on the way to another point, and at most half of that way. */
function towards(corner: Point, other: Point): Point {
  const [dx, dy] = [other.x - corner.x, other.y - corner.y];
  const part = Math.min(0.5, 24 / Math.max(1, Math.hypot(dx, dy)));
  return { x: corner.x + dx * part, y: corner.y + dy * part };
}

const moved = (svg: string, x: number, y: number): string =>
  `<g transform="translate(${rounded(x)} ${rounded(y)})">\n${svg}</g>\n`;

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
