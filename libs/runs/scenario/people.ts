import { ApplicationFailure } from '@temporalio/common';
import { checkAnswers } from '#libs/language/definition/answers';
import { durationMs } from '#libs/language/definition/durations';
import type { ResumeMessage } from '#temporal/messages';
import type { InMemoryStore, Opened } from './in-memory-store.ts';
import type { Clock } from './clock.ts';
import type { ScenarioPerson } from './scenario.ts';

/** An answer this near to its pause's expiry may come before or after it, depending on the speed of the machine. */
const tieMs = 10_000;

/** An answer is sent again this often to an open pause while the run does not know the pause. */
const turnsMax = 20;

/** The calls by which people reach the run. */
export interface RunCalls {
  answer(message: ResumeMessage): Promise<unknown>;
  /** Ends the run, because the scenario cannot be played as written. */
  stop(): Promise<void>;
}

/** Answers pauses as the scenario says. */
export class People {
  private readonly turns = new Map<string, number>();

  constructor(
    private readonly script: ScenarioPerson[],
    private readonly clock: Clock,
    private readonly book: InMemoryStore,
    private readonly run: RunCalls,
  ) {}

  /** Takes an opened pause. Call it while time is held, so that `after` counts from the opening of the pause. */
  async see(pause: Opened): Promise<void> {
    // All people of a pause with approvals get it at once.
    const people = pause.asking?.approvals ? this.everyone(pause) : [this.whoAnswers(pause)];
    for (const person of people) if (person) await this.expect(pause, person);
  }

  private async expect(pause: Opened, person: ScenarioPerson): Promise<void> {
    const comesAtMs = (await this.clock.now()) + (durationMs(person.after) ?? 0);
    if (pause.expiresAtMs !== null && Math.abs(comesAtMs - pause.expiresAtMs) < tieMs)
      this.book.problem(
        `The answer for "${pause.visit.path}" comes at the moment of its expiry; let it come earlier or later.`,
      );
    await this.clock.holdDuring(() => this.attend(pause, person));
  }

  private everyone({ visit: { path, blockId } }: Opened): ScenarioPerson[] {
    return this.script.filter(({ block, pass }) => (pass ? `${block}@${pass}` === path : block === blockId));
  }

  private whoAnswers({ visit: { path, blockId } }: Opened): ScenarioPerson | undefined {
    const here = this.script.find(({ block, pass }) => pass !== undefined && `${block}@${pass}` === path);
    if (here) return here;
    const line = this.script.filter(({ block, pass }) => pass === undefined && block === blockId);
    const turn = this.turns.get(blockId) ?? 0;
    this.turns.set(blockId, turn + 1);
    return line[Math.min(turn, line.length - 1)];
  }

  /** Sends the answer, and holds time until the run has taken it. Errors are only noted in the store. */
  private async attend(
    pause: Opened,
    { after = 0, answers: given, as, role }: ScenarioPerson,
  ): Promise<void> {
    const { path } = pause.visit;
    try {
      await this.clock.letPass(durationMs(after) ?? 0);
      if (this.book.stopped) return;
      const { answers, details } = checkAnswers(pause.form, given);
      if (details.length > 0) {
        const faults = details.map(({ path: field, message }) => `${field}: ${message}`).join(' ');
        this.book.problem(`The answers for "${path}" do not fit its form. ${faults}`);
        return await this.run.stop();
      }
      const atMs = await this.clock.now();
      const { contextId } = pause;
      const person =
        as === undefined ? undefined : { id: as.toLowerCase(), names: [as], ...(role ? { role } : {}) };
      const entryId = `res_${contextId.slice(4)}${as ?? ''}`;
      await this.give(path, { entryId, contextId, answers, ...(person ? { person } : {}) });
      this.book.note(atMs, `${as ?? 'a person'} answers ${path}: ${JSON.stringify(given)}`);
    } catch (error) {
      await this.refused(path, error);
    }
  }

  /**
   * Sends the answer until the run takes it. A task that Temporal began again gets updates before it reaches the
   * recorded pause.
   */
  private async give(path: string, message: ResumeMessage): Promise<void> {
    for (let turn = 1; ; turn++) {
      try {
        return void (await this.run.answer(message));
      } catch (error) {
        if (turn === turnsMax || !isUnknown(error) || !this.book.isOpen(path)) throw error;
      }
    }
  }

  /**
   * Notes that an answer was refused: a run that has ended, or a pause that has expired, takes none. This is no
   * problem, because a scenario may test it.
   */
  private async refused(path: string, error: unknown): Promise<void> {
    if (this.clock.closed) return;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    const atMs = await this.clock.now();
    this.book.note(atMs, `the answer to ${path} was refused: ${why}`);
  }
}

function isUnknown(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof ApplicationFailure && cause.type === 'PAUSE_NOT_FOUND';
}
