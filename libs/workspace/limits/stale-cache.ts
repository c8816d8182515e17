import { LRUCache } from 'lru-cache';

/** Fresh until `freshUntilMs`. Until `staleAtMs` the old value is returned while a new one is read. */
export interface StaleValue {
  freshUntilMs: number;
  staleAtMs: number;
}

const rememberedMax = 10_000;

/** Values that were read a moment ago, by key. Many callers cause one read, and few of them wait for it. */
export class StaleCache<T extends StaleValue> {
  private readonly known = new LRUCache<string, T>({ max: rememberedMax });
  private readonly reading = new Map<string, Promise<T>>();

  constructor(private readonly read: (key: string) => Promise<T>) {}

  async recent(key: string): Promise<T> {
    const known = this.known.get(key);
    const now = performance.now();
    if (known && now <= known.freshUntilMs) return known;
    const next = this.refresh(key);
    if (!known || now > known.staleAtMs) return next;
    // This caller gets the old value and does not wait; the next caller gets the new one.
    next.catch(() => undefined);
    return known;
  }

  /** The last value, however old. */
  last(key: string): T | undefined {
    return this.known.get(key);
  }

  private refresh(key: string): Promise<T> {
    const underWay = this.reading.get(key);
    if (underWay) return underWay;
    const reading = this.read(key)
      .then((value) => {
        this.known.set(key, value);
        return value;
      })
      .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }
}
