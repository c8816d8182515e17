import { Injectable } from '@nestjs/common';
import { type ActorContext, actorContext } from '#libs/platform/database/actor-context';
import { Database, send, type Statement } from '#libs/platform/database/database';
import { Outbox } from '#libs/platform/database/outbox';
import { isUnavailable } from '#libs/platform/database/violations';
import { ApiError, TooMany } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { BulkActs, type BulkAct } from './bulk-acts.ts';
import type { BulkItem } from './bulk-jobs.ts';
import * as sql from './bulk-jobs.sql.ts';

/** A job that this process works on. */
interface ClaimedJob extends Omit<BulkAct, 'executionId' | 'madeId'> {
  id: string;
  acting: ActorContext;
  perSecond: number;
  /** The seconds for which the rate was not used. */
  forS: number;
}

type NextItem = Pick<BulkItem, 'number' | 'executionId' | 'madeId'>;

/** Time in which nobody worked on a job gives no right to a larger burst than this, in seconds. */
const burstS = 4;
/** One turn works on a job for at most this time, in milliseconds, and then on the job of another workspace. */
const turnMsMax = 5000;
/** An act is a transaction of many statements, whose way to Postgres takes longer than their work. */
const atOnce = 4;
const waitS = 2;
const messageCharsMax = 1000;

/** Thrown when another process has done the act, or the job was aborted. The act is rolled back. */
class Settled extends Error {}

/**
 * Carries out bulk jobs, each at its rate and in the order of its executions, a few at once. The outcome of an act is committed with the act, so a process
 * that dies has done it and noted it, or neither. Workspaces take turns.
 */
@Injectable()
export class BulkOutbox extends Outbox<ClaimedJob> {
  readonly due = sql.isJobDue;
  protected readonly claim = sql.claimJobs;
  protected readonly lagOf = sql.jobsLag;

  constructor(
    database: Database,
    private readonly acts: BulkActs,
  ) {
    super(database);
  }

  protected deliver(job: ClaimedJob): Promise<void> {
    return actorContext.run(job.acting, () => this.workOn(job));
  }

  /** Works on a job as long as its rate allows. */
  private async workOn(job: ClaimedJob): Promise<void> {
    const { id, workspaceId, perSecond, forS } = job;
    const most = Math.max(1, Math.floor(perSecond * Math.min(forS, burstS)));
    const items = await this.database.statement<NextItem>(workspaceId, sql.nextItems, [id, most]);
    const endsAtMs = performance.now() + turnMsMax;
    let acts = 0;
    let wait: { why: string; forS: number } | null = null;
    for (let at = 0; at < items.length && !wait && performance.now() < endsAtMs; at += atOnce) {
      const waits = await Promise.all(items.slice(at, at + atOnce).map((item) => this.actOn(job, item)));
      wait = waits.find((one) => one !== null) ?? null;
      acts += waits.filter((one) => one === null).length;
    }
    const nextS = wait?.forS ?? Math.min(1, 1 / perSecond);
    await this.database.statement(workspaceId, sql.endTurn, [id, acts / perSecond, wait?.why ?? null, nextS]);
  }

  /** Does the act of one item. Returns why the job must wait; null when the item is settled. */
  private async actOn(job: ClaimedJob, item: NextItem): Promise<{ why: string; forS: number } | null> {
    const settle = (outcome: string, code: string | null, message: string | null): Statement => [
      sql.settleItem,
      [job.id, item.number, outcome, code, message],
    ];
    try {
      await this.acts.act({ ...job, ...item }, async (tx) => {
        const rows = await send(tx, ...settle('done', null, null));
        if (rows.length === 0) throw new Settled();
      });
      return null;
    } catch (error) {
      if (error instanceof Settled) return null;
      if (error instanceof TooMany) return { why: error.message, forS: Math.min(60, error.retryAfterS) };
      // A hold ends by a person.
      if (error instanceof ApiError && error.code === 'EXECUTIONS_HELD')
        return { why: error.message, forS: waitS };
      if (isUnavailable(error)) throw error;
      const isKnown = error instanceof ApiError;
      if (!isKnown) this.log.error(`${job.id} could not ${job.verb} ${item.executionId}: ${String(error)}`);
      const [code, message] = isKnown
        ? [error.code, error.message]
        : ['INTERNAL_ERROR', 'It failed because of a fault of ours; see the log of the worker.'];
      await this.database.statement(
        job.workspaceId,
        ...settle('refused', code, cutText(message, messageCharsMax, '…')),
      );
      return null;
    }
  }
}
