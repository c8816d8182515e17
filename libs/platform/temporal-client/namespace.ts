import { Connection } from '@temporalio/client';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import type { TemporalSettings } from '#libs/platform/settings/settings';
import { readEngineId } from './engine.ts';
import { indexedTypes } from './indexed-types.ts';
import { toConnection } from './temporal-client.ts';

const retentionS = 7 * 24 * 3600;
const alreadyThere = 6; // gRPC's ALREADY_EXISTS

/**
 * Registers the namespace and the missing search attributes, and returns the id of the namespace. Waits for at most 30 seconds for a
 * connection to Temporal.
 */
export async function ensureNamespace(
  settings: TemporalSettings,
  say: (line: string) => void,
): Promise<string> {
  const { address, namespace } = settings;
  const connection = await Connection.connect({ ...toConnection(settings), connectTimeout: '30s' }).catch(
    (error: unknown) => {
      throw new CannotStart(
        `Temporal does not answer at ${address}: ${error instanceof Error ? error.message : String(error)}. Check that it runs, TEMPORAL_ADDRESS, and TEMPORAL_TLS... if it wants TLS.`,
      );
    },
  );
  try {
    await unlessThere(() =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: retentionS as never },
      }),
    );
    await addMissing(connection, namespace, say);
    return await readEngineId(connection, namespace);
  } finally {
    await connection.close();
  }
}

async function addMissing(
  connection: Connection,
  namespace: string,
  say: (line: string) => void,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(indexedTypes).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return say('temporal: search attributes are there');
  await unlessThere(() =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    }),
  );
  say(`temporal: added search attributes ${missing.map(([name]) => name).join(', ')}`);
}

async function unlessThere(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === alreadyThere)) throw error;
  }
}
