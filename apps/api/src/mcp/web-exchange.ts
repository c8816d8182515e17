import { Readable } from 'node:stream';
import { createMcpHandler, type McpServerFactory, type ServerEventBus } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import type { LastingAnswers } from '../http/lasting-answers.ts';
import { Invalid } from '#libs/platform/errors/errors';

export interface McpExchange {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Tells open subscriptions about changes. */
  bus?: ServerEventBus;
  /** Ends streams that would stay open for ever. */
  closing?: AbortSignal;
  /** Ends the answer with the key, the token or the membership of its caller. */
  lasting: Pick<LastingAnswers, 'events'>;
  onerror?: (error: Error) => void;
}

/**
 * Answers one HTTP request with a server made for it. Nothing is kept between two requests, so any process can answer
 * any of them. Aborts the work when the client goes away.
 */
export async function answerByMcp(
  factory: McpServerFactory,
  { request, reply, bus, closing, lasting, onerror }: McpExchange,
): Promise<Readable | string> {
  const disconnected = new AbortController();
  const abort = () => disconnected.abort();
  closing?.addEventListener('abort', abort);
  reply.raw.on('close', () => {
    closing?.removeEventListener('abort', abort);
    if (!reply.raw.writableFinished) abort();
  });
  const handler = createMcpHandler(factory, { ...(bus ? { bus } : {}), ...(onerror ? { onerror } : {}) });
  const response = await handler.fetch(toWebRequest(request, disconnected.signal), {
    parsedBody: request.body ?? null,
  });
  reply.status(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  const type = response.headers.get('content-type');
  if (!type) reply.type('application/json');
  if (response.body === null) return '';
  if (type?.startsWith('application/json')) return response.text();
  reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
  return lasting.events(request, Readable.fromWeb(response.body));
}

/** The message of a request, before the protocol reads it. Throws for a list of messages, which an old revision allowed. */
export function requireOneMessage(body: unknown): JsonObject {
  if (Array.isArray(body))
    throw Invalid.field('', 'must be one message: lists of messages are not taken', 'batch');
  return isObject(body) ? body : {};
}

/** The headers that the protocol reads, without the client's key. */
const readHeaders = /^(accept|content-type|host|last-event-id|origin|mcp-.*)$/;

/**
 * The request for the handler; its body was parsed before. A real `Request` took a tenth of the time of a call, for a
 * stream, a copy of the signal and unused headers.
 */
function toWebRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const get = (name: string) => {
    const value = readHeaders.test(name) ? headers[name] : undefined;
    return value === undefined ? null : [value].flat().join(', ');
  };
  const read = { method, url: `http://localhost${url}`, headers: { get }, signal, body: null };
  // The handler reads no other member of the `Request`, and single headers only.
  return read as unknown as Request;
}
