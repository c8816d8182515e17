import {
  type Attributes,
  createTraceState,
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
import type { SpanIds, TraceTarget } from './provider.ts';
import { scope } from './scope.ts';

export { SpanKind } from '@opentelemetry/api';

/** Null while traces are off. Then the functions below do nothing. */
let tracer: Tracer | null = null;
let ids: SpanIds | null = null;

/** Starts to send the spans of this process by OTLP. Resolves to a function that sends the waiting spans and stops. */
export async function startTracing(service: string, target: TraceTarget): Promise<() => Promise<void>> {
  const { createTracer: tracerOf } = await import('./provider.ts');
  const { tracer: started, ids: given, end } = tracerOf(service, target);
  [tracer, ids] = [started, given];
  return async () => {
    tracer = null;
    await end().catch(() => undefined);
  };
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  startedAtMs?: number;
  /** The id of the parent span in the same trace; the parent may be recorded later. Default: the current span. */
  parentId?: string;
}

/** The headers that tell a called server the trace, by W3C Trace Context. */
export interface TraceHeaders {
  traceparent?: string;
  /** Data that other tracing systems added. It is passed on and not read. */
  tracestate?: string;
}

/** Starts the span of an incoming call. It continues the trace of the caller, or begins a new trace. Null while traces are off. */
export function beginTrace(
  name: string,
  caller: TraceHeaders | undefined,
  { kind = SpanKind.SERVER, attributes, startedAtMs }: SpanOptions = {},
): Span | null {
  if (!tracer) return null;
  const parent = caller && parseTrace(caller);
  const before = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  return tracer.startSpan(name, { kind, attributes, startTime: startedAtMs }, before);
}

/** Runs work in a new span of the current trace. Without a recorded trace, runs the work without a span. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const before = recorded(options.parentId);
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
    return await scope.run({ ...scope.getStore(), trace: span.spanContext(), span }, work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Adds attributes and a failure to the span of the current work. Does nothing without a span. */
export function describeSpan(attributes: Attributes, failure?: string): void {
  const span = scope.getStore()?.span;
  span?.setAttributes(attributes);
  if (failure) span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
}

export interface PastSpan extends SpanOptions {
  /** The id of the span. It is chosen before, because child spans need the id of their parent. */
  id: string;
  endedAtMs: number;
  failure?: string | undefined;
}

/** Records a span that has ended already, in the current trace. Does nothing without a recorded trace. */
export function noteSpan(
  name: string,
  { id, parentId, attributes, startedAtMs, endedAtMs, failure }: PastSpan,
): void {
  const before = recorded(parentId);
  if (!tracer || !before) return;
  const parent = trace.setSpanContext(ROOT_CONTEXT, before);
  if (ids) ids.next = id;
  const span = tracer.startSpan(name, { attributes, startTime: startedAtMs }, parent);
  if (failure) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
  span.end(endedAtMs);
}

/** True when traces are on and the current trace is recorded. */
export function isRecorded(): boolean {
  return tracer !== null && recorded() !== undefined;
}

/** The trace headers for an outgoing call; empty without a current trace. */
export function traceHeaders(): TraceHeaders {
  const present = tracer ? scope.getStore()?.trace : undefined;
  if (!present) return {};
  const { traceId, spanId, traceFlags, traceState } = present;
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
    ...(tracestate ? { tracestate } : {}),
  };
}

/** The form of `traceparent` by W3C Trace Context: version, trace, span and flags. Additions of later versions are ignored. */
const form = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The trace in a `traceparent`; undefined for a malformed header, or while traces are off. */
export function parseTrace({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  const found = tracer && traceparent !== undefined ? form.exec(traceparent) : null;
  if (!found) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = found;
  const traceState = tracestate ? createTraceState(tracestate) : undefined;
  const named = { traceId, spanId, traceFlags: parseInt(flags, 16), isRemote: true, traceState };
  return isSpanContextValid(named) ? named : undefined;
}

function recorded(parentId?: string): SpanContext | undefined {
  const present = scope.getStore()?.trace;
  if (!present || !(present.traceFlags & TraceFlags.SAMPLED)) return undefined;
  return parentId === undefined ? present : { ...present, spanId: parentId };
}

/** Records the type of an error in the span. It leaves out the message, which may quote text of a user. */
function fail(span: Span, error: unknown): void {
  const { type, code, name } = Object(error) as Record<string, unknown>;
  const kind = [type, code, name].find((one) => typeof one === 'string' && one !== '');
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(kind ?? 'Error'));
}
