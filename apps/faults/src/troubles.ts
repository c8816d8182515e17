import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Chance } from './chance.ts';
import { written } from './kinds.ts';
import { type Part, parts, type Product, programs } from './product.ts';

const hitsARound = 3;
/** The numbers of the rounds with the full disk and with the absent database. Each happens once. */
const [fullRound, awayRound] = [1, 4];
/** The table is held in each round whose number has this remainder after division by six. */
const heldRound = 2;

/** The number of troubles of each kind. */
export interface Troubles {
  kills: Partial<Record<Part, number>>;
  /** The number of SIGTERMs. The process starts again each time. */
  terms: Partial<Record<Part, number>>;
  /** The number of times that Postgres found its disk full; null where the disk cannot be filled. */
  refusedSpace: number | null;
  /** The seconds without a database, and the kills of Postgres in that time. */
  away: { seconds: number; kills: number };
  held: { times: number; seconds: number };
}

export interface TroubleOptions {
  awayMs: number;
  heldMs: number;
}

/** Breaks something in each round. */
export class Breaker {
  readonly counts: Troubles = {
    kills: {},
    terms: {},
    refusedSpace: null,
    away: { seconds: 0, kills: 0 },
    held: { times: 0, seconds: 0 },
  };

  constructor(
    private readonly product: Product,
    private readonly chance: Chance,
    private readonly options: TroubleOptions,
  ) {}

  /** Breaks something. Resolves when this round breaks nothing more. */
  async breakIn(round: number): Promise<void> {
    if (round === fullRound) return this.fillDisk();
    if (round === awayRound) return this.keepDatabaseAway();
    if (round % 6 === heldRound) return this.holdTable();
    return this.hit();
  }

  /** Sends SIGTERM to one process, then SIGKILL to others. */
  private async hit(): Promise<void> {
    for (let hit = 0; hit < hitsARound; hit++) {
      await pause(this.chance.between(100, 2500));
      if (hit === 0) this.send(this.chance.of(programs), 'SIGTERM');
      else {
        const first = this.chance.of(parts);
        const second = this.chance.next() < 0.25 ? this.chance.of(parts) : first;
        for (const part of new Set([first, second])) this.send(part, 'SIGKILL');
      }
    }
  }

  private send(part: Part, signal: 'SIGKILL' | 'SIGTERM'): boolean {
    if (!this.product.signal(part, signal)) return false;
    const counts = signal === 'SIGKILL' ? this.counts.kills : this.counts.terms;
    counts[part] = (counts[part] ?? 0) + 1;
    return true;
  }

  private async fillDisk(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    this.counts.refusedSpace = await this.product.fillDisk();
  }

  /** Kills Postgres whenever it runs again, before it has recovered. */
  private async keepDatabaseAway(): Promise<void> {
    await pause(this.chance.between(100, 2500));
    const { away } = this.counts;
    const begun = performance.now();
    while (performance.now() - begun < this.options.awayMs) {
      if (this.send('postgres', 'SIGKILL')) away.kills += 1;
      await pause(20);
    }
    away.seconds += Math.round((performance.now() - begun) / 1000);
  }

  /** Locks the row of the table that all runs and imports write to, like another writer. */
  private async holdTable(): Promise<void> {
    await pause(this.chance.between(100, 1000));
    const client = new Client({ connectionString: this.product.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select from tables where name = $1 for update', [written.name]);
      await pause(this.options.heldMs);
      await client.query('rollback');
    } finally {
      await client.end();
    }
    this.counts.held.times += 1;
    this.counts.held.seconds += Math.round(this.options.heldMs / 1000);
  }
}
