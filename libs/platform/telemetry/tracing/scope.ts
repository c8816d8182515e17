import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanContext } from '@opentelemetry/api';

/** The request, execution and trace of some work. Its log lines name them, and its outgoing calls send the trace. */
export interface WorkScope {
  requestId?: string;
  executionId?: string;
  trace?: SpanContext;
  /** The trace of the run for which an activity works. */
  runTrace?: SpanContext;
  /** The span of this work, if this process made one. */
  span?: Span;
  /** Another trace to which the work is related. The work is not part of it. */
  concerns?: SpanContext;
}

export const scope = new AsyncLocalStorage<WorkScope>();

/** The fields of the log lines of this work. */
export function toLogFields({ requestId, executionId, trace }: WorkScope): Record<string, string> {
  return {
    ...(trace ? { traceId: trace.traceId } : {}),
    ...(requestId ? { requestId } : {}),
    ...(executionId ? { executionId } : {}),
  };
}
