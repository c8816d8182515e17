import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { CompletionNotifier } from '#libs/platform/database/completion-notifier';
import { Database } from '#libs/platform/database/database';
import { NotFound, Unauthenticated } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { Caller, type CallerSession, type WorkspaceAccess } from './caller.ts';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { batchLoader } from '#libs/platform/database/batch-loader';
import { kindOfKey, type KeyKind } from './keys.format.ts';
import type { Role } from './people.entity.ts';

/** The time in milliseconds for which a caller stays cached. A revoked key can work for this long in other processes. */
const cacheMs = 5000;
const cacheMax = 10_000;

/** The notice that keys, sessions or memberships have changed. */
export const changedCallers = 'callers';

/** An unknown key stays cached for this time, in milliseconds. A new key is never among them: keys are random, so nobody can send one before it exists. */
const unknownKeysMs = 60_000;

/** The key was revoked or has expired. The client gets the same answer as for any wrong key. The workspaces get an audit entry. */
export class RevokedKey extends Unauthenticated {
  constructor(
    readonly keyId: string,
    readonly workspaceIds: string[],
    readonly reason: 'KEY_REVOKED' | 'KEY_EXPIRED',
  ) {
    super();
    this.name = 'Unauthenticated';
  }
}

/** The session has ended. The message may say so, because only the browser of the session can have sent its secret. */
export class SessionEnded extends Unauthenticated {
  constructor() {
    super('Your session has ended. Sign in again.', 'SESSION_ENDED');
  }
}

interface KeyRow {
  digest: string;
  dead: 'KEY_REVOKED' | 'KEY_EXPIRED' | 'SESSION_ENDED' | null;
  id: string;
  kind: KeyKind | 'session';
  user_id: string | null;
  /** Null for a key. */
  session: CallerSession | null;
  /** The expiry of a key; null for a session. */
  endsAt: Date | null;
  /** `awaits` is the id of a provider that has not confirmed the person lately. */
  workspaces: { id: string; role: Role; plan: string; open: boolean; awaits: string | null }[];
}

type LookUp = (digest: string) => Promise<KeyRow | undefined>;

