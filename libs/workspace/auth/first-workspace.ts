import pg from 'pg';
import { newId } from '#libs/platform/ids/ids';
import type { Settings } from '#libs/platform/settings/settings';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { hintOfKey, mintKey } from './keys.format.ts';

/** The first workspace with the values of its keys. The values are not stored, so they cannot be read later. */
export interface FirstWorkspace {
  workspace: { id: string; name: string };
  keys: { workspace: string; personal: string };
}

type Given = Pick<Settings, 'databaseDirectUrl' | 'secret'> & Partial<Pick<Settings, 'defaultPlan'>>;

/**
 * Creates the first workspace of an installation, its admin, and a key of each kind. Resolves to null when a workspace exists
 * already. A lock makes sure that two processes that start at the same time create one workspace. Calls `keep` with the result
 * before the commit; when `keep` throws, nothing is created.
 */
export async function firstWorkspace(
  { databaseDirectUrl, secret, defaultPlan = 'self_hosted' }: Given,
  keep: (made: FirstWorkspace) => void = () => undefined,
): Promise<FirstWorkspace | null> {
  return inTransaction(databaseDirectUrl, async (client) => {
    await client.query('select pg_advisory_xact_lock(4715204)');
    const { rowCount } = await client.query('select 1 from workspaces limit 1');
    const made = rowCount ? null : await make(client, secret, defaultPlan, 'admin@localhost');
    if (made) keep(made);
    return made;
  });
}

/** Creates one more workspace, with an admin who is new, and a key of each kind. */
export function workspaceOfNewAdmin(
  { databaseDirectUrl, secret, defaultPlan = 'self_hosted' }: Given,
  email: string,
): Promise<FirstWorkspace> {
  return inTransaction(databaseDirectUrl, (client) => make(client, secret, defaultPlan, email));
}

async function inTransaction<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, options: '-c role=holdfast_system' });
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

async function make(client: pg.Client, secret: string, plan: string, email: string): Promise<FirstWorkspace> {
  const [workspaceId, userId] = [newId('ws'), newId('usr')];
  const keys = { workspace: mintKey('workspace'), personal: mintKey('personal') };
  await client.query(`insert into workspaces (id, name, plan) values ($1, 'Default', $2)`, [
    workspaceId,
    plan,
  ]);
  await client.query(`insert into users (id, email, name) values ($1, $2, 'Admin')`, [userId, email]);
  await client.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, 'admin')`, [
    workspaceId,
    userId,
  ]);
  await client.query(insertKey, [
    newId('key'),
    workspaceId,
    null,
    'workspace',
    keyedHash(secret, 'api-key', keys.workspace),
    hintOfKey(keys.workspace),
    userId,
  ]);
  await client.query(insertKey, [
    newId('key'),
    null,
    userId,
    'personal',
    keyedHash(secret, 'api-key', keys.personal),
    hintOfKey(keys.personal),
    userId,
  ]);
  return { workspace: { id: workspaceId, name: 'Default' }, keys };
}

const insertKey = /* sql */ `
insert into api_keys (id, workspace_id, user_id, kind, role, name, digest, hint, created_by)
values ($1, $2, $3, $4, 'admin', 'first', $5, $6, $7)`;
