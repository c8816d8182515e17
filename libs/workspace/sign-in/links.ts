import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type BegunSession, Sessions, type SignInPlace } from '#libs/workspace/auth/sessions';
import { Conflict, Denied } from '#libs/platform/errors/errors';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { Users } from '#libs/workspace/auth/users';
import { Settings } from '#libs/platform/settings/settings';
import { Accounts } from './accounts.ts';
import { hashOfBinding, isBoundTo } from './browser-binding.ts';
import { addressOfLink, linkKind, linkLastsS } from './link-records.ts';

/** The session that the browser has before the sign-in. */
export interface SignedIn {
  userId: string;
  sessionId: string;
  /** The time of its sign-in. */
  createdAt: Date;
}

/** The browser in which a link is opened. */
export interface OpeningBrowser {
  place: SignInPlace;
  before: SignedIn | null;
  /** The secret of its cookie from the request for a mail; empty without one. */
  browserSecret: string;
  /** True when the person was told whose account it is, and has agreed. */
  confirmed: boolean;
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
    private readonly users: Users,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates a link for a mail, bound to the browser that asks. A person who opens it proves to own the address. Null for an address
   * without account and invitation.
   */
  async createMailLinkIfKnown(email: string, browserSecret: string): Promise<string | null> {
    if (!(await this.accounts.isKnownAddress(email))) return null;
    const token = randomBytes(32).toString('base64url');
    await this.records.keep(linkKind, token, {
      payload: { email, browserHash: hashOfBinding(browserSecret) },
      grantId: null,
      uid: null,
      serverId: null,
      expiresInS: linkLastsS,
    });
    return addressOfLink(this.settings.publicUrl, token);
  }

  /**
   * Begins a session for the first use of a link. Throws `LinkSpent` for every later use, and for a malformed token. Throws
   * `CONFIRM_SIGN_IN`, and keeps the link, where the person has to be asked first.
   */
  async signInByLink(token: string, browser: OpeningBrowser): Promise<BegunSession> {
    if (!browser.confirmed) await this.requireExpected(token, browser);
    const { place, before } = browser;
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

  /**
   * Refuses a link that could sign somebody in to the account of another person without their notice. A mail link needs no question in the
   * browser that asked for it. Every link needs one where somebody else has signed in.
   */
  private async requireExpected(token: string, { before, browserSecret }: OpeningBrowser): Promise<void> {
    const record = await this.records.findRecord(linkKind, token);
    // The use of the link refuses it.
    if (!record || record.consumedAt !== null) return;
    const { userId, email, browserHash } = record.payload;
    const isOwners = typeof userId === 'string';
    const account = isOwners ? userId : await this.accounts.findAccount(String(email));
    const replacesAnother = before !== null && before.userId !== account;
    if (!replacesAnother && (isOwners || isBoundTo(browserHash, browserSecret))) return;
    const address = isOwners ? (await this.users.getUser(userId)).email : String(email);
    const reason = replacesAnother
      ? 'and another person has signed in in this browser'
      : 'and this browser did not ask for it';
    throw new Conflict(
      `This link signs in as ${address}, ${reason}. Confirm it only if this is you.`,
      'CONFIRM_SIGN_IN',
    );
  }
}
