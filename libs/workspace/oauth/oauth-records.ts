import { Injectable } from '@nestjs/common';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { NotFound } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';

/** A record of the authorization server. A client presents its secret to use it. */
export interface OAuthRecord {
  payload: JsonObject;
  consumedAt: Date | null;
}

/** A record to store. It expires after `expiresInS` seconds. */
export interface NewOAuthRecord {
  payload: JsonObject;
  grantId: string | null;
  uid: string | null;
  /** The MCP server of a grant; null for every other record. */
  serverId: string | null;
  expiresInS: number;
}

/** The most rows that one statement deletes. */
const batch = 1000;

/**
 * The records of the authorization server, by kind and secret. Only a keyed hash of the secret is stored. Records belong to no
 * workspace, because a client begins before a person chooses the workspace for it.
 */
@Injectable()
export class OAuthRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly cursors: Cursors,
  ) {}

  async keep(kind: string, secret: string, record: NewOAuthRecord): Promise<void> {
    const { payload, grantId, uid, serverId, expiresInS } = record;
    const values = [kind, this.digest(secret), JSON.stringify(payload), grantId, uid, expiresInS, serverId];
    await this.database.system(keepRecord, values);
  }

  /** The record; null when there is none or it has expired. */
  async findRecord(kind: string, secret: string): Promise<OAuthRecord | null> {
    const [row] = await this.database.system<RecordRow>(findRecord, [kind, this.digest(secret)]);
    return row ? { payload: row.payload, consumedAt: row.consumed_at } : null;
  }

  async findByUid(kind: string, uid: string): Promise<OAuthRecord | null> {
    const [row] = await this.database.system<RecordRow>(findByUid, [kind, uid]);
    return row ? { payload: row.payload, consumedAt: row.consumed_at } : null;
  }

  /** Marks a record as used. The library treats a second use as theft and ends the grant. */
  async consume(kind: string, secret: string): Promise<void> {
    await this.database.system(consumeRecord, [kind, this.digest(secret)]);
  }

  /**
   * Marks a record as used and resolves to it. `isFirst` is true only for the first call. Null when there is no such record, or when
   * it has expired.
   */
  async consumeOnce(kind: string, secret: string): Promise<{ payload: JsonObject; isFirst: boolean } | null> {
    const [row] = await this.database.system<{ payload: JsonObject; isFirst: boolean }>(consumeOnce, [
      kind,
      this.digest(secret),
    ]);
    return row ?? null;
  }

  async forget(kind: string, secret: string): Promise<void> {
    await this.database.system(forgetRecord, [kind, this.digest(secret)]);
  }

  /** Lists the valid grants for an MCP server, the oldest first. A grant is not valid after its key is revoked or has expired. */
  async listGrants(
    serverId: string,
    { limit, cursor }: { limit: number; cursor?: string },
  ): Promise<Page<OAuthGrant>> {
    const scope = `grants ${serverId}`;
    const after = this.cursors.open(cursor, scope);
    const values = [serverId, after?.at ?? null, after?.id ?? null, limit + 1];
    const rows = await this.database.system<OAuthGrant>(listGrants, values);
    return this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  /** Ends a grant for the server, with its codes and tokens. Throws `NotFound` when the server has no such grant. */
  async revokeGrant(serverId: string, grantId: string): Promise<void> {
    const [row] = await this.database.system<{ n: number }>(revokeGrant, [serverId, grantId]);
    if (!row || row.n === 0) throw new NotFound('grant');
  }

  /** Ends a grant, with its codes and tokens. */
  async forgetGrant(grantId: string): Promise<void> {
    await this.database.system(forgetGrant, [grantId]);
  }

  /** Deletes expired records. Several processes may run this at the same time. */
  async forgetExpired(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...expired, rowsMax: batch }, bounds);
  }

  private digest(secret: string): string {
    return keyedHash(this.settings.secret, 'oauth-record', secret);
  }
}

/** The consent of a person to a client. */
export interface OAuthGrant {
  id: string;
  /** The address of its metadata document. */
  client: string;
  userId: string;
  email: string;
  name: string;
  scopes: string;
  createdAt: Date;
  expiresAt: Date;
}

type RecordRow = { payload: JsonObject; consumed_at: Date | null };

const expired = {
  kind: 'record of OAuth',
  table: 'oauth_records',
  id: `t.kind || ' ' || t.digest`,
  where: 't.expires_at < now()',
  order: 't.expires_at',
  values: [] as unknown[],
} as const;

/** $1 kind, $2 digest, $3 payload, $4 grant, $5 name of the session, $6 seconds, $7 MCP server */
const keepRecord = /* sql */ `
insert into oauth_records (kind, digest, payload, grant_id, uid, server_id, expires_at)
values ($1, $2, $3, $4, $5, $7, now() + make_interval(secs => $6))
on conflict (kind, digest) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
  expires_at = excluded.expires_at`;

const findRecord = /* sql */ `
select payload, consumed_at from oauth_records where kind = $1 and digest = $2 and expires_at > now()`;

const findByUid = /* sql */ `
select payload, consumed_at from oauth_records where uid = $2 and kind = $1 and expires_at > now()`;

const consumeRecord = 'update oauth_records set consumed_at = now() where kind = $1 and digest = $2';

const consumeOnce = /* sql */ `
with first as (
  update oauth_records set consumed_at = now()
  where kind = $1 and digest = $2 and consumed_at is null and expires_at > now() returning payload
)
select payload, true as "isFirst" from first
union all
select payload, false from oauth_records where kind = $1 and digest = $2 and expires_at > now() and not exists (select from first)`;

const forgetRecord = 'delete from oauth_records where kind = $1 and digest = $2';

/** $1 server, $2 and $3 time and id of the last grant of the page before, $4 limit */
const listGrants = /* sql */ `
select r.grant_id as id, r.payload ->> 'clientId' as client, u.id as "userId", u.email, u.name,
  (select s.value from json_each_text(r.payload -> 'resources') s limit 1) as scopes,
  r.created_at as "createdAt", r.expires_at as "expiresAt"
from oauth_records r
join api_keys k on k.id = r.payload ->> 'accountId' and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
join users u on u.id = k.user_id
where r.server_id = $1 and r.kind = 'Grant' and r.expires_at > now()
  and ($2::timestamptz is null or (r.created_at, r.grant_id) > ($2, $3))
order by r.created_at, r.grant_id limit $4`;

/** $1 server, $2 grant */
const revokeGrant = /* sql */ `
with gone as (
  delete from oauth_records where grant_id = $2
    and exists (select from oauth_records g where g.kind = 'Grant' and g.grant_id = $2 and g.server_id = $1)
  returning 1
)
select count(*)::int as n from gone`;

const forgetGrant = 'delete from oauth_records where grant_id = $1';
