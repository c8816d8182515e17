import {
  CancellationScope,
  condition,
  isCancellation,
  log,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import type { ResumeMessage, SignalledAnswer } from '#temporal/messages';
import { misshapenSignal, misshapenUpdate } from './answer-shapes.ts';
import { local } from './effect-activities.ts';
import type { EventQueue } from './event-queue.ts';
import type { KnownPause, PauseTracker } from './pause-tracker.ts';
import type { Recording } from './recording.ts';
import { sleepUntil } from './time.ts';

/** A reminder or an escalation of a pause, and its time. */
type Occasion = [atMs: number, occasion: string];

/**
 * Takes the answers to a run's pauses, and keeps the timers of their reminders and deadlines. It adds the consequences
 * to the event queue. The database decides which answer came first: the API commits an answer before it sends it to the run,
 * and a signal or a deadline reads the database from here.
 */
export class PauseHandlers {
  private readonly clocks = new Map<string, CancellationScope>();

  constructor(
    private readonly recording: Recording,
    private readonly pauseTracker: PauseTracker,
    private readonly events: EventQueue,
  ) {}

  /**
   * Throws for an answer that the run cannot take. While a pause is being recorded, its context is unknown here, so
   * nothing is refused.
   */
  refuse(message: ResumeMessage): void {
    const { pauseTracker } = this;
    const fault = misshapenUpdate(message);
    if (fault) throw fault;
    if (pauseTracker.contextsPending || pauseTracker.hasTaken(message.entryId)) return;
    const refusal = pauseTracker.findRefusal(message);
    if (refusal) throw refusal;
  }

  /** Takes a committed answer. Takes a repeated entry only once. */
  async answer(message: ResumeMessage): Promise<{ accepted: true }> {
    await condition(() => !this.pauseTracker.contextsPending);
    if (this.pauseTracker.hasTaken(message.entryId)) return { accepted: true };
    const refusal = this.pauseTracker.findRefusal(message);
    if (refusal) throw refusal;
    this.claimAnswer(message);
    return { accepted: true };
  }

  /** Takes an answer for which nobody waits. Drops an answer that cannot be taken. */
  async answerSignalled(message: SignalledAnswer): Promise<void> {
    await condition(() => !this.pauseTracker.contextsPending);
    const fault = misshapenSignal(message);
    // A history from before this check may hold the database's response to such a signal.
    if (fault && patched('signals-have-a-shape')) return dropped(fault.message);
    const accepted = await this.accepted(message);
    if (!accepted) return;
    if (!this.pauseTracker.hasTaken(accepted.entryId)) this.claimAnswer(accepted);
  }

  /** Commits a signalled answer. Drops an answer that the database refuses, because a thrown error would end the run. */
  private async accepted(message: SignalledAnswer): Promise<ResumeMessage | null> {
    try {
      const accepted = await CancellationScope.nonCancellable(() =>
        local.acceptSignalled(this.recording.key, message),
      );
      if (!accepted) dropped('it does not fit');
      return accepted;
    } catch (error) {
      dropped(String(error));
      return null;
    }
  }

  /** Starts the timers of a pause: reminders, escalation, deadline. */
  watch(pause: KnownPause): void {
    const { path, expiresAtMs } = pause;
    const due = occasionsOf(pause);
    if (expiresAtMs === null && due.length === 0) return;
    const scope = new CancellationScope();
    this.clocks.set(path, scope);
    scope
      .run(() => this.keep(pause, due))
      .catch((error: unknown) => {
        // An unhandled rejection would make Temporal try the task for ever.
        if (!isCancellation(error)) this.events.put({ kind: 'crashed', error });
      });
  }

  /** Stops the timers of a closed pause. */
  unwatch(path: string): void {
    this.clocks.get(path)?.cancel();
    this.clocks.delete(path);
  }

  private async keep(pause: KnownPause, due: Occasion[]): Promise<void> {
    const { path, expiresAtMs } = pause;
    for (const [atMs, occasion] of due) {
      await sleepUntil(atMs, `${path} · ${occasion}`);
      await local.enqueueNotifications(this.recording.key, path, occasion);
      pause.toldMs = atMs;
      if (occasion === 'escalated') pause.escalated = true;
    }
    if (expiresAtMs === null) return;
    await sleepUntil(expiresAtMs, `${path} · expiry`);
    for (const message of await local.expirePause(this.recording.key, path, Date.now()))
      if (!this.pauseTracker.hasTaken(message.entryId)) this.claimAnswer(message);
    if (this.pauseTracker.openPauseAt(path)) this.events.put({ kind: 'expired', path });
  }

  private claimAnswer(message: ResumeMessage): void {
    const outcome = this.pauseTracker.claim(message);
    // A vote that leaves the pause open still wakes the run, because it must be recorded. After a reset the answer
    // comes again, and the deadlines after it count from now.
    const atMs = wasReset() ? undefined : message.appliedAtMs;
    this.events.put(outcome ? { kind: 'answered', ...outcome, atMs } : { kind: 'wake' });
  }
}

/** True in the first Temporal run after a reset, unless the run before it had continued another. */
function wasReset(): boolean {
  const { runId, firstExecutionRunId, continuedFromExecutionRunId } = workflowInfo();
  return runId !== firstExecutionRunId && !continuedFromExecutionRunId;
}

function dropped(reason: string): void {
  log.warn('a signalled answer was dropped', { reason });
}

/** In order, without occasions that an earlier Temporal run has committed. */
function occasionsOf({ asking, openedAtMs, toldMs }: KnownPause): Occasion[] {
  const reminders = (asking?.remindersMs ?? []).map((ms, i): Occasion => [
    openedAtMs + ms,
    `reminder ${i + 1}`,
  ]);
  const step = asking?.escalation;
  const all: Occasion[] = step ? [...reminders, [openedAtMs + step.afterMs, 'escalated']] : reminders;
  return all.filter(([atMs]) => atMs > toldMs).toSorted(([a], [b]) => a - b);
}
