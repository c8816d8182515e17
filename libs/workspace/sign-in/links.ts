import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type BegunSession, Sessions, type SignInPlace } from '#libs/workspace/auth/sessions';
import { Denied } from '#libs/platform/errors/errors';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { Settings } from '#libs/platform/settings/settings';
import { Accounts } from './accounts.ts';
import { addressOfLink, linkKind, linkLastsS } from './link-records.ts';

/** The session that the browser has before the sign-in. */
export interface SignedIn {
  userId: string;
  sessionId: string;
}

/** The link was used before or has expired. `userId` is its user, if known. */
export class LinkSpent extends Denied {
  constructor(readonly userId: string | null) {
    super('This link was used before, or its hour is over. Ask for a new link.', 'LINK_SPENT');
    this.name = 'Denied';
  }
}

/** Sign-in links, from a command of the operator or in a mail. Each works once, within one hour. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly records: OAuthRecords,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly settings: Settings,
  ) {}

  /** Creates a link for a mail. A person who opens it proves to own the address. Null for an address without account and invitation. */
  async createMailLinkIfKnown(email: string): Promise<string | null> {
    if (!(await this.accounts.isKnownAddress(email))) return null;
    const token = randomBytes(32).toString('base64url');
    await this.records.keep(linkKind, token, {
      payload: { email },
      grantId: null,
      uid: null,
      serverId: null,
      expiresInS: linkLastsS,
    });
    return addressOfLink(this.settings.publicUrl, token);
  }

  /** Begins a session for the first use of a link. Throws `LinkSpent` for every later use, and for a malformed token. */
  async signInByLink(token: string, place: SignInPlace, before: SignedIn | null): Promise<BegunSession> {
    const record = await this.records.consumeOnce(linkKind, token);
    const { userId, email } = { userId: record?.payload['userId'], email: record?.payload['email'] };
    const known = typeof userId === 'string' ? userId : null;
    if (!record?.isFirst) throw new LinkSpent(known);
    const replaces = before?.sessionId ?? null;
    if (known !== null) return this.sessions.beginSession(known, 'link', place, { replaces });
    if (typeof email !== 'string') throw new LinkSpent(null);
    const person = { email, name: email.slice(0, email.indexOf('@')) };
    const found = await this.accounts.findByAddress(person, before?.userId ?? null);
    return this.sessions.beginSession(found, 'mail', place, { replaces });
  }
}
