import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { traceparent } from '#libs/tracing/tracing';

/** Gives a run the trace of the call that starts it; the run passes it on to all that it has done. */
export const tracedStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withTrace(input.workflowStartHeaders) }),
};

function withTrace(headers: Headers): Headers {
  const payload = defaultPayloadConverter.toPayload(traceparent());
  return payload && traceparent() ? { ...headers, traceparent: payload } : headers;
}
