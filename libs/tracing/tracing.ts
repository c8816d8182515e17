import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { TraceTarget } from './provider.ts';
import { scope } from './scope.ts';

export { SpanKind } from '@opentelemetry/api';

/** Null while traces are off: then nothing below does more than look here. */
let tracer: Tracer | null = null;

/** Sends the spans of this process by OTLP from now on. What it returns sends those that wait, and ends that. */
export async function startTracing(service: string, target: TraceTarget): Promise<() => Promise<void>> {
  const { tracerOf } = await import('./provider.ts');
  const { tracer: started, end } = tracerOf(service, target);
  tracer = started;
  return async () => {
    tracer = null;
    await end().catch(() => undefined);
  };
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  startedAtMs?: number;
}

/** A span of a call from outside, which begins a trace or goes on with the caller's. Null while traces are off. */
export function beginTrace(
  name: string,
  caller: string | undefined,
  { kind = SpanKind.SERVER, attributes, startedAtMs }: SpanOptions = {},
): Span | null {
  if (!tracer) return null;
  const parent = traceOf(caller);
  const before = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  return tracer.startSpan(name, { kind, attributes, startTime: startedAtMs }, before);
}

/** Does the work as a span of the trace that it belongs to. Work of no trace that is recorded is done without one. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const before = recorded();
  return tracer && before ? asSpan(tracer, before, { name, ...options }, work) : work();
}

async function asSpan<T>(
  by: Tracer,
  before: SpanContext,
  { name, kind, attributes }: SpanOptions & { name: string },
  work: () => Promise<T>,
): Promise<T> {
  const span = by.startSpan(name, { kind, attributes }, trace.setSpanContext(ROOT_CONTEXT, before));
  try {
    return await scope.run({ ...scope.getStore(), trace: span.spanContext() }, work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Notes a span of the present trace that has ended already. */
export function noteSpan(
  name: string,
  { attributes, startedAtMs, endedAtMs, failure }: SpanOptions & { endedAtMs: number; failure?: string },
): void {
  const before = recorded();
  if (!tracer || !before) return;
  const parent = trace.setSpanContext(ROOT_CONTEXT, before);
  const span = tracer.startSpan(name, { attributes, startTime: startedAtMs }, parent);
  if (failure) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
  span.end(endedAtMs);
}

/** True while spans of the present work are kept. */
export function isRecorded(): boolean {
  return tracer !== null && recorded() !== undefined;
}

/** The `traceparent` for whatever is called now; undefined when there is no trace to go on with. */
export function traceparent(): string | undefined {
  const present = tracer ? scope.getStore()?.trace : undefined;
  if (!present) return undefined;
  const { traceId, spanId, traceFlags } = present;
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** Version, trace, span and flags, by the recommendation of W3C; what a later version adds is left out. */
const form = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The trace that a `traceparent` names. */
export function traceOf(header: unknown): SpanContext | undefined {
  const found = tracer && typeof header === 'string' ? form.exec(header) : null;
  if (!found) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = found;
  const named = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(named) ? named : undefined;
}

function recorded(): SpanContext | undefined {
  const present = scope.getStore()?.trace;
  return present && present.traceFlags & TraceFlags.SAMPLED ? present : undefined;
}

/** The kind of an error and not its message, which may quote what a user sent. */
function fail(span: Span, error: unknown): void {
  const { type, code, name } = Object(error) as Record<string, unknown>;
  const kind = [type, code, name].find((one) => typeof one === 'string' && one !== '');
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(kind ?? 'Error'));
}
