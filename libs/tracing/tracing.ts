import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { scope } from './scope.ts';

export { SpanKind } from '@opentelemetry/api';

/** Where traces of this process are sent. */
export interface TraceTarget {
  endpoint: string;
  headers: Record<string, string>;
  ratio: number;
}

/** Spans that wait to be sent; more are dropped, so that a collector that is away costs neither memory nor time. */
const waitingMax = 2048;
const sendMsMax = 10_000;

/** Null while traces are off: then nothing below does more than look here. */
let tracer: Tracer | null = null;

/** Sends the spans of this process by OTLP from now on. What it returns sends those that wait, and ends that. */
export function startTracing(
  service: string,
  { endpoint, headers, ratio }: TraceTarget,
): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: sendMsMax,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'holdfast' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: waitingMax, scheduledDelayMillis: 1000 }),
    ],
  });
  tracer = provider.getTracer('holdfast');
  return async () => {
    tracer = null;
    await provider.shutdown().catch(() => undefined);
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
  const parent = caller === undefined ? null : parseTraceParent(caller);
  const before = parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
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

/** The trace that a `traceparent` names. */
export function traceOf(header: unknown): SpanContext | undefined {
  return (tracer && typeof header === 'string' && parseTraceParent(header)) || undefined;
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
