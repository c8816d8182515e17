import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

/** Who changed what. Triggers append each entry in the transaction of the change, so that no statement can forget to. */
export class Audit1700000000018 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(entries);
    await db.query(append);
    await db.query(auditRow);
    for (const one of audited) await db.query(audits(one));
    for (const table of ['audit_entries', 'audit_heads']) {
      await db.query(tenantPolicy(table));
      await db.query(systemPolicy(table));
    }
    await db.query(`
      grant select, insert on audit_entries to ${appRole}, ${systemRole};
      grant select, insert, update on audit_heads to ${appRole}, ${systemRole};`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const entries = /* sql */ `
-- Where the chain of a workspace ends, and what its oldest kept entry follows. Outlives its workspace, as its entries do.
create table audit_heads (
  workspace_id text primary key,
  seq bigint not null default 0,
  hash bytea not null default '',
  anchor_seq bigint not null default 0,
  anchor_hash bytea not null default '',
  anchor_mac text
);
create table audit_entries (
  workspace_id text not null,
  seq bigint not null,
  -- The hash of the entry before, followed by this body, byte by byte. A json keeps its text, a jsonb does not.
  hash bytea not null,
  body json not null,
  created_at timestamptz(3) not null,
  id text not null generated always as (body ->> 'id') stored,
  action text not null generated always as (body ->> 'action') stored,
  resource_type text not null generated always as (body ->> 'resourceType') stored,
  resource_id text not null generated always as (body ->> 'resourceId') stored,
  actor_id text generated always as (body #>> '{actor,id}') stored,
  primary key (workspace_id, seq)
);
create unique index audit_entries_id on audit_entries (workspace_id, id);
create index audit_entries_action on audit_entries (workspace_id, action, seq desc);
create index audit_entries_resource on audit_entries (workspace_id, resource_id, seq desc);
create index audit_entries_actor on audit_entries (workspace_id, actor_id, seq desc);
-- Binds the owner too. Retention deletes the oldest entries after it has left an anchor, and says so in this setting.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('holdfast.audit_retention', true) = 'on' then return old; end if;
  raise exception 'entries of the audit log are only appended' using errcode = '42501';
end $$;
create trigger keep_audit before update or delete on audit_entries for each row execute function keep_audit();
create trigger keep_all_audit before truncate on audit_entries for each statement execute function keep_audit();`;

const append = /* sql */ `
-- The line of the head is the only thing that writers of one workspace wait for, and those of others do not.
create function audit_append(workspace text, action text, resource_type text, resource_id text, resource_name text, changes jsonb,
  actor jsonb default null) returns void language plpgsql as $$
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
end $$;`;

const auditRow = /* sql */ `
-- Arguments: type of the resource; its id; what is shown of a change; verbs of insert, update and delete.
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
    -- A personal key belongs to no workspace, and matters to all of its user.
    union select m.workspace_id from memberships m where tg_table_name = 'api_keys' and m.user_id = one ->> 'user_id'
    order by 1
  loop
    perform audit_append(workspace, tg_argv[0] || '.' || verb, tg_argv[0], one ->> tg_argv[1],
      coalesce(one ->> 'name', one ->> 'filename'), changes,
      case when tg_table_name = 'resume_entries' then one -> 'actor' end);
  end loop;
  return null;
end $$;`;

interface Audited {
  table: string;
  type: string;
  id?: string;
  /** Columns whose values an entry shows: never a secret, never what a person wrote at length. */
  shown: string;
  /** Of insert, update and delete; an empty one is not audited. */
  verbs: string;
  /** What makes an update; the columns that are shown unless it says. */
  updates?: string;
  when?: string;
}

// Rows that a worker adds and removes are the doing of an execution or of a deletion, which have entries of their own.
const called = `coalesce(current_setting('holdfast.acting', true), '') <> ''`;

const asked = 'old.cancel_requested_at is null and new.cancel_requested_at is not null';

const audited: Audited[] = [
  {
    table: 'workspaces',
    type: 'workspace',
    shown: 'name,plan,personal_keys_allowed',
    verbs: 'created,updated,',
  },
  { table: 'memberships', type: 'member', id: 'user_id', shown: 'role', verbs: 'added,role_changed,removed' },
  { table: 'invitations', type: 'invitation', shown: 'email,role,status', verbs: 'created,updated,' },
  {
    table: 'api_keys',
    type: 'api_key',
    shown: 'kind,role,hint,expires_at,revoked_at',
    verbs: 'created,revoked,',
    updates: 'revoked_at',
  },
  {
    table: 'secrets',
    type: 'secret',
    id: 'name',
    shown: '',
    verbs: 'created,updated,deleted',
    updates: 'sealed',
  },
  {
    table: 'workflows',
    type: 'workflow',
    shown: 'name,description,folder,definition_hash,live_version',
    verbs: 'created,updated,deleted',
  },
  {
    table: 'deployments',
    type: 'deployment',
    shown: 'workflow_id,version,definition_hash',
    verbs: 'created,,',
  },
  {
    table: 'tables',
    type: 'table',
    shown: 'name,description,columns,max_rows',
    verbs: 'created,updated,deleted',
  },
  {
    table: 'knowledge_bases',
    type: 'knowledge_base',
    shown: 'name,description,max_size,min_size,overlap',
    verbs: 'created,updated,deleted',
  },
  {
    table: 'documents',
    type: 'document',
    shown: 'base_no,file_size,source_url',
    verbs: 'uploaded,,deleted',
    when: called,
  },
  { table: 'resume_entries', type: 'answer', shown: 'execution_id,context_id,mode', verbs: 'given,,' },
  {
    table: 'executions',
    type: 'execution',
    shown: 'cancel_requested_at',
    verbs: ',cancel_requested,',
    when: asked,
  },
];

/** Appended at the commit, when the transaction has every other lock: so no two writers can wait for each other. */
function audits({ table, type, id = 'id', shown, verbs, updates = shown, when }: Audited): string {
  const [created, updated, deleted] = verbs.split(',');
  const events = [
    ...(created ? ['insert'] : []),
    ...(updated ? [`update of ${updates}`] : []),
    ...(deleted ? ['delete'] : []),
  ];
  return /* sql */ `
create constraint trigger audit after ${events.join(' or ')} on ${table} deferrable initially deferred
  for each row ${when ? `when (${when})` : ''} execute function audit_row('${type}', '${id}', '${shown}', '${verbs}');`;
}
