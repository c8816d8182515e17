import { defaultPayloadConverter, type Headers, type Payload } from '@temporalio/common';
import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const names = ['requestId', 'traceparent', 'tracestate'];

const pick = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

/**
 * The trace for a child. The child's id contains the span id of the block that starts it; that span is written after
 * the block has ended.
 */
function within(traceparent: Payload, executionId = '') {
  const [version, traceId, , flags] = defaultPayloadConverter.fromPayload<string>(traceparent).split('-');
  const spanId = executionId.slice('exec_'.length, 'exec_'.length + 16);
  return defaultPayloadConverter.toPayload([version, traceId, spanId, flags].join('-'));
}

/**
 * Passes the request and the trace that started a run on to all of its activities and children. A replay does not
 * compare headers.
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
        startChildWorkflowExecution: (input, next) => {
          const headers: Headers = { ...input.headers, ...carried };
          const { traceparent } = headers;
          if (traceparent) headers.traceparent = within(traceparent, input.options.workflowId);
          return next({ ...input, headers });
        },
        continueAsNew: passOn,
      },
    ],
  };
};
