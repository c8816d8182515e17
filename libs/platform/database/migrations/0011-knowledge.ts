import type { MigrationInterface, QueryRunner } from 'typeorm';
import { appRole, systemPolicy, systemRole, tenantPolicy } from '../policies.ts';

const partitions = 16;

/** Knowledge bases: their documents with the files that they came from, chunks, words, and vectors. */
export class Knowledge1700000000011 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(knowledge);
    for (let n = 0; n < partitions; n++) await db.query(parts(n));
    for (const table of tenantTables) {
      await db.query(tenantPolicy(table));
      await db.query(`grant select, insert, update, delete on ${table} to ${appRole}`);
    }
    for (const table of ['documents', 'knowledge_leftovers', 'knowledge_bases'])
      await db.query(systemPolicy(table));
    await db.query(`grant select, update on documents, knowledge_bases to ${systemRole}`);
    await db.query(`grant select on knowledge_leftovers to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const tenantTables = [
  'files',
  'file_pieces',
  'knowledge_bases',
  'documents',
  'chunks',
  'chunk_words',
  'knowledge_words',
  'knowledge_leftovers',
  'vectors.chunk_vectors',
];

/**
 * A partition has no grant, so its rows are reached through the whole alone. A part of the vectors belongs to the system role,
 * which makes and drops the index of a large base: only the owner of a table may.
 */
function parts(n: number): string {
  const of = (table: string, part = `${table}_${n}`) =>
    `create table ${part} partition of ${table} for values with (modulus ${partitions}, remainder ${n})
      with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01); ${tenantPolicy(part)}`;
  const vectors = `vectors.chunk_vectors_${n}`;
  return `${of('chunks')} ${of('chunk_words')} ${of('vectors.chunk_vectors')}
    alter table ${vectors} alter column embedding set storage plain;
    alter table ${vectors} owner to ${systemRole};`;
}

const knowledge = /* sql */ `
-- Where its maker must be a superuser, the set-up of the database has made it already.
create extension if not exists vector;

-- Contents that were uploaded or fetched, in pieces: a value of 100 MB would be in memory whole, several times over.
create table files (
  id text primary key,
  no bigint not null generated always as identity unique,
  workspace_id text not null references workspaces on delete cascade,
  filename text not null,
  mime_type text not null,
  size bigint not null,
  sha256 bytea not null,
  -- Of a file that a person gave as an answer: it goes with the execution.
  execution_id text references executions on delete cascade,
  created_at timestamptz(3) not null default now()
);
create index files_execution on files (execution_id) where execution_id is not null;

create table file_pieces (
  file_no bigint not null references files (no) on delete cascade,
  n integer not null,
  workspace_id text not null,
  bytes bytea not null,
  primary key (file_no, n)
);
-- The files of most types are compressed already.
alter table file_pieces alter column bytes set storage external;

create table knowledge_bases (
  id text primary key,
  -- Stands for the base in its chunks, which are many.
  no bigint not null generated always as identity unique,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  description text not null,
  max_size integer not null,
  min_size integer not null,
  overlap integer not null,
  model text not null,
  dimension integer not null,
  -- The tags that its documents may have: a list of objects with id, name and type.
  tags jsonb not null default '[]',
  -- The index over its vectors, which only a large base has: building, ready.
  index_state text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index knowledge_bases_name on knowledge_bases (workspace_id, lower(name));

create table documents (
  id text primary key,
  no bigint not null generated always as identity unique,
  base_no bigint not null,
  workspace_id text not null references workspaces on delete cascade,
  filename text not null,
  mime_type text not null,
  file_size bigint not null,
  -- What the document came from; null until a URL has been fetched.
  file_id text references files on delete set null,
  sha256 bytea,
  source_url text,
  enabled boolean not null default true,
  tags jsonb not null default '{}',
  status text not null default 'pending',
  error text,
  error_code text,
  -- Counts how often the document was to be processed. Each processing writes chunks of a generation of its own number.
  revision integer not null default 1,
  -- The generation that callers see; null: none yet. The switch to another is one update of this line.
  generation integer,
  -- The model of that generation.
  model text,
  chunk_count integer not null default 0,
  token_count bigint not null default 0,
  character_count bigint not null default 0,
  -- How far the processing is that is under way.
  chunks_total integer,
  chunks_done integer not null default 0,
  -- Attempts that began and neither ended in order nor came further.
  tries smallint not null default 0,
  relay_after timestamptz(3) not null default now() + interval '2 seconds',
  processing_started_at timestamptz(3),
  processing_completed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
) with (fillfactor = 70);
create index documents_base on documents (base_no, created_at desc, id desc);
create index documents_relay on documents (relay_after) where status in ('pending', 'processing');
-- The same bytes under the same name, and the same URL, are one document of a base.
create unique index documents_upload on documents (base_no, sha256, filename) where source_url is null;
create unique index documents_url on documents (base_no, source_url) where source_url is not null;

create table chunks (
  base_no bigint not null,
  document_no bigint not null,
  generation integer not null,
  n integer not null,
  workspace_id text not null,
  -- Offsets into the text of the document; null when a person has changed the content.
  start_at integer,
  end_at integer,
  content text not null,
  headings jsonb not null,
  token_count integer not null,
  enabled boolean not null default true,
  primary key (base_no, document_no, generation, n)
) partition by hash (base_no);

-- Which chunks of a document have a word: a bit for each of the 1,024 chunks of a segment. One line for each word of a document,
-- not of a chunk, because most words of a document come often.
create table chunk_words (
  base_no bigint not null,
  word text collate "C" not null,
  document_no bigint not null,
  generation integer not null,
  segment integer not null,
  chunks bit varying not null,
  workspace_id text not null,
  primary key (base_no, word, document_no, generation, segment)
) partition by hash (base_no);
create index chunk_words_document on chunk_words (base_no, document_no, generation);

-- In how many chunks of a base a word is. Changed by whoever writes or removes lines of chunk_words, in the same transaction.
create table knowledge_words (
  base_no bigint not null,
  word text collate "C" not null,
  chunks bigint not null,
  workspace_id text not null,
  primary key (base_no, word)
) with (fillfactor = 70);

-- What deleted bases and documents, and generations that were replaced, leave behind, until a worker has removed it.
create table knowledge_leftovers (
  id bigint generated always as identity primary key,
  base_no bigint not null,
  document_no bigint,
  generation integer,
  workspace_id text not null,
  deleted_at timestamptz(3) not null default now()
);

-- A schema of their own, in which the system role may create: the index of a large base.
create schema vectors;
grant usage on schema vectors to ${appRole};
grant usage, create on schema vectors to ${systemRole};

-- Narrow and apart from the text: an exact search reads all lines of a base. A chunk may have several vectors.
create table vectors.chunk_vectors (
  base_no bigint not null,
  document_no bigint not null,
  generation integer not null,
  n integer not null,
  part smallint not null,
  dimension smallint not null,
  enabled boolean not null,
  workspace_id text not null,
  embedding halfvec not null,
  primary key (base_no, document_no, generation, n, part)
) partition by hash (base_no);`;
