import { Injectable } from '@nestjs/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import { objectOf } from '#libs/platform/json/json';
import { Database } from '#libs/platform/database/database';
import { Outbox } from '#libs/platform/database/outbox';
import { InlineStartOutbox } from '#libs/runs/executions/deliver/inline-start-outbox';
import { TemporalClient } from '#libs/platform/temporal-client/temporal-client';
import { resumeSignal } from '#temporal/messages';
import type { SentAnswer } from './answers.ts';
import { acknowledgeEntry, answersLag, claimEntries, isEntryDue } from './answers.sql.ts';

const sendMs = 10_000;

/** Tells Temporal of committed answers, and repeats that until Temporal has them. The rows have decided about them. */
@Injectable()
export class AnswerOutbox extends Outbox<SentAnswer> {
  readonly due = isEntryDue;
  protected readonly claim = claimEntries;
  protected readonly lagOf = answersLag;

  constructor(
    database: Database,
    private readonly temporal: TemporalClient,
    private readonly inlineStarts: InlineStartOutbox,
  ) {
    super(database);
  }

  /** Tells Temporal of the answer at once. When that fails, a later turn does. */
  async sendAnswer(entry: SentAnswer): Promise<void> {
    await this.deliver(entry).catch((error: unknown) =>
      this.log.warn(`${entry.id} is not sent yet: ${String(error)}`),
    );
  }

  protected async deliver(entry: SentAnswer): Promise<void> {
    const { id: entryId, workspaceId, executionId, contextId, answers } = entry;
    const { client } = this.temporal;
    const tell = () =>
      client.withDeadline(Date.now() + sendMs, () =>
        client.workflow
          .getHandle(executionId)
          .signal(resumeSignal, { entryId, contextId, answers: objectOf(answers) }),
      );
    await tell().catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      // Temporal may not have the run yet.
      await this.inlineStarts.ensureStarted(workspaceId, executionId);
      await tell().catch(unlessEnded);
    });
    await this.database.systemUnflushed(acknowledgeEntry, [entryId]);
  }
}

/** A run that has ended needs no answer any more. The reconciler finds one that Temporal has lost. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
