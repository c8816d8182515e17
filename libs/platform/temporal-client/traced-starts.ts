import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { presentOrigin } from '#libs/platform/telemetry/tracing/origin';

/** Adds the origin of the current call to each start. The run passes it to its activities and child runs. */
export const tracedStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withOrigin(input.headers) }),
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartHeaders: withOrigin(input.workflowStartHeaders) }),
};

function withOrigin(headers: Headers): Headers {
  const told = Object.entries(presentOrigin()).map(([name, value]) => [
    name,
    defaultPayloadConverter.toPayload(value),
  ]);
  return { ...headers, ...Object.fromEntries(told) };
}
