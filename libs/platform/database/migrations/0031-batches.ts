import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs several starts of a workflow as one. Who decides about a line forms its batches first: the last start of a batch gets the inputs of
 * all and waits for its place like any other, and the others are cancelled.
 */
export class Batches1700000000031 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(/* sql */ `
      -- The execution that runs with the inputs of this one; null for one that runs itself.
      alter table executions add column batched_into text;
      -- When the batch of a waiting one is formed at the latest.
      alter table flow_places add column batch_until timestamptz;`);
    await db.query(formBatches);
    await db.query(linesFormBatches);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const formBatches = /* sql */ `
-- Forms the batches that are full, or whose time is over. The caller has locked the line.
create function form_flow_batches(of_workflow text, of_key text, rules jsonb) returns void language plpgsql as $$
declare
  size int := rules #>> '{batch,size}';
  longest interval := make_interval(secs => (rules #>> '{batch,longestMs}')::float8 / 1000);
  ids text[];
  begun timestamptz;
  leader text;
begin
  if size is null then
    -- What waits for a batch of a former version runs alone.
    update flow_places p set first_at = null, not_before = null, batch_until = null
    where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.batch_until is not null;
    return;
  end if;
  loop
    -- One that somebody cancels now is locked. It is passed over, because its end waits for the lock of the line.
    select array_agg(m.execution_id order by m.no), min(m.first_at) into ids, begun from (
      select p.execution_id, p.no, p.first_at from flow_places p join executions e on e.id = p.execution_id
      where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null and p.first_at is not null
        and e.cancel_requested_at is null and json_typeof(e.inputs -> 'batch') = 'array'
      order by p.no limit size for no key update of e skip locked) m;
    exit when ids is null or (cardinality(ids) < size and begun + longest > clock_timestamp());
    leader := ids[cardinality(ids)];
    update executions e set inputs = json_build_object('batch', (
      select json_agg(s.value order by p.no, s.at) from executions m join flow_places p on p.execution_id = m.id
        cross join json_array_elements(m.inputs -> 'batch') with ordinality s (value, at) where m.id = any (ids)))
    where e.id = leader;
    update executions e set batched_into = leader where e.id = any (ids) and e.id <> leader;
    update flow_places p set leaving = 'due' where p.execution_id = any (ids) and p.execution_id <> leader;
    update flow_places p set first_at = null, not_before = null, batch_until = null where p.execution_id = leader;
  end loop;
  update flow_places p set not_before = 'infinity', batch_until = (
    select min(o.first_at) + longest from flow_places o
    where o.workflow_id = of_workflow and o.key = of_key and o.state = 'waiting' and o.leaving is null)
  where p.workflow_id = of_workflow and p.key = of_key and p.state = 'waiting' and p.leaving is null and p.first_at is not null;
end $$;`;

/** Has the functions of lines look for batches. Fails when they are not as they were. */
const linesFormBatches = /* sql */ `
do $$
declare
  verdict_before text := pg_get_functiondef('flow_verdict(text, text)'::regprocedure);
  verdict_after text := replace(verdict_before, $q$rules ? 'debounce'$q$, $q$rules ?| array['debounce', 'batch']$q$);
  before text := pg_get_functiondef('advance_flow_line(text, text, text)'::regprocedure);
  formed text := replace(before, $q$  if rules #>> '{concurrency,onLimit}' = 'cancelOldest' then$q$,
    $q$  perform form_flow_batches(of_workflow, of_key, rules);
  if rules #>> '{concurrency,onLimit}' = 'cancelOldest' then$q$);
  after text := replace(formed, 'coalesce(min(p.not_before), ''infinity'')', 'coalesce(min(coalesce(p.batch_until, p.not_before)), ''infinity'')');
begin
  if verdict_after = verdict_before or formed = before or after = formed then raise exception 'the functions of lines have other texts'; end if;
  execute verdict_after;
  execute after;
end $$`;
