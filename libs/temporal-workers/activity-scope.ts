import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { fieldsOf, scope, type Scope } from '#libs/tracing/scope';
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
  // Of an activity of several blocks each block is a span.
  const isSpan = !isLocal && !['stretch', 'batch'].includes(activityType);
  const scoped: Scope = { executionId };
  return {
    inbound: {
      execute: (input, next) => {
        scoped.trace = traceIn(input.headers);
        const work = () => (isSpan ? traced(name, { attributes }, () => next(input)) : next(input));
        return scope.run(scoped, work);
      },
    },
    // The SDK's own lines about the activity are written outside of it.
    outbound: { getLogAttributes: (logged, next) => next({ ...logged, ...fieldsOf(scoped) }) },
  };
};

function traceIn({ traceparent }: Headers) {
  return traceparent && traceOf(defaultPayloadConverter.fromPayload(traceparent));
}
