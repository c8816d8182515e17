import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { scope } from '#libs/tracing/scope';
import { traced, traceOf } from '#libs/tracing/tracing';

/**
 * Every activity knows in its log lines which execution it works for, and goes on with the trace of the call that started it.
 * What is no local activity is a span of that trace: each attempt of a block, and each step of an ingestion or an import.
 */
export const activityScope: ActivityInterceptorsFactory = ({ info }) => {
  const { activityType, activityId, attempt, isLocal, workflowExecution, workflowType } = info;
  const ofRun = workflowType === 'execution';
  const executionId = ofRun ? workflowExecution?.workflowId : undefined;
  const attributes = {
    ...(ofRun ? { 'holdfast.execution.id': executionId, 'holdfast.block.path': activityId } : {}),
    'holdfast.attempt': attempt,
  };
  const name = `${ofRun ? 'block' : 'step'} ${activityType}`;
  return {
    inbound: {
      execute: (input, next) => {
        const work = () => (isLocal ? next(input) : traced(name, { attributes }, () => next(input)));
        return scope.run({ executionId, trace: traceIn(input.headers) }, work);
      },
    },
  };
};

function traceIn({ traceparent }: Headers) {
  return traceparent && traceOf(defaultPayloadConverter.fromPayload(traceparent));
}
