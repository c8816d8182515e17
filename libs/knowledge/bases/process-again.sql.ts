/**
 * Documents by the number of their base, or one by its own, are to be processed again. What callers see of them stays until each
 * has been; what a processing that is under way has written is of no use any more. `$2` is who asks for it.
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
