import pg from 'pg';
import type { Settings } from '#libs/platform/settings/settings';
import { insertWorkspace } from './workspaces.ts';

export type OperatorSettings = Pick<Settings, 'databaseDirectUrl'>;

/** Runs a command of the operator in one transaction that reaches all workspaces. Audit entries name the operator as the actor. */
export async function asOperator<T>(
  { databaseDirectUrl }: OperatorSettings,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseDirectUrl, options: '-c role=holdfast_system' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('holdfast.acting', $1, true)`, [JSON.stringify(operator)]);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

/** The actor of commands on the machine of the installation. */
const operator = { actor: { kind: 'operator' } };

/** A workspace as the operator's command shows it. */
export interface OperatedWorkspace {
  workspaceId: string;
  name: string;
  personalKeysAllowed: boolean;
  admins: number;
  adminKeys: number;
}

/** Every workspace, the oldest first, with how many admins and live admin keys it has. */
export function operatedWorkspaces(settings: OperatorSettings): Promise<OperatedWorkspace[]> {
  return asOperator(settings, (client) => shown(client));
}

/** Switches personal keys on again in a workspace. Every process follows within five seconds. Resolves to null for an unknown workspace. */
export function openWorkspace(
  settings: OperatorSettings,
  workspaceId: string,
): Promise<OperatedWorkspace | null> {
  return asOperator(settings, async (client) => {
    await client.query(
      'update workspaces set personal_keys_allowed = true, updated_at = now() where id = $1 and not personal_keys_allowed',
      [workspaceId],
    );
    return (await shown(client)).find((one) => one.workspaceId === workspaceId) ?? null;
  });
}

/** Makes a workspace with a known person as its admin. It counts for nobody. Resolves to null unless one user has the address. */
export function createWorkspaceFor(
  settings: OperatorSettings & Pick<Settings, 'defaultPlan'>,
  name: string,
  email: string,
): Promise<OperatedWorkspace | null> {
  return asOperator(settings, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from users where lower(email) = lower($1)',
      [email],
    );
    const [user, other] = rows;
    if (!user || other) return null;
    const about = { name, plan: settings.defaultPlan, userId: user.id, createdBy: null };
    const made = await insertWorkspace(client, about);
    return (await shown(client)).find((one) => one.workspaceId === made) ?? null;
  });
}

async function shown(client: pg.Client): Promise<OperatedWorkspace[]> {
  return (await client.query<OperatedWorkspace>(selectWorkspaces)).rows;
}

const selectWorkspaces = /* sql */ `
select w.id as "workspaceId", w.name, w.personal_keys_allowed as "personalKeysAllowed",
  (select count(*)::int from memberships m where m.workspace_id = w.id and m.role = 'admin') as admins,
  (select count(*)::int from api_keys k where k.workspace_id = w.id and k.role = 'admin'
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as "adminKeys"
from workspaces w order by w.created_at, w.id`;
