import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type EntityManager, Not } from 'typeorm';
import { checkAnswers } from '#libs/language/definition/answers';
import {
  type Approvals,
  approves,
  ownNames,
  type Person,
  computeVerdict,
  type Vote,
} from '#libs/language/definition/blocks/approvals';
import { type JsonObject, objectOf } from '#libs/platform/json/json';
import { Database, find, send, type Statement } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { InlineResumer, type ResumableExecution } from '#libs/runs/executions/accept/inline-resumer';
import { ExecutionWaiters } from '#libs/runs/executions/deliver/execution-waiters';
import { Conflict, Denied, ApiError, Invalid, NotFound } from '#libs/platform/errors/errors';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import { newId } from '#libs/platform/ids/ids';
import type { RunKey } from '#temporal/activities';
import type { ResumeMessage, SignalledAnswer } from '#temporal/messages';
import { toStoredJson } from '#libs/platform/text/whole-text';
import {
  entryById,
  expireUnanswered,
  findAhead,
  findWinner,
  insertEntry,
  pointForAnswer,
} from './answers.sql.ts';
import { PausePoint, ResumeEntry } from './pause.entity.ts';
import { findPerson, requireMayAnswer } from './people.ts';

/** One person's answer to one pause. */
export interface Answer {
  entryId: string;
  workspaceId: string;
  workflowId: string;
  executionId: string;
  contextId: string;
  answers: JsonObject;
  actor: JsonObject;
  /** A user id or an e-mail address, if known. */
  who?: string;
  /** Undefined means the mode of the execution. */
  mode?: 'async';
  /** Stores the files of the answer in the same transaction, once the answer is valid. */
  store?: Store;
}

type Store = (tx: EntityManager, point: PausePoint) => Promise<void>;

/** Why a closed pause refuses an answer, by the state of the pause. */
export const closedReasons: Record<string, { code: string; message: string }> = {
  resumed: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  resuming: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  queued: { code: 'ALREADY_RESUMED', message: 'This pause was answered already.' },
  expired: { code: 'PAUSE_EXPIRED', message: 'This pause has expired.' },
  cancelled: { code: 'PAUSE_CANCELLED', message: 'The execution, or the part of it that asked, has ended.' },
  failed: { code: 'PAUSE_CLOSED', message: 'This pause is closed.' },
};

type NewAnswer = Pick<Answer, 'entryId' | 'workspaceId' | 'answers' | 'actor' | 'who' | 'mode'>;

/** A valid answer of a person who may give it. */
interface ValidAnswer extends Omit<NewAnswer, 'who'> {
  contextId: string;
  person: Person | null;
  /** True when the answer ends the pause; false when more people must answer. */
  decides: boolean;
}
/** The part of an answer that is sent to the run. */
export type SentAnswer = Pick<
  ResumeEntry,
  'id' | 'workspaceId' | 'executionId' | 'contextId' | 'answers' | 'person' | 'queuedAt' | 'appliedAt'
>;

export interface AcceptedAnswer {
  entry: ResumeEntry;
  /** True when the API applied the answer inline, in the same transaction. Otherwise the run must get it. */
  appliedInline?: boolean;
  /** The call that started the execution, if known here. */
  origin?: Origin | null;
}

/** Answers to pauses: committed first, then sent to the run, which decides. */
@Injectable()
export class Answers {
  private readonly log = new Logger(Answers.name);

  constructor(
    private readonly database: Database,
    private readonly waiters: ExecutionWaiters,
    private readonly inlineResumer: InlineResumer,
  ) {}

  /**
   * Checks the answer against the form and commits it, together with all that follows from it without an effect. When
   * two answers come at the same moment, one is accepted, and the other is refused with the reason. Repeating an entry
   * changes nothing.
   */
  async acceptAnswer(answer: Answer): Promise<AcceptedAnswer> {
    try {
      return await this.acceptWith(answer, (tx) => this.inlineResumer.lockResumable(tx, answer.contextId));
    } catch (error) {
      // A value that follows from the answer fits in no row. The run itself reports that.
      if (!sqlState(error)?.startsWith('22')) throw error;
      return this.acceptWith(answer, async () => null);
    }
  }

