create function count_documents() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into storage_changes (workspace_id, kind, bytes) values (new.workspace_id, 'documents', new.size);
  end if;
  if tg_op <> 'INSERT' then
    insert into storage_changes (workspace_id, kind, bytes) values (old.workspace_id, 'documents', -(old.size));
  end if;
  return null;
end $$;

create table files (
  id text primary key,
  no bigint not null generated always as identity unique,
  workspace_id text not null references workspaces (id) on delete cascade,
  filename text not null,
  mime_type text not null,
  size bigint not null,
  sha256 bytea not null,
  -- Set for a file in the answer of a person. The file is deleted with this execution.
  execution_id text references executions (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  -- Set for the file of an import. It is deleted when the import has ended, because nobody reads it again.
  import_id text
);
comment on table files is 'Contents that were uploaded or fetched. The bytes are in file_pieces.';
create index files_execution on files (execution_id) where execution_id is not null;
create index files_import on files (import_id) where import_id is not null;
create trigger count_storage after insert or delete or update of workspace_id, size on files for each row execute function count_documents();
call pg_temp.tenant_rows('files');
grant select, insert, delete, update on files to holdfast_app;

create table file_pieces (
  file_no bigint not null references files (no) on delete cascade,
  n int not null,
  workspace_id text not null,
  bytes bytea not null,
  primary key (file_no, n)
);
comment on table file_pieces is 'The bytes of a file, in pieces: a whole file of 100 MB would be in memory several times.';
alter table file_pieces alter column bytes set storage external;
call pg_temp.tenant_rows('file_pieces');
grant select, insert, delete, update on file_pieces to holdfast_app;
