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
