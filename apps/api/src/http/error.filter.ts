import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, sqlState } from '#libs/platform/database/violations';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { actorContext } from '#libs/platform/database/actor-context';
import {
  Denied,
  ApiError,
  InFlight,
  Invalid,
  NotFound,
  TooMany,
  Unavailable,
  type ErrorKind,
} from '#libs/platform/errors/errors';
import { BudgetExceeded, RateLimited } from '#libs/workspace/limits/limits';
import { actingIn } from './actor-context.ts';
import { pageHeaders } from './html.ts';
import { errorPage, isPage } from './page-route.ts';
import { writeRateHeaders } from './rate-headers.ts';
import { type ErrorBody, RefusalFormats } from './refusal-formats.ts';
import { type RouteFlags, getRouteFlags } from './route-config.ts';

/** The HTTP status of each kind of fault that the libs throw. */
const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  denied: 403,
  absent: 404,
  conflict: 409,
  outdated: 412,
  tooLarge: 413,
  unsupported: 415,
  mismatch: 422,
  tooMany: 429,
  unavailable: 503,
};

type ServerRefusal = Pick<ErrorBody, 'code' | 'error'>;

/** By status: code and sentence for refusals of Fastify and Nest themselves. */
export const serverRefusals = {
  400: { code: 'INVALID_REQUEST', error: 'The request is not valid.' },
  404: { code: 'NOT_FOUND', error: 'This path does not exist; /docs/api lists all paths.' },
  405: {
    code: 'METHOD_NOT_ALLOWED',
    error: 'This path does not have this method; the header Allow lists its methods.',
  },
  408: { code: 'REQUEST_TIMEOUT', error: 'The request took too long to arrive; send it again.' },
  413: { code: 'PAYLOAD_TOO_LARGE', error: 'The request body is too large.' },
  414: { code: 'INVALID_REQUEST', error: 'The path is too long.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', error: 'Bodies must be sent as application/json.' },
  431: { code: 'INVALID_REQUEST', error: 'The request headers are too large.' },
} satisfies Record<number, ServerRefusal>;

/**
 * Turns every thrown error into the documented answer. An unknown error is a bug: the caller gets 500, and the log gets
 * the cause.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Faults');

  constructor(
    private readonly attempts: RefusedAttempts,
    private readonly formats: RefusalFormats,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answerError(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also handles errors of routes that Nest does not know. */
  answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { status, body } = this.answer(thrown, request);
    if (thrown instanceof RateLimited || thrown instanceof BudgetExceeded)
      writeRateHeaders(reply, thrown.limitStatus, thrown.bucket);
    if (thrown instanceof TooMany || thrown instanceof Unavailable || thrown instanceof InFlight)
      reply.header('Retry-After', thrown.retryAfterS);
    else if (status === 503) reply.header('Retry-After', 2);
    // Fastify would close the connection. A client that is still sending would then see an error instead of the answer.
    if (status === 413) reply.removeHeader('connection');
    this.recordRefusedAnswer(thrown, request);
    if (reply.sent) return;
    if (isPage(request)) void reply.status(status).headers(pageHeaders).send(errorPage(status, request.id));
    else
      void reply
        .status(status)
        .type('application/json')
        .send(this.formats.write(request.url, status, body));
  }

  /** Notes a forbidden answer to a pause, by a caller with a key of the workspace. */
  private recordRefusedAnswer(thrown: unknown, request: FastifyRequest): void {
    const { method, admission, params, routeOptions } = request;
    const path = routeOptions?.url ?? '';
    if (!(thrown instanceof Denied) || !admission?.workspaceId || !answersPause(path)) return;
    const { executionId, runId = '' } = params as { executionId?: string; runId?: string };
    const about = { code: thrown.code, method, path };
    const attempt = {
      action: 'answer.refused',
      resourceType: 'execution',
      resourceId: executionId ?? runId,
      about,
    } as const;
    void actorContext.run(actingIn(request), () =>
      this.attempts.recordAttempt(admission.workspaceId, attempt),
    );
  }

  private answer(thrown: unknown, request: FastifyRequest): { status: number; body: ErrorBody } {
    const requestId = request.id;
    const apiError = toApiError(thrown, request);
    if (apiError) {
      const body = {
        error: apiError.message,
        code: apiError.code,
        requestId,
        ...(apiError.details ? { details: apiError.details } : {}),
      };
      return { status: statuses[apiError.kind], body };
    }
    const status = getStatus(thrown);
    const refusal = (serverRefusals as Partial<Record<number, ServerRefusal>>)[status];
    if (refusal) {
      const details =
        status === 400 ? { details: [{ path: '', message: getMessage(thrown), code: 'invalid' }] } : {};
      const error = status === 415 ? takenTypes(getRouteFlags(request)) : refusal.error;
      return { status, body: { ...refusal, error, requestId, ...details } };
    }
    this.log.error(thrown instanceof Error ? thrown : String(thrown), requestId);
    return {
      status: 500,
      body: {
        error: 'The service has failed; give the requestId to its operator.',
        code: 'INTERNAL_ERROR',
        requestId,
      },
    };
  }
}

/** True for a path that takes answers to pauses. */
function answersPause(path: string): boolean {
  return path.startsWith('/api/resume/') || path === '/api/v2/workflows/:workflowId/runs/:runId/resume';
}

/** Returns the ApiError for an error: 400 for a value that Postgres cannot store, 503 for an unreachable Postgres. */
function toApiError(thrown: unknown, { params }: FastifyRequest): ApiError | null {
  if (thrown instanceof ApiError) return thrown;
  if (isUnavailable(thrown))
    return new Unavailable(
      'The database does not answer; send the request again after the seconds in Retry-After.',
    );
  const state = sqlState(thrown);
  // Answers 404, because no id has a NUL.
  if (state === '22021' && Object.values(params ?? {}).some((id) => String(id).includes('\0')))
    return new NotFound('address');
  if (state && /^(22|54001)/.test(state))
    return Invalid.field('', 'holds a value that cannot be stored', 'unstorable');
  return null;
}

/** A sentence with the types of body that the path takes. */
function takenTypes({ takesRows, takesUploads }: RouteFlags): string {
  if (takesRows)
    return 'The file is the body itself: send it as text/csv, application/x-ndjson or application/octet-stream, without a form.';
  return takesUploads
    ? 'The body must be sent as multipart/form-data or application/json.'
    : 'The body must be sent as application/json.';
}

function getStatus(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'statusCode' in thrown &&
    typeof thrown.statusCode === 'number'
  ) {
    return thrown.statusCode;
  }
  return 500;
}

function getMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : 'is not valid';
}
