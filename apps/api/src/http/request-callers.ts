import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#libs/workspace/auth/caller';
import type { Unauthenticated } from '#libs/platform/errors/errors';

/** The caller for whom this process makes a request to itself. The request does not carry the key. */
export const innerCaller = new AsyncLocalStorage<Caller>();

/** Finds the caller of a request, by whichever proof it carries. */
export abstract class RequestCallers {
  /** Returns the caller, without a promise where nothing has to be looked up. */
  abstract findCaller(request: FastifyRequest): Caller | Promise<Caller>;

  /**
   * Tells a refused client how it can authenticate. Returns the sentence for it where a key may come in another header
   * than `X-API-Key`.
   */
  abstract challenge(request: FastifyRequest, reply: FastifyReply): Unauthenticated | null;
}
