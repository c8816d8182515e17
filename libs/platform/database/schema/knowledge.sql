-- If only a superuser may create the extension, the set-up of the database has created it already.
create extension if not exists vector;
-- Vectors have their own schema, because the system role may create indexes in it.
create schema vectors;
grant usage on schema vectors to holdfast_app;
grant all on schema vectors to holdfast_system;

create table knowledge_bases (
  id text primary key,
  -- A short id of the base for its many chunks.
  no bigint not null generated always as identity unique,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  description text not null,
  max_size int not null,
  min_size int not null,
  overlap int not null,
  model text not null,
  dimension int not null,
  -- The tags that its documents may have: a list of objects with id, name and type.
  tags jsonb not null default '[]',
  -- The state of the index over its vectors: building or ready. Only a large base has this index.
  index_state text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
comment on table knowledge_bases is 'A knowledge base: how it cuts documents, and the model that it is bound to.';
create unique index knowledge_bases_name on knowledge_bases (workspace_id, lower(name));
create constraint trigger audit after insert or delete or update of name, description, max_size, min_size, overlap, tags on knowledge_bases deferrable initially deferred for each row execute function audit_row('knowledge_base', 'id', 'name,description,max_size,min_size,overlap,tags', 'created,updated,deleted');
call pg_temp.system_rows('knowledge_bases');
call pg_temp.tenant_rows('knowledge_bases');
grant select, insert, delete, update on knowledge_bases to holdfast_app;
grant select, update on knowledge_bases to holdfast_system;

create table documents (
  id text primary key,
  no bigint not null generated always as identity unique,
  base_no bigint not null,
  workspace_id text not null references workspaces (id) on delete cascade,
  filename text not null,
  mime_type text not null,
  file_size bigint not null,
  -- The file of the document; null until its URL has been fetched.
  file_id text references files (id) on delete set null,
  sha256 bytea,
  source_url text,
  enabled boolean not null default true,
  tags jsonb not null default '{}',
  status text not null default 'pending',
  error text,
  error_code text,
  -- Counts the requests to process the document. Each processing writes chunks whose generation is this number.
  revision int not null default 1,
  -- The generation that callers see; null: none yet. One update of this column switches to another generation.
  generation int,
  -- The model of that generation.
  model text,
  chunk_count int not null default 0,
  token_count bigint not null default 0,
  character_count bigint not null default 0,
  -- The progress of the current processing.
  chunks_total int,
  chunks_done int not null default 0,
  -- Attempts in a row that made no progress and did not end normally.
  tries smallint not null default 0,
  next_delivery_at timestamptz(3) not null default now() + interval '00:00:02',
  processing_started_at timestamptz(3),
  processing_completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The user or the key that last added the document or had it processed.
  actor text not null default 'unknown'
) with (fillfactor='70');
comment on table documents is 'A document and the state of its processing.';
create index documents_base on documents (base_no, created_at desc, id desc);
create index documents_due_by_workspace on documents (workspace_id, next_delivery_at) where status in ('pending', 'processing');
create index documents_due on documents (next_delivery_at) where status in ('pending', 'processing');
-- A base has one document for the same bytes with the same name, and one document for the same URL.
create unique index documents_upload on documents (base_no, sha256, filename) where source_url is null;
create unique index documents_url on documents (base_no, source_url) where source_url is not null;
create constraint trigger audit after insert or delete on documents deferrable initially deferred for each row when ((COALESCE(current_setting('holdfast.acting', true), '') <> '')) execute function audit_row('document', 'id', 'base_no,file_size,source_url', 'uploaded,,deleted');
create constraint trigger audit_update after update of filename, enabled on documents deferrable initially deferred for each row when ((COALESCE(current_setting('holdfast.acting', true), '') <> '')) execute function audit_row('document', 'id', 'filename,enabled', ',updated,');
call pg_temp.system_rows('documents');
call pg_temp.tenant_rows('documents');
grant select, insert, delete, update on documents to holdfast_app;
grant select, update on documents to holdfast_system;

create table chunks (
  base_no bigint not null,
  document_no bigint not null,
  generation int not null,
  n int not null,
  workspace_id text not null,
  -- Offsets into the text of the document; null when a person has changed the content.
  start_at int,
  end_at int,
  content text not null,
  headings jsonb not null,
  token_count int not null,
  enabled boolean not null default true,
  primary key (base_no, document_no, generation, n)
) partition by hash (base_no);
comment on table chunks is 'The chunks of documents, in 16 partitions. Each generation of a document has its own.';
call pg_temp.tenant_rows('chunks');
grant select, insert, delete, update on chunks to holdfast_app;

call pg_temp.sixteen_partitions('chunks');

create table chunk_words (
  base_no bigint not null,
  word text collate pg_catalog."C" not null,
  document_no bigint not null,
  generation int not null,
  segment int not null,
  chunks bit varying not null,
  workspace_id text not null,
  primary key (base_no, word, document_no, generation, segment)
) partition by hash (base_no);
comment on table chunk_words is 'For each word of a document, the chunks that contain it, as bits, in 16 partitions.';
create index chunk_words_document on chunk_words (base_no, document_no, generation);
call pg_temp.tenant_rows('chunk_words');
grant select, insert, delete, update on chunk_words to holdfast_app;

call pg_temp.sixteen_partitions('chunk_words');

create table knowledge_words (
  base_no bigint not null,
  word text collate pg_catalog."C" not null,
  chunks bigint not null,
  workspace_id text not null,
  primary key (base_no, word)
) with (fillfactor='70');
comment on table knowledge_words is 'For each word of a base, the number of chunks that contain it.';
call pg_temp.tenant_rows('knowledge_words');
grant select, insert, delete, update on knowledge_words to holdfast_app;

create table vectors.chunk_vectors (
  base_no bigint not null,
  document_no bigint not null,
  generation int not null,
  n int not null,
  part smallint not null,
  dimension smallint not null,
  enabled boolean not null,
  workspace_id text not null,
  embedding halfvec not null,
  primary key (base_no, document_no, generation, n, part)
) partition by hash (base_no);
comment on table vectors.chunk_vectors is 'The vectors of chunks, in 16 partitions. They are not in the table chunks, because an exact search reads all vectors of a base.';
call pg_temp.tenant_rows('vectors.chunk_vectors');
grant select, insert, delete, update on vectors.chunk_vectors to holdfast_app;

call pg_temp.sixteen_partitions('vectors.chunk_vectors');
do $$
begin
  for n in 0..15 loop
    execute format('alter table vectors.chunk_vectors_%s alter column embedding set storage plain', n);
    -- The system role creates and drops indexes for large bases. Only the owner of a table may do this.
    execute format('alter table vectors.chunk_vectors_%s owner to holdfast_system', n);
  end loop;
end $$;

create table knowledge_orphans (
  id bigint primary key generated always as identity,
  base_no bigint not null,
  document_no bigint,
  generation int,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now()
);
comment on table knowledge_orphans is 'Deleted bases, documents and generations whose chunks a worker still has to remove.';
call pg_temp.system_rows('knowledge_orphans');
call pg_temp.tenant_rows('knowledge_orphans');
grant select, insert, delete, update on knowledge_orphans to holdfast_app;
grant select on knowledge_orphans to holdfast_system;
