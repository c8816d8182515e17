import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';

/** The address that traces of this process are sent to. */
export interface TraceTarget {
  endpoint: string;
  headers: Record<string, string>;
  ratio: number;
}

/** Spans that wait to be sent; more are dropped, so that a collector that is away costs neither memory nor time. */
const waitingMax = 2048;
const sendMsMax = 10_000;

const random = new RandomIdGenerator();

/** Ids of spans, which are random, but for that of the next one where it must be known elsewhere. */
export class SpanIds implements IdGenerator {
  next: string | undefined;

  generateTraceId(): string {
    return random.generateTraceId();
  }

  generateSpanId(): string {
    const id = this.next ?? random.generateSpanId();
    this.next = undefined;
    return id;
  }
}

/** Makes spans and sends them by OTLP. It is loaded only where traces are on, because it has hundreds of modules. */
export function tracerOf(
  service: string,
  { endpoint, headers, ratio }: TraceTarget,
): { tracer: Tracer; ids: SpanIds; end(): Promise<void> } {
  const ids = new SpanIds();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: sendMsMax,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'holdfast' }),
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, { maxQueueSize: waitingMax, scheduledDelayMillis: 1000 }),
    ],
  });
  return { tracer: provider.getTracer('holdfast'), ids, end: () => provider.shutdown() };
}
