import type { Graph } from './graph.ts';

export interface Box {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  boxes: Box[];
  width: number;
  height: number;
}

const leaf = { width: 224, height: 56 };
const gap = { x: 24, y: 44 };
/** Of a container: around its body, and above it for its name. */
const padding = 16;
export const headHeight = 52;

interface Sized {
  id: string;
  width: number;
  height: number;
  inner: Layout | null;
}

/**
 * Places the blocks in layers from the top down: each stands below all that lead to it. Within a layer they keep the order of what
 * leads to them, so that ways cross less. The body of a container is laid out inside of it.
 */
export function layoutOf({ blocks, edges }: Graph, container: string | null = null): Layout {
  const own = blocks.filter((block) => block.container === container).map(({ id }) => id);
  if (container === null) own.unshift('start');
  const isContainer = new Set(blocks.map((block) => block.container));
  const before = new Map<string, string[]>(own.map((id) => [id, []]));
  for (const { from, to } of edges) before.get(to)?.push(from);
  const layers = layersOf(own, before);
  const rows = layers.map((ids) =>
    ids.map((id): Sized => {
      const inner = isContainer.has(id) ? layoutOf({ blocks, edges }, id) : null;
      return { id, inner, ...sizeOf(inner) };
    }),
  );
  return placed(rows, before);
}

function sizeOf(inner: Layout | null): { width: number; height: number } {
  if (!inner) return leaf;
  const width = Math.max(leaf.width, inner.width + 2 * padding);
  return { width, height: inner.height + headHeight + padding };
}

/** The plan lists every block after those that lead to it. */
function layersOf(ids: string[], before: Map<string, string[]>): string[][] {
  const layerOf = new Map<string, number>();
  const layers: string[][] = [];
  for (const id of ids) {
    const layer = Math.max(-1, ...(before.get(id) ?? []).map((from) => layerOf.get(from) ?? -1)) + 1;
    layerOf.set(id, layer);
    (layers[layer] ??= []).push(id);
  }
  return layers;
}

function placed(rows: Sized[][], before: Map<string, string[]>): Layout {
  const widthOf = (row: Sized[]) => row.reduce((sum, { width }) => sum + width + gap.x, -gap.x);
  const width = Math.max(0, ...rows.map(widthOf));
  const boxes: Box[] = [];
  const middle = new Map<string, number>();
  let y = 0;
  for (const row of rows) {
    let x = (width - widthOf(row)) / 2;
    for (const { id, inner, ...size } of inOrder(row, before, middle)) {
      boxes.push({ id, x, y, ...size });
      middle.set(id, x + size.width / 2);
      const left = x + (size.width - (inner?.width ?? 0)) / 2;
      for (const box of inner?.boxes ?? [])
        boxes.push({ ...box, x: box.x + left, y: box.y + y + headHeight });
      x += size.width + gap.x;
    }
    y += Math.max(...row.map(({ height }) => height)) + gap.y;
  }
  return { boxes, width, height: Math.max(0, y - gap.y) };
}

/** By the mean place of what leads to each. */
function inOrder(row: Sized[], before: Map<string, string[]>, middle: Map<string, number>): Sized[] {
  const placeOf = ({ id }: Sized) => {
    const places = (before.get(id) ?? []).flatMap((from) => middle.get(from) ?? []);
    return places.reduce((sum, one) => sum + one, 0) / Math.max(1, places.length);
  };
  return row.toSorted((a, b) => placeOf(a) - placeOf(b));
}
