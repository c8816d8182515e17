create function notify_tools() returns trigger language plpgsql as $$
begin
  perform pg_notify('holdfast_ended', 'tools ' || coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;

create table plans (
  workspace_id text not null references workspaces (id) on delete cascade,
  hash text not null,
  plan json not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, hash)
);
comment on table plans is 'Compiled plans by their hash. They never change.';
call pg_temp.tenant_rows('plans');
grant select, insert, delete, update on plans to holdfast_app;

create table workflows (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  description text not null default '',
  definition json not null,
  definition_hash text not null,
  live_version int,
  deployed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  folder text not null default '' collate pg_catalog."C",
  revision int not null default 1,
  constraint workflows_workspace_id_id_key unique (workspace_id, id)
);
comment on table workflows is 'A workflow: its draft, its folder, and which version is live.';
create index workflows_folder on workflows (workspace_id, folder);
create unique index workflows_name on workflows (workspace_id, lower(name));
create index workflows_page on workflows (workspace_id, created_at, id);
create constraint trigger audit after insert or delete or update of name, description, folder, definition_hash on workflows deferrable initially deferred for each row execute function audit_row('workflow', 'id', 'name,description,folder,definition_hash,live_version', 'created,updated,deleted');
create constraint trigger audit_live after update of live_version on workflows deferrable initially deferred for each row when ((old.live_version is distinct from new.live_version)) execute function audit_live_version();
create trigger notify_tools after update on workflows for each row when ((((((old.live_version is distinct from new.live_version) or (old.folder is distinct from new.folder)) or (old.name is distinct from new.name)) or (old.description is distinct from new.description)) and ((old.live_version is not null) or (new.live_version is not null)))) execute function notify_tools();
create trigger notify_tools_gone after delete on workflows for each row when ((old.live_version is not null)) execute function notify_tools();
call pg_temp.tenant_rows('workflows');
grant select, insert, delete, update on workflows to holdfast_app;

create table deployments (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  workflow_id text not null,
  version int not null,
  name text not null default '',
  description text not null default '',
  definition json not null,
  definition_hash text not null,
  plan_hash text not null,
  warnings json not null default '[]',
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  constraint deployments_workflow_id_version_key unique (workflow_id, version),
  constraint deployments_workspace_id_workflow_id_fkey foreign key (workspace_id, workflow_id) references workflows(workspace_id, id) on delete cascade
);
comment on table deployments is 'The versions of a workflow. They never change after the deploy.';
create constraint trigger audit after insert on deployments deferrable initially deferred for each row execute function audit_row('deployment', 'id', 'workflow_id,version,definition_hash', 'created,,');
call pg_temp.tenant_rows('deployments');
grant select, insert, delete, update on deployments to holdfast_app;

create table activations (
  id bigint primary key generated always as identity,
  workspace_id text not null references workspaces (id) on delete cascade,
  workflow_id text not null,
  version int,
  actor text not null,
  created_at timestamptz(3) not null default now(),
  constraint activations_workspace_id_workflow_id_fkey foreign key (workspace_id, workflow_id) references workflows(workspace_id, id) on delete cascade
);
comment on table activations is 'The history of live versions. A rollback without a version goes to the version before.';
create index activations_workflow on activations (workflow_id, id);
call pg_temp.tenant_rows('activations');
grant select, insert, delete, update on activations to holdfast_app;
grant usage on sequence activations_id_seq to holdfast_app, holdfast_system;
