import { ApplicationFailure } from '@temporalio/workflow';
import type { JsonObject } from '#libs/definition/values';
import { checkAnswers } from '#libs/definition/answers';
import type { FormField, PauseEffect } from '#libs/engine/effects';
import type { RunRecord } from '#temporal/activities';

interface OpenPause {
  path: string;
  form: FormField[];
  state: 'open' | 'resumed' | 'expired';
}

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

  /** True when the rows do not know of something yet. */
  get unwritten(): boolean {
    return this.opened.length + this.claimed.length + this.expired.length > 0;
  }

  get everPaused(): boolean {
    return this.pauses.size > 0 || this.opened.length > 0;
  }

  get opens(): boolean {
    return this.opened.length > 0;
  }

  get resumes(): number {
    return this.taken.size;
  }

  knows(entryId: string): boolean {
    return this.taken.has(entryId);
  }

  open(pause: PauseEffect): void {
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

  /** Hands over all that is unwritten. With a settled run the answers taken so far have done their work. */
  take(settled: boolean): Pick<RunRecord, 'opened' | 'claimed' | 'completed' | 'expired'> {
    const opened = this.opened.map(({ visit, name, title, message, fields, form, expiresAtMs }) => ({
      visit,
      name,
      title,
      message,
      fields,
      form,
      expiresAtMs,
    }));
    const change = {
      opened,
      claimed: this.claimed,
      expired: this.expired,
      completed: settled ? this.uncompleted.splice(0) : [],
    };
    this.opened = [];
    this.claimed = [];
    this.expired = [];
    return change;
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
      if (expiresAtMs !== null) deadlines.push({ path: visit.path, expiresAtMs });
    }
    return deadlines;
  }
}
