import { markup, type Html } from '../http/html.ts';
import type { Graph, GraphBlock, GraphEdge } from './graph.ts';
import { type Box, layoutOf } from './layout.ts';
import { spanOf } from './spans.ts';

const margin = 12;
/** Characters that fit into a box. */
const nameMax = 26;
const stateMax = 32;

const words: Record<string, string> = { 'not visited': 'not', completed: 'done' };

/** The graph as a picture whose blocks are links to their lines in the table below. */
export function graphSvg(graph: Graph): Html {
  const { boxes, width, height } = layoutOf(graph);
  const at = new Map(boxes.map((box) => [box.id, box]));
  const [w, h] = [width + 2 * margin, height + 2 * margin];
  return markup`<svg class="graph" role="group" aria-label="Blocks" width="${w}" height="${h}" viewBox="${-margin} ${-margin} ${w} ${h}">
${graph.edges.map((edge) => wayOf(edge, at))}${startOf(at.get('start'))}${graph.blocks.map((block) => boxOf(block, at.get(block.id)))}</svg>`;
}

function wayOf({ from, to, port, taken }: GraphEdge, at: Map<string, Box>): Html | false {
  const [a, b] = [at.get(from), at.get(to)];
  if (!a || !b) return false;
  const [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y];
  const half = (y1 + y2) / 2;
  const label =
    port !== 'out' && markup`<text class="port" x="${(x1 + x2) / 2 + 6}" y="${half}">${cut(port)}</text>`;
  return markup`<path class="${taken ? 'way taken' : 'way'}" d="M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2}"/>${label}`;
}

function startOf(box: Box | undefined): Html | false {
  if (!box) return false;
  const { x, y, width, height } = box;
  return markup`<rect class="box done" x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}"/><text x="${x + width / 2}" y="${y + 33}" text-anchor="middle">start</text>`;
}

function boxOf(block: GraphBlock, box: Box | undefined): Html | false {
  if (!box) return false;
  const { name, type, status, visits } = block;
  const counted = visits > 1 ? countsOf(block) : status;
  const { x, y, width, height } = box;
  const state = [type, counted, spanOf(block)].filter(Boolean).join(' · ');
  const inside = markup`<title>${name}: ${state}</title><rect class="box ${words[status] ?? status}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/><text x="${x + 12}" y="${y + 23}">${cut(name)}</text><text class="state-of" x="${x + 12}" y="${y + 43}">${cut(state, stateMax)}</text>`;
  return visits > 0 ? markup`<a href="#block-${block.id}">${inside}</a>` : markup`<g>${inside}</g>`;
}

/** How often the block came to each state, as `18 completed, 2 failed`. */
export function countsOf({ states }: Pick<GraphBlock, 'states'>): string {
  return Object.entries(states)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

function cut(text: string, most = nameMax): string {
  return [...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text;
}
