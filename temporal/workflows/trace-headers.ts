import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const names = ['requestId', 'traceparent', 'tracestate'];

const pick = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

/**
 * Passes the request that started a run, and its trace, on to all that the run has done. Headers are no part of what a replay
 * compares.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  const passOn = <Input extends { headers: Headers }, Result>(
    input: Input,
    next: (input: Input) => Result,
  ): Result => next({ ...input, headers: { ...input.headers, ...carried } });
  return {
    inbound: [
      {
        execute(input, next) {
          carried = pick(input.headers);
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
