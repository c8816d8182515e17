import { ApplicationFailure } from '@temporalio/workflow';
import { approves, ownNames, refusalFor, computeVerdict } from '#libs/language/definition/blocks/approvals';
import type { JsonObject } from '#libs/platform/json/json';
import type { Asking } from '#libs/language/engine/asking';
import type { PauseEffect } from '#libs/language/engine/effects';
import type { RunRecord } from '#temporal/activities';
import type { CarriedPause, CarriedRun, CastVote, ResumeMessage } from '#temporal/messages';

/** A pause that is in the database. */
export interface KnownPause extends CarriedPause {
  path: string;
  asking: Asking | undefined;
  expiresAtMs: number | null;
  state: 'open' | 'resumed' | 'expired' | 'cancelled';
}

/** The most closed pauses and taken answers that are kept, so that a late answer gets the right refusal. */
const rememberedMax = 500;

/** The pauses of a run, the answers that it took, and which of them the database does not have yet. */
export class PauseTracker {
  /** True while a record may have given contexts to new pauses that are unknown here. */
  contextsPending = true;
  private readonly pauses = new Map<string, KnownPause>();
  private readonly taken = new Set<string>();
  private readonly uncompleted: string[] = [];
  private opened: PauseEffect[] = [];
  private claimed: RunRecord['claimed'] = [];
  private expired: string[] = [];
  private closed: string[] = [];
  everPaused = false;

  /** `starter` is the person who started the run. */
  constructor(private readonly starter?: string) {}

  /** Continues from the ledger of an earlier Temporal run; `pauses` are those still open. */
  restore({ open, taken, uncompleted, everPaused }: CarriedRun['ledger'], pauses: PauseEffect[]): void {
    for (const { visit, asking, expiresAtMs } of pauses) {
      const carried = open[visit.path];
      if (!carried) continue;
      const pause: KnownPause = { ...carried, path: visit.path, asking, expiresAtMs, state: 'open' };
      this.pauses.set(carried.contextId, pause);
    }
    for (const entryId of taken) this.taken.add(entryId);
    this.uncompleted.push(...uncompleted);
    this.everPaused = everPaused;
  }

  /** The ledger for the next Temporal run. Read it only when nothing is unwritten. */
  get carried(): CarriedRun['ledger'] {
    const open = [...this.pauses].filter(([, { state }]) => state === 'open');
    return {
      open: Object.fromEntries(
        open.map(([, { path, contextId, openedAtMs, toldMs, votes, escalated }]) => [
          path,
          { contextId, openedAtMs, toldMs, votes, escalated },
        ]),
      ),
      taken: [...this.taken],
      uncompleted: this.uncompleted,
      everPaused: this.everPaused,
    };
  }

  /** True when the database lacks something. */
  get unwritten(): boolean {
    return this.opened.length + this.claimed.length + this.expired.length + this.closed.length > 0;
  }

  hasTaken(entryId: string): boolean {
    return this.taken.has(entryId);
  }

  open(pause: PauseEffect): void {
    this.everPaused = true;
    this.opened.push(pause);
  }

  /** The reason why an answer to this context cannot be taken, or null. */
  findRefusal({ contextId, person }: Pick<ResumeMessage, 'contextId' | 'person'>): ApplicationFailure | null {
    const pause = this.pauses.get(contextId);
    if (!pause) return ApplicationFailure.nonRetryable('there is no such pause', 'PAUSE_NOT_FOUND');
    if (pause.state !== 'open')
      return ApplicationFailure.nonRetryable(`the pause is ${pause.state} already`, 'PAUSE_CLOSED');
    const approvals = this.approvalsOf(pause);
    const refusal = approvals && refusalFor(approvals, person, { starter: this.starter, votes: pause.votes });
    return refusal ? ApplicationFailure.nonRetryable(refusal.message, refusal.code) : null;
  }

  /** Takes an answer. Returns the answers with which the run continues, or null while more people must answer. */
  claim({
    entryId,
    contextId,
    answers,
    person,
    atMs,
    appliedAtMs,
  }: ResumeMessage): { path: string; answers: JsonObject } | null {
    const pause = this.pauses.get(contextId);
    if (!pause || pause.state !== 'open') return null;
    const outcome = this.computeOutcome(pause, { answers, person, atMs });
    if (outcome) pause.state = 'resumed';
    this.taken.add(entryId);
    forget(this.taken, this.taken);
    this.uncompleted.push(entryId);
    this.claimed.push({
      entryId,
      contextId,
      answers,
      decides: outcome !== null,
      claimedAtMs: Date.now(),
      ...(appliedAtMs === undefined ? {} : { applied: true }),
    });
    return outcome && { path: pause.path, answers: outcome };
  }

