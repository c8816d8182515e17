interface Places {
  taken: number;
  waiting: Set<() => void>;
}

/**
 * Lets at most `most` pieces of work of one key run at the same time in this process. Others wait in line for `waitMs` at most, and
 * `waitingMax` of them; whoever waits longer, or finds the line full, gets the error that `refuse` makes.
 */
export class KeyedSemaphore {
  private readonly keys = new Map<string, Places>();

  constructor(
    private readonly bounds: {
      most: number;
      waitMs: number;
      waitingMax?: number;
      refuse(): Error;
    },
  ) {}

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const places = this.keys.get(key) ?? { taken: 0, waiting: new Set() };
    this.keys.set(key, places);
    if (places.taken >= this.bounds.most) await this.wait(places);
    else places.taken += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in line without ever being free.
      const [next] = places.waiting;
      if (next) next();
      else if (--places.taken === 0) this.keys.delete(key);
    }
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
