import { ApplicationFailure } from '@temporalio/workflow';
import type { JsonObject } from '#libs/definition/values';
import { checkAnswers } from '#libs/definition/answers';
import type { FormField, PauseEffect } from '#libs/engine/effects';
import type { RunRecord } from '#temporal/activities';
import type { Carried } from '#temporal/messages';

interface OpenPause {
  path: string;
  form: FormField[];
  state: 'open' | 'resumed' | 'expired' | 'cancelled';
}

/** Closed pauses and taken answers of which a late word can still be told what it is. */
const rememberedMax = 500;

/** The pauses of a run and the answers that it took, and what of that is not yet in the rows. */
export class Ledger {
  /** While true a context may exist in the rows that is not known here yet. */
  recording = true;
  private readonly pauses = new Map<string, OpenPause>();
  private readonly taken = new Set<string>();
  private readonly uncompleted: string[] = [];
  private opened: PauseEffect[] = [];
  private claimed: RunRecord['claimed'] = [];
  private expired: string[] = [];
  private closed: string[] = [];
  private paused = false;

  /** Goes on from what an earlier incarnation of the run handed over; `pauses` are those still open. */
  static restore({ open, taken, uncompleted, everPaused }: Carried['ledger'], pauses: PauseEffect[]): Ledger {
    const ledger = new Ledger();
    for (const { visit, form } of pauses) {
      const contextId = open[visit.path];
      if (contextId) ledger.pauses.set(contextId, { path: visit.path, form, state: 'open' });
    }
    for (const entryId of taken) ledger.taken.add(entryId);
    ledger.uncompleted.push(...uncompleted);
    ledger.paused = everPaused;
    return ledger;
  }

  /** What the next incarnation of the run must know. Only when nothing is unwritten. */
  get carried(): Carried['ledger'] {
    const open = [...this.pauses].filter(([, { state }]) => state === 'open');
    return {
      open: Object.fromEntries(open.map(([contextId, { path }]) => [path, contextId])),
      taken: [...this.taken],
      uncompleted: this.uncompleted,
      everPaused: this.everPaused,
    };
  }

  /** True when the rows do not know of something yet. */
  get unwritten(): boolean {
    return this.opened.length + this.claimed.length + this.expired.length + this.closed.length > 0;
  }

  get everPaused(): boolean {
    return this.paused;
  }

  get opens(): boolean {
    return this.opened.length > 0;
  }

  /** How many answers the run has taken. */
  resumes = 0;

  knows(entryId: string): boolean {
    return this.taken.has(entryId);
  }

  open(pause: PauseEffect): void {
    this.paused = true;
    this.opened.push(pause);
  }

  /** Why an answer to this context cannot be taken, or null. */
  refusalOf(contextId: string): ApplicationFailure | null {
    const pause = this.pauses.get(contextId);
    if (!pause) return ApplicationFailure.nonRetryable('there is no such pause', 'PAUSE_NOT_FOUND');
    if (pause.state === 'open') return null;
    return ApplicationFailure.nonRetryable(`the pause is ${pause.state} already`, 'PAUSE_CLOSED');
  }

  /** The answers as the form takes them, or null where they do not fit it. For messages that no API has checked. */
  fitting(contextId: string, answers: JsonObject): JsonObject | null {
    const checked = checkAnswers(this.pauses.get(contextId)?.form ?? [], answers);
    return checked.details.length === 0 ? checked.answers : null;
  }

  /** Marks the pause as answered and names its visit. */
  claim(entryId: string, contextId: string, answers: JsonObject, signalled: boolean): string | null {
    const pause = this.pauses.get(contextId);
    if (!pause || pause.state !== 'open') return null;
    pause.state = 'resumed';
    this.taken.add(entryId);
    forget(this.taken, this.taken);
    this.resumes++;
    this.uncompleted.push(entryId);
    this.claimed.push({ entryId, contextId, answers, signalled, claimedAtMs: Date.now() });
    return pause.path;
  }

  /** Marks the pause of a visit as expired; false when it was answered first. */
  expire(path: string): boolean {
    const pause = [...this.pauses.values()].find((one) => one.path === path);
    if (!pause || pause.state !== 'open') return false;
    pause.state = 'expired';
    this.expired.push(path);
    return true;
  }

  /** The pause is gone with the pass that it lay in; one that the rows never saw leaves no trace. */
  close(path: string): void {
    const unseen = this.opened.some(({ visit }) => visit.path === path);
    this.opened = this.opened.filter(({ visit }) => visit.path !== path);
    const pause = [...this.pauses.values()].find((one) => one.path === path);
    if (pause) pause.state = 'cancelled';
    if (!unseen) this.closed.push(path);
  }

  /** Hands over all that is unwritten. With a settled run the answers taken so far have done their work. */
  take(settled: boolean): Pick<RunRecord, 'opened' | 'claimed' | 'completed' | 'expired' | 'closed'> {
    const opened = this.opened.map(({ visit, name, title, message, fields, form, scopes, expiresAtMs }) => ({
      visit,
      name,
      title,
      message,
      fields,
      form,
      scopes,
      expiresAtMs,
    }));
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

  /** Learns the contexts that the rows gave to newly opened pauses; answers those that have a deadline. */
  learn(
    contexts: Record<string, string>,
    opened: RunRecord['opened'],
  ): { path: string; expiresAtMs: number }[] {
    const deadlines: { path: string; expiresAtMs: number }[] = [];
    for (const { visit, form, expiresAtMs } of opened) {
      const contextId = contexts[visit.path];
      if (!contextId) throw new Error(`The pause of ${visit.path} was recorded without a context.`);
      this.pauses.set(contextId, { path: visit.path, form, state: 'open' });
      forget(this.pauses, this.closedContexts());
      if (expiresAtMs !== null) deadlines.push({ path: visit.path, expiresAtMs });
    }
    return deadlines;
  }
}

/** A run that pauses ten thousand times must not remember ten thousand answers. */
function forget<K>(known: { size: number; delete(key: K): boolean }, keys: Iterable<K>): void {
  if (known.size <= rememberedMax) return;
  for (const key of keys) {
    known.delete(key);
    return;
  }
}
