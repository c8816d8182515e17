import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { EntityManager } from 'typeorm';
import { checkAnswers } from '#libs/definition/answers';
import type { JsonObject } from '#libs/definition/values';
import { Database } from '#libs/database/database';
import { repeatedConstraint } from '#libs/database/violations';
import { executionNamed } from '#libs/executions/executions';
import { Settlements } from '#libs/executions/settlements';
import { Conflict, Invalid, NotFound } from '#libs/faults/faults';
import { TemporalLink } from '#libs/link/temporal-link';
import { newId } from '#libs/ids/ids';
import { resumeUpdate } from '#temporal/messages';
import { PausePoint, ResumeEntry } from './pause.entity.ts';

/** One person's answer to one pause. */
export interface Answer {
  entryId: string;
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
  input: JsonObject;
  actor: JsonObject;
  /** Undefined: as the execution itself was called. */
  mode?: 'async';
}

/** Why an answer is refused, by the state of its pause. */
export const refusals: Record<string, { code: string; message: string }> = {
  resumed: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  resuming: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  queued: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  expired: { code: 'PAUSE_EXPIRED', message: 'This pause has expired.' },
  cancelled: { code: 'PAUSE_CANCELLED', message: 'The execution was cancelled.' },
  failed: { code: 'PAUSE_CLOSED', message: 'This pause is closed.' },
};

const sendMs = 10_000;
const batch = 50;

/** Answers to pauses: committed first, then told to the run, which is the authority, then told again until it has them. */
@Injectable()
export class Answers {
  private readonly log = new Logger(Answers.name);

  constructor(
    private readonly database: Database,
    private readonly settlements: Settlements,
    private readonly temporal: TemporalLink,
  ) {}

  /**
   * Checks the answer against the form and commits it. Of two at the same instant one is accepted, the other told so.
   * The same entry again is the same answer.
   */
  async accept(answer: Answer): Promise<ResumeEntry> {
    const { entryId, workspaceId, contextId } = answer;
    try {
      return await this.database.within(workspaceId, async (tx) => {
        const [given, point] = await Promise.all([findEntry(tx, entryId), lockPoint(tx, answer)]);
        if (given) return given;
        requireOpen(point);
        const { answers, details } = checkAnswers(point.form, answer.input);
        if (details.length > 0) throw new Invalid(details);
        const values = [
          entryId,
          workspaceId,
          newId('exec'),
          contextId,
          JSON.stringify(answers),
          answer.mode ?? null,
          JSON.stringify(answer.actor),
        ];
        const [, entry] = await Promise.all([tx.query(insertEntry, values), entryOf(tx, entryId)]);
        return entry;
      });
    } catch (error) {
      if (repeatedConstraint(error) !== 'resume_entries_once') throw error;
      throw new Conflict('This pause was answered already.', 'ALREADY_RESUMED');
    }
  }

  /** Tells the run. A failure to reach it is no loss, the relay tells it again; a refusal closes the entry. */
  async send(entry: Pick<ResumeEntry, 'id' | 'executionId' | 'contextId' | 'resumeInput'>): Promise<void> {
    const answers =
      typeof entry.resumeInput === 'object' && entry.resumeInput !== null && !Array.isArray(entry.resumeInput)
        ? entry.resumeInput
        : {};
    const message = { entryId: entry.id, contextId: entry.contextId, answers };
    try {
      await this.temporal.client.withDeadline(Date.now() + sendMs, () =>
        this.temporal.client.workflow
          .getHandle(entry.executionId)
          .executeUpdate(resumeUpdate, { args: [message], updateId: entry.id }),
      );
    } catch (error) {
      const reason = refusalOf(error);
      if (!reason) return this.log.warn(`${entry.id} waits for Temporal: ${String(error)}`);
      await this.refuse(entry, reason);
    }
  }

  /** Not being able to note it now is no loss either: the entry stays pending and is told, and refused, again. */
  private async refuse(entry: Pick<ResumeEntry, 'id' | 'executionId'>, reason: string): Promise<void> {
    try {
      await this.database.system(failEntry, [entry.id, reason]);
      this.settlements.announce(entry.executionId);
    } catch (error) {
      this.log.warn(`The refusal of ${entry.id} is not noted yet: ${String(error)}`);
    }
  }

