import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { EntityManager } from 'typeorm';
import { deleteInBatches, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database, type Statement } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import type { RunKey, TemporalRun } from '#temporal/activities';
import { recountPauses } from './record.sql.ts';
import * as sql from './resets.sql.ts';

/** One statement puts back at most this many visits. */
const visitsMax = 10_000;

/** Thrown in a Temporal run that an operator has replaced. Such a run may change nothing. */
export class ReplacedRun extends Error {
  constructor() {
    super('An operator has replaced this run.');
  }
}

/** The statements that fail the transaction of a Temporal run that does not own the rows. They come first in it. */
export function requireRunStatements({ executionId, temporal }: RunKey): Statement[] {
  return temporal ? [[sql.requireRun, [executionId, temporal.runId]]] : [];
}

/**
 * A reset by an operator makes a new Temporal run of the same workflow id. It shares the beginning of the old history.
 * One Temporal run at a time owns the rows of an execution; only Temporal knows which.
 */
@Injectable()
export class Resets {
  private readonly log = new Logger(Resets.name);

  constructor(
    private readonly database: Database,
    private readonly temporal: TemporalClient,
  ) {}

  /**
   * Commits work that begins with `requireRunStatements`. After a reset, the new Temporal run takes the rows over and
   * commits again. Throws `ReplacedRun` when another run owns the rows now.
   */
  async commitAsOwner<T>(run: RunKey, commit: () => Promise<T>): Promise<T> {
    try {
      return await commit();
    } catch (error) {
      const { temporal } = run;
      if (!temporal || sqlState(error) !== sql.otherRun) throw error;
      if (await this.takeOver(run, temporal)) return commit();
      throw new ReplacedRun();
    }
  }

  /**
   * Gives the rows to this Temporal run when it is the current one, and puts them back to the state in its history. A
   * finished execution opens again. A run that continues the owner in a new history takes the rows unchanged. False
   * for a replaced run: its writes come too late.
   */
  private async takeOver(
    { executionId, workspaceId }: RunKey,
    { runId, keptMs: lastRecordAtMs, continuedFrom }: TemporalRun,
  ): Promise<boolean> {
    if ((await this.currentRun(executionId)) !== runId) return false;
    const since = new Date(lastRecordAtMs);
    const continued = await this.database.statement(workspaceId, sql.keepRows, [
      executionId,
      runId,
      continuedFrom ?? null,
    ]);
    if (continued.length > 0) return true;
    // The last part takes the rows. So after an interruption the next call puts back the rest.
    const { complete } = await deleteInBatches(visitsMax, new TurnBounds(), (visits) =>
      this.database.within(workspaceId, async (tx) => {
        const locked: unknown[] = await tx.query(sql.holdRows, [executionId, runId]);
        if (locked.length === 0) return 0;
        const [{ n }] = (await tx.query(sql.rewindVisits, [executionId, since, visits])) as [{ n: number }];
        if (n < visits) await this.takeRows(tx, { executionId, runId, since });
        return n;
      }),
    );
    if (!complete) throw new Unavailable(`The block log of ${executionId} is not put back yet.`);
    return true;
  }

  private async takeRows(
    tx: EntityManager,
    { executionId, runId, since }: { executionId: string; runId: string; since: Date },
  ): Promise<void> {
    await tx.query(sql.takeRows, [executionId, runId]);
    await tx.query(sql.rewindPauses, [executionId, since]);
    await tx.query(recountPauses, [executionId, null, null, null]);
    this.log.warn(`${executionId} goes on in the Temporal run ${runId}, from ${since.toISOString()}.`);
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
