import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requests, requestSeconds } from '#libs/platform/telemetry/metrics/metrics';
import { scope, type WorkScope } from '#libs/platform/telemetry/tracing/scope';
import { beginTrace, type TraceHeaders } from '#libs/platform/telemetry/tracing/tracing';
import { getHeader } from './caller.guard.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work?: WorkScope;
    span?: Span;
  }
}

/** Paths that machines call all the time, or that people read. */
const untraced = /^\/(health|docs)\b/;

/**
 * Gives each request a scope for its log lines, and with traces a span. Only a request with a key continues its
 * caller's trace: otherwise a stranger could have every request recorded. Call this before the routes are registered.
 */
export function scopeRequests(server: FastifyInstance): void {
  // Reading the body leaves an earlier scope, so the scope begins after it.
  server.addHook('preHandler', (request, reply, next) => {
    const work: WorkScope = { requestId: request.id };
    request.work = work;
    trace(request, reply, work);
    scope.run(work, next);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { span, work, admission } = request;
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (work?.executionId) span?.setAttribute('holdfast.execution.id', work.executionId);
    if (admission?.workspaceId) span?.setAttribute('holdfast.workspace.id', admission.workspaceId);
    if (work?.concerns) span?.addLink({ context: work.concerns });
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

function trace(request: FastifyRequest, reply: FastifyReply, work: WorkScope): void {
  const route = getRoute(request);
  if (untraced.test(route)) return;
  const caller = request.caller && getTraceHeaders(request);
  const span = beginTrace(`${request.method} ${route}`, caller, {
    startedAtMs: Date.now() - reply.elapsedTime,
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'holdfast.request.id': request.id,
    },
  });
  if (!span) return;
  request.span = span;
  // An unrecorded call needs a trace only when its caller follows one.
  if (span.isRecording() || caller !== undefined) work.trace = span.spanContext();
}

function getTraceHeaders(request: FastifyRequest): TraceHeaders | undefined {
  const traceparent = getHeader(request, 'traceparent');
  return traceparent === undefined
    ? undefined
    : { traceparent, tracestate: getHeader(request, 'tracestate') };
}

/** Counts requests and their times by the template of their path, so that no id becomes a label. */
export function countRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = getRoute(request);
    requests.inc({ method, route, status: reply.statusCode });
    requestSeconds.observe({ method, route }, reply.elapsedTime / 1000);
    done();
  });
}

function getRoute({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}
