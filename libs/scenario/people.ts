import { ApplicationFailure } from '@temporalio/common';
import { checkAnswers } from '#libs/definition/answers';
import { durationMs } from '#libs/definition/durations';
import type { ResumeMessage } from '#temporal/messages';
import type { Book, Opened } from './book.ts';
import type { Clock } from './clock.ts';
import type { Person } from './scenario.ts';

/** So near to its expiry an answer may come before it or after it, as fast as the machine is just then. */
const tieMs = 10_000;

/** How often a pause that is open is told an answer that it does not know of. */
const turnsMax = 20;

/** How people reach the run. */
export interface Door {
  answer(message: ResumeMessage): Promise<unknown>;
  /** Ends the run: it cannot be played as it is written. */
  stop(): Promise<void>;
}

/** Answers pauses as the scenario says. */
export class People {
  private readonly turns = new Map<string, number>();

  constructor(
    private readonly script: Person[],
    private readonly clock: Clock,
    private readonly book: Book,
    private readonly door: Door,
  ) {}

  /** To be called while time stands, so that `after` counts from the opening of the pause. */
  async see(pause: Opened): Promise<void> {
    // A request that needs several people is put to all of them at once.
    const people = pause.asking?.approvals ? this.everyone(pause) : [this.whoAnswers(pause)];
    for (const person of people) if (person) await this.expect(pause, person);
  }

  private async expect(pause: Opened, person: Person): Promise<void> {
    const comesAtMs = (await this.clock.now()) + (durationMs(person.after) ?? 0);
    if (pause.expiresAtMs !== null && Math.abs(comesAtMs - pause.expiresAtMs) < tieMs)
      this.book.problem(
        `The answer for "${pause.visit.path}" comes just as it expires: earlier or later, please.`,
      );
    await this.clock.holdDuring(() => this.attend(pause, person));
  }

  private everyone({ visit: { path, blockId } }: Opened): Person[] {
    return this.script.filter(({ block, pass }) => (pass ? `${block}@${pass}` === path : block === blockId));
  }

  private whoAnswers({ visit: { path, blockId } }: Opened): Person | undefined {
    const here = this.script.find(({ block, pass }) => pass !== undefined && `${block}@${pass}` === path);
    if (here) return here;
    const line = this.script.filter(({ block, pass }) => pass === undefined && block === blockId);
    const turn = this.turns.get(blockId) ?? 0;
    this.turns.set(blockId, turn + 1);
    return line[Math.min(turn, line.length - 1)];
  }

  /** Holds time from the answer until the run has taken it. What goes wrong is in the book, and nowhere else. */
  private async attend(pause: Opened, { after = 0, answers: given, as, role }: Person): Promise<void> {
    const { path } = pause.visit;
    try {
      await this.clock.letPass(durationMs(after) ?? 0);
      if (this.book.stopped) return;
      const { answers, details } = checkAnswers(pause.form, given);
      if (details.length > 0) {
        const said = details.map(({ path: field, message }) => `${field}: ${message}`).join(' ');
        this.book.problem(`The answers for "${path}" do not fit its form. ${said}`);
        return await this.door.stop();
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

  /** A task that Temporal has begun anew hears what people say before it comes to the pause that is shown already. */
  private async give(path: string, message: ResumeMessage): Promise<void> {
    for (let turn = 1; ; turn++) {
      try {
        return void (await this.door.answer(message));
      } catch (error) {
        if (turn === turnsMax || !isUnknown(error) || !this.book.isOpen(path)) throw error;
      }
    }
  }

  /** A run that has ended, or a pause that has expired, takes no answer: a scenario may be about just that. */
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
