import { LRUCache } from 'lru-cache';

/** A cached value, with times by `performance.now()`. It is fresh until `freshUntilMs`. Until `staleAtMs` callers still get it while a new value is read. */
export interface StaleValue {
  freshUntilMs: number;
  staleAtMs: number;
}

const rememberedMax = 10_000;

/** A cache by key that serves a stale value while it reads a new one. Many callers share one read, and few of them wait for it. */
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
