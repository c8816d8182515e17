import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { EntityManager } from 'typeorm';
import { deleteInBatches, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { Unavailable } from '#libs/platform/errors/errors';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { retriedRun, type RunKey, type TemporalRun } from '#temporal/activities';
import { momentOfEvent, rewindEvents } from '../advance/run-log.sql.ts';
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

class OtherOwner extends Error {}

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
      if (!temporal || !(error instanceof OtherOwner || sqlState(error) === sql.otherRun)) throw error;
      if (await this.takeOver(run, temporal)) return commit();
      throw new ReplacedRun();
    }
  }

  /** Throws in a Temporal run that does not own the locked rows, so that `commitAsOwner` looks who owns them now. */
  requireOwner({ temporal }: RunKey, owner: string | null): void {
    if (temporal && owner !== null && owner !== temporal.runId) throw new OtherOwner();
  }

  /**
   * Gives the rows to this Temporal run when it is the current one, and puts them back to the state in its history. A
   * finished execution opens again. A run that continues the owner in a new history takes the rows unchanged. False
   * for a replaced run, whose writes come too late, and for a second start of one retry.
   */
  private async takeOver(
    { executionId, workspaceId }: RunKey,
    { runId, number, continuedFrom, isRetry }: TemporalRun,
  ): Promise<boolean> {
    if ((await this.currentRun(executionId)) !== runId) return false;
    const continued = await this.database.statement(workspaceId, sql.keepRows, [
      executionId,
      runId,
      continuedFrom ?? null,
    ]);
    if (continued.length > 0) return true;
    if (isRetry) return false;
    const [owner] = await this.database.statement(workspaceId, sql.ownerOf, [executionId]);
    // The former run of a retried execution is still closing. The next one continues it.
    if (owner?.['temporal_run'] === retriedRun) return false;
    const since = await this.findMoment(workspaceId, executionId, number);
    // A former reset has removed that event, so there is nothing to go back to.
    if (since === null)
      return this.database.within(workspaceId, async (tx) => {
        await send(tx, sql.takeRows, [executionId, runId]);
        return true;
      });
    // The last part takes the rows. So after an interruption the next call puts back the rest.
    const { complete } = await deleteInBatches(visitsMax, new TurnBounds(), (visits) =>
      this.database.within(workspaceId, async (tx) => {
        const locked = await send(tx, sql.holdRows, [executionId, runId]);
        if (locked.length === 0) return 0;
        const [rewound] = await send<{ n: number }>(tx, sql.rewindVisits, [executionId, since, visits]);
        const n = rewound?.n ?? 0;
        if (n < visits) await this.takeRows(tx, { executionId, runId, number, since });
        return n;
      }),
    );
    if (!complete) throw new Unavailable(`The block log of ${executionId} is not put back yet.`);
    return true;
  }

  /** The moment of the event with the number; the epoch for number 0, and null when the log does not have it. */
  private async findMoment(workspaceId: string, executionId: string, number: number): Promise<Date | null> {
    if (number === 0) return new Date(0);
    const [event] = await this.database.statement(workspaceId, momentOfEvent, [executionId, number]);
    return event ? (event['at'] as Date) : null;
  }

  private async takeRows(
    tx: EntityManager,
    {
      executionId,
      runId,
      number,
      since,
    }: { executionId: string; runId: string; number: number; since: Date },
  ): Promise<void> {
    await send(tx, sql.takeRows, [executionId, runId]);
    await send(tx, rewindEvents, [executionId, number]);
    await send(tx, sql.rewindPauses, [executionId, since]);
    await send(tx, recountPauses, [executionId, null]);
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
