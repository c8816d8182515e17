import type { Starter } from '#libs/runs/executions/accept/start-execution';
import type { Trigger } from './trigger.entity.ts';

/** Returns the principal of a trigger as the starter of an execution. A user pays for it, or else the workspace. */
export function toStarter({
  workspaceId,
  actor,
  plan,
}: Pick<Trigger, 'workspaceId' | 'actor'> & { plan: string }): Starter {
  const owner = actor.kind === 'user' ? actor.id : workspaceId;
  return { workspaceId, caller: { actor }, payer: { owner, plan, workspaceId } };
}

/** SQL for the role of the principal of the row `alias`; null when it may do nothing any more. */
export const roleOfPrincipal = (alias: string) => /* sql */ `case when ${alias}.actor ->> 'kind' = 'user'
    then (select m.role from memberships m where m.workspace_id = ${alias}.workspace_id and m.user_id = ${alias}.actor ->> 'id')
    else (select k.role from api_keys k where k.id = ${alias}.actor ->> 'id' and k.workspace_id = ${alias}.workspace_id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))
  end`;
