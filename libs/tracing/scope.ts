import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanContext } from '@opentelemetry/api';

/** What work belongs to. Each of its log lines says so, and what it calls is told the trace. */
export interface Scope {
  requestId?: string;
  executionId?: string;
  trace?: SpanContext;
}

export const scope = new AsyncLocalStorage<Scope>();

/** The fields of a log line. */
export function scopeFields(): Record<string, string> {
  const { requestId, executionId, trace } = scope.getStore() ?? {};
  return {
    ...(trace ? { traceId: trace.traceId } : {}),
    ...(requestId ? { requestId } : {}),
    ...(executionId ? { executionId } : {}),
  };
}
