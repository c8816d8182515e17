import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanContext } from '@opentelemetry/api';

/** What work belongs to. Each of its log lines says so, and what it calls is told the trace. */
export interface Scope {
  requestId?: string;
  executionId?: string;
  trace?: SpanContext;
}

export const scope = new AsyncLocalStorage<Scope>();

/** The fields of the log lines of this work. */
export function fieldsOf({ requestId, executionId, trace }: Scope): Record<string, string> {
  return {
    ...(trace ? { traceId: trace.traceId } : {}),
    ...(requestId ? { requestId } : {}),
    ...(executionId ? { executionId } : {}),
  };
}
