import { LRUCache } from 'lru-cache';

const hourMs = 3_600_000;
const rememberedMax = 10_000;

/** Limits how many entries this process appends to audit logs in an hour, for each key. */
export class HourlyQuota {
  private readonly entries = new LRUCache<string, { since: number; count: number }>({ max: rememberedMax });

  constructor(private readonly most: number) {}

  /** Takes one entry of the quota and returns 0. When none is left, returns the seconds until there is one. */
  takeOne(key: string): number {
    const now = performance.now();
    const before = this.entries.get(key);
    const entry = before && now - before.since < hourMs ? before : { since: now, count: 0 };
    if (entry.count >= this.most) return Math.ceil((entry.since + hourMs - now) / 1000);
    this.entries.set(key, { ...entry, count: entry.count + 1 });
    return 0;
  }
}
