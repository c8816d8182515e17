import { CancellationScope, condition, isCancellation, log } from '@temporalio/workflow';
import type { ResumeMessage, SignalledAnswer } from '#temporal/messages';
import { local } from './effects.ts';
import type { EventQueue } from './event-queue.ts';
import type { KnownPause, Ledger } from './ledger.ts';
import type { Recording } from './recording.ts';
import { sleepUntil } from './time.ts';

/** What is due of a pause at a moment. */
type Occasion = [atMs: number, occasion: string];

/**
 * Takes the answers to a run's pauses, and keeps the times of their reminders and deadlines. What follows from them is
 * put into the event queue. The rows decide which answer came first: the API commits before it tells the run, a signal
 * and a deadline ask the rows here.
 */
export class OpenPauses {
  private readonly clocks = new Map<string, CancellationScope>();

  constructor(
    private readonly recording: Recording,
    private readonly ledger: Ledger,
    private readonly events: EventQueue,
  ) {}

  /** Refuses an answer that cannot be taken. While a pause is being recorded its context is not known here yet. */
  refuse(message: ResumeMessage): void {
    const { ledger } = this;
    if (ledger.recording || ledger.knows(message.entryId)) return;
    const refusal = ledger.refusalOf(message);
    if (refusal) throw refusal;
  }

  /** Takes an answer that is committed. The same entry again is taken once. */
  async answer(message: ResumeMessage): Promise<{ accepted: true }> {
    await condition(() => !this.ledger.recording);
    if (this.ledger.knows(message.entryId)) return { accepted: true };
    const refusal = this.ledger.refusalOf(message);
    if (refusal) throw refusal;
    this.take(message);
    return { accepted: true };
  }

  /** An answer that nobody waits for: what cannot be taken is dropped. */
  async answerSignalled(message: SignalledAnswer): Promise<void> {
    await condition(() => !this.ledger.recording);
    const { contextId } = message;
    const accepted = await CancellationScope.nonCancellable(() =>
      local.acceptSignalled(this.recording.key, message),
    );
    if (!accepted) return log.warn('a signalled answer was dropped', { contextId });
    if (!this.ledger.knows(accepted.entryId)) this.take(accepted);
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
        // A rejection that nobody sees would make Temporal try the task for ever.
        if (!isCancellation(error)) this.events.put({ kind: 'crashed', error });
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
      await local.tellPeople(this.recording.key, path, occasion);
      pause.toldMs = atMs;
      if (occasion === 'escalated') pause.escalated = true;
    }
    if (expiresAtMs === null) return;
    await sleepUntil(expiresAtMs, `${path} · expiry`);
    for (const message of await local.expirePause(this.recording.key, path, Date.now()))
      if (!this.ledger.knows(message.entryId)) this.take(message);
    if (this.ledger.at(path)) this.events.put({ kind: 'expired', path });
  }

  private take(message: ResumeMessage): void {
    const outcome = this.ledger.claim(message);
    // A vote that decides nothing still wakes the run: the rows are to learn of it.
    this.events.put(outcome ? { kind: 'answered', ...outcome } : { kind: 'wake' });
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
