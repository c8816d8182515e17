import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanContext } from '@opentelemetry/api';

/** The request, run and trace of some work. Its log lines name them, and servers that it calls are told the trace. */
export interface WorkScope {
  requestId?: string;
  executionId?: string;
  trace?: SpanContext;
  /** The span of this work, where this process makes one. */
  span?: Span;
  /** The trace that the work concerns and does not belong to. */
  concerns?: SpanContext;
}

export const scope = new AsyncLocalStorage<WorkScope>();

/** The fields of the log lines of this work. */
export function fieldsOf({ requestId, executionId, trace }: WorkScope): Record<string, string> {
  return {
    ...(trace ? { traceId: trace.traceId } : {}),
    ...(requestId ? { requestId } : {}),
    ...(executionId ? { executionId } : {}),
  };
}
