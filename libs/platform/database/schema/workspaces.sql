create function count_answers() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then insert into storage_changes (workspace_id, kind, bytes)
    select new.workspace_id, 'answers', (case when octet_length(new.answer::text) > 65536 then octet_length(new.answer::text) else 0 end) where case when octet_length(new.answer::text) > 65536 then octet_length(new.answer::text) else 0 end > 0; end if;
  if tg_op <> 'INSERT' then insert into storage_changes (workspace_id, kind, bytes)
    select old.workspace_id, 'answers', -(case when octet_length(old.answer::text) > 65536 then octet_length(old.answer::text) else 0 end) where case when octet_length(old.answer::text) > 65536 then octet_length(old.answer::text) else 0 end > 0; end if;
  return null;
end $$;

create table workspaces (
  id text primary key,
  name text not null,
  plan text not null default 'self_hosted',
  -- The user who made it and for whom it counts; null: an operator made it.
  created_by text,
  personal_keys_allowed boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index workspaces_created_by on workspaces (created_by) where created_by is not null;
comment on table workspaces is 'A workspace owns everything below it. Deleting the row deletes the rest by its foreign keys.';
create constraint trigger audit after insert or update of name, plan, personal_keys_allowed on workspaces deferrable initially deferred for each row execute function audit_row('workspace', 'id', 'name,plan,personal_keys_allowed', 'created,updated,');
call pg_temp.system_rows('workspaces');
call pg_temp.tenant_rows('workspaces', 'id');
grant select, insert, delete, update on workspaces to holdfast_app;
grant select, insert, delete, update on workspaces to holdfast_system;

create table users (
  id text primary key,
  email text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  -- When a mail or an identity provider has proven that the address belongs to the user. Null: an inviter typed the address.
  email_proven_at timestamptz(3)
);
comment on table users is 'A person. An address is theirs only once somebody has proven it.';
create index users_email on users (lower(email));
call pg_temp.system_rows('users');
grant select on users to holdfast_app;
grant select, insert, delete, update on users to holdfast_system;

create table memberships (
  workspace_id text not null references workspaces (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  created_at timestamptz(3) not null default now(),
  -- The identity provider whose rules gave the membership and can end it. Null: a person gave it.
  provider text,
  -- True when the member gets mails about pauses. It is the member's own choice, so the audit log does not record it.
  pause_mails boolean not null default true,
  primary key (workspace_id, user_id)
);
comment on table memberships is 'Who may do what in a workspace: one role for each pair of person and workspace.';
create index memberships_user on memberships (user_id);
create constraint trigger audit after insert or delete or update of role on memberships deferrable initially deferred for each row execute function audit_row('member', 'user_id', 'role', 'added,role_changed,removed');
call pg_temp.system_rows('memberships');
call pg_temp.tenant_rows('memberships');
grant select, insert, delete, update on memberships to holdfast_app;
grant select, insert, delete, update on memberships to holdfast_system;

create table former_members (
  workspace_id text not null references workspaces (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  -- In lower case.
  email text not null,
  removed_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);
comment on table former_members is 'The people who left a workspace, so that logs and answers still name them.';
create index former_members_email on former_members (workspace_id, email);
call pg_temp.system_rows('former_members');
call pg_temp.tenant_rows('former_members');
grant select, insert, update on former_members to holdfast_app;
grant select, insert, update on former_members to holdfast_system;

create table api_keys (
  id text primary key,
  -- Null for a personal key: it reaches every workspace of its user.
  workspace_id text references workspaces (id) on delete cascade,
  user_id text references users (id) on delete cascade,
  kind text not null check (kind in ('personal', 'workspace')),
  role text not null check (role in ('admin', 'editor', 'viewer')),
  name text not null,
  digest text not null unique,
  hint text not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  constraint api_keys_check check ((kind = 'workspace') = (workspace_id is not null)),
  constraint api_keys_check1 check ((kind = 'personal') = (user_id is not null))
);
comment on table api_keys is 'Keys of people and of workspaces. Only a keyed hash of the value is stored.';
create index api_keys_user on api_keys (user_id);
create index api_keys_workspace on api_keys (workspace_id);
create constraint trigger audit after insert or update of revoked_at on api_keys deferrable initially deferred for each row execute function audit_row('api_key', 'id', 'kind,role,hint,expires_at,revoked_at', 'created,revoked,');
call pg_temp.system_rows('api_keys');
call pg_temp.tenant_rows('api_keys');
grant select, insert, delete, update on api_keys to holdfast_app;
grant select, insert, delete, update on api_keys to holdfast_system;

create table invitations (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  digest text not null unique,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  invited_by text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3)
);
comment on table invitations is 'Links by which a new person joins a workspace; each works once and expires.';
create unique index invitations_pending on invitations (workspace_id, lower(email)) where status = 'pending';
create index invitations_workspace on invitations (workspace_id, created_at desc, id desc);
create constraint trigger audit after insert or update of email, role, status on invitations deferrable initially deferred for each row execute function audit_row('invitation', 'id', 'email,role,status', 'created,updated,');
call pg_temp.system_rows('invitations');
call pg_temp.tenant_rows('invitations');
grant select, insert, delete, update on invitations to holdfast_app;
grant select, update on invitations to holdfast_system;

create table data_keys (
  workspace_id text not null references workspaces (id) on delete cascade,
  version int not null,
  wrapped text not null,
  primary key (workspace_id, version)
);
comment on table data_keys is 'The key that seals the secrets of a workspace, itself sealed by the master key.';
call pg_temp.tenant_rows('data_keys');
grant select, insert, delete, update on data_keys to holdfast_app;

create table secrets (
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  sealed text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, name)
);
comment on table secrets is 'Sealed values that blocks may name. Nobody can read one back.';
create constraint trigger audit after insert or delete or update of sealed on secrets deferrable initially deferred for each row execute function audit_row('secret', 'name', '', 'created,updated,deleted');
call pg_temp.tenant_rows('secrets');
grant select, insert, delete, update on secrets to holdfast_app;

create table idempotency_keys (
  workspace_id text not null references workspaces (id) on delete cascade,
  route text not null,
  key text not null,
  fingerprint text not null,
  -- The id for the resource. A request that is repeated after a crash uses the same id, so it makes no second resource.
  resource_id text not null,
  status int,
  -- The response body. A string is a body that is JSON text already.
  answer json,
  etag text,
  locked_until timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  claim text,
  primary key (workspace_id, route, key)
);
comment on table idempotency_keys is 'The stored answer of each call that had an Idempotency-Key, and the lease of a call in flight.';
create index idempotency_age on idempotency_keys (created_at);
create trigger count_storage after insert or delete or update of workspace_id, answer on idempotency_keys for each row execute function count_answers();
call pg_temp.system_rows('idempotency_keys');
call pg_temp.tenant_rows('idempotency_keys');
grant select, insert, delete, update on idempotency_keys to holdfast_app;
grant select, delete, update on idempotency_keys to holdfast_system;

alter table users enable row level security;
alter table users force row level security;
create policy members on users to holdfast_app using (exists (select 1
   from memberships
  where memberships.user_id = users.id));

create table saved_views (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  -- The list that is filtered.
  area text not null,
  name text not null,
  -- The query string of the page's URL.
  query text not null,
  created_at timestamptz(3) not null default now(),
  unique (workspace_id, user_id, area, name)
);
comment on table saved_views is 'Filters of lists to which a person has given a name, for themselves in each workspace.';
create index saved_views_user on saved_views (user_id);
call pg_temp.tenant_rows('saved_views');
grant select, insert, update, delete on saved_views to holdfast_app;
