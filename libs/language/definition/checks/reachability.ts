import { kindOf } from '../blocks/registry.ts';
import { order } from '../graph.ts';

import type { LooseBlock, LooseEdge } from './wiring.ts';

interface Incoming {
  from: number;
  sure: boolean;
}

/** Tells which blocks come before which, and which of them have surely run. Has no data about blocks on a cycle. */
export class Reachability {
  private readonly sorted: LooseBlock[];
  private readonly index: Map<string, number>;
  private readonly incoming: Incoming[][];
  private readonly before: Uint32Array[] = [];
  private readonly sureBefore = new Map<number, Uint32Array>();
  private readonly words: number;

  constructor(blocks: LooseBlock[], edges: LooseEdge[]) {
    this.sorted = order(blocks, edges);
    this.words = (this.sorted.length + 31) >> 5;
    this.index = new Map(this.sorted.map(({ id }, i) => [id, i]));
    this.incoming = this.sorted.map(() => []);
    const failing = new Set(edges.flatMap(({ from, port }) => (port === 'error' ? [from] : [])));
    for (const { from, to, port } of edges) {
      const source = from === 'start' ? -1 : this.index.get(from);
      const target = this.index.get(to);
      if (source === undefined || target === undefined) continue;
      const sure = source < 0 || (port === 'out' && !failing.has(from) && !branches(this.sorted[source]));
      this.incoming[target]?.push({ from: source, sure });
    }
    this.sorted.forEach((_, i) => this.before.push(this.findAncestors(i)));
  }

  /** True when the two questions below have an answer for the block. */
  knows(id: string): boolean {
    return this.index.has(id);
  }

  /** True when some path of edges leads from the one to the other. */
  leads(from: string, to: string): boolean {
    const [earlier, later] = [this.index.get(from), this.index.get(to)];
    return earlier !== undefined && later !== undefined && has(this.before[later], earlier);
  }

  /** True when the earlier block has run whenever the later one runs. */
  surely(earlierId: string, laterId: string): boolean {
    const [earlier, later] = [this.index.get(earlierId), this.index.get(laterId)];
    return earlier !== undefined && later !== undefined && has(this.findCertain(later), earlier);
  }

  private findAncestors(i: number): Uint32Array {
    const set = new Uint32Array(this.words);
    for (const { from } of this.incoming[i] ?? []) if (from >= 0) include(set, this.before[from], from);
    return set;
  }

  /**
   * Returns the blocks that have certainly run before the target, because they ran on every path to it. Blocks that
   * always run with such a block, and come before it, have run too.
   */
  private findCertain(target: number): Uint32Array {
    // Runs in topological order, so that everything before is computed already and nothing recurses.
    for (let i = 0; i <= target; i++) if (!this.sureBefore.has(i)) this.sureBefore.set(i, this.sureAt(i));
    return this.sureBefore.get(target) ?? new Uint32Array(this.words);
  }

  private sureAt(i: number): Uint32Array {
    const incoming = this.incoming[i] ?? [];
    const sure = new Uint32Array(this.words).fill(incoming.length ? 0xffffffff : 0);
    for (const { from } of incoming) {
      const along = new Uint32Array(this.words);
      if (from >= 0) include(along, this.sureBefore.get(from), from);
      along.forEach((word, w) => (sure[w] = (sure[w] ?? 0) & word));
    }
    const before = this.before[i];
    for (let earlier = 0; earlier < i; earlier++) {
      if (!has(before, earlier) || has(sure, earlier)) continue;
      const follows = this.incoming[earlier]?.some(
        ({ from, sure: always }) => always && (from < 0 || has(sure, from)),
      );
      if (follows) add(sure, earlier);
    }
    return sure;
  }
}

/** True when a visit that does not fail takes one of several ports. */
function branches(block: LooseBlock | undefined): boolean {
  return !block || kindOf(block.type)?.hasChoice?.(block.raw) === true;
}

function has(set: Uint32Array | undefined, bit: number): boolean {
  return (((set?.[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1;
}

function add(set: Uint32Array, bit: number): void {
  set[bit >> 5] = (set[bit >> 5] ?? 0) | (1 << (bit & 31));
}

function include(set: Uint32Array, others: Uint32Array | undefined, bit: number): void {
  others?.forEach((word, w) => (set[w] = (set[w] ?? 0) | word));
  add(set, bit);
}
