import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { type Caller, isRecentSignIn, requireRecentSignIn } from '#libs/workspace/auth/caller';
import { Callers } from '#libs/workspace/auth/callers';
import { Keys } from '#libs/workspace/auth/keys';
import { Users } from '#libs/workspace/auth/users';
import { Workspaces } from '#libs/workspace/auth/workspaces';
import { Denied } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { SessionCallers } from '../sign-in/session-callers.ts';

/** The life of a grant, in seconds. */
export const grantLastsS = 90 * 24 * 60 * 60;

/** The person who has signed in in the browser that shows the page. */
export interface SignedInReader {
  userId: string;
  email: string;
  /** False when the sign-in is too old to give access to a client. */
  isRecent: boolean;
}

/** The longest name of a key. */
const nameMax = 100;

/**
 * Finds the person who lets a client act for them: the person of the session, or the holder of a personal key when
 * nobody has signed in. Each access token depends on an API key, so a session
 * creates a hidden key. Its holder finds it among their keys, and revoking it revokes the token.
 */
@Injectable()
export class Consenters {
  constructor(
    private readonly callers: Callers,
    private readonly sessions: SessionCallers,
    private readonly keys: Keys,
    private readonly users: Users,
    private readonly workspaces: Workspaces,
  ) {}

  /** The person for whom the page is shown. It grants nothing, because the browser may come from the client's site. */
  async signedIn(request: FastifyRequest): Promise<SignedInReader | null> {
    const caller = await this.sessions.findOnReturn(request);
    if (!caller?.userId) return null;
    const { email } = await this.users.getUser(caller.userId);
    return { userId: caller.userId, email, isRecent: isRecentSignIn(caller) };
  }

  /**
   * Identifies the sender of the form. Throws for another person than the one on the page, and for a sign-in that is
   * too old.
   */
  async of(request: FastifyRequest, { key, user }: { key?: string; user?: string }): Promise<Caller> {
    const secret = this.sessions.readSecret(request);
    if (user === undefined || secret === undefined) return this.callers.identify(key?.trim());
    const caller = await this.sessions.findSession(request, secret);
    if (caller.userId !== user)
      throw new Denied('Another person has signed in in this browser since. Check whose account you use.');
    requireRecentSignIn(caller);
    return caller;
  }

  /** The id of the key with which the grant ends. A client acts by a key, so a workspace without personal keys refuses. */
  async getKeyId({ kind, keyId, userId }: Caller, workspaceId: string, clientHost: string): Promise<string> {
    if (kind !== 'session' || !userId) return keyId;
    const { personalKeysAllowed } = await this.workspaces.get(workspaceId);
    if (!personalKeysAllowed)
      throw new Denied(
        'A client needs a personal key, and this workspace does not allow them. Ask an admin.',
        'PERSONAL_KEYS_DISABLED',
      );
    const expiresAt = new Date(readClockMs() + grantLastsS * 1000);
    const name = cutText(`MCP client at ${clientHost}`, nameMax);
    const { key } = await this.keys.createPersonal(userId, { name, expiresAt });
    return key.id;
  }
}
