import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { Settings } from '#libs/settings/settings';

/** Small enough that one statement stays far below the time-out of statements, cascades included. */
const batch = 100;
/** So many batches a turn; what is left waits for the next turn, so that a backlog never holds the disk for long. */
const batchesMax = 50;

/** Forgets executions a while after their end, with all that hangs on them: payloads, block log, pauses, answers. */
@Injectable()
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** One turn. Answers how many executions went. Any number of processes may take turns at the same time. */
  async turn(size = batch): Promise<number> {
    const { retentionMs } = this.settings;
    if (retentionMs === null) return 0;
    let gone = 0;
    for (let round = 0; round < batchesMax; round++) {
      const rows = await this.database.system<{ id: string }>(forget, [retentionMs / 1000, size]);
      gone += rows.length;
      if (rows.length < size) break;
    }
    return gone;
  }
}

/**
 * Payloads have no life of their own: also those that an attempt stored and no record names go with their execution,
 * never sooner, for a run's state in Temporal may name what no row names. The status is asked again under the lock: a
 * reset may have opened the execution meanwhile. Usage stays, it is booked.
 */
const forget = /* sql */ `
delete from executions where id in (
  select id from executions
  where status in ('completed', 'failed', 'cancelled') and completed_at < now() - make_interval(secs => $1)
  order by completed_at limit $2 for update skip locked
) returning id`;
