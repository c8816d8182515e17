interface Places {
  taken: number;
  waiting: Set<() => void>;
}

/**
 * A key whose work takes longer than `afterMs` has only `most` places for the next `forMs`, unless it is alone: while no work of another key
 * was there in that time, nobody gains from its waiting.
 */
export interface SlowBound {
  most: number;
  afterMs: number;
  forMs: number;
}

/**
 * Lets at most `most` pieces of work of one key run at the same time in this process. Others wait in line for `waitMs` at most, and
 * `waitingMax` of them; whoever waits longer, or finds the line full, gets the error that `refuse` makes.
 */
export class KeyedSemaphore {
  private readonly keys = new Map<string, Places>();
  /** When work of a key was last slow, and when a key last began work; both in the milliseconds of `now`. */
  private readonly slowAt = new Map<string, number>();
  private readonly begunAt = new Map<string, number>();
  private readonly now: () => number;

  constructor(
    private readonly bounds: {
      most: number;
      waitMs: number;
      waitingMax?: number;
      slow?: SlowBound;
      now?: () => number;
      refuse(): Error;
    },
  ) {
    this.now = bounds.now ?? (() => performance.now());
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const places = this.keys.get(key) ?? { taken: 0, waiting: new Set() };
    this.keys.set(key, places);
    if (places.taken >= this.mostOf(key)) await this.wait(places);
    else places.taken += 1;
    const begunAt = this.noteBegin(key);
    try {
      return await work();
    } finally {
      this.noteEnd(key, begunAt);
      places.taken -= 1;
      const most = this.mostOf(key);
      while (places.taken < most && places.waiting.size > 0) {
        const [next] = places.waiting;
        places.taken += 1;
        next?.();
      }
      if (places.taken === 0) this.keys.delete(key);
    }
  }

  private mostOf(key: string): number {
    const { most, slow } = this.bounds;
    const slowAt = this.slowAt.get(key);
    if (!slow || slowAt === undefined) return most;
    const since = this.now() - slow.forMs;
    if (slowAt < since) {
      this.slowAt.delete(key);
      return most;
    }
    for (const [other, at] of this.begunAt) {
      if (other === key) continue;
      if (at >= since) return slow.most;
      this.begunAt.delete(other);
    }
    return most;
  }

  private noteBegin(key: string): number {
    const at = this.now();
    if (!this.bounds.slow) return at;
    // The newest stands last, so that what has become old is found first.
    this.begunAt.delete(key);
    this.begunAt.set(key, at);
    const [oldest] = this.begunAt;
    if (oldest && oldest[1] < at - this.bounds.slow.forMs) this.begunAt.delete(oldest[0]);
    return at;
  }

  private noteEnd(key: string, begunAt: number): void {
    const { slow } = this.bounds;
    const at = this.now();
    if (slow && at - begunAt > slow.afterMs) this.slowAt.set(key, at);
  }

  private wait({ waiting }: Places): Promise<void> {
    const { waitMs, waitingMax = Infinity, refuse } = this.bounds;
    if (waiting.size >= waitingMax) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(refuse());
      }, waitMs);
      waiting.add(enter);
    });
  }
}
