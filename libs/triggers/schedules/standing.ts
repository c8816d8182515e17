import type { Database } from '#libs/platform/database/database';
import type { Trigger } from '../trigger.entity.ts';

/** The executions of a schedule that are open, and whether a moment has started one already. */
export interface Standing {
  isDone: boolean;
  open: string[];
}

/** Reads how a schedule stands. `senderId` is that of the delivery of the moment. */
export async function readStanding(
  database: Database,
  { id, workspaceId }: Pick<Trigger, 'id' | 'workspaceId'>,
  senderId: string,
): Promise<Standing> {
  const [standing] = await database.statement<Standing>(workspaceId, findStanding, [id, senderId]);
  return standing ?? { isDone: false, open: [] };
}

/** The newest hundred executions are looked at: more are open only when the schedule allows all. $1 trigger, $2 id of the moment */
const findStanding = /* sql */ `
select exists (
  select from trigger_deliveries where trigger_id = $1 and sender_id = $2 and verdict = 'accepted'
) as "isDone", array(
  select e.id from (
    select execution_id from trigger_deliveries where trigger_id = $1 and verdict = 'accepted' order by id desc limit 100
  ) d join executions e on e.id = d.execution_id where e.status in ('queued', 'running', 'paused')
) as open`;
