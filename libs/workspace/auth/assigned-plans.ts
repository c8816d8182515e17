import { asOperator, type OperatorSettings } from './operator.ts';

/** A workspace with the plan that it has. */
export interface AssignedPlan {
  workspaceId: string;
  name: string;
  plan: string;
}

/** The plan of every workspace, the oldest first. */
export function assignedPlans(settings: OperatorSettings): Promise<AssignedPlan[]> {
  return asOperator(
    settings,
    async (client) => (await client.query<AssignedPlan>(`${shown} order by created_at, id`)).rows,
  );
}

/** Changes the plan of a workspace. The audit entry names the operator. Resolves to null for an unknown workspace. */
export function assignPlan(
  settings: OperatorSettings,
  workspaceId: string,
  plan: string,
): Promise<AssignedPlan | null> {
  return asOperator(settings, async (client) => {
    await client.query('update workspaces set plan = $2, updated_at = now() where id = $1', [
      workspaceId,
      plan,
    ]);
    const { rows } = await client.query<AssignedPlan>(`${shown} where id = $1`, [workspaceId]);
    return rows[0] ?? null;
  });
}

const shown = 'select id as "workspaceId", name, plan from workspaces';
