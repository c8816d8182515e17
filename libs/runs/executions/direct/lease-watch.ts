import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import * as sql from './direct-runs.sql.ts';

/** A lease that was not renewed for so long, in milliseconds, has run out. */
const leaseMs = 10_000;

/** Watches the leases of processes that own runs. It compares beats with each other and with its own time, so no clock of another counts. */
@Injectable()
export class LeaseWatch {
  /** By process: its last beat, and for how long this process has seen it unchanged. */
  private beats = new Map<string, { beat: string | null; forMs: number }>();
  private lookedAtMs = -Infinity;

  constructor(private readonly database: Database) {}

  /** Returns the processes that have ended their lease, or whose beat has not changed for ten seconds. */
  async findLost(readMs = () => performance.now()): Promise<string[]> {
    // After an outage, or a pause of this process, most of the time since the last look says nothing about others.
    const passedMs = Math.min(readMs() - this.lookedAtMs, leaseMs / 2);
    const owners = await this.database.system<{ processId: string; beat: string | null }>(sql.findOwners);
    this.lookedAtMs = readMs();
    this.beats = new Map(
      owners.map(({ processId, beat }) => {
        const seen = this.beats.get(processId);
        return [processId, { beat, forMs: seen?.beat === beat ? seen.forMs + passedMs : 0 }];
      }),
    );
    return [...this.beats].flatMap(([processId, { beat, forMs }]) =>
      beat === '-infinity' || forMs >= leaseMs ? [processId] : [],
    );
  }
}