  private async acceptWith(
    answer: Answer,
    findResumable: (tx: EntityManager) => Promise<ResumableExecution | null>,
  ): Promise<AcceptedAnswer> {
    return this.database.within(answer.workspaceId, async (tx) => {
      // One connection runs these in this order, so the pause is locked before the execution.
      const reads = [findEntry(tx, answer.entryId), lockPoint(tx, answer), findResumable(tx)] as const;
      const [known, point, resumable] = await Promise.all(reads);
      if (known) return { entry: known };
      const open = await requireOpen(tx, point);
      const checked = await checkAnswer(tx, open, answer);
      await answer.store?.(tx, open);
      return this.writeAnswer(tx, checked, resumable);
    });
  }

  /** Stores something for a person who may answer the pause. Throws and stores nothing for anyone else. */
  async storeFor(
    {
      workspaceId,
      who,
      ...place
    }: Pick<Answer, 'workspaceId' | 'workflowId' | 'executionId' | 'contextId' | 'who'>,
    store: Store,
  ): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const point = await requireOpen(tx, await lockPoint(tx, place));
      await requireMayAnswer(tx, point, await findVoter(tx, point, who));
      await store(tx, point);
    });
  }

  /** Inserts the answer. If it can be applied inline, also writes the resulting run record in the same transaction. */
  private async writeAnswer(
    tx: EntityManager,
    answer: ValidAnswer,
    resumable: ResumableExecution | null,
  ): Promise<AcceptedAnswer> {
    const recorded = resumable && (await this.inlineResumer.runAfterAnswer(tx, resumable, answer));
    if (!recorded) return insertPendingAnswer(tx, answer);
    // The record closes the pause, so this statement must not.
    const along = [insertEntryStatement({ ...answer, decides: false }, new Date(recorded.atMs))];
    const { origin } = resumable;
    await this.inlineResumer.writeRecord(tx, recorded, { along, origin });
    return { entry: await entryOf(tx, answer.entryId), origin, appliedInline: true };
  }

  /** Commits an answer that came by a signal like any other. A refused one is only logged, and gives null. */
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
        const [earlier, point] = await Promise.all([
          findEntry(tx, entryId),
          lockOwn(tx, { executionId, contextId }),
        ]);
        if (earlier)
          return earlier.status === 'failed' || earlier.contextId !== contextId
            ? null
            : toResumeMessage(earlier);
        await requireKnown(tx, executionId);
        const entering = { entryId, workspaceId, answers, actor, who, mode: 'async' as const };
        return toResumeMessage(
          (await insertPendingAnswer(tx, await checkAnswer(tx, await requireOpen(tx, point), entering)))
            .entry,
        );
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.log.warn(`A signalled answer to ${contextId} was dropped: ${error.message}`);
      return null;
    }
  }

  /**
   * Commits that a pause has expired, or returns the answers that were committed before. These include answers that
   * the run took in a lost task.
   */
  async expirePause({ workspaceId, executionId }: RunKey, path: string, at: Date): Promise<ResumeMessage[]> {
    return this.database.within(workspaceId, async (tx) => {
      const point = await lockOwn(tx, { executionId, path });
      if (point?.resumeStatus === 'resuming' || point?.resumeStatus === 'resumed') {
        const entries = await tx.find(ResumeEntry, {
          where: { contextId: point.contextId, status: Not('failed') },
          order: { queuedAt: 'ASC', id: 'ASC' },
        });
        return entries.map(toResumeMessage);
      }
      if (point) await tx.query(expireUnanswered, [point.contextId, at]);
      return [];
    });
  }

  /** The entry once the run has ended or paused again, or has refused the answer; null when the bound has passed. */
  async waitUntilSettled(
    workspaceId: string,
    entry: ResumeEntry,
    waitMs: number,
  ): Promise<ResumeEntry | null> {
    const readSettled = async () => {
      const [row] = await this.database.entities(workspaceId, ResumeEntry, entryById, [entry.id]);
      return row?.status === 'completed' || row?.status === 'failed' ? row : null;
    };
    // An answer that was just committed cannot have settled yet.
    return this.waiters.waitForExecution(
      entry.executionId,
      readSettled,
      waitMs,
      entry.status === 'pending' ? 'after-mark' : 'at-once',
    );
  }
}

