import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** The target for the traces of this process. */
export interface TraceTarget {
  endpoint: string;
  headers: Record<string, string>;
  ratio: number;
}

/** The most spans in the send queue. More spans are dropped, so an unreachable collector costs neither memory nor time. */
const waitingMax = 2048;
const sendMsMax = 10_000;

const random = new RandomIdGenerator();

/** Random ids of spans. `next` sets the id of the next span, when other code must know it before. */
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

/** Makes a tracer that sends spans by OTLP. This file is loaded only when traces are on, because it imports hundreds of modules. */
export function createTracer(
  service: string,
  { endpoint, headers, ratio }: TraceTarget,
): { tracer: Tracer; ids: SpanIds; end(): Promise<void> } {
  const ids = new SpanIds();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers,
    timeoutMillis: sendMsMax,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'holdfast' }),
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: waitingMax, scheduledDelayMillis: 1000 }),
    ],
  });
  return { tracer: provider.getTracer('holdfast'), ids, end: () => provider.shutdown() };
}
