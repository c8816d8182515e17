/** The two ends of an edge, all that the functions here need. */
export interface Link {
  from: string;
  to: string;
}

/**
 * Orders blocks so that each comes after all that lead to it; where the graph leaves a choice, the block declared
 * first comes first. Blocks on a cycle, and those after it, are left out.
 */
export function order<T extends { id: string }>(blocks: T[], links: Link[]): T[] {
  const index = new Map(blocks.map((block, i) => [block.id, i]));
  const left = blocks.map(() => 0);
  const next: number[][] = blocks.map(() => []);
  for (const { from, to } of links) {
    const target = index.get(to);
    const source = index.get(from);
    if (target === undefined || source === undefined) continue;
    left[target] = (left[target] ?? 0) + 1;
    next[source]?.push(target);
  }
  const ready = new Queue();
  left.forEach((count, i) => count === 0 && ready.push(i));
  const sorted: T[] = [];
  for (let at = ready.shift(); at !== undefined; at = ready.shift()) {
    const block = blocks[at];
    if (block) sorted.push(block);
    for (const target of next[at] ?? []) {
      const rest = (left[target] ?? 0) - 1;
      left[target] = rest;
      if (rest === 0) ready.push(target);
    }
  }
  return sorted;
}

/** A queue of indexes that gives the smallest first. */
class Queue {
  private readonly items: number[] = [];

  push(item: number): void {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle] ?? 0) < item) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
  }

  shift(): number | undefined {
    return this.items.shift();
  }
}

/** The ids that can be reached from `start` along the links. */
export function reachable(links: Link[], start = 'start'): Set<string> {
  const next = groupTargets(links);
  const seen = new Set<string>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}

function groupTargets(links: Link[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to } of links) {
    const known = targets.get(from);
    if (known) known.push(to);
    else targets.set(from, [to]);
  }
  return targets;
}
