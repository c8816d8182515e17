import pg from 'pg';
import { keyedHash, masterKey, sameBytes, Unsealable, unwrapDataKey } from '#libs/platform/crypto/crypto';
import type { Database } from '#libs/platform/database/database';
import { sqlState } from '#libs/platform/database/violations';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import type { Settings } from '#libs/platform/settings/settings';

/** The value that the database keeps of the secret. It does not change, and shows nothing of the secret. */
const toSecretCheck = (secret: string): string => keyedHash(secret, 'secret-check', 'holdfast');

/** True when the database keeps this value of this secret. */
export const matchesCheck = (secret: string, check: string): boolean =>
  sameBytes(check, toSecretCheck(secret));

/**
 * Stores the check value of the secret, as the set-up. Throws `CannotStart` when the data was made with another secret. An
 * installation from before this value is asked for a key that its secret has sealed. Does nothing before the first migration.
 */
export async function keepSecretCheck({
  databaseDirectUrl,
  secret,
}: Pick<Settings, 'databaseDirectUrl' | 'secret'>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseDirectUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ there: boolean }>(hasTable);
    if (!tables[0]?.there) return;
    await client.query('begin; set local role holdfast_system');
    await client.query('select pg_advisory_xact_lock(4715204)');
    const { rows } = await client.query<StoredCheck>(readCheck);
    if (rows[0]) refuseOther(rows[0], secret);
    else {
      await refuseUnreadableKeys(client, secret);
      await client.query('set local role holdfast_system');
      await client.query('insert into installation (secret_check) values ($1)', [toSecretCheck(secret)]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Throws `CannotStart` when the data was made with another secret. Data without a check value is let through. */
export async function refuseOtherSecret(database: Pick<Database, 'system'>, secret: string): Promise<void> {
  const [kept] = await database.system<StoredCheck>(readCheck).catch((error: unknown) => {
    throw sqlState(error) === undefinedTable ? new CannotStart(noSetUp) : error;
  });
  if (kept) refuseOther(kept, secret);
}

interface StoredCheck {
  secret_check: string;
}

const undefinedTable = '42P01';
const noSetUp =
  'The database is not prepared for this release: run the set-up (dist/apps/api/src/commands/setup.js) first.';
const hasTable = `select to_regclass('public.installation') is not null as there`;
const readCheck = 'select secret_check from installation';

function refuseOther(kept: StoredCheck, secret: string): void {
  if (!matchesCheck(secret, kept.secret_check)) throw new CannotStart(otherSecret);
}

async function refuseUnreadableKeys(client: pg.Client, secret: string): Promise<void> {
  const { rows: workspaces } = await client.query<{ id: string }>('select id from workspaces');
  if (workspaces.length === 0) return;
  await client.query('set local role holdfast_app');
  await client.query(`select set_config('holdfast.reach', $1, true)`, [
    workspaces.map(({ id }) => id).join(),
  ]);
  const { rows } = await client.query<{ workspace_id: string; version: number; wrapped: string }>(
    'select workspace_id, version, wrapped from data_keys limit 1',
  );
  try {
    for (const row of rows) unwrapDataKey(masterKey(secret), row.workspace_id, row);
  } catch (error) {
    throw error instanceof Unsealable ? new CannotStart(otherSecret) : error;
  }
}

const otherSecret =
  'HOLDFAST_SECRET is not the secret of this database: no key would be accepted, and no stored secret could be read. ' +
  'Give the secret with which the installation was set up (a backup has it, sealed), or name another database in DATABASE_URL.';
