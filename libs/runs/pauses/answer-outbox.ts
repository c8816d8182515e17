import { Injectable } from '@nestjs/common';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { Database } from '#libs/platform/database/database';
import { Outbox } from '#libs/platform/database/outbox';
import { InlineStartOutbox } from '#libs/runs/executions/deliver/inline-start-outbox';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { newId } from '#libs/platform/ids/ids';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { resumeUpdate } from '#temporal/messages';
import { toResumeMessage, type SentAnswer } from './answers.ts';
import { acknowledgeEntry, answersLag, claimEntries, earlierEntries, failEntry } from './answers.sql.ts';
import { ResumeEntry } from './pause.entity.ts';

const sendMs = 10_000;

/**
 * Sends committed answers to their runs, and repeats them until the runs have them. The run decides about each
 * answer.
 */
@Injectable()
export class AnswerOutbox extends Outbox<SentAnswer> {
  protected readonly claim = claimEntries;
  protected readonly lagOf = answersLag;

  constructor(
    database: Database,
    private readonly waiters: CompletionNotifier,
    private readonly temporal: TemporalClient,
    private readonly inlineStarts: InlineStartOutbox,
  ) {
    super(database);
  }

  /** Sends the entry to the run at once. When that fails, a later turn sends it again; a refusal closes the entry. */
  async sendAnswer(entry: SentAnswer): Promise<void> {
    await this.deliver(entry).catch((error: unknown) =>
      this.log.warn(`${entry.id} is not sent yet: ${String(error)}`),
    );
  }

  protected async deliver(entry: SentAnswer): Promise<void> {
    // The run must get answers in the order of their commits: a later vote could decide before an earlier vote
    // counts. A later pause may also exist in the database alone. An answer that the API applied inline has no
    // earlier answers left to send.
    for (const earlier of entry.appliedAt ? [] : await this.before(entry)) await this.tell(earlier);
    await this.tell(entry);
  }

  private async before({ id, workspaceId, executionId }: SentAnswer): Promise<ResumeEntry[]> {
    return this.database.entities(workspaceId, ResumeEntry, earlierEntries, [executionId, id]);
  }

  /** Sends one answer. Only an update that succeeded is in Temporal's history, so only then is the entry done. */
  private async tell(entry: SentAnswer): Promise<void> {
    try {
      await this.update(entry).catch(async (error: unknown) => {
        if (isUnknownRun(error)) {
          // The API may have opened the pause inline before Temporal had the run.
          await this.inlineStarts.ensureStarted(entry.workspaceId, entry.executionId);
          return this.update(entry);
        }
        // Temporal repeats the outcome of an update with the same id. A run that repeats a lost task may not have
        // reached the pause at the first try. The run knows the entry, so a new update id does no harm.
        if (!isUnknownPause(error)) throw error;
        return this.update(entry, newId('req'));
      });
      await this.database.systemUnflushed(acknowledgeEntry, [entry.id]);
    } catch (error) {
      const reason = isUnknownRun(error) ? await this.reasonOfUnknownRun(entry) : refusalOf(error);
      if (!reason) throw error;
      await this.refuse(entry, reason);
    }
  }

  /** Says why Temporal does not know the run. The refusal lets the reconciler check a lost run in its next turn. */
  private async reasonOfUnknownRun({ workspaceId, executionId }: SentAnswer): Promise<string> {
    const [open] = await this.database.statement(workspaceId, openExecution, [executionId]);
    return open
      ? 'Temporal does not know this run, as after a restore of an older backup; within minutes the run begins again or ends'
      : 'the execution has ended';
  }

  private async update(entry: SentAnswer, updateId: string = entry.id): Promise<void> {
    const { client } = this.temporal;
    await client.withDeadline(Date.now() + sendMs, () =>
      client.workflow
        .getHandle(entry.executionId)
        .executeUpdate(resumeUpdate, { args: [toResumeMessage(entry)], updateId }),
    );
  }

  /** Writes the refusal. When this fails, the entry is sent and refused again. */
  private async refuse(
    { id, workspaceId, executionId }: Pick<ResumeEntry, 'id' | 'workspaceId' | 'executionId'>,
    reason: string,
  ): Promise<void> {
    try {
      await this.database.statement(workspaceId, failEntry, [id, reason]);
      this.waiters.notifyLocal(executionId);
    } catch (error) {
      this.log.warn(`The refusal of ${id} is not written yet: ${String(error)}`);
    }
  }
}

const openExecution = `select id from executions where id = $1 and status in ('running', 'paused')`;

/**
 * The reason of a refusal; null when the entry must be sent again. A run that does not know the pause lost its worker
 * just after the pause was committed. It learns of the pause when another worker takes its task.
 */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof WorkflowUpdateFailedError) || isUnknownPause(error)) return null;
  return error.cause instanceof ApplicationFailure ? error.cause.message : 'refused';
}

/** Temporal does not have the run any more, or not yet. */
function isUnknownRun(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError;
}

function isUnknownPause(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type === 'PAUSE_NOT_FOUND';
}
