import { scope } from './scope.ts';
import { traceHeaders, parseTrace, type TraceHeaders } from './tracing.ts';

/** The call that started a run: its request id and trace. It passes from one process to the next. */
export interface Origin extends TraceHeaders {
  requestId?: string;
}

/** The origin of the current work. */
export function presentOrigin(): Origin {
  const { requestId } = scope.getStore() ?? {};
  return { ...(requestId === undefined ? {} : { requestId }), ...traceHeaders() };
}

/** Runs work of an execution in the scope of the call that started it, not in the scope of the current call. */
export function runOnBehalfOf<T>(origin: Origin | null, executionId: string, work: () => T): T {
  const { requestId, ...headers } = origin ?? {};
  return scope.run({ requestId, executionId, trace: parseTrace(headers) }, work);
}

/** Runs work in the trace of the run, beside the spans of its effects. */
export function runBesideEffects<T>(work: () => T): T {
  const present = scope.getStore();
  return present?.runTrace ? scope.run({ ...present, trace: present.runTrace }, work) : work();
}
