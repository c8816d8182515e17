import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type EntityManager, Not } from 'typeorm';
import { checkAnswers } from '#libs/definition/answers';
import {
  type Approvals,
  approves,
  type Person,
  verdictOf,
  type Vote,
} from '#libs/definition/blocks/approvals';
import { type JsonObject, objectOf } from '#libs/definition/values';
import { Database, find, send, type Statement } from '#libs/database/database';
import { sqlState } from '#libs/database/violations';
import { Continuations, type Resting } from '#libs/executions/continuations';
import { executionNamed } from '#libs/executions/executions';
import { Handovers } from '#libs/executions/handovers';
import { SettledWaiters } from '#libs/executions/settled-waiters';
import { Conflict, Fault, Invalid, NotFound } from '#libs/faults/faults';
import { TemporalClient } from '#libs/temporal-client/temporal-client';
import { newId } from '#libs/ids/ids';
import type { RunKey, RunRecord } from '#temporal/activities';
import { type ResumeMessage, resumeUpdate, type SignalledAnswer } from '#temporal/messages';
import { PausePoint, ResumeEntry } from './pause.entity.ts';
import { personOf, requireMayAnswer } from './people.ts';

/** One person's answer to one pause. */
export interface Answer {
  entryId: string;
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
  answers: JsonObject;
  actor: JsonObject;
  /** A user id or an e-mail address, where the system knows it. */
  who?: string;
  /** The mode of the execution when undefined. */
  mode?: 'async';
}

/** Why a closed pause refuses an answer, by the state of the pause. */
export const closedReasons: Record<string, { code: string; message: string }> = {
  resumed: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  resuming: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  queued: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  expired: { code: 'PAUSE_EXPIRED', message: 'This pause has expired.' },
  cancelled: { code: 'PAUSE_CANCELLED', message: 'The execution was cancelled.' },
  failed: { code: 'PAUSE_CLOSED', message: 'This pause is closed.' },
};

type Entering = Pick<Answer, 'entryId' | 'workspaceId' | 'answers' | 'actor' | 'who' | 'mode'>;

/** An answer that fits the form, of somebody who may give it. */
interface Checked extends Omit<Entering, 'who'> {
  contextId: string;
  person: Person | null;
  /** True when the pause ends with it; false when more people must answer. */
  decides: boolean;
}
type Told = Pick<
  ResumeEntry,
  'id' | 'workspaceId' | 'executionId' | 'contextId' | 'answers' | 'person' | 'appliedAt'
>;

/** A committed answer. */
export interface Accepted {
  entry: ResumeEntry;
  /** What the execution did with the answer in the same transaction; absent when the run is still to go on. */
  recorded?: RunRecord;
}

const sendMs = 10_000;
const batch = 50;

/** Answers to pauses: committed first, then sent to the run, which decides, and sent again until the run has them. */
@Injectable()
export class Answers {
  private readonly log = new Logger(Answers.name);

  constructor(
    private readonly database: Database,
    private readonly waiters: SettledWaiters,
    private readonly temporal: TemporalClient,
    private readonly handovers: Handovers,
    private readonly continuations: Continuations,
  ) {}

  /**
   * Checks the answer against the form and commits it, and all that follows from it where that needs no effect. Of two at the
   * same moment one is accepted, and the other is refused with the reason. The same entry again is the same answer.
   */
  async accept(answer: Answer): Promise<Accepted> {
    try {
      return await this.acceptAnd(answer, (tx) => this.continuations.of(tx, answer.contextId));
    } catch (error) {
      // What follows has a value that no row can hold: the run says so itself.
      if (!sqlState(error)?.startsWith('22')) throw error;
      return this.acceptAnd(answer, async () => null);
    }
  }

  private async acceptAnd(
    answer: Answer,
    restOf: (tx: EntityManager) => Promise<Resting | null>,
  ): Promise<Accepted> {
    const { accepted, awaited } = await this.database.within(answer.workspaceId, async (tx) => {
      const found = [findEntry(tx, answer.entryId), lockPoint(tx, answer), restOf(tx)] as const;
      const [given, point, resting] = await Promise.all(found);
      if (given) return { accepted: { entry: given }, awaited: false };
      const checked = await check(tx, await requireOpen(tx, point), answer);
      return this.goOn(tx, checked, resting);
    });
    if (accepted.recorded) this.continuations.tell(accepted.recorded, awaited);
    return accepted;
  }

  /** Writes the answer, and what follows from it when the rows can go on. */
  private async goOn(
    tx: EntityManager,
    given: Checked,
    resting: Resting | null,
  ): Promise<{ accepted: Accepted; awaited: boolean }> {
    const recorded = resting && (await this.continuations.after(tx, resting, given));
    if (!recorded) return { accepted: { entry: await enter(tx, given) }, awaited: false };
    const along = [insertion({ ...given, decides: false }, new Date(recorded.atMs))];
    const awaited = await this.continuations.write(tx, recorded, along);
    return { accepted: { entry: await entryOf(tx, given.entryId), recorded }, awaited };
  }

