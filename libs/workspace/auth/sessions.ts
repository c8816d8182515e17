import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { actorContext } from '#libs/platform/database/actor-context';
import { Database } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { cutText } from '#libs/platform/text/whole-text';
import { Callers } from './callers.ts';

/**
 * The ways in which a session begins, and so the only things that set the time of a sign-in. Each of them proves the person, but for
 * `invitation`: it begins the session of a person who is new, and leaves the session of everybody else as it is.
 */
export const signInMethods = ['link', 'mail', 'oidc', 'passkey', 'invitation'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** The place of a sign-in: the address of the client, and the family of its browser. */
export interface SignInPlace {
  address: string;
  browser: string;
}

export interface Session extends SignInPlace {
  id: string;
  userId: string;
  method: SignInMethod;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** A new session, with the secret for its cookie. The secret is not stored. */
export interface BegunSession {
  session: Session;
  secret: string;
}

/** The row of an ended session is deleted after this time, in seconds. The audit log still shows the session. */
const keptEndedS = 86_400;
const batch = 1000;

/** The sessions of people who have signed in. A session has the same rights as a personal key of its user. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  /** Begins a session. Ends the session that it replaces, if both have the same user. */
  async beginSession(
    userId: string,
    method: SignInMethod,
    place: SignInPlace,
    { replaces = null, longestMs }: { replaces?: string | null; longestMs?: number } = {},
  ): Promise<BegunSession> {
    if (method === 'invitation' && replaces !== null)
      throw new Error('An invitation proves nobody, so it replaces no session.');
    const [id, secret] = [newId('ses'), randomBytes(32).toString('base64url')];
    const lastsMs = Math.min(longestMs ?? Infinity, this.settings.sessions.longestMs);
    const values = [
      id,
      userId,
      this.callers.digestOfSession(secret),
      method,
      place.address,
      cutText(place.browser, 100),
      lastsMs / 1000,
      replaces,
    ];
    const insert = () => this.database.system<Session>(insertSession, values);
    const who = actorContext.getStore();
    // The audit entry must name the person, and until now the request had no actor.
    const [session] = await (who
      ? actorContext.run({ ...who, actor: { kind: 'user', id: userId }, keyId: id }, insert)
      : insert());
    if (!session) throw new NotFound('user');
    await this.callers.forget();
    return { session, secret };
  }

  /** A live session of the user. Throws `NotFound` for every other one. */
  async getSession(userId: string, id: string): Promise<Session> {
    const session = (await this.listSessions(userId)).find((one) => one.id === id);
    if (!session) throw new NotFound('session');
    return session;
  }

  /** The live sessions of a user, the last used first. */
  listSessions(userId: string): Promise<Session[]> {
    return this.database.system<Session>(listLive, [userId, this.settings.sessions.idleMs / 1000]);
  }

  /** Ends a session of the user: at once in this process, within five seconds in the others. Throws `NotFound` for a session of another user. */
  async revokeSession(userId: string, id: string): Promise<void> {
    const revoked = await this.database.system(revokeOne, [userId, id]);
    if (revoked.length === 0) throw new NotFound('session');
    await this.callers.forget();
  }

  /** Ends all sessions of the user except `keeps`. Resolves to the number of ended sessions. */
  async revokeSessions(userId: string, { keeps }: { keeps: string | null }): Promise<number> {
    const revoked = await this.database.system(revokeAll, [userId, keeps]);
    await this.callers.forget();
    return revoked.length;
  }

  /** Deletes the rows of sessions that ended a day ago. Several processes may run this at the same time. */
  async forgetEnded(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...ended, rowsMax: batch }, bounds);
  }
}

const ended = {
  kind: 'session',
  table: 'sessions',
  id: 't.id',
  where: `t.expires_at < now() - make_interval(secs => ${keptEndedS})`,
  order: 't.expires_at',
  values: [] as unknown[],
} as const;

const columns = `id, user_id as "userId", method, address, browser, created_at as "createdAt",
  last_used_at as "lastUsedAt", expires_at as "expiresAt"`;

/** $1 id, $2 user, $3 digest, $4 method, $5 address, $6 browser, $7 seconds, $8 the session that it replaces */
const insertSession = /* sql */ `
with replaced as (
  update sessions set revoked_at = now(), expires_at = least(expires_at, now()) where id = $8 and user_id = $2 and revoked_at is null
)
insert into sessions (id, user_id, digest, method, address, browser, expires_at)
select $1, u.id, $3, $4, $5, $6, now() + make_interval(secs => $7) from users u where u.id = $2
returning ${columns}`;

const listLive = /* sql */ `
select ${columns} from sessions where user_id = $1 and revoked_at is null and expires_at > now()
  and last_used_at > now() - make_interval(secs => $2) order by last_used_at desc, id desc limit 200`;

const revokeOne = /* sql */ `
update sessions set revoked_at = coalesce(revoked_at, now()), expires_at = least(expires_at, now())
where user_id = $1 and id = $2 returning id`;

const revokeAll = /* sql */ `
update sessions set revoked_at = now(), expires_at = least(expires_at, now())
where user_id = $1 and revoked_at is null and id is distinct from $2 returning id`;
