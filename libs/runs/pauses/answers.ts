import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { checkAnswers } from '#libs/language/definition/answers';
import { castVote, computeAnswers, type Person } from '#libs/language/definition/blocks/approvals';
import { checkInput, takesInput } from '#libs/language/definition/block-input';
import { checkOutput } from '#libs/language/definition/outputs';
import { toAskedPath } from '#libs/language/engine/launch';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { isObject, type JsonObject, objectOf } from '#libs/platform/json/json';
import { Database, find, send, type Statement } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { RunAdvance } from '#libs/runs/executions/advance/run-advance';
import { lockExecutionOfPause, wakeRoot } from '#libs/runs/executions/advance/run-log.sql';
import type { RunEvent } from '#libs/language/engine/run-events';
import { Execution } from '#libs/runs/executions/execution.entity';
import { ExecutionWaiters } from '#libs/runs/executions/deliver/execution-waiters';
import { Conflict, Denied, ApiError, Invalid, NotFound } from '#libs/platform/errors/errors';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import { newId } from '#libs/platform/ids/ids';
import { stopwatch } from '#libs/runs/executions/advance/stopwatch';
import type { AnswerRefusal, RunKey } from '#temporal/activities';
import type { OperatorAnswer } from '#temporal/messages';
import { toStoredJson } from '#libs/platform/text/whole-text';
import { byId, findWinner, insertEntry, pointForAnswer, takenBack, takeVote } from './answers.sql.ts';
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
  /** Throws when the person may not write the workflow. Absent: nobody has asked, so they may not. */
  requireWrite?: () => void;
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

/** The most computing in the transaction of an answer, in milliseconds. Temporal goes on with a run that needs more. */
const computeMsMax = 20;

const denyInput = () => {
  throw new Denied(
    'Other parameters are taken only from a caller who may write the workflow: answer over the API or in the console.',
  );
};

type NewAnswer = Pick<
  Answer,
  'entryId' | 'workspaceId' | 'answers' | 'actor' | 'who' | 'mode' | 'requireWrite'
>;

/** A valid answer of a person who may give it. */
interface ValidAnswer extends Omit<NewAnswer, 'who'> {
  contextId: string;
  person: Person | null;
  /** The answers with which the run goes on; null while more people must answer. */
  outcome: JsonObject | null;
}
/** The part of an answer that is sent to the run. */
export type SentAnswer = Pick<ResumeEntry, 'id' | 'workspaceId' | 'executionId' | 'contextId' | 'answers'>;

export interface AcceptedAnswer {
  entry: ResumeEntry;
  /** True when the run has work to do, which waits for Temporal to learn of the answer. */
  isAwaited?: boolean;
  /**
   * The run when a synchronous answer has ended or paused it, and it has no parent. An output that is stored apart is not read yet.
   */
  settled?: Execution | undefined;
  /** The call that started the execution, if known here. */
  origin?: Origin | null;
}

/** Takes answers to pauses: an answer and all that follows from it are one commit. Temporal is told later. */
@Injectable()
export class Answers {
  private readonly log = new Logger(Answers.name);

  constructor(
    private readonly database: Database,
    private readonly waiters: ExecutionWaiters,
    private readonly runs: RunAdvance,
  ) {}

  /**
   * Checks the answer against the form and commits it, together with all that follows from it. When two answers come at the same
   * moment, one is accepted, and the other is refused with the reason. Repeating an entry changes nothing.
   */
  async acceptAnswer(answer: Answer): Promise<AcceptedAnswer> {
    return this.accept(answer, (tx) => lockPoint(tx, answer), answer.store);
  }

  private async accept(
    answer: NewAnswer & { contextId: string },
    lock: (tx: EntityManager) => Promise<PausePoint | null>,
    store?: Store,
  ): Promise<AcceptedAnswer> {
    try {
      return await this.acceptWith(answer, lock, store);
    } catch (error) {
      // A value that follows from the answer fits in no row.
      if (!sqlState(error)?.startsWith('22')) throw error;
      return this.acceptWith(answer, lock, store, String(error));
    }
  }

