import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database/database';
import { queryCancelled, sqlState } from '#libs/database/violations';
import { Settings } from '#libs/settings/settings';

/** Executions of one statement. Runs with many visits may need longer than the statement time-out: then fewer are taken. */
const batch = 200;
/** How long one turn may go on, in milliseconds. */
const turnMs = 45_000;

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
   * Deletes until nothing is left to delete or the time of the turn is over, and returns how many executions it deleted. Any
   * number of processes may take turns at the same time.
   */
  async turn(size = batch): Promise<number> {
    const { retentionMs } = this.settings;
    if (retentionMs === null) return 0;
    const endsAtMs = performance.now() + turnMs;
    let deleted = 0;
    for (let most = size; performance.now() < endsAtMs;) {
      const found = await this.forget(retentionMs, most);
      if (found === 'too many') most = Math.ceil(most / 10);
      else deleted += found;
      if (typeof found === 'number' && found < most) break;
    }
    return deleted;
  }

  private async forget(retentionMs: number, most: number): Promise<number | 'too many'> {
    try {
      return (await this.database.system(forget, [retentionMs / 1000, most])).length;
    } catch (error) {
      if (most > 1 && sqlState(error) === queryCancelled) return 'too many';
      throw error;
    }
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
