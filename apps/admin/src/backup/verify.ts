import { join } from 'node:path';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type pg from 'pg';
import { freePort } from '#apps/local/src/ports';
import { say } from '#apps/local/src/say';
import { startTemporal, stopTemporal } from '#apps/local/src/temporal';
import type { Json } from '#libs/platform/json/json';
import { openInTemporal } from '#libs/runs/executions/accept/accept.sql';
import { refsIn } from '#libs/runs/executions/record/pack';
import { CannotStart } from '#libs/platform/settings/cannot-start';
import { findMissingKeys } from '#libs/platform/temporal-client/payload-keys';
import { Chains } from '#libs/workspace/audit/chain';
import { parseDays, parsePayloadKeys } from '#libs/platform/settings/operation';
import { withCopy } from './copies.ts';
import type { PassphraseOption } from './manifest.ts';
import { connected } from './place.ts';
import { type Backup, openWhole, readSecrets, type SealedSecrets, writeRunsFile } from './restore.ts';

const runsRead = 10;
const runsAsked = 1000;

/** Restores a backup beside the installation, compares it with its manifest, and deletes the copy. Exits with 1 when it differs. */
export async function verify(name: string, options: PassphraseOption): Promise<void> {
  const backup = await openWhole(name, options);
  const { secrets } = await readSecrets(backup);
  say('The passphrase is right, and every file is as it was written.');
  const faults = await withCopy(backup, async (url, folder) => [
    ...keyFaults(secrets, backup),
    ...(await auditFaults(url, secrets.HOLDFAST_SECRET, backup)),
    ...(await connected(url, runFaults)),
    ...(folder && backup.manifest.temporal === 'sqlite' ? await engineFaults(url, folder, backup) : []),
  ]);
  if (faults.length > 0)
    throw new CannotStart(
      [
        ...faults.map((fault) => `FAULT: ${fault}`),
        `The backup has ${faults.length} faults: make another one.`,
      ].join('\n'),
    );
  const { rows, madeAt } = backup.manifest;
  say(
    `The backup of ${madeAt} is whole: ${Object.keys(rows).length} tables with the counted rows, ${rows['audit_entries'] ?? 0} entries of the audit log in unbroken chains.`,
  );
}

function keyFaults({ PAYLOAD_KEYS: sealed = '' }: SealedSecrets, { manifest }: Backup): string[] {
  const missing = findMissingKeys(manifest.payloadKeys ?? [], parsePayloadKeys(sealed));
  if (missing.length === 0) return [];
  return [
    `the payload keys ${missing.join(', ')} are not sealed in it: give the next backup the PAYLOAD_KEYS of the API and the workers`,
  ];
}

async function auditFaults(url: string, secret: string, { manifest }: Backup): Promise<string[]> {
  const chains = await Chains.open(url, secret);
  try {
    const retention = process.env['AUDIT_RETENTION'];
    const kept = retention ? parseDays(retention, 'AUDIT_RETENTION') : null;
    const verdicts = await chains.verify(manifest.anchors, kept);
    return verdicts.flatMap(({ workspaceId, faults }) =>
      faults.map((fault) => `audit log of ${workspaceId}: ${fault}`),
    );
  } finally {
    await chains.close();
  }
}

/** Reads the block records of random runs, with every large value that they name. */
async function runFaults(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string; values: Json[] }>(randomRuns, [runsRead]);
  const faults: string[] = [];
  for (const { id, values } of rows) {
    const { rows: stored } = await client.query<{ id: string }>(
      'select id from payloads where execution_id = $1',
      [id],
    );
    const known = new Set(stored.map((row) => row.id));
    const missing = refsIn(values).filter(({ $payload }) => !known.has($payload));
    if (missing.length > 0) faults.push(`the run ${id} lacks ${missing.length} stored values`);
  }
  say(`Read the block records of ${rows.length} runs.`);
  return faults;
}

const randomRuns = /* sql */ `
select e.id, array(select v.output from visits v where v.execution_id = e.id and v.output is not null) || e.inputs || e.output as values
from executions e order by random() limit $1`;

/** Starts Temporal on the copied runs, and asks it for the open ones. */
async function engineFaults(url: string, folder: string, backup: Backup): Promise<string[]> {
  const file = join(folder, 'temporal', 'runs.db');
  await writeRunsFile(file, backup);
  const open = await connected(url, (client) =>
    client.query<{ id: string }>(`select id ${openInTemporal} limit $1`, [runsAsked]),
  );
  const port = await freePort();
  const { child, address } = await startTemporal({
    file,
    port,
    namespace: 'default',
    log: join(folder, 'temporal.log'),
  });
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    const lost: string[] = [];
    for (const { id } of open.rows)
      await client.workflow
        .getHandle(id)
        .describe()
        .catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
          lost.push(id);
        });
    say(`Temporal knows ${open.rows.length - lost.length} of ${open.rows.length} open runs.`);
    return lost.map((id) => `Temporal does not know the open run ${id}`);
  } finally {
    await connection.close();
    await stopTemporal(child.pid ?? 0);
  }
}
