import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type {
  ConnectionError,
  FastifyError,
  FastifyHttpOptions,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawServerDefault,
} from 'fastify';
import { writeJson } from '#libs/platform/json/unread-json';
import type { Detail } from '#libs/platform/errors/errors';
import type { Settings } from '#libs/platform/settings/settings';
import { cutText } from '#libs/platform/text/whole-text';
import { UnsupportedBody } from '#libs/platform/errors/errors';
import { addFormParser } from './form-body.ts';
import { addRowsParser } from './rows-body.ts';
import { addUploadParser } from './upload-body.ts';
import { parseJsonBody } from './json-body.ts';
import type { ErrorBody, RefusalFormats } from './refusal-formats.ts';
import { getRouteFlags } from './route-config.ts';

/** The most characters of a part of an address that a route gives to its handler. No id is as long. */
const paramCharsMax = 200;
/** The most bytes of the head of a request, with its URL. */
const headerBytesMax = 16 * 1024;
const requestIdPattern = /^[A-Za-z0-9._:-]{8,128}$/;

export type ServerSettings = Pick<Settings, 'bodyBytesMax' | 'trustedProxies'>;

/** The types of JSON: `application/json`, `text/json`, and those that end in `+json`, as event buses and reports of browsers have. */
const jsonTypes = /^[\w.+-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Fastify with limits. By default it waits for ever and accepts headers of any size. */
export function createServerAdapter(settings: ServerSettings, formats: RefusalFormats): FastifyAdapter {
  const adapter = new FastifyAdapter({
    bodyLimit: settings.bodyBytesMax,
    // Anyone can send the header with another client address, so it counts only from a known proxy.
    trustProxy: settings.trustedProxies.length > 0 ? settings.trustedProxies : false,
    requestTimeout: 30_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: headerBytesMax, headersTimeout: 10_000 },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: paramCharsMax },
    genReqId: toRequestId,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: ({ code }: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answerUnroutable(formats, request, reply, code === 'FST_ERR_MAX_PARAM_LENGTH' ? tooLong : undecodable),
    exposeHeadRoutes: true,
  } as FastifyHttpOptions<RawServerDefault>);
  const server = adapter.getInstance();
  server.setReplySerializer(writeJson);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseJsonBody(Buffer.from(body), { exact: getRouteFlags(request).exactNumbers }));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  addFormParser(server);
  addRowsParser(server);
  addUploadParser(server);
  server.addContentTypeParser(hookType, { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.addHook('onRequest', (request, reply, next) => {
    reply.header('X-Request-Id', request.id);
    reply.header('X-Content-Type-Options', 'nosniff');
    if (getRouteFlags(request).takesRows) streamJson(request);
    if (getRouteFlags(request).isHook) keepBytes(request);
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || encoding === '') return next();
    // A file of rows is unpacked where it is read, as a file that was packed before it was sent.
    if (/^(?:x-)?gzip$/.test(encoding) && getRouteFlags(request).takesRows) return next();
    const shown = cutText(encoding, 40);
    next(
      new UnsupportedBody(
        `The body has Content-Encoding: ${shown}, which is not read; send it without.`,
      ) as FastifyError,
    );
  });
  return adapter;
}

/** Lets a JSON list of rows pass as a stream, as every file of rows does. A body of JSON would be in memory as a whole. */
function streamJson({ raw: { headers } }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type && jsonTypes.test(type)) headers['content-type'] = type.replace(/^[^;]*/, 'application/jsonl');
}

/** The type of a body that nothing parses. No route but that of hooks gets it. */
const hookType = 'application/x-holdfast-hook';

declare module 'fastify' {
  interface FastifyRequest {
    /** The content type that the sender of a hook has sent. */
    hookContentType?: string;
  }
}

/** Lets the body of a hook pass as bytes, whatever its type, because the signature is over them. */
function keepBytes(request: FastifyRequest): void {
  const { headers } = request.raw;
  request.hookContentType = headers['content-type'];
  headers['content-type'] = hookType;
}

interface Unroutable {
  status: number;
  body: Pick<ErrorBody, 'error' | 'code' | 'details'>;
}

const undecodable: Unroutable = {
  status: 400,
  body: {
    error: 'The address cannot be decoded: behind a % there must be two hexadecimal digits of UTF-8.',
    code: 'INVALID_REQUEST',
    details: [{ path: '', message: 'must have a path that can be decoded', code: 'path' }],
  },
};
const tooLong: Unroutable = {
  status: 404,
  body: {
    error: `Nothing has this address: a part of it has more than ${paramCharsMax} characters.`,
    code: 'NOT_FOUND',
  },
};

/** Answers a URL that the router does not take, before any hook runs, in the form of every other refusal. */
function answerUnroutable(
  formats: RefusalFormats,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: Unroutable,
): void {
  void reply
    .status(status)
    .headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' })
    .type('application/json')
    .send(formats.write(request.url, status, { ...body, requestId: request.id }));
}

/** Answers bytes that Node cannot parse as a request, in the form of every other refusal. */
function answerBrokenRequest(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  const [status, code, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'INVALID_REQUEST', 'The request headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'REQUEST_TIMEOUT', 'The request took too long to arrive; send it again.']
        : ['400 Bad Request', 'INVALID_REQUEST', 'The bytes are not an HTTP request.'];
  const details = detailsOfBroken(status ?? '', message ?? '');
  const body = JSON.stringify({ error: message, code, requestId: newRequestId(), ...details });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
    );
    socket.write(`Connection: close\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

function detailsOfBroken(status: string, reason: string): { details?: Detail[] } {
  if (status.startsWith('400')) return { details: [{ path: '', message: reason, code: 'http' }] };
  if (!status.startsWith('431')) return {};
  const message = `the address and the headers may have ${headerBytesMax} bytes together; POST …/rows/query takes a long filter in its body`;
  return { details: [{ path: '', message, code: 'too_large' }] };
}

function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** Takes the caller's request id when it has a safe form, so that the caller finds it in our log. Otherwise makes one. */
function toRequestId(request: FastifyRequest['raw']): string {
  const requestId = request.headers['x-request-id'];
  return typeof requestId === 'string' && requestIdPattern.test(requestId) ? requestId : newRequestId();
}

/**
 * Returns a function that gives the methods of a path. Call this before the routes are registered, because it records
 * each of them.
 */
export function rememberRoutes(server: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/:[A-Za-z]+/g, '[^/]+')
        .replace(/\\\*$/, '.*')}$`,
    );
    for (const one of [method].flat()) routes.push({ pattern, method: one });
  });
  return (path) => [
    ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ];
}
