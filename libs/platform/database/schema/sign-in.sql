create table identities (
  id text not null unique,
  provider text not null,
  subject text not null,
  user_id text not null references users (id) on delete cascade,
  email text,
  created_at timestamptz(3) not null default now(),
  -- When the provider last confirmed the person. The memberships that it gave hold for a time from then.
  last_used_at timestamptz(3) not null default now(),
  primary key (provider, subject)
);
comment on table identities is 'Accounts of people at identity providers.';
create index identities_user on identities (user_id);
create constraint trigger audit after insert or delete on identities deferrable initially deferred for each row execute function audit_row('identity', 'subject', 'user_id,provider', 'linked,,unlinked');
call pg_temp.system_rows('identities');
grant select, insert, delete, update on identities to holdfast_system;

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  -- A keyed hash of the cookie, so that a reader of this table cannot sign in with it.
  digest text not null unique,
  method text not null,
  address text not null,
  browser text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
comment on table sessions is 'Browser sessions. Only a hash of the cookie is stored; a deleted row ends the session.';
create index sessions_expired on sessions (expires_at);
create index sessions_user on sessions (user_id, created_at);
create constraint trigger audit after insert or update of revoked_at on sessions deferrable initially deferred for each row execute function audit_row('session', 'id', 'user_id,method,address,browser,revoked_at', 'created,revoked,');
call pg_temp.system_rows('sessions');
grant select, insert, delete, update on sessions to holdfast_system;

create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}'::text[],
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
comment on table passkeys is 'Public keys of passkeys.';
create index passkeys_user on passkeys (user_id, created_at);
create constraint trigger audit after insert or delete on passkeys deferrable initially deferred for each row execute function audit_row('passkey', 'id', 'user_id', 'created,,deleted');
call pg_temp.system_rows('passkeys');
grant select, insert, delete, update on passkeys to holdfast_system;

create table oauth_records (
  -- Names of the library: Session, Interaction, Grant, AuthorizationCode, AccessToken, RefreshToken. Others are of this product.
  kind text not null,
  -- A keyed hash of the secret, so that a reader of this table gets no token.
  digest text not null,
  payload json not null,
  -- The grant of a code or token. All codes and tokens end with their grant.
  grant_id text,
  -- The MCP server of a grant.
  server_id text,
  -- The id of a session. An interaction finds its session by this id.
  uid text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  primary key (kind, digest)
);
comment on table oauth_records is 'Short-lived records under a hashed secret: codes and tokens of OAuth, sign-in links, challenges.';
create index oauth_records_expired on oauth_records (expires_at);
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_server on oauth_records (server_id, created_at) where server_id is not null;
create index oauth_records_uid on oauth_records (uid) where uid is not null;
call pg_temp.system_rows('oauth_records');
grant select, insert, delete, update on oauth_records to holdfast_system;
