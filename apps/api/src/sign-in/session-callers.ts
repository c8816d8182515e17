import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import type { Caller } from '#libs/workspace/auth/caller';
import { Callers } from '#libs/workspace/auth/callers';
import { actorContext } from '#libs/platform/database/actor-context';
import { Denied, Unauthenticated } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { getHeader } from '../http/caller.guard.ts';
import { isForeignRead, refuseForeign } from '../http/same-origin.ts';
import { readSessionSecret } from './session-cookie.ts';
import { toSignInPlace } from './sign-in-place.ts';

const readingMethods = ['GET', 'HEAD'];

/** The header in which a page names the user for whom it was opened. Another tab may have signed in another user since. */
export const expectedUserHeader = 'x-holdfast-user';

/** A session that is used at another address and in another browser than at its begin: its cookie was probably stolen. */
class SessionMoved extends Unauthenticated {
  constructor() {
    super('This session began in another browser at another address. Sign in again.', 'SESSION_MOVED');
    this.name = 'Unauthenticated';
  }
}

/** Finds the caller by the cookie of their session. Another site gets no access by a cookie alone. */
@Injectable()
export class SessionCallers {
  constructor(
    private readonly callers: Callers,
    private readonly settings: Settings,
    private readonly attempts: RefusedAttempts,
  ) {}

  /** The secret of the session in the request; undefined without one. */
  readSecret(request: FastifyRequest): string | undefined {
    return readSessionSecret(request, this.settings);
  }

  /**
   * The person of the session. Throws for a session that has ended or was probably stolen, and for a call from another
   * site.
   */
  findSession(request: FastifyRequest, secret: string): Caller | Promise<Caller> {
    if (!readingMethods.includes(request.method)) refuseForeign(request, this.settings.publicUrl);
    else if (isForeignRead(request))
      throw new Denied('Another site may not read with the session of a person.', 'FOREIGN_ORIGIN');
    const lookup = this.callers.findBySession(secret);
    return lookup instanceof Promise
      ? lookup.then((caller) => this.checked(request, caller))
      : this.checked(request, lookup);
  }

  /** The person of the session, or null, for paths that also serve people who have not signed in. */
  async findIfAny(request: FastifyRequest): Promise<Caller | null> {
    const secret = this.readSecret(request);
    if (secret === undefined) return null;
    try {
      return await this.findSession(request, secret);
    } catch (error) {
      if (error instanceof Unauthenticated) return null;
      throw error;
    }
  }

  /**
   * Like `findIfAny`, after an identity provider: the browser comes from another site. Use it only to learn whose
   * session is replaced, or to whom an identity is linked.
   */
  async findOnReturn(request: FastifyRequest): Promise<Caller | null> {
    const secret = this.readSecret(request);
    try {
      return secret === undefined ? null : this.checked(request, await this.callers.findBySession(secret));
    } catch (error) {
      if (error instanceof Unauthenticated) return null;
      throw error;
    }
  }

  private checked(request: FastifyRequest, caller: Caller): Caller {
    const { session, userId } = caller;
    if (!session) throw new Unauthenticated();
    const place = toSignInPlace(request);
    if (place.address !== session.address && place.browser !== session.browser) {
      this.recordMoved(request, caller);
      throw new SessionMoved();
    }
    const expected = getHeader(request, expectedUserHeader);
    if (expected !== undefined && expected !== userId)
      throw new Denied(
        'Another person has signed in in this browser since this page was opened. Load the page again.',
        'ANOTHER_USER',
      );
    return caller;
  }

  /** Nobody waits for this, because the refusal does not depend on it. */
  private recordMoved(request: FastifyRequest, { actor, keyId, workspaceIds }: Caller): void {
    const who = { actor, keyId, requestId: request.id, address: request.ip };
    const about = { code: 'SESSION_MOVED', method: request.method, path: request.routeOptions.url ?? '' };
    const attempt = { action: 'session.refused', resourceType: 'session', resourceId: keyId, about } as const;
    for (const workspaceId of workspaceIds)
      void actorContext.run(who, () => this.attempts.recordAttempt(workspaceId, attempt));
  }
}
