import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BegunSession, Sessions } from '#libs/workspace/auth/sessions';
import { Settings } from '#libs/platform/settings/settings';
import type { SignedIn } from '#libs/workspace/sign-in/links';
import { refuseForeign } from '../http/same-origin.ts';
import { setSessionCookie } from './session-cookie.ts';
import { SessionCallers } from './session-callers.ts';
import { SignInMeter } from './sign-in-meter.ts';

/** The common part of all ways to sign in: who may try, who has signed in before, and the cookie of the new session. */
@Injectable()
export class SignInEdge {
  constructor(
    private readonly sessionCallers: SessionCallers,
    private readonly meter: SignInMeter,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
  ) {}

  /** Throws for a call from another site, and for a client with too many attempts. */
  admitAttempt(request: FastifyRequest): void {
    refuseForeign(request, this.settings.publicUrl);
    this.meter.countAttempt(request);
  }

  /** Like `admitAttempt`, for a navigation, which may come from any site. */
  admitNavigation(request: FastifyRequest): void {
    this.meter.countAttempt(request);
  }

  /**
   * The person who has signed in in this browser. The answer of a provider is a navigation from its site, so it is
   * allowed.
   */
  async signedInBefore(request: FastifyRequest, { isNavigation = false } = {}): Promise<SignedIn | null> {
    const caller = await (isNavigation
      ? this.sessionCallers.findOnReturn(request)
      : this.sessionCallers.findIfAny(request));
    if (!caller?.userId || !caller.session) return null;
    return { userId: caller.userId, sessionId: caller.keyId, createdAt: caller.session.createdAt };
  }

  /** Answers with the session that the browser has. Nobody has proven who they are, so its time stays as it is. */
  async answerSameSession(request: FastifyRequest, reply: FastifyReply, { userId, sessionId }: SignedIn) {
    const session = await this.sessions.getSession(userId, sessionId);
    return this.answerSession(reply, { session, secret: this.sessionCallers.readSecret(request) ?? '' });
  }

  /** Sends the cookie of the session, and returns the parts that the page may know. */
  answerSession(reply: FastifyReply, { session, secret }: BegunSession) {
    setSessionCookie(reply, this.settings, secret, session.expiresAt);
    const { userId, id: sessionId, expiresAt } = session;
    return { data: { userId, sessionId, expiresAt: expiresAt.toISOString() } };
  }
}
