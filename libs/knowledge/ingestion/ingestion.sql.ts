import { notifyEnd } from '#libs/platform/database/completion-notifier';
import { buildDeletion } from '#libs/platform/database/bounded-deletion';

/**
 * Counts a try, and returns the data of the processing; nothing when it is superseded. Also delays the next delivery of the outbox.
 * $1 document, $2 revision
 */
export const beginProcessing = /* sql */ `
update documents d set status = 'processing', tries = d.tries + 1, next_delivery_at = now() + interval '1 minute',
  processing_started_at = case when d.status = 'pending' then now() else d.processing_started_at end,
  processing_completed_at = null, updated_at = now()
from knowledge_bases b
where d.id = $1 and d.revision = $2 and d.status in ('pending', 'processing') and b.no = d.base_no
returning d.no, d.base_no, d.filename, d.mime_type, d.file_id, d.source_url, d.tries, d.actor, b.max_size, b.min_size, b.overlap, b.model`;

export const forgetAttempt =
  'update documents set tries = greatest(0, tries - 1) where id = $1 and revision = $2';

export const holdDocument = /* sql */ `
select no, file_id from documents where id = $1 and revision = $2 and status = 'processing' for share`;

export const setFile = /* sql */ `
update documents set file_id = $2, mime_type = $3, file_size = $4, sha256 = $5, updated_at = now() where no = $1`;

const ofGeneration = 'base_no = $1 and document_no = $2 and generation = $3';

/**
 * Statements that delete rows of a generation, a statement for each table. Each returns the number of deleted rows as `n`.
 * The last statement also lowers the counts of the deleted words in `knowledge_words`.
 * $1 number of the base, $2 number of the document, $3 generation, $4 maximum number of rows, or null for all
 */
export const removeGeneration = [
  buildDeletion('vectors.chunk_vectors', ofGeneration, '$4'),
  buildDeletion('chunks', ofGeneration, '$4'),
  /* sql */ `
  with gone as (
    delete from chunk_words where ${ofGeneration}
      and ctid = any (array(select ctid from chunk_words where ${ofGeneration} limit $4)) returning word, bit_count(chunks) as n),
  of as (select word, sum(n) as n from gone group by word),
  held as (select k.word, of.n from knowledge_words k join of using (word) where k.base_no = $1 order by k.word for update of k),
  uncounted as (
    update knowledge_words k set chunks = k.chunks - held.n from held where k.base_no = $1 and k.word = held.word)
  select count(*)::int as n from gone`,
];

export const insertChunks = /* sql */ `
insert into chunks (base_no, document_no, generation, workspace_id, n, start_at, end_at, content, token_count, headings)
select $1, $2, $3, $4, c.n, c.start_at, c.end_at, c.content, c.token_count, c.headings
from json_to_recordset($5::json) as c (n int, start_at int, end_at int, content text, token_count int, headings jsonb)`;

export const insertWords = /* sql */ `
with given as (select w.word, w.segment, w.bits::varbit as chunks from json_to_recordset($5::json) as w (word text, segment int, bits text)),
counted as (
  insert into knowledge_words as k (base_no, word, chunks, workspace_id)
  select $1, word, sum(bit_count(chunks)), $4 from given group by word order by word collate "C"
  on conflict (base_no, word) do update set chunks = k.chunks + excluded.chunks)
insert into chunk_words (base_no, document_no, generation, workspace_id, word, segment, chunks)
select $1, $2, $3, $4, word, segment, chunks from given`;

export const setTotal = /* sql */ `
update documents set chunks_total = $3, chunks_done = 0, confidence = $5, warnings = $6::jsonb, updated_at = now(),
  mime_type = case when mime_type in ('', 'application/octet-stream') then $4 else mime_type end
where no = $1 and revision = $2`;

export const readProgress = /* sql */ `
select chunks_done, chunks_total from documents where id = $1 and revision = $2 and status = 'processing'`;

export const readChunks = /* sql */ `
select n, content, headings from chunks
where base_no = $1 and document_no = $2 and generation = $3 and n >= $4 and n < $5 order by n`;

/**
 * Moves the checkpoint of the embedding, and resets the tries, because this attempt made progress. Returns nothing when another attempt
 * has moved it. $1 document, $2 revision, $3 embedded chunks so far, $4 embedded chunks from now on
 */
export const moveOn = /* sql */ `
update documents set chunks_done = $4, tries = 0, next_delivery_at = now() + interval '1 minute', updated_at = now()
where id = $1 and revision = $2 and status = 'processing' and chunks_done = $3 returning 1`;

export const insertVectors = /* sql */ `
insert into vectors.chunk_vectors (base_no, document_no, generation, dimension, enabled, workspace_id, n, part, embedding)
select $1, $2, $3, $4, true, $5, v.n, v.part, v.embedding::halfvec
from unnest($6::int[], $7::smallint[], $8::text[]) as v (n, part, embedding)`;

export const switchGeneration = /* sql */ `
with former as (
  select d.no, d.generation, d.base_no, d.workspace_id, b.model from documents d join knowledge_bases b on b.no = d.base_no
  where d.id = $1 and d.revision = $2 and d.status = 'processing' and d.chunks_done = d.chunks_total for no key update of d),
left_over as (
  insert into knowledge_orphans (base_no, document_no, generation, workspace_id)
  select base_no, no, generation, workspace_id from former where generation is not null and generation <> $2)
update documents d set generation = d.revision, model = former.model, status = 'completed', error = null, error_code = null,
  chunk_count = c.n, token_count = c.tokens, character_count = $3, tries = 0, processing_completed_at = now(), updated_at = now()
from former, lateral (
  select count(*) as n, coalesce(sum(token_count), 0) as tokens from chunks
  where base_no = former.base_no and document_no = former.no and generation = $2) c
where d.no = former.no returning 1 as shown, ${notifyEnd('d.id')}`;

export const failDocument = /* sql */ `
with failed as (
  update documents set status = 'failed', error_code = $3, error = $4, processing_completed_at = now(), updated_at = now()
  where id = $1 and revision = $2 and status in ('pending', 'processing') returning base_no, no, revision, workspace_id, ${notifyEnd('id')})
insert into knowledge_orphans (base_no, document_no, generation, workspace_id)
select base_no, no, revision, workspace_id from failed`;
