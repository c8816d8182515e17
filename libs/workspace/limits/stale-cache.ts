/** How long what was looked up serves: until the first moment without a new look, and until the second while one is under way. */
export interface StaleValue {
  freshUntilMs: number;
  staleAtMs: number;
}

const rememberedMax = 10_000;

/** What was looked up a moment ago, by key: many callers cause one look, and few of them wait for it. */
export class StaleCache<T extends StaleValue> {
  private readonly known = new Map<string, T>();
  private readonly looking = new Map<string, Promise<T>>();

  constructor(private readonly read: (key: string) => Promise<T>) {}

  async recent(key: string): Promise<T> {
    const known = this.known.get(key);
    const now = performance.now();
    if (known && now <= known.freshUntilMs) return known;
    const look = this.refresh(key);
    if (!known || now > known.staleAtMs) return look;
    // The one who notices that it is old does not wait for the new one; the next one has it.
    look.catch(() => undefined);
    return known;
  }

  /** The last one, however old. */
  last(key: string): T | undefined {
    return this.known.get(key);
  }

  private refresh(key: string): Promise<T> {
    const under = this.looking.get(key);
    if (under) return under;
    const looked = this.read(key)
      .then((look) => {
        if (this.known.size >= rememberedMax) this.known.clear();
        this.known.set(key, look);
        return look;
      })
      .finally(() => this.looking.delete(key));
    this.looking.set(key, looked);
    return looked;
  }
}
