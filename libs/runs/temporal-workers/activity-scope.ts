import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Origin } from '#libs/platform/telemetry/tracing/origin';
import { toLogFields, scope, type WorkScope } from '#libs/platform/telemetry/tracing/scope';
import { isRecorded, traced, parseTrace } from '#libs/platform/telemetry/tracing/tracing';
import { isRunOfExecution } from '#temporal/run-type';
import { blockSpan } from '#libs/runs/executions/record/block-spans';

/**
 * Gives every activity the id of its execution for its log lines, and the trace of the call that started the
 * execution. An activity that is not local is a span of that trace: each attempt of a block, and each step of an
 * ingestion or an import.
 */
export const activityScope: ActivityInterceptorsFactory = ({ info }) => {
  const { activityType, activityId, attempt, isLocal, workflowExecution, workflowType } = info;
  const ofRun = workflowType !== undefined && isRunOfExecution(workflowType);
  const executionId = ofRun ? workflowExecution?.workflowId : undefined;
  const ofAttempt = { 'holdfast.attempt': attempt };
  const spanned = () => {
    if (executionId === undefined) return { attributes: ofAttempt };
    const { attributes, ...place } = blockSpan(executionId, activityId);
    return { ...place, attributes: { ...attributes, ...ofAttempt } };
  };
  const name = `${ofRun ? 'block' : 'step'} ${activityType}`;
  // In an activity of several blocks, each block is a span.
  const isSpan = !isLocal && !['effectLine', 'batch'].includes(activityType);
  const scoped: WorkScope = { executionId };
  return {
    inbound: {
      execute: (input, next) => {
        const { requestId, ...trace } = originIn(input.headers);
        const runTrace = parseTrace(trace);
        Object.assign(scoped, { requestId, trace: runTrace, runTrace });
        const work = () =>
          isSpan && isRecorded() ? traced(name, spanned(), () => next(input)) : next(input);
        return scope.run(scoped, work);
      },
    },
    // The SDK's own lines about the activity are written outside of it.
    outbound: { getLogAttributes: (logged, next) => next({ ...logged, ...toLogFields(scoped) }) },
  };
};

function originIn(headers: Headers): Origin {
  const entries = (['requestId', 'traceparent', 'tracestate'] as const).flatMap((name) => {
    const payload = headers[name];
    return payload ? [[name, defaultPayloadConverter.fromPayload<string>(payload)]] : [];
  });
  return Object.fromEntries(entries);
}
