import type { LooseEdge } from './wiring.ts';

/**
 * Tells which blocks of a graph one run can never visit both. A block is left by one of its ports, so blocks that
 * only one port leads to exclude blocks that only another leads to.
 */
export class Exclusive {
  private readonly index = new Map<string, number>([['start', 0]]);
  private readonly out: { to: number; port: string }[][] = [[]];
  /** For each block with several ports, for each port: 1 for each block that can be reached when the port is taken. */
  private readonly reached: Uint8Array[][];

  constructor(edges: LooseEdge[]) {
    for (const { from, to, port } of edges)
      this.out[this.indexOf(from)]?.push({ to: this.indexOf(to), port });
    this.reached = this.out.flatMap((links, block) => {
      const ports = [...new Set(links.map(({ port }) => port))];
      return ports.length > 1 ? [ports.map((port) => this.reachedBy(block, port))] : [];
    });
  }

  /** True when some block has several ports and none of them leads to both. */
  excludes(one: string, other: string): boolean {
    const [a, b] = [this.indexOf(one), this.indexOf(other)];
    for (const ports of this.reached) {
      let both = false;
      for (const reached of ports) both ||= reached[a] === 1 && reached[b] === 1;
      if (!both) return true;
    }
    return false;
  }

  private reachedBy(chooser: number, taken: string): Uint8Array {
    const reached = new Uint8Array(this.out.length);
    const open = [0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to, port } of this.out[at] ?? []) {
        if (reached[to] === 1 || (at === chooser && port !== taken)) continue;
        reached[to] = 1;
        open.push(to);
      }
    }
    return reached;
  }

  private indexOf(id: string): number {
    const known = this.index.get(id);
    if (known !== undefined) return known;
    this.index.set(id, this.out.length);
    return this.out.push([]) - 1;
  }
}
