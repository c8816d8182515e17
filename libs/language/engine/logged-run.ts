import type { Plan } from '#libs/language/definition/plan';
import { type BlockLine, BlockLines } from './block-lines.ts';
import type { Effect, VisitEntry } from './effects.ts';
import { Run } from './run.ts';
import { applyEvent, type RunEvent, runToRest, type TimedEvent, toKeptEvent } from './run-events.ts';
import { answerByScript, hasScripted, isScripted } from './script.ts';
import type { Opening, RunState } from './state.ts';

/** The state of a run after an event of its log. It saves reading the events before. */
export interface RunSnapshot {
  state: RunState;
  blocks: BlockLine[];
  startedAtMs: number;
}

/** An event with its place in the log of its run. */
export interface LoggedEvent extends TimedEvent {
  number: number;
}

/** What follows from new events, before any commit. */
export interface LoggedStep {
  /** The events that changed something. */
  logged: LoggedEvent[];
  atMs: number;
  /** The visits that have changed. */
  visits: VisitEntry[];
  /** The summaries of the blocks that have changed. */
  lines: BlockLine[];
  begun: Effect[];
  /** The effects that ended unanswered together with the pass, container or run around them. */
  cancelled: { path: string; kind: Effect['kind'] }[];
  /** True when more blocks are ready. Another event runs them. */
  more: boolean;
}

/** A run, and its place in its log. The same events in the same order give the same run. */
export class LoggedRun {
  private constructor(
    readonly plan: Plan,
    readonly run: Run,
    readonly blocks: BlockLines,
    readonly startedAtMs: number,
    public number: number,
    public lastAtMs: number,
  ) {}

  /** A run in which nothing has happened. Its first event is `started`, at the moment of the opening. */
  static open(plan: Plan, opening: Opening): LoggedRun {
    return new LoggedRun(
      plan,
      Run.start(plan, opening),
      new BlockLines(),
      opening.nowMs,
      0,
      opening.nowMs - 1,
    );
  }

  /** Continues from a snapshot, which was made after the event with this number. */
  static restore(
    plan: Plan,
    { state, blocks, startedAtMs }: RunSnapshot,
    { number, atMs }: { number: number; atMs: number },
  ): LoggedRun {
    return new LoggedRun(plan, Run.restore(plan, state), new BlockLines(blocks), startedAtMs, number, atMs);
  }

  get snapshot(): RunSnapshot {
    return { state: this.run.state, blocks: this.blocks.all, startedAtMs: this.startedAtMs };
  }

  /** Applies events that the log has. */
  replay(events: LoggedEvent[]): void {
    for (const { number, event, atMs } of events) {
      applyEvent(this.run, { event, atMs });
      runToRest(this.run, atMs, { ran: event.ran });
      this.number = number;
      this.lastAtMs = atMs;
      this.takeVisits();
    }
    this.run.takeCancelled();
  }

  /** Takes the visits that have changed since the last event; with `endedOnly` without those that are open. */
  takeVisits(endedOnly = false): VisitEntry[] {
    const visits = endedOnly ? this.run.takeEnded() : this.run.takeLog();
    for (const entry of visits) this.blocks.note(entry);
    return visits;
  }

  /**
   * Applies new events and runs the blocks behind them, until `isOver` says that it takes too long. With `endedOnly` the step leaves out
   * the visits that have begun.
   */
  advance(
    events: RunEvent[],
    nowMs: number,
    {
      isOver,
      endedOnly = false,
      isScripted: usesScript = true,
    }: { isOver?: (() => boolean) | undefined; endedOnly?: boolean; isScripted?: boolean } = {},
  ): LoggedStep {
    const { run } = this;
    // A later step has a later time, also where the clocks of two machines differ: a reset compares them.
    const atMs = Math.max(nowMs, this.lastAtMs + 1, run.loggedMs);
    const logged: LoggedEvent[] = [];
    const begun: Effect[] = [];
    const visits = new Map<string, VisitEntry>();
    let more = false;
    const queue = [...events];
    for (
      let event = queue.shift();
      event;
      event = queue.shift() ?? (usesScript ? this.answerByScript(logged.length, isOver) : undefined)
    ) {
      if (!applyEvent(run, { event, atMs })) continue;
      const rest = runToRest(run, atMs, isOver ? { isOver } : {});
      begun.push(...rest.begun.filter((effect) => !isScripted(this.plan, effect)));
      more = !rest.isAtRest;
      this.number++;
      const kept = toKeptEvent(event);
      logged.push({ number: this.number, event: more ? { ...kept, ran: rest.ran } : kept, atMs });
      for (const entry of this.takeVisits(endedOnly)) visits.set(entry.path, entry);
    }
    if (logged.length > 0) this.lastAtMs = atMs;
    more ||= hasScripted(this.plan, run);
    const changed = new Set([...visits.values()].map(({ blockId }) => blockId));
    const lines = this.blocks.all.filter(({ blockId }) => changed.has(blockId));
    return {
      logged,
      atMs,
      visits: [...visits.values()].toSorted((a, b) => a.seq - b.seq),
      lines,
      begun,
      cancelled: run.takeCancelled(),
      more,
    };
  }

  /** The next answer of the script of a test; undefined when nothing waits for one, or the step has become long. */
  private answerByScript(events: number, isOver: (() => boolean) | undefined): RunEvent | undefined {
    if (!this.plan.script || events >= scriptedMax || isOver?.() === true) return undefined;
    return answerByScript(this.plan, this.run);
  }
}

/** A step takes so many answers of a script at most. Another event takes more. */
const scriptedMax = 1000;
