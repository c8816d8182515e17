import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { Settings } from '#libs/settings/settings';

/** Small enough that one statement stays far below the statement time-out, cascades included. */
const batch = 100;
/**
 * The most batches of one turn; the rest waits for the next turn, so that a backlog never keeps the disk busy for
 * long.
 */
const batchesMax = 50;

/**
 * Deletes executions some time after their end, with everything that belongs to them: payloads, block log, pauses,
 * answers.
 */
@Injectable()
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /**
   * Runs one turn and returns how many executions were deleted. Any number of processes may take turns at the same
   * time.
   */
  async turn(size = batch): Promise<number> {
    const { retentionMs } = this.settings;
    if (retentionMs === null) return 0;
    let deleted = 0;
    for (let round = 0; round < batchesMax; round++) {
      const rows = await this.database.system<{ id: string }>(forget, [retentionMs / 1000, size]);
      deleted += rows.length;
      if (rows.length < size) break;
    }
    return deleted;
  }
}

/**
 * Payloads are deleted with their execution and never sooner, also those that an attempt stored and no record
 * names, because a run's state in Temporal may name a payload that no row names. The status is checked again under
 * the lock: a reset may have opened the execution in between. Usage stays, because it is booked.
 */
const forget = /* sql */ `
delete from executions where id in (
  select id from executions
  where status in ('completed', 'failed', 'cancelled') and completed_at < now() - make_interval(secs => $1)
  order by completed_at limit $2 for update skip locked
) returning id`;
