import {
  type Drawing,
  type PlacedBlock,
  type PlacedEdge,
  placeGraph,
} from '#libs/platform/drawing/graph-layout';
import { pathThrough } from '#libs/platform/drawing/path';
import { cutText } from '#libs/platform/text/whole-text';
import { markup, type Html } from '../http/html.ts';
import type { RunGraph, GraphBlock } from './graph.ts';
import { formatSpan } from './spans.ts';

const margin = 12;
/** The number of characters that fit into a box. */
const nameMax = 28;
const stateMax = 36;
/** The most blocks and edges that a request may place: some 100 ms. */
const drawnMax = 400;

const words: Record<string, string> = { 'not visited': 'not', completed: 'done' };

/**
 * The graph as a picture. Its blocks are links to their lines in the table below. Null when the graph takes too long to
 * place.
 */
export function graphSvg(graph: RunGraph): Html | null {
  if (graph.blocks.length + graph.edges.length > drawnMax) return null;
  return drawSvg(
    placeGraph(graph.blocks, graph.edges),
    new Map(graph.blocks.map((block) => [block.id, block])),
  );
}

function drawSvg({ blocks, edges, width, height }: Drawing, blocksById: Map<string, GraphBlock>): Html {
  const [w, h] = [Math.ceil(width) + 2 * margin, Math.ceil(height) + 2 * margin];
  const boxes = blocks.map((box) => {
    const block = blocksById.get(box.id);
    return block ? drawBox(block, box) : drawStart(box);
  });
  // Edges are above the boxes of containers, and no edge runs behind a block, so the drawing order hides nothing.
  return markup`<svg class="graph" role="group" aria-label="Blocks" width="${w}" height="${h}" viewBox="${-margin} ${-margin} ${w} ${h}">
<defs>${['way', 'taken'].map(drawHead)}</defs>${boxes}${edges.map(drawWay)}${edges.map(drawPort)}</svg>`;
}

const drawHead = (kind: string): Html =>
  markup`<marker id="head-${kind}" class="head ${kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0L10,5L0,10Z"/></marker>`;

function drawWay({ points, taken }: PlacedEdge): Html {
  const kind = taken === true ? 'taken' : 'way';
  return markup`<path class="way ${kind}" d="${pathThrough(points)}" marker-end="url(#head-${kind})"/>`;
}

function drawPort({ text, port, label }: PlacedEdge): Html | false {
  if (text === '') return false;
  const whole = text !== port && markup`<title>${port}</title>`;
  return markup`<text class="port" x="${round(label.x)}" y="${round(label.y + 4)}" text-anchor="middle">${whole}${text}</text>`;
}

function drawStart({ x, y, width, height }: PlacedBlock): Html {
  return markup`<rect class="box done" x="${round(x)}" y="${round(y)}" width="${width}" height="${height}" rx="${height / 2}"/><text x="${round(x + width / 2)}" y="${round(y + height / 2 + 5)}" text-anchor="middle">start</text>`;
}

function drawBox(block: GraphBlock, box: PlacedBlock): Html {
  const { name, type, status, visits } = block;
  const counted = visits > 1 ? formatCounts(block) : status;
  const [x, y] = [round(box.x), round(box.y)];
  const state = [type, counted, visits > 1 ? '' : formatSpan(block)].filter(Boolean).join(' · ');
  const inside = markup`<title>${name}: ${state}</title><rect class="box ${words[status] ?? status}" x="${x}" y="${y}" width="${round(box.width)}" height="${round(box.height)}" rx="6"/><text x="${x + 12}" y="${y + 24}">${cut(name)}</text><text class="state-of" x="${x + 12}" y="${y + 45}">${cut(state, stateMax)}</text>`;
  return visits > 0 ? markup`<a href="#block-${block.id}">${inside}</a>` : markup`<g>${inside}</g>`;
}

/** Important states come first, because the end of a long line is cut. */
const order = ['failed', 'running', 'paused', 'completed', 'cancelled', 'expired'];

/** The number of visits in each state, such as `2 failed, 18 completed`. */
export function formatCounts({ states }: Pick<GraphBlock, 'states'>): string {
  const getWeight = (state: string) => (order.indexOf(state) + order.length + 1) % (order.length + 1);
  return Object.entries(states)
    .toSorted(([a], [b]) => getWeight(a) - getWeight(b))
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

export function cut(text: string, charsMax = nameMax): string {
  return [...text].length > charsMax ? cutText(text, charsMax - 1, '…') : text;
}

const round = (value: number): number => Math.round(value * 10) / 10;
