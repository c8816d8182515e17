import { type Client, isGrpcServiceError } from '@temporalio/client';
import pg from 'pg';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import type { Settings, TemporalSettings } from '#libs/platform/settings/settings';

const permissionDenied = 7; // of gRPC

/**
 * Returns the id of a namespace. Temporal makes one when it registers the namespace, so no two engines share an id unless one is a copy. The id
 * of a cluster would not do: a namespace keeps its runs when another cluster takes it over. The id is empty, and nothing is compared, for an
 * account that may not describe its namespace.
 */
export async function readEngineId(
  { workflowService }: Pick<Client, 'workflowService'>,
  namespace: string,
): Promise<string> {
  try {
    const { namespaceInfo } = await workflowService.describeNamespace({ namespace });
    return namespaceInfo?.id ?? '';
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === permissionDenied) return '';
    throw error;
  }
}

/**
 * Keeps the engine of a database that remembers none, as the set-up, or the one that the operator accepts. Throws `CannotStart` when the
 * database belongs to another. Does nothing before the migration that lets a database remember.
 */
export async function keepEngine(
  { databaseDirectUrl, temporal }: Pick<Settings, 'databaseDirectUrl' | 'temporal'>,
  engineId: string,
): Promise<void> {
  if (!engineId) return;
  const client = new pg.Client({ connectionString: databaseDirectUrl });
  await client.connect();
  try {
    if (!(await canRemember(client))) return;
    await client.query('begin; set local role holdfast_system');
    await client.query(keepId, [engineId, temporal.namespaceId]);
    const { rows } = await client.query<KeptEngine>(readKeptEngine);
    await client.query('commit');
    refuseOther(rows[0], engineId, temporal);
  } finally {
    await client.end();
  }
}

/** Lets the next set-up keep the engine that it meets, because this database comes from a copy without the runs of its engine. */
export async function forgetEngine(client: pg.Client): Promise<void> {
  if (await canRemember(client))
    await client.query(
      'begin; set local role holdfast_system; update installation set engine_id = null; commit',
    );
}

export interface KeptEngine {
  engine_id: string | null;
}

export const readKeptEngine = 'select engine_id from installation';

/** $1 the engine, $2 the one that the operator accepts; null: none */
const keepId = /* sql */ `
update installation set engine_id = $1 where engine_id is null or $1::text = $2::text`;

/** Throws `CannotStart` unless the database belongs to this engine, or to none yet. */
export function refuseOther(
  kept: KeptEngine | undefined,
  engineId: string,
  { address, namespace }: TemporalSettings,
): void {
  if (!kept?.engine_id || !engineId || kept.engine_id === engineId) return;
  throw new CannotStart(
    `The runs of this database are in another Temporal than the one at ${address}: the id of their namespace is ${kept.engine_id}, and that of ${namespace} there is ${engineId}. ` +
      'With this one, runs would be lost or carried out twice. Check DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE. ' +
      `If it is to take the place of the former for good, run the set-up (or npm start) once with TEMPORAL_NAMESPACE_ID=${engineId}.`,
  );
}

async function canRemember(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(hasColumn);
  return rows[0]?.can ?? false;
}

const hasColumn = /* sql */ `
select exists (select from pg_attribute where attrelid = to_regclass('public.installation') and attname = 'engine_id') as can`;
