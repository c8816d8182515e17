import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemPolicy, systemRole } from '../policies.ts';

/** Keeps the codes, tokens and grants of the authorization server. */
export class OAuthRecords1700000000065 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(oauthRecords);
    await db.query(systemPolicy('oauth_records'));
    await db.query(`grant select, insert, update, delete on oauth_records to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const oauthRecords = /* sql */ `
create table oauth_records (
  -- Session, Interaction, Grant, AuthorizationCode, AccessToken, RefreshToken, as the library names them.
  kind text not null,
  -- A hash: who reads this table has no token by it.
  digest text not null,
  payload json not null,
  -- The grant that a code or a token belongs to: all of them end with it.
  grant_id text,
  -- The MCP server for which a grant is.
  server_id text,
  -- The name of a session, by which an interaction finds it again.
  uid text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (kind, digest)
);
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_server on oauth_records (server_id, created_at) where server_id is not null;
create index oauth_records_uid on oauth_records (uid) where uid is not null;
create index oauth_records_expired on oauth_records (expires_at);`;
