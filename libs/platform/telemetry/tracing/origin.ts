import { scope } from './scope.ts';
import { traceHeaders, traceOf, type TraceHeaders } from './tracing.ts';

/** The call that a run belongs to, as it is handed from one process to the next. */
export interface Origin extends TraceHeaders {
  requestId?: string;
}

/** The call that the present work belongs to. */
export function presentOrigin(): Origin {
  const { requestId } = scope.getStore() ?? {};
  return { ...(requestId === undefined ? {} : { requestId }), ...traceHeaders() };
}

/** Does the work of a run for the call that started it, and for no other: whoever comes to do it may have been called by somebody else. */
export function onBehalfOf<T>(origin: Origin | null, executionId: string, work: () => T): T {
  const { requestId, ...headers } = origin ?? {};
  return scope.run({ requestId, executionId, trace: traceOf(headers) }, work);
}
