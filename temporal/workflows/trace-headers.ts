import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Passes the trace of the call that started a run on to all that the run has done. Headers are no part of what a replay
 * compares, and a run that was started without a trace sends none.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers | null = null;
  const passOn = <Input extends { headers: Headers }, Result>(
    input: Input,
    next: (input: Input) => Result,
  ): Result => next(carried ? { ...input, headers: { ...input.headers, ...carried } } : input);
  return {
    inbound: [
      {
        execute(input, next) {
          const { traceparent } = input.headers;
          if (traceparent) carried = { traceparent };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: passOn,
        scheduleLocalActivity: passOn,
        startChildWorkflowExecution: passOn,
        continueAsNew: passOn,
      },
    ],
  };
};