/** Finds the caller of a key or a session. */
@Injectable()
export class Callers {
  private readonly cache = new LRUCache<string, Caller>({ max: cacheMax, ttl: cacheMs });
  /** Digests of unknown and dead keys. A revoked or expired key never becomes valid again. */
  private readonly unknownKeys = new LRUCache<string, true>({ max: cacheMax, ttl: unknownKeysMs });
  private readonly lookUpKey = batchLoader((digests: string[]) =>
    this.read(keyRows, [digests, this.vouchingS]),
  );
  private readonly lookUpSession = batchLoader((digests: string[]) =>
    this.read(sessionRows, [digests, this.vouchingS, this.settings.sessions.idleMs / 1000]),
  );
  /** The seconds for which the word of each identity provider counts, by its id, as JSON. */
  private readonly vouchingS: string;

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly notifier: CompletionNotifier,
  ) {
    notifier.onNotice(changedCallers, () => this.cache.clear());
    const lasting = settings.identityProviders.map(({ id, sessionMs }) => [id, sessionMs / 1000] as const);
    this.vouchingS = JSON.stringify(Object.fromEntries(lasting));
  }

  /** The keyed hash of a key. The database stores it instead of the key. */
  digest(value: string): string {
    return keyedHash(this.settings.secret, 'api-key', value);
  }

  /**
   * The caller of a live key. Throws `Unauthenticated` for every other key. For a revoked or expired key it sometimes throws the subclass
   * `RevokedKey`, about once a minute in each process. The client cannot see the difference.
   */
  async identify(value: string | undefined): Promise<Caller> {
    return this.findCaller(value);
  }

  /** Like `identify`, but returns a cached caller without a promise. Throws synchronously for a malformed key. */
  findCaller(value: string | undefined): Caller | Promise<Caller> {
    if (!value || !kindOfKey(value)) throw new Unauthenticated();
    const digest = this.digest(value);
    return this.cache.get(digest) ?? this.fromRows(digest, this.lookUpKey);
  }

  /** The keyed hash of a session's secret. The database stores it instead of the secret. */
  digestOfSession(secret: string): string {
    return keyedHash(this.settings.secret, 'session', secret);
  }

  /** The caller of a live session, by the secret in the cookie. Throws `SessionEnded` for every other secret. */
  findBySession(secret: string): Caller | Promise<Caller> {
    if (!sessionPattern.test(secret)) throw new SessionEnded();
    const digest = this.digestOfSession(secret);
    return this.cache.get(digest) ?? this.fromRows(digest, this.lookUpSession);
  }

  /** The caller of a live key or session, by its id. Throws `Unauthenticated` for every other id. */
  async identifyById(id: string): Promise<Caller> {
    const [row] = await this.database.systemUnflushed<{ digest: string; isKey: boolean }>(digestOf, [id]);
    if (!row) throw new Unauthenticated();
    const lookUp = row.isKey ? this.lookUpKey : this.lookUpSession;
    return this.cache.get(row.digest) ?? this.fromRows(row.digest, lookUp);
  }

  /** Like `identifyById` for the id of this caller, without the cache. */
  async readAnew({ keyId: id }: Caller): Promise<Caller> {
    const [row] = await this.database.systemUnflushed<{ digest: string }>(digestOf, [id]);
    if (row) this.cache.delete(row.digest);
    return this.identifyById(id);
  }

  private async fromRows(digest: string, lookUp: LookUp): Promise<Caller> {
    const isSession = lookUp === this.lookUpSession;
    const unknown = () => (isSession ? new SessionEnded() : new Unauthenticated());
    if (this.unknownKeys.has(digest)) throw unknown();
    const row = await lookUp(digest);
    if (!row || row.dead) {
      this.unknownKeys.set(digest, true);
      if (!row?.dead || row.dead === 'SESSION_ENDED') throw unknown();
      const reached = row.workspaces.filter(({ open }) => open).map(({ id }) => id);
      throw new RevokedKey(row.id, reached, row.dead);
    }
    const reach = new Map<string, WorkspaceAccess>(
      row.workspaces.map(({ id, awaits, ...rest }) => [id, { ...rest, awaits: this.nameOfProvider(awaits) }]),
    );
    const { session, endsAt } = row;
    const since = session && { ...session, createdAt: new Date(session.createdAt) };
    const caller = new Caller(row.id, row.kind, row.user_id, reach, { session: since, endsAt });
    this.cache.set(digest, caller);
    return caller;
  }

  private nameOfProvider(id: string | null): string | null {
    return this.settings.identityProviders.find((one) => one.id === id)?.name ?? id;
  }

  private async read(sql: string, values: unknown[]): Promise<Map<string, KeyRow>> {
    const rows = await this.database.systemUnflushed<KeyRow>(sql, values);
    return new Map(rows.map((row) => [row.digest, row]));
  }

  /** True for a member, named by id or address, whom the provider of the membership has not confirmed lately. */
  async awaitsProvider(workspaceId: string, name: string): Promise<boolean> {
    const rows = await this.database.systemUnflushed(unconfirmed, [workspaceId, this.vouchingS, name]);
    return rows.length > 0;
  }

  /** The workspaces of which a user is a member. */
  async listWorkspaces(userId: string): Promise<string[]> {
    const rows = await this.database.system<{ id: string }>(
      'select workspace_id as id from memberships where user_id = $1',
      [userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Empties the cache of this process, and of the others by a notice. One that misses the notice forgets a key within five seconds. */
  async forget(): Promise<void> {
    this.cache.clear();
    await this.notifier.notifyOthers(changedCallers);
  }

  /**
   * Resolves to the workspace of the caller that has this resource. Throws the same `NotFound` for a resource of another workspace
   * and for an unknown id.
   */
  async locate(caller: Caller, kind: keyof typeof locations, id: string): Promise<string> {
    const [only, second] = caller.workspaceIds;
    if (only && !second) return only;
    if (!only) throw new NotFound(thingNames[kind]);
    const [row] = await this.database.statement<{ workspace_id: string }>(
      caller.workspaceIds,
      locations[kind],
      [id],
    );
    if (!row) throw new NotFound(thingNames[kind]);
    return row.workspace_id;
  }
}

/** The name of each kind of resource in the message of `NotFound`. */
export const thingNames = { workflow: 'workflow', execution: 'execution', mcpServer: 'MCP server' };

const locations = {
  workflow: 'select workspace_id from workflows where id = $1',
  mcpServer: 'select workspace_id from mcp_servers where id = $1',
  execution: `select workspace_id from executions where id = $1
    union all select workspace_id from resume_entries where new_execution_id = $1 limit 1`,
};

const digestOf = /* sql */ `
select digest, true as "isKey" from api_keys where id = $1
union all select digest, false from sessions where id = $1`;

/** The secret of a session: 256 random bits in base64url. */
const sessionPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * SQL for the provider that gave the membership `m` and has not confirmed the person within its time, which $2 lists by provider; else
 * null. This is the one place that decides whether such a membership holds, so it holds for every credential alike.
 */
const awaited = /* sql */ `case when m.provider is not null and not exists (
    select from identities i where i.user_id = m.user_id and i.provider = m.provider
      and i.last_used_at > now() - make_interval(secs => ($2::jsonb ->> m.provider)::float8)) then m.provider end`;

/** $1 workspace; $2 as in `awaited`; $3 user id or address */
const unconfirmed = /* sql */ `
select from memberships m join users u on u.id = m.user_id
where m.workspace_id = $1 and (u.id = $3 or lower(u.email) = lower($3)) and ${awaited} is not null`;

/** SQL for the workspaces of a caller: `f` is its key or session, `m` a membership, `w` a workspace. `open` is SQL: may the caller enter `w`? */
const workspacesWith = (open: string) => /* sql */ `coalesce(json_agg(
    json_build_object('id', w.id, 'plan', w.plan, 'role', coalesce(m.role, f.role), 'open', ${open} and ${awaited} is null, 'awaits', ${awaited})
    order by w.created_at, w.id
  ) filter (where w.id is not null), '[]') as workspaces`;

/** Reads keys by their digests, $1; $2 as in `awaited`. Stores the last use at most every ten minutes, because a write costs more than the rest of a request. */
const keyRows = /* sql */ `
with found as (
  select k.digest, k.id, k.kind, k.user_id, k.workspace_id, k.role, k.expires_at,
    case when k.revoked_at is not null then 'KEY_REVOKED' when k.expires_at <= now() then 'KEY_EXPIRED' end as dead
  from api_keys k
  where k.digest = any($1)
), used as (
  update api_keys set last_used_at = now()
  where id in (select id from found where dead is null) and (last_used_at is null or last_used_at < now() - interval '10 minutes')
)
select f.digest, f.id, f.kind, f.user_id, f.dead, null::json as session, f.expires_at as "endsAt",
  ${workspacesWith(`(f.kind = 'workspace' or w.personal_keys_allowed)`)}
from found f
left join memberships m on f.kind = 'personal' and m.user_id = f.user_id
left join workspaces w on w.id = coalesce(f.workspace_id, m.workspace_id)
group by f.digest, f.id, f.kind, f.user_id, f.dead, f.expires_at`;

/**
 * Reads sessions by their digests, $1; $2 as in `awaited`. A session ends after $3 seconds without a use. The workspace's policy on personal keys does not
 * apply to sessions.
 */
const sessionRows = /* sql */ `
with found as (
  select s.digest, s.id, s.user_id, 'viewer' as role,
    json_build_object('id', s.id, 'method', s.method, 'createdAt', s.created_at, 'address', s.address, 'browser', s.browser) as session,
    case when s.revoked_at is not null or s.expires_at <= now() or s.last_used_at < now() - make_interval(secs => $3)
      then 'SESSION_ENDED' end as dead
  from sessions s
  where s.digest = any($1)
), used as (
  update sessions set last_used_at = now()
  where id in (select id from found where dead is null) and last_used_at < now() - interval '1 minute'
)
select f.digest, f.id, 'session' as kind, f.user_id, f.dead, f.session::text::json as session,
  null::timestamptz as "endsAt", ${workspacesWith('true')}
from found f
left join memberships m on m.user_id = f.user_id
left join workspaces w on w.id = m.workspace_id
group by f.digest, f.id, f.user_id, f.dead, f.session::text`;
