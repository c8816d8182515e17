create function audit_append(workspace text, action text, resource_type text, resource_id text, resource_name text, changes jsonb, actor jsonb default null::jsonb) returns void language plpgsql as $$
declare
  head record;
  acting jsonb := nullif(current_setting('holdfast.acting', true), '')::jsonb;
  at timestamptz(3) := clock_timestamp();
  body json;
  next bytea;
begin
  select h.seq, h.hash into head from audit_heads h where h.workspace_id = workspace for update;
  if not found then
    insert into audit_heads (workspace_id) values (workspace) on conflict do nothing;
    select h.seq, h.hash into head from audit_heads h where h.workspace_id = workspace for update;
  end if;
  body := json_build_object(
    'id', 'aud_' || replace(gen_random_uuid()::text, '-', ''), 'workspaceId', workspace, 'seq', head.seq + 1,
    'createdAt', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actor', coalesce(actor, acting -> 'actor', '{"kind":"system"}'), 'keyId', acting ->> 'keyId',
    'requestId', acting ->> 'requestId', 'address', acting ->> 'address',
    'action', action, 'resourceType', resource_type, 'resourceId', resource_id, 'resourceName', resource_name,
    'changes', coalesce(changes, '{}'));
  next := sha256(head.hash || convert_to(body::text, 'UTF8'));
  insert into audit_entries (workspace_id, seq, hash, body, created_at) values (workspace, head.seq + 1, next, body, at);
  update audit_heads h set seq = head.seq + 1, hash = next where h.workspace_id = workspace;
end $$;

create function audit_row() returns trigger language plpgsql as $$
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
end $$;

create function audit_live_version() returns trigger language plpgsql as $$
declare
  verb text := case
    when new.live_version is null then 'undeployed'
    when (select count(*) from activations a where a.workflow_id = new.id and a.version = new.live_version) > 1 then 'rolled_back'
    else 'deployed'
  end;
  changes jsonb := jsonb_build_object('live_version', jsonb_build_object('from', old.live_version, 'to', new.live_version));
  deployment text := (select d.id from deployments d where d.workflow_id = new.id and d.version = new.live_version);
begin
  if deployment is not null then changes := changes || jsonb_build_object('deployment', deployment); end if;
  perform audit_append(new.workspace_id, 'workflow.' || verb, 'workflow', new.id, new.name, changes);
  return null;
end $$;

create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('holdfast.audit_retention', true) = 'on' and (
    current_user <> 'holdfast_system' or (old.created_at < now() - interval '30 days'
      and exists (select from audit_heads h where h.workspace_id = old.workspace_id and h.anchor_seq >= old.seq))
  ) then return old; end if;
  raise exception 'entries of the audit log are only appended' using errcode = '42501';
end $$;

create table audit_heads (
  workspace_id text primary key,
  seq bigint not null default 0,
  hash bytea not null default '\x'::bytea,
  anchor_seq bigint not null default 0,
  anchor_hash bytea not null default '\x'::bytea,
  anchor_mac text,
  -- The time of the newest deleted entry; null before retention has deleted one.
  anchor_at timestamptz(3)
);
comment on table audit_heads is 'The end of the audit chain of each workspace. Writers lock it, so entries follow each other.';
call pg_temp.system_rows('audit_heads');
call pg_temp.tenant_rows('audit_heads');
grant select, insert, update on audit_heads to holdfast_app;
grant select, insert, update on audit_heads to holdfast_system;

create table audit_entries (
  workspace_id text not null,
  seq bigint not null,
  -- SHA-256 of the hash of the entry before, followed by the bytes of this body. So the body is json, which keeps its text; jsonb does not.
  hash bytea not null,
  body json not null,
  created_at timestamptz(3) not null,
  id text generated always as ((body ->> 'id')) stored not null,
  action text generated always as ((body ->> 'action')) stored not null,
  resource_type text generated always as ((body ->> 'resourceType')) stored not null,
  resource_id text generated always as ((body ->> 'resourceId')) stored not null,
  actor_id text generated always as ((body #>> '{actor,id}'::text[])) stored,
  primary key (workspace_id, seq)
);
comment on table audit_entries is 'The append-only audit log. Each entry has a hash over itself and the entry before it.';
create index audit_entries_action on audit_entries (workspace_id, action, seq desc);
create index audit_entries_actor on audit_entries (workspace_id, actor_id, seq desc);
create unique index audit_entries_id on audit_entries (workspace_id, id);
create index audit_entries_resource on audit_entries (workspace_id, resource_id, seq desc);
create index audit_entries_time on audit_entries (workspace_id, created_at, seq);
create index audit_entries_type on audit_entries (workspace_id, resource_type, seq desc);
create trigger keep_all_audit before TRUNCATE on audit_entries for each statement execute function keep_audit();
create trigger keep_audit before delete or update on audit_entries for each row execute function keep_audit();
call pg_temp.system_rows('audit_entries');
call pg_temp.tenant_rows('audit_entries');
grant select, insert on audit_entries to holdfast_app;
grant select, insert, delete on audit_entries to holdfast_system;
