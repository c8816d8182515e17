import type { PauseEffect, VisitEntry } from '#libs/language/engine/effects';
import type { LoggedRun, LoggedStep } from '#libs/language/engine/logged-run';
import { buildMissingAnswer } from '#libs/language/engine/script';
import type {
  Call,
  Note,
  PauseOutcome,
  Played,
  Scenario,
  ScenarioAnswer,
  ScenarioAnswers,
  ShownPause,
} from './scenario.ts';
import { ScenarioValues } from './values.ts';

/** What has happened in one run: its visits, pauses and calls, and the answers that its effects got. */
export class PlayedRun {
  readonly values = new ScenarioValues();
  private readonly notes: Note[] = [];
  private readonly problems: string[] = [];
  private readonly visits = new Map<string, VisitEntry>();
  private readonly pauses = new Map<string, ShownPause>();
  private readonly calls: Call[] = [];
  private readonly answersUsed = new Map<string, number>();
  private latestMs = 0;

  constructor(private readonly scenario: Scenario) {}

  /** Takes what has followed from an event. */
  record({ visits, cancelled, logged }: LoggedStep): void {
    for (const entry of visits) {
      this.visits.set(entry.path, entry);
      this.latestMs = Math.max(this.latestMs, entry.startedAtMs, entry.endedAtMs ?? 0);
    }
    for (const { event } of logged)
      if (event.kind === 'expired' || event.kind === 'answered') this.close(event.path, event.kind);
    for (const { path } of cancelled) this.close(path, 'closed');
  }

  open({ visit: { path, blockId }, title, message, openedAtMs }: PauseEffect): void {
    this.pauses.set(path, { path, blockId, title, message, openedAtMs, outcome: 'open' });
  }

  /** The state of the pause at the path, as a refusal names it. */
  stateOf(path: string): string {
    const state = this.pauses.get(path)?.outcome ?? 'closed';
    return { answered: 'resumed', expired: 'expired', closed: 'cancelled', open: 'open' }[state];
  }

  called(call: Call): void {
    this.calls.push(call);
  }

  note(atMs: number, text: string): void {
    this.notes.push({ atMs, text });
  }

  problem(text: string): void {
    if (!this.problems.includes(text)) this.problems.push(text);
  }

  /**
   * The next answer of an effect or a child. An entry for the visit path has priority over an entry for the block. When the scenario has none,
   * the block fails, and the scenario too, whatever the run does next.
   */
  takeAnswer(
    kind: 'effects' | 'children',
    { path, blockId }: { path: string; blockId: string },
  ): ScenarioAnswer {
    const listed = this.scenario[kind] ?? {};
    const key = [path, blockId].find((one) => Object.hasOwn(listed, one));
    const answers = key === undefined ? [] : listOf(listed[key]);
    const turn = this.answersUsed.get(key ?? '') ?? 0;
    const answer = answers[Math.min(turn, answers.length - 1)];
    if (key !== undefined && answer) {
      this.answersUsed.set(key, turn + 1);
      return answer;
    }
    const missing = buildMissingAnswer(kind, blockId);
    this.problem(missing.fail.message);
    return missing;
  }

  /** The run as it stands now. */
  toPlayed({ run, startedAtMs }: LoggedRun): Played {
    const outcome = run.outcome();
    const failure = outcome && outcome.status !== 'completed' ? outcome.failure : undefined;
    const visits = [...this.visits.values()].toSorted((a, b) => a.seq - b.seq);
    return {
      status:
        outcome?.status ?? (run.openEffects.some(({ kind }) => kind === 'pause') ? 'paused' : 'running'),
      output: this.values.resolve(outcome?.output ?? null),
      ...(failure ? { failure } : {}),
      startedAtMs,
      elapsedMs: Math.max(0, this.latestMs - startedAtMs),
      visits: visits.map((visit) => this.whole(visit)),
      pauses: [...this.pauses.values()],
      calls: this.calls,
      notes: this.notes,
      problems: this.problems,
    };
  }

  private whole(visit: VisitEntry): VisitEntry {
    return visit.output === undefined ? visit : { ...visit, output: this.values.resolve(visit.output) };
  }

  private close(path: string, outcome: PauseOutcome): void {
    const pause = this.pauses.get(path);
    if (pause?.outcome === 'open') pause.outcome = outcome;
  }
}

const listOf = (answers: ScenarioAnswers | undefined = []): ScenarioAnswer[] =>
  Array.isArray(answers) ? answers : [answers];
