import type { Plan } from '#libs/language/definition/plan';
import type { Effect } from '#libs/language/engine/effects';
import type { Run } from '#libs/language/engine/run';
import type { RunKey, ChainEnd, ChainStart } from '#temporal/activities';
import type { ExecutionInput } from '#temporal/messages';
import { lineFrom } from './chain-names.ts';
import { checkpointsOf, type ChainOutcome } from './effects.ts';

/** A state of more characters is not sent with a chain: each block is an activity of its own then. */
const stateCharsMax = 65_536;
/** A longer log is not sent for the end's sake. */
const logMax = 64;

/** An effect that a chain came to without an output: it has failed, or is launched as any other. */
export interface ChainRemainder {
  effect: Effect;
  failed?: ChainOutcome['failed'];
}

/** Straight chains of effects: while one alone is open, one activity goes on with those that follow it. */
export class EffectChains {
  /** The path of the first effect of the chain under way. */
  private first: string | null = null;

  constructor(
    private readonly input: ExecutionInput,
    private readonly plan: Plan,
  ) {}

  /**
   * The names and the start of a chain from the effect; null when the effect has an activity of its own. With an `end` the
   * chain may record that of the run.
   */
  at(run: Run, effect: Effect, end: ChainEnd | null): { names: string[]; start: ChainStart } | null {
    if (!this.input.effectChains || effect.kind !== 'activity') return null;
    const { path, blockId } = effect.visit;
    if (run.hasReady || run.openEffects.length > 1 || run.mayEndEarly(path)) return null;
    const { names, ends } = lineFrom(this.plan, blockId);
    const recorded = run.unlogged <= logMax ? end : null;
    if (names.length < 2 && !(ends && recorded)) return null;
    // Only a record needs the log.
    const state = recorded ? run.state : { ...run.state, ended: [], changed: [] };
    if (JSON.stringify(state).length > stateCharsMax) return null;
    return { names, start: { planHash: this.input.planHash, state, ...(recorded ? { end: recorded } : {}) } };
  }

  begin(effect: Effect): void {
    this.first = effect.visit.path;
  }

  /** Applies what a chain did, and returns what is to be done with the effects that it came to. */
  apply(run: Run, { settled, failed, recordedAtMs }: ChainOutcome): ChainRemainder[] {
    // An effect that follows the last one is launched as any other, unless it failed or was the end.
    const at = this.settle(run, settled, failed !== undefined || recordedAtMs !== undefined);
    const [one] = at;
    return one?.kind === 'activity' && at.length === 1 && failed
      ? [{ effect: one, failed }]
      : at.map((effect) => ({ effect }));
  }

  /** Applies what the chain under way has committed, because the run ends; the block that it has come to is open then. */
  async takeIn(run: Run, key: RunKey): Promise<void> {
    if (this.first !== null) this.settle(run, await checkpointsOf(key, this.first), true);
  }

  /** Settles the effects in order. With `onward` it opens what follows the last one too. Returns what is open. */
  private settle(run: Run, settled: ChainOutcome['settled'], onward: boolean): Effect[] {
    const first = this.first;
    this.first = null;
    let at = run.openEffects.filter(({ visit }) => visit.path === first);
    for (const [i, { path, output, atMs }] of settled.entries()) {
      if (at[0]?.visit.path !== path) throw new Error(`A chain has done ${path} in place of another block.`);
      run.settle(path, output, atMs, 1);
      at = onward || i < settled.length - 1 ? run.takeReady(atMs) : [];
    }
    return at;
  }
}
