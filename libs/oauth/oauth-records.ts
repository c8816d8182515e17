import { Injectable, Module } from '@nestjs/common';
import { forgetRows, TurnBounds } from '#libs/database/bounded-deletion';
import { Database, DatabaseModule } from '#libs/database/database';
import type { JsonObject } from '#libs/definition/values';
import { keyedHash } from '#libs/secrets/crypto';
import { Settings } from '#libs/settings/settings';

/** What the authorization server remembers under a secret that its holder shows. */
export interface OAuthRecord {
  payload: JsonObject;
  consumedAt: Date | null;
}

/** A record as it is kept. It counts as gone `expiresInS` seconds later. */
export interface NewOAuthRecord {
  payload: JsonObject;
  grantId: string | null;
  uid: string | null;
  expiresInS: number;
}

/** Rows that one statement forgets. */
const batch = 1000;

/**
 * The records of the authorization server by kind and secret. Only a keyed hash of the secret is kept. They belong to no
 * workspace, because a client begins before anybody has said for which workspace it may act.
 */
@Injectable()
export class OAuthRecords {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async keep(kind: string, secret: string, record: NewOAuthRecord): Promise<void> {
    const { payload, grantId, uid, expiresInS } = record;
    const values = [kind, this.digest(secret), JSON.stringify(payload), grantId, uid, expiresInS];
    await this.database.system(keepRecord, values);
  }

  /** The record, unless there is none or it has expired. */
  async find(kind: string, secret: string): Promise<OAuthRecord | null> {
    const [row] = await this.database.system<Row>(findRecord, [kind, this.digest(secret)]);
    return row ? { payload: row.payload, consumedAt: row.consumed_at } : null;
  }

  async findByUid(kind: string, uid: string): Promise<OAuthRecord | null> {
    const [row] = await this.database.system<Row>(findByUid, [kind, uid]);
    return row ? { payload: row.payload, consumedAt: row.consumed_at } : null;
  }

  /** Marks a record as used. A second use of it is a theft, which the library answers by ending its grant. */
  async consume(kind: string, secret: string): Promise<void> {
    await this.database.system(consumeRecord, [kind, this.digest(secret)]);
  }

  async forget(kind: string, secret: string): Promise<void> {
    await this.database.system(forgetRecord, [kind, this.digest(secret)]);
  }

  /** Ends all codes and tokens of a grant. */
  async forgetGrant(grantId: string): Promise<void> {
    await this.database.system(forgetGrant, [grantId]);
  }

  /** Deletes what has expired. Any number of processes may do so at the same time. */
  async forgetExpired(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...expired, rowsMax: batch }, bounds);
  }

  private digest(secret: string): string {
    return keyedHash(this.settings.secret, 'oauth-record', secret);
  }
}

type Row = { payload: JsonObject; consumed_at: Date | null };

const expired = {
  kind: 'record of OAuth',
  table: 'oauth_records',
  id: `t.kind || ' ' || t.digest`,
  where: 't.expires_at < now()',
  order: 't.expires_at',
  values: [] as unknown[],
} as const;

/** $1 kind, $2 digest, $3 payload, $4 grant, $5 name of the session, $6 seconds */
const keepRecord = /* sql */ `
insert into oauth_records (kind, digest, payload, grant_id, uid, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
on conflict (kind, digest) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
  expires_at = excluded.expires_at`;

const findRecord = /* sql */ `
select payload, consumed_at from oauth_records where kind = $1 and digest = $2 and expires_at > now()`;

const findByUid = /* sql */ `
select payload, consumed_at from oauth_records where uid = $2 and kind = $1 and expires_at > now()`;

const consumeRecord = 'update oauth_records set consumed_at = now() where kind = $1 and digest = $2';

const forgetRecord = 'delete from oauth_records where kind = $1 and digest = $2';

const forgetGrant = 'delete from oauth_records where grant_id = $1';

@Module({ imports: [DatabaseModule], providers: [OAuthRecords], exports: [OAuthRecords] })
export class OAuthModule {}
