import type { Outcome, VisitEntry } from '#libs/language/engine/effects';
import type { RunRecord } from '#temporal/activities';
import type {
  ScenarioAnswer,
  ScenarioAnswers,
  Call,
  Note,
  PauseOutcome,
  Played,
  Scenario,
  ShownPause,
} from './scenario.ts';
import { ScenarioValues } from './values.ts';

/** An open pause, with what its answer needs. */
export type Opened = RunRecord['opened'][number] & { contextId: string };

/** The recorded state of one run: the content of its rows, the calls of its effects, and the answers to them. */
export class InMemoryStore {
  readonly values = new ScenarioValues();
  readonly notes: Note[] = [];
  readonly problems: string[] = [];
  private readonly visits = new Map<string, VisitEntry>();
  private readonly pauses = new Map<string, ShownPause>();
  private readonly contexts: Record<string, string> = {};
  private readonly calls: Call[] = [];
  private readonly answersUsed = new Map<string, number>();
  private outcome: Outcome | null = null;
  private startedAtMs = 0;
  private latestMs = 0;
  private stoppedAtMs = Infinity;

  constructor(private readonly scenario: Scenario) {}

  /**
   * Takes a record as the product does: a repeated record changes nothing. Returns the pauses that it opened for the
   * first time.
   */
  record(change: RunRecord): Opened[] {
    this.startedAtMs = change.startedAtMs;
    for (const entry of change.visits) this.visit(entry);
    const opened = change.opened.filter(({ visit }) => !this.pauses.has(visit.path));
    for (const pause of opened) this.open(pause);
    for (const { contextId, decides } of change.claimed)
      if (decides) this.close(this.getPath(contextId), 'answered');
    for (const path of change.expired) this.close(path, 'expired');
    for (const path of change.closed) this.close(path, 'closed');
    if (change.outcome && this.stoppedAtMs === Infinity) {
      this.outcome = change.outcome;
      this.latestMs = Math.max(this.latestMs, change.endedAtMs ?? 0);
    }
    return opened.map((pause) => ({ ...pause, contextId: this.contexts[pause.visit.path] ?? '' }));
  }

  /** The context ids of every pause by visit path. */
  get contextIds(): Record<string, string> {
    return { ...this.contexts };
  }

  /** After this moment the run only reacts to its end from outside. The result leaves these reactions out. */
  stop(nowMs: number): void {
    this.stoppedAtMs = Math.min(this.stoppedAtMs, nowMs);
  }

  get stopped(): boolean {
    return this.stoppedAtMs !== Infinity;
  }

  isOpen(path: string): boolean {
    return this.pauses.get(path)?.outcome === 'open';
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
   * The next answer of an effect or a child; undefined when the scenario has none. An entry for the visit path has
   * priority over an entry for the block.
   */
  takeAnswer(kind: 'effects' | 'children', { path, blockId }: { path: string; blockId: string }) {
    const listed = this.scenario[kind] ?? {};
    const key = [path, blockId].find((one) => Object.hasOwn(listed, one));
    const answers = key === undefined ? undefined : listOf(listed[key]);
    if (key === undefined || !answers) return undefined;
    const turn = this.answersUsed.get(key) ?? 0;
    this.answersUsed.set(key, turn + 1);
    return answers[Math.min(turn, answers.length - 1)];
  }

  played(): Played {
    const { outcome, startedAtMs, notes, problems } = this;
    const visits = [...this.visits.values()].toSorted((a, b) => a.seq - b.seq);
    const pauses = [...this.pauses.values()];
    const waits =
      visits.some(({ status }) => status === 'paused') ||
      pauses.some(({ outcome: state }) => state === 'open');
    const failure = outcome && outcome.status !== 'completed' ? outcome.failure : undefined;
    return {
      status: outcome?.status ?? (waits ? 'paused' : 'running'),
      output: this.values.resolve(outcome?.output ?? null),
      ...(failure ? { failure } : {}),
      startedAtMs,
      elapsedMs: Math.max(0, this.latestMs - startedAtMs),
      visits: visits.map((visit) => this.whole(visit)),
      pauses,
      calls: this.calls,
      notes,
      problems,
    };
  }

  private whole(visit: VisitEntry): VisitEntry {
    return visit.output === undefined ? visit : { ...visit, output: this.values.resolve(visit.output) };
  }

  private visit(entry: VisitEntry): void {
    const { path, type, status, startedAtMs, endedAtMs } = entry;
    if (startedAtMs > this.stoppedAtMs) return;
    const wasOpen = endedAtMs === null || endedAtMs >= this.stoppedAtMs;
    if (this.stopped && wasOpen && (status === 'cancelled' || endedAtMs === null)) {
      const { failure: _, ...rest } = entry;
      const stood = type === 'human' ? 'paused' : 'running';
      this.visits.set(path, { ...rest, status: stood, endedAtMs: null });
      this.latestMs = Math.max(this.latestMs, startedAtMs);
      return;
    }
    this.visits.set(path, entry);
    this.latestMs = Math.max(this.latestMs, startedAtMs, endedAtMs ?? 0);
  }

  private open({ visit: { path, blockId }, title, message }: RunRecord['opened'][number]): void {
    const openedAtMs = this.visits.get(path)?.startedAtMs ?? this.startedAtMs;
    this.contexts[path] = `ctx_${Object.keys(this.contexts).length + 1}`;
    this.pauses.set(path, { path, blockId, title, message, openedAtMs, outcome: 'open' });
  }

  private close(path: string | undefined, outcome: PauseOutcome): void {
    const pause = path === undefined ? undefined : this.pauses.get(path);
    if (pause && pause.outcome === 'open') pause.outcome = outcome;
  }

  private getPath(contextId: string): string | undefined {
    return Object.keys(this.contexts).find((path) => this.contexts[path] === contextId);
  }
}

function listOf(answers: ScenarioAnswers | undefined): ScenarioAnswer[] | undefined {
  return answers === undefined || Array.isArray(answers) ? answers : [answers];
}
