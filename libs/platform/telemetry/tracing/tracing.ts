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

/** Null while traces are off: then nothing below does more than look here. */
let tracer: Tracer | null = null;
let ids: SpanIds | null = null;

/** Sends the spans of this process by OTLP from now on. What it returns sends those that wait, and ends that. */
export async function startTracing(service: string, target: TraceTarget): Promise<() => Promise<void>> {
  const { tracerOf } = await import('./provider.ts');
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
  /** The id of the span of the same trace that this one is in, which may be noted later; the present one when undefined. */
  parentId?: string;
}

/** The headers that name the trace to a called server, by the recommendation of W3C. */
export interface TraceHeaders {
  traceparent?: string;
  /** Notes of earlier systems for themselves. They are passed on and not read. */
  tracestate?: string;
}

/** A span of a call from outside, which begins a trace or goes on with the caller's. Null while traces are off. */
export function beginTrace(
  name: string,
  caller: TraceHeaders | undefined,
  { kind = SpanKind.SERVER, attributes, startedAtMs }: SpanOptions = {},
): Span | null {
  if (!tracer) return null;
  const parent = caller && traceOf(caller);
  const before = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  return tracer.startSpan(name, { kind, attributes, startTime: startedAtMs }, before);
}

/** Does the work as a span of the trace that it belongs to. Work of no trace that is recorded is done without one. */
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

/** Adds to the span of the present work, and how the work has failed. Nothing where it has none. */
export function describeSpan(attributes: Attributes, failure?: string): void {
  const span = scope.getStore()?.span;
  span?.setAttributes(attributes);
  if (failure) span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', failure);
}

export interface PastSpan extends SpanOptions {
  /** Spans that are in this one know its id before it is noted. */
  id: string;
  endedAtMs: number;
  failure?: string | undefined;
}

/** Notes a span of the present trace that has ended already. */
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

/** True while spans of the present work are kept. */
export function isRecorded(): boolean {
  return tracer !== null && recorded() !== undefined;
}

/** The headers for whatever is called now; empty when there is no trace to go on with. */
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

/** Version, trace, span and flags, by the recommendation of W3C; what a later version adds is left out. */
const form = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** The trace that a `traceparent` names. */
export function traceOf({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
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

/** The kind of an error and not its message, which may quote what a user sent. */
function fail(span: Span, error: unknown): void {
  const { type, code, name } = Object(error) as Record<string, unknown>;
  const kind = [type, code, name].find((one) => typeof one === 'string' && one !== '');
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', String(kind ?? 'Error'));
}