  private async acceptWith(
    answer: NewAnswer & { contextId: string },
    lock: (tx: EntityManager) => Promise<PausePoint | null>,
    store?: Store,
    crash?: string,
  ): Promise<AcceptedAnswer> {
    return this.database.within(answer.workspaceId, async (tx) => {
      // One connection runs these in this order, so the execution is locked before its pause.
      const reads = [
        send(tx, lockExecutionOfPause, [answer.contextId]),
        findEntry(tx, answer.entryId),
        lock(tx),
      ] as const;
      const [executions, known, point] = await Promise.all(reads);
      if (known) return { entry: known };
      const open = await requireOpen(tx, point);
      if (executions.some((row) => row['is_cancelled'] === true))
        throw new Conflict('The execution is being cancelled.', 'PAUSE_CANCELLED');
      const checked = await checkAnswer(tx, open, answer);
      await this.requireFittingDecision(tx, open, checked.answers, answer.requireWrite);
      await store?.(tx, open);
      // One connection runs these in this order too.
      const entering = send(tx, ...insertEntryStatement(checked));
      const [accepted] = await Promise.all([this.takeAnswer(tx, open, checked, crash), entering]);
      return accepted;
    });
  }

  /** Throws when an operator goes on from a failed call with what its block cannot have, or without the permission for it. */
  private async requireFittingDecision(
    tx: EntityManager,
    { executionId, blockId, path }: PausePoint,
    { action, output = null, input = null }: JsonObject,
    requireWrite: () => void = denyInput,
  ): Promise<void> {
    if (toAskedPath(path) === path) return;
    if (action !== 'skip' && output !== null)
      throw Invalid.field('input.output', 'is only to skip the call', 'conflict');
    if (action !== 'skip' && input === null) return;
    const block = await this.runs.findBlock(tx, executionId, blockId);
    if (input !== null) {
      if (action !== 'retry') throw Invalid.field('input.input', 'is only to try the call again', 'conflict');
      if (!isObject(input)) throw Invalid.field('input.input', 'must be an object', 'type');
      // The secrets of a call go wherever its parameters say.
      requireWrite();
      if (block && !takesInput(block))
        throw Invalid.field('input.input', 'is not for a block that decides by expressions', 'not_allowed');
    }
    if (!block) return;
    const details = isObject(input)
      ? checkInput(block, input, 'input.input')
      : checkOutput(block, output, 'input.output');
    if (details.length > 0) throw new Invalid(details);
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

  /** Takes a written answer. One that ends the pause advances the run. */
  private async takeAnswer(
    tx: EntityManager,
    { executionId, path }: PausePoint,
    answer: ValidAnswer,
    crash?: string,
  ): Promise<AcceptedAnswer> {
    const { entryId, contextId, answers, outcome } = answer;
    let moved: Awaited<ReturnType<RunAdvance['advanceWithin']>> = null;
    let isAwaited = false;
    if (outcome) {
      const event: RunEvent =
        crash === undefined
          ? { kind: 'answered', path, answers: outcome }
          : { kind: 'crashed', message: crash };
      const claimed = [{ entryId, contextId, answers, claimedAtMs: readClockMs() }];
      const isOver = stopwatch(computeMsMax);
      moved = await this.runs.advanceWithin(tx, executionId, [event], { claimed, isOver });
      const root = moved?.row.root_id ?? null;
      // A child that has ended leaves work to its parent.
      isAwaited = root === null ? moved?.status === 'running' : moved?.status !== 'paused';
      if (isAwaited && root !== null) await send(tx, wakeRoot, [root]);
    } else await send(tx, takeVote, [entryId]);
    // The parent of a child may still work. One round trip reads both.
    const hasSettled = moved !== null && moved.row.root_id === null && !isAwaited;
    const [entry, [settled]] = await Promise.all([
      entryOf(tx, entryId),
      hasSettled && answer.mode !== 'async' ? find(tx, Execution, byId, [executionId]) : [],
    ]);
    return { entry, origin: moved?.row.origin ?? null, isAwaited, settled };
  }

  /** Commits the answer of an operator in Temporal like any other. Returns the reason of a refusal, or null. */
  async acceptOperatorAnswer(
    { workspaceId, executionId }: RunKey,
    answer: OperatorAnswer,
  ): Promise<AnswerRefusal | null> {
    const { contextId, as: who } = answer;
    const { entryId = `res_${contextId.slice(4)}${who ? digest(who) : ''}`, answers = answer.input ?? {} } =
      answer;
    const actor = { kind: 'operator', id: 'temporal' };
    try {
      await this.takeAgain({ workspaceId, executionId }, [entryId]);
      const entering = { entryId, workspaceId, contextId, answers, actor, who, mode: 'async' as const };
      const { entry } = await this.accept(entering, (tx) => lockOwn(tx, { executionId, contextId }));
      return entry.status === 'failed' || entry.contextId !== contextId
        ? { code: 'PAUSE_CLOSED', message: entry.failureReason ?? 'The answer belongs to another pause.' }
        : null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.log.warn(`An answer to ${contextId} by an operator was dropped: ${error.message}`);
      return { code: error.code, message: error.message };
    }
  }

  /**
   * Takes answers again that a reset has taken back, because Temporal has given them to the new run too. Leaves out those whose pause is
   * not open again. Returns true when there were any.
   */
  async takeAgain({ workspaceId }: RunKey, entryIds: string[]): Promise<boolean> {
    const back = await this.database.statement<{ id: string }>(workspaceId, takenBack, [entryIds]);
    for (const { id } of back)
      await this.takeOneAgain(workspaceId, id).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        this.log.warn(`The answer ${id} does not count after the reset: ${error.message}`);
      });
    return back.length > 0;
  }

  private async takeOneAgain(workspaceId: string, id: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const { executionId, contextId } = await entryOf(tx, id);
      await send(tx, lockExecutionOfPause, [contextId]);
      const point = await lockOwn(tx, { executionId, contextId });
      const { status, answers, actor, person } = await entryOf(tx, id);
      if (status !== 'failed' || point?.resumeStatus !== 'paused') return;
      const given = { entryId: id, workspaceId, answers: objectOf(answers), actor };
      const checked = await checkAnswer(tx, point, person ? { ...given, who: person.id } : given);
      await this.takeAnswer(tx, point, checked);
    });
  }

  /** The entry once the run has ended or paused again, or has refused the answer; null when the bound has passed. */
  async waitUntilSettled(
    workspaceId: string,
    entry: ResumeEntry,
    waitMs: number,
  ): Promise<ResumeEntry | null> {
    if (entry.status === 'completed' || entry.status === 'failed') return entry;
    const readSettled = async () => {
      const [row] = await this.database.entities(workspaceId, ResumeEntry, byId, [entry.id]);
      return row?.status === 'completed' || row?.status === 'failed' ? row : null;
    };
    // An answer that was just committed with work behind it cannot have settled yet.
    return this.waiters.waitForExecution(entry.executionId, readSettled, waitMs, 'after-mark');
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

function lockOwn(tx: EntityManager, where: { executionId: string; contextId: string }) {
  return tx.findOne(PausePoint, { where, lock: { mode: 'pessimistic_write' } });
}

/** The pause if it can be answered; otherwise throws the reason, and who answered it. */
export async function requireOpen(tx: EntityManager, point: PausePoint | null): Promise<PausePoint> {
  if (!point) throw new NotFound('pause');
  const refusal = closedReasons[point.resumeStatus];
  if (!refusal) return point;
  const [winner] = await send<{ who: string; at: Date }>(tx, findWinner, [point.contextId]);
  const by =
    winner && refusal.code === 'ALREADY_RESUMED' ? ` By ${winner.who}, at ${winner.at.toISOString()}.` : '';
  const [ended] = refusal.code === 'PAUSE_CANCELLED' ? await send(tx, findFailure, [point.executionId]) : [];
  const why = ended ? ` It ended with ${String(ended['code'])}: ${String(ended['message'])}` : '';
  throw new Conflict(refusal.message + by + why, refusal.code);
}

const findFailure = /* sql */ `
select failure ->> 'code' as code, failure ->> 'message' as message from executions where id = $1 and failure is not null`;

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
  const outcome = standing
    ? computeAnswers(
        standing.approvals,
        [...standing.votes, castVote(standing.person, standing.approvals, answers, new Date(readClockMs()))],
        answers,
      )
    : answers;
  return { ...about, contextId: point.contextId, answers, person: standing?.person ?? null, outcome };
}

/** The answering person, for a pause with approvals. */
async function findVoter(
  tx: EntityManager,
  { workspaceId, asking }: PausePoint,
  who: string | undefined,
): Promise<Person | undefined> {
  return who !== undefined && asking?.approvals ? findPerson(tx, workspaceId, who) : undefined;
}

function insertEntryStatement(answer: ValidAnswer): Statement {
  const { entryId, workspaceId, contextId, answers, mode, actor, person } = answer;
  const values = [
    entryId,
    workspaceId,
    newId('exec'),
    contextId,
    toStoredJson(answers),
    mode ?? null,
    toStoredJson(actor),
    person ? toStoredJson(person) : null,
  ];
  return [insertEntry, values];
}

function digest(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 12);
}

async function findEntry(tx: EntityManager, id: string): Promise<ResumeEntry | null> {
  const [entry] = await find(tx, ResumeEntry, byId, [id]);
  return entry ?? null;
}

async function entryOf(tx: EntityManager, id: string): Promise<ResumeEntry> {
  const entry = await findEntry(tx, id);
  if (!entry) throw new NotFound('answer');
  return entry;
}
