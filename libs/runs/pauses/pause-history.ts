import { Injectable } from '@nestjs/common';
import { nameOfActor } from '#libs/platform/database/actor-context';
import { Database, send } from '#libs/platform/database/database';
import { executionNamed } from '#libs/runs/executions/executions';
import { NotFound } from '#libs/platform/errors/errors';

/** One event in the life of a pause. */
export interface PauseHistoryEntry {
  at: Date;
  event: string;
  who: string | null;
  note: string;
}

/** The history of a pause from its opening to its end, read from the rows. */
@Injectable()
export class PauseHistory {
  constructor(private readonly database: Database) {}

  async readPauseHistory(
    workspaceId: string,
    place: { workflowId: string; executionId: string; contextId: string },
  ): Promise<PauseHistoryEntry[]> {
    const { workflowId, executionId, contextId } = place;
    const rows = await this.database.within(workspaceId, (tx) =>
      send<PauseHistoryEntry>(tx, findTrail, [contextId, workflowId, executionId]),
    );
    if (rows.length === 0) throw new NotFound('pause');
    return rows;
  }
}

const nameOf = (
  id: string,
) => `coalesce((select u.name || ' <' || u.email || '>' from users u where u.id = ${id}),
  (select 'key ' || k.name from api_keys k where k.id = ${id}), ${nameOfActor(id)}, ${id})`;

const findTrail = /* sql */ `
with point as (
  select p.* from pause_points p join executions e on e.id = p.root_id
  where p.context_id = $1 and e.workflow_id = $2 and e.id = ${executionNamed('$3')}
), trail as (
  select registered_at as at, 0 as rank, 'opened' as event, null::text as who, display ->> 'title' as note from point
  union all
  select coalesce(n.sent_at, n.created_at), 2, case n.status when 'sent' then 'told' when 'pending' then 'to be told' else 'not told' end,
    n.target, n.occasion || coalesce(' (' || n.last_error || ')', '') from notices n join point using (context_id)
  union all
  select d.created_at, 1, 'delegated', ${nameOf('d.from_id')}, 'to ' || string_agg(d.to_name, ', ' order by d.to_name) || case when d.note = '' then '' else ': ' || d.note end
  from delegations d join point using (context_id) group by d.created_at, d.from_id, d.note
  union all
  select r.queued_at, 3, case when r.status = 'failed' then 'answer refused' else 'answered' end,
    coalesce(${nameOf("r.person ->> 'id'")}, ${nameOf("r.actor ->> 'id'")}),
    coalesce(r.failure_reason, r.resume_input ->> (point.asking::jsonb #>> '{approvals,decision}'), '')
  from resume_entries r join point using (context_id)
  union all
  select closed_at, 4, resume_status, null, '' from point where closed_at is not null
)
select at, event, who, coalesce(note, '') as note from trail order by at, rank`;
