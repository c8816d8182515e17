import { costInline, Meter } from '#libs/language/definition/expressions/cost';
import { holdsRef, type JsonObject } from '#libs/platform/json/json';
import type { Failure } from './effects.ts';
import { evaluateBlock, evaluationFailure } from './evaluate.ts';
import { isLargerThan } from './scope.ts';
import { isTooCostly } from './visits.ts';

/** A rendered block larger than this is rendered outside of the workflow, where its values can be stored. */
const renderedCharsMax = 16_384;

/**
 * The evaluation budget of one slice of workflow code: under a tenth of a second. Temporal gives up on a task
 * after seconds.
 */
const sliceCostMax = 20 * costInline;

/** Evaluates pure blocks in workflow code, as long as that is cheap. */
export class Inline {
  private spent = 0;

  /** Starts a new budget, at the beginning of a slice. */
  renew(): void {
    this.spent = 0;
  }

  /** True when the budget is used up. Further evaluation waits for the next slice. */
  get exhausted(): boolean {
    return this.spent >= sliceCostMax;
  }

  /** Returns the value of a pure block, or its failure, or `outside` when the work is too much for workflow code. */
  evaluate(
    type: string,
    params: JsonObject,
    scope: JsonObject,
  ): { value: JsonObject } | { failure: Failure } | 'outside' {
    const meter = new Meter(costInline);
    try {
      const value = evaluateBlock(type, params, scope, meter);
      // An expression or a literal can produce the marker of a stored value; `pack` stores such an object, so that
      // it stays data.
      return isLargerThan(value, renderedCharsMax) || holdsRef(value) ? 'outside' : { value };
    } catch (error) {
      if (isTooCostly(error)) return 'outside';
      const failure = evaluationFailure(error);
      if (!failure) throw error;
      return { failure };
    } finally {
      this.spent += meter.spent;
    }
  }
}
