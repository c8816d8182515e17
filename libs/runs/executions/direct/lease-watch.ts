import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import * as sql from './direct-runs.sql.ts';

/** A process is lost when its beat was seen unchanged for so long, in milliseconds. */
const unchangedMsMin = 10_000;
/** The same when its beat is old by the clock of the database too. A process that lives renews its lease in less. */
const oldMsMin = 3000;
/** A pause between two looks counts for no longer, in milliseconds, because others may have stood still with this process. */
const lookMsMax = 1000;

/** A lease at a look: its last beat, and for how long this process has seen it unchanged. */
interface Seen {
  beat: string | null;
  forMs: number;
}

/** Watches the leases of processes. It compares beats with each other and uses its own time, so that a clock that jumps loses no process. */
@Injectable()
export class LeaseWatch {
  private seen = new Map<string, Seen>();
  private lookedAtMs = 0;

  constructor(private readonly database: Database) {}

  /** Returns the lost processes with their last beats, which are null for those that have ended their lease. */
  async findLost(readMs = () => performance.now()): Promise<Map<string, string | null>> {
    const passedMs = Math.min(readMs() - this.lookedAtMs, lookMsMax);
    const before = this.seen;
    // A look that fails has seen nothing: nobody could renew a lease meanwhile.
    this.seen = new Map();
    const leases = await this.database.system<{ processId: string; beat: string | null; isOld: boolean }>(
      sql.findLeases,
    );
    this.lookedAtMs = readMs();
    const lost = new Map<string, string | null>();
    for (const { processId, beat, isOld } of leases) {
      const last = before.get(processId);
      const forMs = last?.beat === beat ? last.forMs + passedMs : 0;
      this.seen.set(processId, { beat, forMs });
      if (forMs >= (isOld ? oldMsMin : unchangedMsMin)) lost.set(processId, beat);
    }
    return lost;
  }
}
