import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { appendEntry } from '#libs/platform/database/audited';
import { Database, send } from '#libs/platform/database/database';
import { queryCancelled, sqlState } from '#libs/platform/database/violations';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { JsonObject } from '#libs/platform/json/json';
import { RunForks } from '#libs/runs/executions/control/run-forks';
import { RunRetries, toBegunRefusal } from '#libs/runs/executions/control/run-retries';
import { Executions } from '#libs/runs/executions/executions';
import { AnswerOutbox } from '#libs/runs/pauses/answer-outbox';
import { Answers } from '#libs/runs/pauses/answers';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { Payer } from '#libs/workspace/limits/limits';
import type { BulkJobVerb, BulkOptions } from './bulk-jobs.ts';
import * as sql from './bulk-jobs.sql.ts';

/** One act of a job. */
export interface BulkAct {
  workspaceId: string;
  verb: BulkJobVerb;
  options: BulkOptions;
  actor: JsonObject;
  payer: Payer;
  executionId: string;
  /** The id of the execution that a fork makes: a second try finds the first. */
  madeId: string | null;
}

/** Writes in the transaction of the act. When it throws, nothing was done. */
type WriteAlong = (tx: EntityManager) => Promise<void>;

/** Does the act of a job to one execution, as a caller would do it. */
@Injectable()
export class BulkActs {
  constructor(
    private readonly database: Database,
    private readonly executions: Executions,
    private readonly retries: RunRetries,
    private readonly forks: RunForks,
    private readonly deployments: Deployments,
    private readonly answers: Answers,
    private readonly answerOutbox: AnswerOutbox,
  ) {}

  /** Does the act, and commits it with what `along` writes. Throws why it cannot be done. */
  async act(act: BulkAct, along: WriteAlong): Promise<void> {
    const { workspaceId, verb, executionId } = act;
    const [row] = await this.database.statement<{ workflowId: string; failedPath: string | null }>(
      workspaceId,
      sql.actedOn,
      [verb === 'undo' ? (act.madeId ?? executionId) : executionId],
    );
    if (!row) throw new NotFound('execution');
    const { workflowId } = row;
    switch (verb) {
      case 'retry':
        await this.retries.retryExecution(workspaceId, executionId, { workflowId, along });
        return;
      case 'cancel':
        await this.executions.cancelExecution(workspaceId, executionId, workflowId, along);
        return;
      case 'answer':
        return this.answer(act, workflowId, along);
      case 'fork':
        return this.fork(act, row, along);
      case 'delete':
        return this.delete(act, along);
      case 'undo':
        return this.undo(act, workflowId, along);
      default:
        verb satisfies never;
    }
  }

  /** Answers the open pause of an execution, like a person on its page. */
  private async answer(
    { workspaceId, executionId, options: { answers = {}, block }, actor }: BulkAct,
    workflowId: string,
    along: WriteAlong,
  ): Promise<void> {
    const [pause, another] = await this.database.statement<{ contextId: string }>(
      workspaceId,
      sql.openPauses,
      [executionId, block ?? null],
    );
    if (!pause)
      throw new Conflict(
        block === undefined
          ? 'The execution waits for nobody any more.'
          : `The execution does not wait at the block ${block}.`,
        'NO_OPEN_PAUSE',
      );
    if (another)
      throw new Conflict(
        'The execution has more than one open pause. Name the block of the one that is meant.',
        'SEVERAL_PAUSES',
      );
    const { entry, isAwaited } = await this.answers.acceptAnswer({
      entryId: newId('res'),
      workspaceId,
      workflowId,
      executionId,
      contextId: pause.contextId,
      answers,
      actor,
      ...(actor['kind'] === 'user' ? { who: String(actor['id']) } : {}),
      mode: 'async',
      store: along,
    });
    if (isAwaited) await this.answerOutbox.sendAnswer(entry);
  }

  private async fork(
    { workspaceId, executionId, options, actor, payer, madeId }: BulkAct,
    { workflowId, failedPath }: { workflowId: string; failedPath: string | null },
    along: WriteAlong,
  ): Promise<void> {
    if (options.from === 'failure' && failedPath === null)
      throw new Conflict('No visit of this execution has failed.', 'NO_FAILED_VISIT');
    const isLive = options.version !== 'same';
    const { version } = isLive ? await this.deployments.live(workspaceId, workflowId) : {};
    const fork = await this.forks.prepareFork(workspaceId, executionId, {
      workflowId,
      ...(options.from === 'failure' && failedPath !== null ? { from: failedPath } : {}),
      ...(version === undefined ? {} : { version }),
    });
    const by = { executionId: madeId ?? '', workspaceId, actor, origin: null, payer };
    await this.forks.makeFork(fork, by, along);
  }

  /** Takes back a retry or a fork, while nothing of it ran. */
  private async undo(act: BulkAct, workflowId: string, along: WriteAlong): Promise<void> {
    const {
      workspaceId,
      executionId,
      madeId,
      options: { job },
    } = act;
    const undone = madeId ?? executionId;
    const noteUndone = async (tx: EntityManager) => {
      await along(tx);
      const [noted] = await send(tx, sql.noteUndone, [job, executionId]);
      if (!noted) throw alreadyUndone();
      await send(tx, appendEntry, [workspaceId, 'execution.undone', 'execution', undone, '{}']);
    };
    try {
      if (madeId === null)
        return await this.retries.undoRetry(workspaceId, undone, { workflowId, along: noteUndone });
      await this.executions.cancelExecution(workspaceId, madeId, workflowId, async (tx) => {
        const [acted] = await send(tx, sql.actedFork, [madeId]);
        if (acted) throw toBegunRefusal(madeId);
        await noteUndone(tx);
      });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      // What another undo has taken back shows no retry and no fork that could be undone.
      const [other] = await this.database.statement(workspaceId, sql.undoneItem, [job, executionId]);
      throw other ? alreadyUndone() : error;
    }
  }

  private async delete({ workspaceId, executionId }: BulkAct, along: WriteAlong): Promise<void> {
    const remove = (statement: string) =>
      this.database.within(workspaceId, async (tx) => {
        const [gone] = await send(tx, statement, [executionId]);
        if (!gone) throw new Conflict('The execution has not ended, or is being deleted.', 'NOT_ENDED');
        await along(tx);
        await send(tx, appendEntry, [workspaceId, 'execution.deleted', 'execution', executionId, '{}']);
      });
    await remove(sql.deleteEnded).catch((error: unknown) => {
      if (sqlState(error) !== queryCancelled) throw error;
      return remove(sql.forgetEnded);
    });
  }
}

const alreadyUndone = () => new Conflict('Another job has undone this already.', 'ALREADY_UNDONE');
