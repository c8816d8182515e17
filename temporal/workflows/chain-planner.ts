import type { Plan } from '#libs/language/definition/plan';
import type { Effect } from '#libs/language/engine/effects';
import type { Run } from '#libs/language/engine/run';
import type { RunKey, ChainEnd, ChainStart } from '#temporal/activities';
import type { ExecutionInput } from '#temporal/messages';
import { lineFrom } from './chain-names.ts';
import { readCheckpoints, type ChainOutcome } from './effect-activities.ts';

/** A chain gets no larger state. With more characters each block is an activity of its own. */
const stateCharsMax = 65_536;
/** A chain gets no longer log to record the end of the run. */
const logMax = 64;

/** An open effect after a chain: its attempt failed, or it is launched like any other. */
export interface ChainRemainder {
  effect: Effect;
  failed?: ChainOutcome['failed'];
}

/**
 * Fast path of an activity for each effect (`runEffect`): while one effect alone is open, its activity goes on with the
 * effects that follow.
 */
export class ChainPlanner {
  /** The path of the first effect of the chain under way. */
  private first: string | null = null;

  constructor(
    private readonly input: ExecutionInput,
    private readonly plan: Plan,
  ) {}

  /**
   * The names and the start of a chain from the effect; null when the effect needs an activity of its own. With an
   * `end` the chain may record the end of the run.
   */
  planChain(run: Run, effect: Effect, end: ChainEnd | null): { names: string[]; start: ChainStart } | null {
    if (!this.input.effectChains || effect.kind !== 'activity') return null;
    const { path, blockId } = effect.visit;
    if (run.hasReady || run.openEffects.length > 1 || run.mayEndEarly(path)) return null;
    const { names, ends } = lineFrom(this.plan, blockId);
    const recorded = run.unlogged <= logMax ? end : null;
    // One effect is also a chain when the run ends with it: its output and the end are then one commit.
    if (names.length < 2 && !(ends && recorded)) return null;
    // Only a record needs the log.
    const state = recorded ? run.state : { ...run.state, ended: [], changed: [] };
    if (JSON.stringify(state).length > stateCharsMax) return null;
    return { names, start: { planHash: this.input.planHash, state, ...(recorded ? { end: recorded } : {}) } };
  }

  begin(effect: Effect): void {
    this.first = effect.visit.path;
  }

  /** Applies the results of a chain, and returns the effects that are open after it. */
  apply(run: Run, { settled, failed, recordedAtMs }: ChainOutcome): ChainRemainder[] {
    // The effect after the last one is launched like any other, unless it failed or the run ended.
    const at = this.settle(run, settled, failed !== undefined || recordedAtMs !== undefined);
    const [one] = at;
    return one?.kind === 'activity' && at.length === 1 && failed
      ? [{ effect: one, failed }]
      : at.map((effect) => ({ effect }));
  }

  /** Applies the committed results of the current chain, because the run ends. The block that it reached stays open. */
  async takeIn(run: Run, key: RunKey): Promise<void> {
    if (this.first !== null) this.settle(run, await readCheckpoints(key, this.first), true);
  }

  /** Settles the effects in order. With `onward` it also opens the effects after the last one. Returns the open effects. */
  private settle(run: Run, settled: ChainOutcome['settled'], onward: boolean): Effect[] {
    const first = this.first;
    this.first = null;
    let at = run.openEffects.filter(({ visit }) => visit.path === first);
    for (const [i, { path, output, atMs }] of settled.entries()) {
      if (at[0]?.visit.path !== path)
        throw new Error(`A chain carried out ${path} instead of the expected block.`);
      run.succeed(path, output, atMs, 1);
      at = onward || i < settled.length - 1 ? run.takeReady(atMs) : [];
    }
    return at;
  }
}
