import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { TableRow } from './cells.ts';

const size = 100;
/** Pages that are kept; a person who scrolls through a million rows holds no more of them. */
const mostPages = 30;
/** The time that a place must be visible before its rows are read. A person who drags the bar passes many places. */
const restMs = 60;

export interface ReadRows {
  items: TableRow[];
  totalCount: number;
  nextCursor: string | undefined;
}
export interface RowPlace {
  limit: number;
  offset?: number;
  cursor?: string;
}

/** The rows of a filter. Only the visible rows are read. */
export class RowPages {
  total = $state<number>();
  error = $state.raw<unknown>();
  readonly #pages = new SvelteMap<number, TableRow[]>();
  readonly #cursors = new Map<number, string>();
  readonly #underway = new Map<number, AbortController>();
  readonly #read: (place: RowPlace, signal: AbortSignal) => Promise<ReadRows>;
  #wanted: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(read: (place: RowPlace, signal: AbortSignal) => Promise<ReadRows>) {
    this.#read = read;
  }

  rowAt(index: number): TableRow | undefined {
    return this.#pages.get(Math.floor(index / size))?.[index % size];
  }

  /** Sets the visible rows. Requests for rows that are no longer visible are aborted. */
  want(first: number, last: number): void {
    const from = Math.floor(Math.max(first, 0) / size);
    const to = Math.max(from, Math.floor(last / size));
    this.#wanted = Array.from({ length: to - from + 1 }, (_, n) => from + n);
    for (const [page, ended] of this.#underway) if (!this.#wanted.includes(page)) ended.abort();
    clearTimeout(this.#timer);
    // An effect that calls this must not run again because of its result.
    if (untrack(() => this.total) === undefined) untrack(() => this.#load());
    else this.#timer = setTimeout(() => this.#load(), restMs);
  }

  /** Reads the visible rows again. The old rows stay until the new rows are there. */
  again(): void {
    this.stop();
    this.#cursors.clear();
    for (const page of this.#pages.keys()) if (!this.#wanted.includes(page)) this.#pages.delete(page);
    this.#load(true);
  }

  /** Puts a row that was changed in its place. */
  replace(row: TableRow): void {
    for (const [page, rows] of this.#pages)
      if (rows.some(({ id }) => id === row.id))
        this.#pages.set(
          page,
          rows.map((one) => (one.id === row.id ? row : one)),
        );
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const ended of this.#underway.values()) ended.abort();
    this.#underway.clear();
  }

  #load(isAnew = false): void {
    for (const page of this.#wanted)
      if ((isAnew || !this.#pages.has(page)) && !this.#underway.has(page)) void this.#loadPage(page);
  }

  async #loadPage(page: number): Promise<void> {
    const ended = new AbortController();
    this.#underway.set(page, ended);
    try {
      const { rows, total } = await this.#readPage(page, ended.signal);
      if (ended.signal.aborted) return;
      this.#pages.set(page, rows);
      this.total = total;
      this.error = undefined;
      this.#forget();
    } catch (error) {
      if (!ended.signal.aborted) this.error = error;
    } finally {
      if (this.#underway.get(page) === ended) this.#underway.delete(page);
    }
  }

  /** A page behind a known one is read by its cursor, which costs the same everywhere; another by its offset. */
  async #readPage(page: number, signal: AbortSignal) {
    const rows: TableRow[] = [];
    let total = 0;
    let cursor = this.#cursors.get(page);
    do {
      const place = { limit: size - rows.length, ...(cursor ? { cursor } : { offset: page * size }) };
      const read = await this.#read(place, signal);
      if (signal.aborted) break;
      rows.push(...read.items);
      total = read.totalCount;
      cursor = read.nextCursor;
      // A page of very large rows ends early.
    } while (rows.length < size && cursor);
    if (cursor && !signal.aborted) this.#cursors.set(page + 1, cursor);
    return { rows, total };
  }

  #forget(): void {
    const far = [...this.#pages.keys()].filter((page) => !this.#wanted.includes(page));
    for (const page of far.slice(0, Math.max(0, this.#pages.size - mostPages))) this.#pages.delete(page);
  }
}