  /** Commits an answer that came by a signal like any other. One that is refused is only logged, and gives null. */
  async acceptSignalled(
    { workspaceId, executionId }: RunKey,
    signal: SignalledAnswer,
  ): Promise<ResumeMessage | null> {
    const { contextId, as: who } = signal;
    const { entryId = `res_${contextId.slice(4)}${who ? digest(who) : ''}`, answers = signal.input ?? {} } =
      signal;
    const actor = { kind: 'operator', id: 'temporal' };
    try {
      return await this.database.within(workspaceId, async (tx) => {
        const [given, point] = await Promise.all([
          findEntry(tx, entryId),
          lockOwn(tx, { executionId, contextId }),
        ]);
        if (given)
          return given.status === 'failed' || given.contextId !== contextId ? null : messageOf(given);
        await requireKnown(tx, executionId);
        const entering = { entryId, workspaceId, answers, actor, who, mode: 'async' as const };
        return messageOf(await enter(tx, await check(tx, await requireOpen(tx, point), entering)));
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.log.warn(`A signalled answer to ${contextId} was dropped: ${error.message}`);
      return null;
    }
  }

  /**
   * Commits that a pause has expired, or returns the answers that were committed before that: also those that the run
   * took in a task which was lost.
   */
  async expire({ workspaceId, executionId }: RunKey, path: string, at: Date): Promise<ResumeMessage[]> {
    return this.database.within(workspaceId, async (tx) => {
      const point = await lockOwn(tx, { executionId, path });
      if (point?.resumeStatus === 'resuming' || point?.resumeStatus === 'resumed') {
        const entries = await tx.find(ResumeEntry, {
          where: { contextId: point.contextId, status: Not('failed') },
          order: { queuedAt: 'ASC', id: 'ASC' },
        });
        return entries.map(messageOf);
      }
      if (point) await tx.query(expirePoint, [point.contextId, at]);
      return [];
    });
  }

  /** Sends the entry to the run. When that fails the relay sends it again; a refusal closes the entry. */
  async send(entry: Told): Promise<void> {
    // The run must get answers in the order of their commits: a later vote could decide before an earlier one counts, and a later
    // pause may have been opened by the rows alone. They go on by themselves only when the run has all earlier answers.
    for (const earlier of entry.appliedAt ? [] : await this.before(entry)) await this.tell(earlier);
    await this.tell(entry);
  }

  private async before({ id, workspaceId, executionId }: Told): Promise<ResumeEntry[]> {
    return this.database.entities(workspaceId, ResumeEntry, earlierEntries, [executionId, id]);
  }

  /** An update that has succeeded is in Temporal's history: only then is the entry not sent again. */
  private async tell(entry: Told): Promise<void> {
    try {
      await this.update(entry).catch(async (error: unknown) => {
        if (isUnknownRun(error)) {
          // The run may have opened the pause before Temporal had it.
          await this.handovers.ensure(entry.workspaceId, entry.executionId);
          return this.update(entry);
        }
        // Temporal gives the outcome of an update again for the same id. A run that repeats a lost task may not have come
        // to the pause when it was asked; the run knows the entry, so another id does no harm.
        if (!isUnknownPause(error)) throw error;
        return this.update(entry, newId('req'));
      });
      await this.database.forgetful(acknowledgeEntry, [entry.id]);
    } catch (error) {
      const reason = refusalOf(error);
      if (!reason) return this.log.warn(`${entry.id} waits for Temporal: ${String(error)}`);
      await this.refuse(entry, reason);
    }
  }

  private async update(entry: Told, updateId: string = entry.id): Promise<void> {
    const { client } = this.temporal;
    await client.withDeadline(Date.now() + sendMs, () =>
      client.workflow
        .getHandle(entry.executionId)
        .executeUpdate(resumeUpdate, { args: [messageOf(entry)], updateId }),
    );
  }

  /** Writes the refusal. When this fails, the entry is sent, and refused, again. */
  private async refuse(
    { id, workspaceId, executionId }: Pick<ResumeEntry, 'id' | 'workspaceId' | 'executionId'>,
    reason: string,
  ): Promise<void> {
    try {
      await this.database.statement(workspaceId, failEntry, [id, reason]);
      this.waiters.announce(executionId);
    } catch (error) {
      this.log.warn(`The refusal of ${id} is not written yet: ${String(error)}`);
    }
  }

  /** The entry once its segment has ended or it was refused, or null when the bound has passed. */
  async settled(workspaceId: string, entry: ResumeEntry, waitMs: number): Promise<ResumeEntry | null> {
    const look = async () => {
      const [row] = await this.database.entities(workspaceId, ResumeEntry, entryById, [entry.id]);
      return row?.status === 'completed' || row?.status === 'failed' ? row : null;
    };
    // An answer that was just committed cannot have settled yet.
    return this.waiters.wait(entry.executionId, look, waitMs, entry.status === 'pending' ? 'mark' : 'look');
  }

  /** Runs one turn: sends entries again that runs may not have. Returns how many it sent. */
  async relay(): Promise<number> {
    const rows = await this.database.forgetful<ResumeEntry>(claimEntries, [batch]);
    await Promise.all(rows.map((row) => this.send(row)));
    return rows.length;
  }

  /** Answers that no run has acknowledged yet: how many, counted to ten thousand, and for how long. */
  async lag(): Promise<{ count: number; oldestS: number }> {
    const [row] = await this.database.system<{ count: number; oldestS: number }>(lag);
    return row ?? { count: 0, oldestS: 0 };
  }
}

/** The pause, locked: no other transaction answers it before this one ends. */
export async function lockPoint(
  tx: EntityManager,
  { workflowId, executionId, contextId }: Pick<Answer, 'workflowId' | 'executionId' | 'contextId'>,
): Promise<PausePoint | null> {
  const [point] = await find(tx, PausePoint, pointForAnswer, [contextId, workflowId, executionId]);
  return point ?? null;
}

function lockOwn(
  tx: EntityManager,
  where: { executionId: string; path: string } | { executionId: string; contextId: string },
) {
  return tx.findOne(PausePoint, { where, lock: { mode: 'pessimistic_write' } });
}

/** The pause if it can be answered; otherwise throws the reason, and who answered it. */
export async function requireOpen(tx: EntityManager, point: PausePoint | null): Promise<PausePoint> {
  if (!point) throw new NotFound('pause');
  const refusal = closedReasons[point.resumeStatus];
  if (!refusal) return point;
  const [winner]: { who: string; at: Date }[] = await tx.query(findWinner, [point.contextId]);
  const by =
    winner && refusal.code === 'ALREADY_RESUMED' ? ` By ${winner.who}, at ${winner.at.toISOString()}.` : '';
  throw new Conflict(refusal.message + by, refusal.code);
}

/** A pause that the rows opened by themselves takes no signal before the run knows it: the run could not take the answer. */
async function requireKnown(tx: EntityManager, executionId: string): Promise<void> {
  const [ahead] = await send(tx, findAhead, [executionId]);
  if (ahead)
    throw new Conflict('The run has yet to take an earlier answer; send it again.', 'PAUSE_NOT_FOUND');
}

/** Throws when the person may not answer, or the answer does not fit the form. */
async function check(
  tx: EntityManager,
  point: PausePoint,
  { answers: given, who, ...about }: Entering,
): Promise<Checked> {
  const known =
    who !== undefined && point.asking?.approvals ? await personOf(tx, about.workspaceId, who) : undefined;
  const asked = await requireMayAnswer(tx, point, known);
  const { answers, details } = checkAnswers(point.form, given);
  if (details.length > 0) throw new Invalid(details);
  const decides = !asked || verdictOf(asked.approvals, [...asked.votes, voteOf(asked, answers)]) !== 'open';
  return { ...about, contextId: point.contextId, answers, person: asked?.person ?? null, decides };
}

/** Writes an answer with which the run itself is to go on. */
async function enter(tx: EntityManager, given: Checked): Promise<ResumeEntry> {
  const [, entry] = await Promise.all([send(tx, ...insertion(given, null)), entryOf(tx, given.entryId)]);
  return entry;
}

function insertion(given: Checked, appliedAt: Date | null): Statement {
  const { entryId, workspaceId, contextId, answers, mode, actor, person, decides } = given;
  const values = [
    entryId,
    workspaceId,
    newId('exec'),
    contextId,
    JSON.stringify(answers),
    mode ?? null,
    JSON.stringify(actor),
    person ? JSON.stringify(person) : null,
    decides,
    appliedAt,
  ];
  return [insertEntry, values];
}

function voteOf({ person, approvals }: { person: Person; approvals: Approvals }, answers: JsonObject): Vote {
  return { person: person.id, approved: approves(approvals, answers) };
}

function messageOf({ id, contextId, answers, person, appliedAt }: Told): ResumeMessage {
  return {
    entryId: id,
    contextId,
    answers: objectOf(answers),
    ...(person ? { person } : {}),
    ...(appliedAt ? { appliedAtMs: appliedAt.getTime() } : {}),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 12);
}

async function findEntry(tx: EntityManager, id: string): Promise<ResumeEntry | null> {
  const [entry] = await find(tx, ResumeEntry, entryById, [id]);
  return entry ?? null;
}

async function entryOf(tx: EntityManager, id: string): Promise<ResumeEntry> {
  const entry = await findEntry(tx, id);
  if (!entry) throw new NotFound('answer');
  return entry;
}

/**
 * The reason of a refusal; null when the entry must be sent again. A run that does not know the pause lost its worker
 * just after the pause's row was committed: it learns of the pause as soon as another worker has its task.
 */
function refusalOf(error: unknown): string | null {
  if (isUnknownRun(error)) return 'the execution has ended';
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

const entryById = 'where t.id = $1';

const pointForAnswer = /* sql */ `
where t.context_id = $1 and exists (
  select from executions e where e.id = t.root_id and e.workflow_id = $2 and e.id = ${executionNamed('$3')}
) for update`;

/** Writes the answer, and the states that readers see because of it, in one statement. */
const insertEntry = /* sql */ `
with entry as (
  insert into resume_entries (id, workspace_id, execution_id, paused_execution_id, new_execution_id, context_id, resume_input, mode, actor, person,
    applied_at, queued_at)
  select $1, $2, p.execution_id, p.paused_execution_id, $3, p.context_id, $5, coalesce($6, e.mode), $7, $8, $10, clock_timestamp()
  from pause_points p join executions e on e.id = p.root_id
  where p.context_id = $4
  returning context_id
), point as (
  update pause_points set resume_status = 'resuming' where context_id = $4 and $9 returning execution_id, root_id
)
update executions set status = 'running', updated_at = now()
where id = any (array(select execution_id from point union select root_id from point)) and status = 'paused'`;

const findAhead = 'select 1 from paused_executions where execution_id = $1 and ahead is not null';

const acknowledgeEntry = /* sql */ `
update resume_entries set acknowledged_at = now() where id = $1 and acknowledged_at is null`;

/**
 * A refused answer opens its pause again. An answer that the run took before stays unchanged. The time of the last check is
 * put back, so that the reconciler looks in its next turn whether Temporal still has the run.
 */
const failEntry = /* sql */ `
with refused as (
  update resume_entries set status = 'failed', failure_reason = $2, completed_at = now(), acknowledged_at = now()
  where id = $1 and status = 'pending'
  returning context_id
), reopened as (
  update pause_points p set resume_status = 'paused' from refused r
  where p.context_id = r.context_id and p.resume_status = 'resuming'
  returning p.execution_id, p.root_id
), paused as (
  update executions e set status = 'paused', updated_at = 'epoch' from reopened p
  where e.id in (p.execution_id, p.root_id) and e.status = 'running'
    and not exists (select from visits v where v.execution_id = e.id and v.status = 'running' and v.type <> 'workflow')
)
update resume_entries set acknowledged_at = now() where id = $1 and status <> 'pending'`;

const claimEntries = /* sql */ `
update resume_entries r set relay_after = now() + interval '5 seconds'
from (
  select id from resume_entries where acknowledged_at is null and status <> 'failed' and relay_after < now()
  order by relay_after limit $1 for update skip locked
) due
where r.id = due.id
returning r.id, r.workspace_id as "workspaceId", r.execution_id as "executionId", r.context_id as "contextId",
  r.resume_input as answers, r.person, r.applied_at as "appliedAt"`;

const lag = /* sql */ `
select count(*)::int as count, coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as "oldestS"
from (select queued_at from resume_entries where acknowledged_at is null and status <> 'failed'
  order by relay_after limit 10000) due`;

const earlierEntries = /* sql */ `
join resume_entries mine on mine.id = $2
where t.execution_id = $1 and t.acknowledged_at is null and t.status <> 'failed'
  and (t.queued_at, t.id) < (mine.queued_at, mine.id)
order by t.queued_at, t.id`;

const expirePoint = /* sql */ `
with point as (
  update pause_points set resume_status = 'expired', closed_at = $2
  where context_id = $1 and resume_status in ('paused', 'queued') returning context_id
)
update resume_entries set status = 'failed', failure_reason = 'the pause expired before enough people had answered',
  completed_at = now()
where context_id in (select context_id from point) and status = 'pending'`;

/** The name, for people to read, of the one who gave the answer that counts. */
const findWinner = /* sql */ `
select r.queued_at as at, coalesce(
  (select u.name from users u where u.id = r.actor ->> 'id'),
  (select 'the key "' || k.name || '"' from api_keys k where k.id = r.actor ->> 'id'),
  r.person #>> '{names,-1}',
  case r.actor ->> 'kind' when 'operator' then 'an operator in Temporal' else 'someone with the link' end) as who
from resume_entries r where r.context_id = $1 and r.status <> 'failed' order by r.queued_at desc, r.id desc limit 1`;
