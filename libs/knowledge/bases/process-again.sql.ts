/**
 * Marks documents to be processed again: all documents of a base, or a single document. Callers see the old chunks of a document until its
 * processing has completed. `left_over` hands the chunks of a running processing to the worker that removes leftovers.
 * $1 number of the base or of the document, $2 the actor who asked for it
 */
export const processAgain = (by: 'base_no' | 'no') => /* sql */ `
with left_over as (
  insert into knowledge_orphans (base_no, document_no, generation, workspace_id)
  select base_no, no, revision, workspace_id from documents
  where ${by} = $1 and status in ('pending', 'processing') and generation is distinct from revision)
update documents set revision = revision + 1, status = 'pending', error = null, error_code = null, chunks_total = null,
  chunks_done = 0, tries = 0, next_delivery_at = now(), processing_started_at = null, processing_completed_at = null, actor = $2,
  updated_at = now()
where ${by} = $1`;