/** Locks the pause: no other transaction can answer it before this one ends. */
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
  const [ended] = refusal.code === 'PAUSE_CANCELLED' ? await send(tx, findFailure, [point.executionId]) : [];
  const why = ended ? ` It ended with ${String(ended['code'])}: ${String(ended['message'])}` : '';
  throw new Conflict(refusal.message + by + why, refusal.code);
}

const findFailure = /* sql */ `
select failure ->> 'code' as code, failure ->> 'message' as message from executions where id = $1 and failure is not null`;

/** Throws for a pause that the API opened inline and the run does not know yet: the run could not take a signal for it. */
async function requireKnown(tx: EntityManager, executionId: string): Promise<void> {
  const [ahead] = await send(tx, findAhead, [executionId]);
  if (ahead)
    throw new Conflict(
      'The run has not taken an earlier answer yet; send this one again.',
      'PAUSE_NOT_FOUND',
    );
}

/** Throws when the person may not answer, or the answer does not fit the form. */
async function checkAnswer(
  tx: EntityManager,
  point: PausePoint,
  { answers: given, who, ...about }: NewAnswer,
): Promise<ValidAnswer> {
  // A link can be forwarded, so it does not identify its reader.
  if (about.actor.kind === 'link' && point.asking?.approvals?.requireSignIn)
    throw new Denied('Sign in to answer this pause.', 'SIGN_IN_REQUIRED');
  const standing = await requireMayAnswer(tx, point, await findVoter(tx, point, who));
  const { answers, details } = checkAnswers(point.form, given);
  if (details.length > 0) throw new Invalid(details);
  const decides =
    !standing ||
    computeVerdict(standing.approvals, [...standing.votes, voteOf(standing, answers)]) !== 'open';
  return { ...about, contextId: point.contextId, answers, person: standing?.person ?? null, decides };
}

/** The answering person, for a pause with approvals. */
async function findVoter(
  tx: EntityManager,
  { workspaceId, asking }: PausePoint,
  who: string | undefined,
): Promise<Person | undefined> {
  return who !== undefined && asking?.approvals ? findPerson(tx, workspaceId, who) : undefined;
}

/** Writes an answer that the run itself must apply. */
async function insertPendingAnswer(tx: EntityManager, answer: ValidAnswer): Promise<AcceptedAnswer> {
  // One connection runs these in this order.
  const [moved, entry] = await Promise.all([
    send(tx, ...insertEntryStatement(answer, null)),
    entryOf(tx, answer.entryId),
  ]);
  const origin = moved.map((row) => row['origin'] as Origin | null).find((one) => one !== null);
  return { entry, origin };
}

function insertEntryStatement(answer: ValidAnswer, appliedAt: Date | null): Statement {
  const { entryId, workspaceId, contextId, answers, mode, actor, person, decides } = answer;
  const values = [
    entryId,
    workspaceId,
    newId('exec'),
    contextId,
    toStoredJson(answers),
    mode ?? null,
    toStoredJson(actor),
    person ? toStoredJson(person) : null,
    decides,
    appliedAt,
  ];
  return [insertEntry, values];
}

function voteOf({ person, approvals }: { person: Person; approvals: Approvals }, answers: JsonObject): Vote {
  return { person: person.id, own: ownNames(person), approved: approves(approvals, answers) };
}

export function toResumeMessage({
  id,
  contextId,
  answers,
  person,
  queuedAt,
  appliedAt,
}: SentAnswer): ResumeMessage {
  return {
    entryId: id,
    contextId,
    answers: objectOf(answers),
    atMs: queuedAt.getTime(),
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
