import { CancellationScope, condition, isCancellation, log } from '@temporalio/workflow';
import type { JsonObject } from '#libs/definition/values';
import type { RunKey } from '#temporal/activities';
import type { ResumeMessage, SignalledAnswer } from '#temporal/messages';
import { local } from './effects.ts';
import type { KnownPause, Ledger } from './ledger.ts';
import { sleepUntil } from './time.ts';

/** The run as far as questions to people go. */
export interface PauseListener {
  readonly key: RunKey;
  readonly ledger: Ledger;
  /** The pause is answered. */
  answered(path: string, answers: JsonObject): void;
  /** Someone has spoken, and others must be heard: the rows are to learn of it. */
  wake(): void;
  /** Nobody has answered it in time. */
  expired(path: string): void;
  /** What cannot go on; a rejection that nobody sees would make Temporal try the task for ever. */
  crashed(error: unknown): void;
}

/** What is due of a pause at a moment. */
type Occasion = [atMs: number, occasion: string];

/**
 * Takes what people say, and keeps the times of what they are asked. Whether an answer came first is for the rows to
 * say, whichever way it came: the API commits before it tells the run; a signal and a deadline ask the rows here.
 */
export class OpenPauses {
  private readonly clocks = new Map<string, CancellationScope>();

  constructor(private readonly listener: PauseListener) {}

  /** Refuses an answer that cannot be taken. While a pause is being recorded its context is not known here yet. */
  refuse(message: ResumeMessage): void {
    const { ledger } = this.listener;
    if (ledger.recording || ledger.knows(message.entryId)) return;
    const refusal = ledger.refusalOf(message);
    if (refusal) throw refusal;
  }

  /** Takes an answer that is committed. The same entry again is taken once. */
  async answer(message: ResumeMessage): Promise<{ accepted: true }> {
    await condition(() => !this.listener.ledger.recording);
    if (this.listener.ledger.knows(message.entryId)) return { accepted: true };
    const refusal = this.listener.ledger.refusalOf(message);
    if (refusal) throw refusal;
    this.take(message);
    return { accepted: true };
  }

  /** An answer that nobody waits for: what cannot be taken is dropped. */
  async answerSignalled(message: SignalledAnswer): Promise<void> {
    await condition(() => !this.listener.ledger.recording);
    const { contextId } = message;
    const accepted = await CancellationScope.nonCancellable(() =>
      local.acceptSignalled(this.listener.key, message),
    );
    if (!accepted) return log.warn('a signalled answer was dropped', { contextId });
    if (!this.listener.ledger.knows(accepted.entryId)) this.take(accepted);
  }

  /** Keeps the times of a pause: its reminders, its escalation, its end. */
  watch(pause: KnownPause): void {
    const { path, expiresAtMs } = pause;
    const due = occasionsOf(pause);
    if (expiresAtMs === null && due.length === 0) return;
    const scope = new CancellationScope();
    this.clocks.set(path, scope);
    scope
      .run(() => this.keep(pause, due))
      .catch((error: unknown) => {
        if (!isCancellation(error)) this.listener.crashed(error);
      });
  }

  /** The pause is closed: nothing of it is due any more. */
  unwatch(path: string): void {
    this.clocks.get(path)?.cancel();
    this.clocks.delete(path);
  }

  private async keep(pause: KnownPause, due: Occasion[]): Promise<void> {
    const { path, expiresAtMs } = pause;
    for (const [atMs, occasion] of due) {
      await sleepUntil(atMs, `${path} · ${occasion}`);
      await local.tellPeople(this.listener.key, path, occasion);
      pause.toldMs = atMs;
      if (occasion === 'escalated') pause.escalated = true;
    }
    if (expiresAtMs === null) return;
    await sleepUntil(expiresAtMs, `${path} · expiry`);
    for (const message of await local.expirePause(this.listener.key, path, Date.now()))
      if (!this.listener.ledger.knows(message.entryId)) this.take(message);
    if (this.listener.ledger.at(path)) this.listener.expired(path);
  }

  private take(message: ResumeMessage): void {
    const outcome = this.listener.ledger.claim(message);
    if (outcome) this.listener.answered(outcome.path, outcome.answers);
    else this.listener.wake();
  }
}

/** In their order; what an earlier incarnation of the run has seen to is left out. */
function occasionsOf({ asking, openedAtMs, toldMs }: KnownPause): Occasion[] {
  const reminders = (asking?.remindersMs ?? []).map((ms, i): Occasion => [
    openedAtMs + ms,
    `reminder ${i + 1}`,
  ]);
  const step = asking?.escalation;
  const all: Occasion[] = step ? [...reminders, [openedAtMs + step.afterMs, 'escalated']] : reminders;
  return all.filter(([atMs]) => atMs > toldMs).toSorted(([a], [b]) => a - b);
}
