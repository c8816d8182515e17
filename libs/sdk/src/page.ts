/** One page of a list. `for await` over it gives its items and those of all pages behind it. */
export class Page<T, Body = unknown> implements AsyncIterable<T> {
  constructor(
    readonly items: T[],
    /** The whole answer: totals and what else stands beside the items. */
    readonly body: Body,
    readonly nextCursor: string | undefined,
    private readonly next: (() => Promise<Page<T, Body>>) | undefined,
  ) {}

  hasNextPage(): boolean {
    return this.next !== undefined;
  }

  /** The page behind this one; null when this is the last. */
  async getNextPage(): Promise<Page<T, Body> | null> {
    return this.next ? await this.next() : null;
  }

  /** This page and each one behind it. */
  async *pages(): AsyncGenerator<Page<T, Body>> {
    yield this;
    for (let page = await this.getNextPage(); page; page = await page.getNextPage()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const page of this.pages()) yield* page.items;
  }

  /** All items, at most `limit` of them. */
  async toArray(limit = Infinity): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) if (items.push(item) >= limit) break;
    return items;
  }
}