  /** The entry once its segment has ended or it was refused, or null when the bound has passed. */
  async settled(workspaceId: string, entry: ResumeEntry, waitMs: number): Promise<ResumeEntry | null> {
    const look = async () => {
      const [row] = await this.database.entities(workspaceId, ResumeEntry, entryById, [entry.id]);
      return row?.status === 'completed' || row?.status === 'failed' ? row : null;
    };
    // An answer that was just committed cannot have settled before the next notice.
    return this.settlements.wait(entry.executionId, look, waitMs, entry.status !== 'pending');
  }

  /** One turn of telling runs what they may not have heard. Answers how many entries it sent. */
  async relay(): Promise<number> {
    const rows = await this.database.system<ResumeEntry>(claimEntries, [batch]);
    await Promise.all(rows.map((row) => this.send(row)));
    return rows.length;
  }
}

/** The pause, which nobody else answers before we are done. */
function lockPoint(tx: EntityManager, { workflowId, executionId, contextId }: Answer) {
  return tx
    .createQueryBuilder(PausePoint, 'p')
    .where('p.contextId = :contextId', { contextId })
    .andWhere(`exists (${isOfWorkflow})`, { workflowId, executionId })
    .setLock('pessimistic_write')
    .getOne();
}

function requireOpen(point: PausePoint | null): asserts point is PausePoint {
  if (!point) throw new NotFound('pause');
  const refusal = refusals[point.resumeStatus];
  if (refusal) throw new Conflict(refusal.message, refusal.code);
}

function findEntry(tx: EntityManager, id: string): Promise<ResumeEntry | null> {
  return tx.createQueryBuilder(ResumeEntry, 'r').where('r.id = :id', { id }).getOne();
}

async function entryOf(tx: EntityManager, id: string): Promise<ResumeEntry> {
  const entry = await findEntry(tx, id);
  if (!entry) throw new NotFound('answer');
  return entry;
}

/**
 * Null when it is to be told again. A pause that the run does not know is one whose row was committed just before its
 * worker was lost: the run learns of it as soon as another worker has taken it up.
 */
function refusalOf(error: unknown): string | null {
  if (error instanceof WorkflowNotFoundError) return 'the execution has ended';
  if (!(error instanceof WorkflowUpdateFailedError)) return null;
  const { cause } = error;
  if (!(cause instanceof ApplicationFailure)) return 'refused';
  return cause.type === 'PAUSE_NOT_FOUND' ? null : cause.message;
}

const entryById = 'select * from resume_entries where id = $1';

const isOfWorkflow = /* sql */ `
select from executions e
where e.id = p.root_id and e.workflow_id = :workflowId and e.id = ${executionNamed(':executionId')}`;

/** The answer, and the states that follow from it for readers, in one statement. */
const insertEntry = /* sql */ `
with entry as (
  insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, resume_input, mode, actor)
  select $1, $2, p.execution_id, p.paused_execution_id, $3, p.context_id, $5, coalesce($6, e.mode), $7
  from pause_points p join executions e on e.id = p.root_id
  where p.context_id = $4
  returning context_id
), point as (
  update pause_points set resume_status = 'resuming' where context_id = $4 returning execution_id, root_id
)
update executions set status = 'running', updated_at = now()
where id in (select execution_id from point union select root_id from point) and status = 'paused'`;

const failEntry = /* sql */ `
update resume_entries set status = 'failed', failure_reason = $2, completed_at = now()
where id = $1 and status = 'pending'`;

const claimEntries = /* sql */ `
update resume_entries r set relay_after = now() + interval '5 seconds'
from (
  select id from resume_entries where status = 'pending' and relay_after < now()
  order by relay_after limit $1 for update skip locked
) due
where r.id = due.id
returning r.id, r.execution_id as "executionId", r.context_id as "contextId", r.resume_input as "resumeInput"`;
