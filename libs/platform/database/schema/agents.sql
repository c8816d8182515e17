create table mcp_servers (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  description text not null default '',
  -- The server offers the deployed workflows in this folder and below it. Null: it offers none because of its folder.
  folder text,
  -- The chosen workflows, and how the server shows each of them.
  tools json not null default '[]',
  wait_seconds int not null default 20,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint mcp_servers_name unique (workspace_id, name)
);
comment on table mcp_servers is 'Servers that offer workflows to agents as tools.';
create index mcp_servers_created on mcp_servers (workspace_id, created_at, id);
create constraint trigger audit after insert or delete or update of name, description, folder, tools, wait_seconds on mcp_servers deferrable initially deferred for each row execute function audit_row('mcp_server', 'id', 'name,description,folder,tools,wait_seconds', 'created,updated,deleted');
create trigger notify_tools after update on mcp_servers for each row execute function notify_tools();
call pg_temp.tenant_rows('mcp_servers');
grant select, insert, delete, update on mcp_servers to holdfast_app;
