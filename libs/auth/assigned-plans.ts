import pg from 'pg';
import type { Settings } from '#libs/settings/settings';

/** A workspace with the plan that it has. */
export interface AssignedPlan {
  workspaceId: string;
  name: string;
  plan: string;
}

type Given = Pick<Settings, 'databaseDirectUrl'>;

/** The plan of every workspace, the oldest first. */
export function assignedPlans(given: Given): Promise<AssignedPlan[]> {
  return asSystem(
    given,
    async (client) => (await client.query<AssignedPlan>(`${shown} order by created_at, id`)).rows,
  );
}

/** Gives a workspace another plan; null when there is no such workspace. The audit log says that the operator did. */
export function assignPlan(given: Given, workspaceId: string, plan: string): Promise<AssignedPlan | null> {
  return asSystem(given, async (client) => {
    await client.query(`select set_config('holdfast.acting', $1, true)`, [JSON.stringify(operator)]);
    await client.query('update workspaces set plan = $2, updated_at = now() where id = $1', [
      workspaceId,
      plan,
    ]);
    const { rows } = await client.query<AssignedPlan>(`${shown} where id = $1`, [workspaceId]);
    return rows[0] ?? null;
  });
}

/** Who acts in commands on the machine of the installation. */
const operator = { actor: { kind: 'operator' } };

const shown = 'select id as "workspaceId", name, plan from workspaces';

async function asSystem<T>(
  { databaseDirectUrl }: Given,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseDirectUrl, options: '-c role=holdfast_system' });
  await client.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}
