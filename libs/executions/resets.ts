import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { Database } from '#libs/database/database';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import type { RunKey, TemporalRun } from '#temporal/activities';
import { recountPauses } from './record.sql.ts';
import * as sql from './resets.sql.ts';

/**
 * An operator who resets a run makes a new Temporal run of the same workflow id, whose history is the old one's up
 * to some event. One Temporal run at a time owns the rows of an execution; only Temporal knows which.
 */
@Injectable()
export class Resets {
  private readonly log = new Logger(Resets.name);

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
  ) {}

  /**
   * Gives the rows to this Temporal run when it is the current one, and puts them back to what its history holds; a
   * finished execution is open again. One that continues the owner of the rows in a new history takes them as they are. False
   * for a run that was replaced: its writes come too late.
   */
  async takeOver(
    { executionId, workspaceId }: RunKey,
    { runId, keptMs: lastRecordAtMs, continuedFrom }: TemporalRun,
  ): Promise<boolean> {
    if ((await this.currentRun(executionId)) !== runId) return false;
    const since = new Date(lastRecordAtMs);
    await this.database.within(workspaceId, async (tx) => {
      const kept: unknown[] = await tx.query(sql.keepRows, [executionId, runId, continuedFrom ?? null]);
      if (kept.length > 0) return;
      const taken: unknown[] = await tx.query(sql.takeRows, [executionId, runId]);
      if (taken.length === 0) return;
      await tx.query(sql.rewindVisits, [executionId, since]);
      await tx.query(sql.rewindPauses, [executionId, since]);
      await tx.query(recountPauses, [executionId, null, null, null]);
      this.log.warn(`${executionId} goes on in the Temporal run ${runId}, from ${since.toISOString()}.`);
    });
    return true;
  }

  private async currentRun(executionId: string): Promise<string | null> {
    try {
      return (await this.temporal.client.workflow.getHandle(executionId).describe()).runId;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }
}
