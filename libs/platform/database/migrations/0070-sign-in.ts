import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemPolicy, systemRole } from '../policies.ts';

/** People sign in: their sessions, their passkeys, and who they are at identity providers. */
export class SignIn1700000000070 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(tables);
    for (const table of ['sessions', 'passkeys', 'identities']) {
      await db.query(systemPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${systemRole}`);
    }
    // A provider takes memberships away that it has given.
    await db.query(systemPolicy('former_members'));
    await db.query(`grant select, insert, update on former_members to ${systemRole}`);
    await db.query(auditRow);
    await db.query(audited);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tables = /* sql */ `
-- When a mail or an identity provider has proven that the address is the user's; null: whoever invited them typed it.
alter table users add column email_proven_at timestamptz(3);
-- The identity provider whose groups gave the membership, and take it away; null: people did.
alter table memberships add column provider text;
create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  -- A keyed hash of the cookie: who reads this table cannot sign in by it.
  digest text not null unique,
  method text not null,
  address text not null,
  browser text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_expired on sessions (expires_at);
create table passkeys (
  id text primary key,
  user_id text not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id, created_at);
create table identities (
  provider text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  email text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (provider, subject)
);
create index identities_user on identities (user_id);`;

/** As before, with the things of a user that belong to no workspace: they matter to all workspaces of the user. */
const auditRow = /* sql */ `
create or replace function audit_row() returns trigger language plpgsql as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  now_is jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  one jsonb := coalesce(now_is, was);
  verb text := split_part(tg_argv[3], ',', case tg_op when 'INSERT' then 1 when 'UPDATE' then 2 else 3 end);
  changes jsonb;
  workspace text;
begin
  select jsonb_object_agg(c, case when tg_op = 'UPDATE' then jsonb_build_object('from', was -> c, 'to', now_is -> c) else one -> c end)
    into changes from unnest(string_to_array(tg_argv[2], ',')) c
    where tg_op <> 'UPDATE' or was -> c is distinct from now_is -> c;
  if tg_op = 'UPDATE' and changes is null and tg_argv[2] <> '' then return null; end if;
  for workspace in
    select one ->> 'workspace_id' where one ->> 'workspace_id' is not null
    union select one ->> 'id' where tg_table_name = 'workspaces'
    union select m.workspace_id from memberships m
      where tg_table_name in ('api_keys', 'sessions', 'passkeys', 'identities') and m.user_id = one ->> 'user_id'
    order by 1
  loop
    perform audit_append(workspace, tg_argv[0] || '.' || verb, tg_argv[0], one ->> tg_argv[1],
      coalesce(one ->> 'name', one ->> 'filename'), changes,
      case when tg_table_name = 'resume_entries' then one -> 'actor' end);
  end loop;
  return null;
end $$;`;

const audited = /* sql */ `
create constraint trigger audit after insert or update of revoked_at on sessions deferrable initially deferred
  for each row execute function audit_row('session', 'id', 'user_id,method,address,browser,revoked_at', 'created,revoked,');
create constraint trigger audit after insert or delete on passkeys deferrable initially deferred
  for each row execute function audit_row('passkey', 'id', 'user_id', 'created,,deleted');
create constraint trigger audit after insert or delete on identities deferrable initially deferred
  for each row execute function audit_row('identity', 'subject', 'user_id,provider', 'linked,,unlinked');`;
