import { costInline, Meter } from '#libs/definition/cost';
import { holdsRef, type JsonObject } from '#libs/definition/values';
import type { Failure } from './effects.ts';
import { evaluateBlock, failureOf } from './evaluate.ts';
import { isLargerThan } from './scope.ts';
import { isTooCostly } from './visits.ts';

/** A rendered block larger than this is rendered outside, where its values can be stored. */
const renderedCharsMax = 16_384;

/** What one stretch of workflow code may cost: under a tenth of a second. Temporal gives up on a task after seconds. */
const stretchMax = 20 * costInline;

/** Evaluates pure blocks in workflow code, as long as that is cheap. */
export class Inline {
  private spent = 0;

  /** A stretch of workflow code begins. */
  renew(): void {
    this.spent = 0;
  }

  /** The stretch should end: what is left to evaluate can wait for the next one. */
  get exhausted(): boolean {
    return this.spent >= stretchMax;
  }

  /** A pure block's value, its failure, or that it is too much for here. */
  evaluate(
    type: string,
    params: JsonObject,
    scope: JsonObject,
  ): { value: JsonObject } | { failure: Failure } | 'outside' {
    const meter = new Meter(costInline);
    try {
      const value = evaluateBlock(type, params, scope, meter);
      // An expression or a literal can write the marker of a stored value; whoever packs makes data of it.
      return isLargerThan(value, renderedCharsMax) || holdsRef(value) ? 'outside' : { value };
    } catch (error) {
      if (isTooCostly(error)) return 'outside';
      const failure = failureOf(error);
      if (!failure) throw error;
      return { failure };
    } finally {
      this.spent += meter.spent;
    }
  }
}
