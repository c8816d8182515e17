import type { PlanGraph } from '#libs/language/definition/plan';

/**
 * Orders visits as the definition does: each block after all that lead to it, a container before the blocks in it,
 * passes by number. For parallel blocks no other order is the same each time.
 */
export function inOrder<T extends { path: string }>(plan: PlanGraph, visits: T[]): T[] {
  const places = indexBlocks(plan);
  const keyed = visits.map((visit) => ({ visit, key: keyOf(visit.path, places) }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ visit }) => visit);
}

/** The frames of a pass: `each[1]/fan[0]` is the first branch of `fan` in the second pass of `each`. */
function keyOf(path: string, places: Map<string, number>): number[] {
  const [id = '', frames = ''] = path.split('@');
  const place = (name = '') => places.get(name) ?? 0;
  const outer = frames.split('/').flatMap((frame) => {
    const [, name, index] = /^([^[]+)\[(\d+)\]$/.exec(frame) ?? [];
    return name === undefined ? [] : [place(name), Number(index)];
  });
  return [...outer, place(id)];
}

function compareKeys(a: number[], b: number[]): number {
  const at = a.findIndex((place, i) => place !== b[i]);
  if (at === -1) return a.length - b.length;
  return (a[at] ?? 0) - (b[at] ?? -1);
}

function indexBlocks({ blocks }: PlanGraph): Map<string, number> {
  const own = blocks.map(({ id, index }): [string, number] => [id, index]);
  return new Map([...own, ...blocks.flatMap(({ body }) => (body ? [...indexBlocks(body)] : []))]);
}