  /** The answers with which the run continues, or null while more people must answer. */
  private computeOutcome(
    pause: KnownPause,
    { answers, person, atMs = Date.now() }: Pick<ResumeMessage, 'answers' | 'person' | 'atMs'>,
  ) {
    const approvals = this.approvalsOf(pause);
    if (!approvals || !person) return answers;
    const { decision } = approvals;
    const vote: CastVote = {
      person: person.id,
      own: ownNames(person),
      approved: approves(approvals, answers),
      at: new Date(atMs).toISOString(),
      answers,
    };
    pause.votes.push(vote);
    const verdict = computeVerdict(approvals, pause.votes);
    if (verdict === 'open') return null;
    return { ...answers, [decision]: verdict === 'approved', votes: pause.votes.map(voteView) };
  }

  /** The approvals, after an escalation with its people. */
  private approvalsOf({ asking, escalated }: KnownPause) {
    if (!asking?.approvals) return undefined;
    const { approvals, escalation } = asking;
    return escalated && escalation
      ? { ...approvals, assignees: [...approvals.assignees, ...escalation.to] }
      : approvals;
  }

  /** The open pause of a visit. */
  openPauseAt(path: string): KnownPause | undefined {
    return [...this.pauses.values()].find((pause) => pause.path === path && pause.state === 'open');
  }

  /** Marks the pause of a visit as expired; false when it was answered first. */
  expire(path: string): boolean {
    const pause = this.openPauseAt(path);
    if (!pause) return false;
    pause.state = 'expired';
    this.expired.push(path);
    return true;
  }

  /** Closes the pause of a visit whose pass has ended. A pause that was never recorded leaves no trace. */
  close(path: string): void {
    const unseen = this.opened.some(({ visit }) => visit.path === path);
    this.opened = this.opened.filter(({ visit }) => visit.path !== path);
    const pause = [...this.pauses.values()].find((one) => one.path === path);
    if (pause) pause.state = 'cancelled';
    if (!unseen) this.closed.push(path);
  }

  /** Takes everything that the database lacks. When the run has settled, the answers taken so far are completed. */
  drainUnwritten(
    settled: boolean,
  ): Pick<RunRecord, 'opened' | 'claimed' | 'completed' | 'expired' | 'closed'> {
    const opened = this.opened.map(
      ({ visit, name, title, message, fields, form, asking, agentMayAnswer, scopes, expiresAtMs }) => ({
        visit,
        name,
        title,
        message,
        fields,
        form,
        ...(asking ? { asking } : {}),
        ...(agentMayAnswer ? { agentMayAnswer } : {}),
        scopes,
        expiresAtMs,
      }),
    );
    const change = {
      opened,
      claimed: this.claimed,
      expired: this.expired,
      closed: this.closed,
      completed: settled ? this.uncompleted.splice(0) : [],
    };
    this.opened = [];
    this.claimed = [];
    this.expired = [];
    this.closed = [];
    return change;
  }

  private *closedContexts(): Iterable<string> {
    for (const [contextId, { state }] of this.pauses) if (state !== 'open') yield contextId;
  }

  /** Takes the contexts that the database gave to new pauses, and returns these pauses. */
  addContexts(
    contexts: Record<string, string>,
    opened: RunRecord['opened'],
    openedAtMs: number,
  ): KnownPause[] {
    return opened.map(({ visit: { path }, asking, expiresAtMs }) => {
      const contextId = contexts[path];
      if (!contextId) throw new Error(`The pause of ${path} was recorded without a context.`);
      const pause: KnownPause = {
        contextId,
        path,
        asking,
        openedAtMs,
        toldMs: openedAtMs,
        expiresAtMs,
        votes: [],
        escalated: false,
        state: 'open',
      };
      this.pauses.set(contextId, pause);
      forget(this.pauses, this.closedContexts());
      return pause;
    });
  }
}

/** A vote for the output, with one name of its person. */
function voteView({ person, approved, at, answers }: CastVote): JsonObject {
  return { person, approved, at, answers };
}

/** Removes the oldest entry above the bound, so that a run with ten thousand pauses does not keep ten thousand answers. */
function forget<K>(collection: { size: number; delete(key: K): boolean }, keys: Iterable<K>): void {
  if (collection.size <= rememberedMax) return;
  for (const key of keys) {
    collection.delete(key);
    return;
  }
}
