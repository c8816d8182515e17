import { createHash } from 'node:crypto';
import {
  type Payload,
  type StorageDriver,
  StorageDriverClaim,
  type StorageDriverRetrieveContext,
  type StorageDriverStoreContext,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Database, Statement } from '#libs/platform/database/database';

const { Payload: Message } = proto.temporal.api.common.v1;
const { ExternalStorageReference: Reference } = proto.temporal.api.sdk.v1;

/** A payload of at least this many bytes is stored, and Temporal gets a reference to it. */
export const payloadBytesMax = 128 * 1024;

/** Thrown for a stored payload that does not exist, or differs from what the reference says. */
export class Unretrievable extends Error {}

/**
 * Stores payloads that are too large for Temporal, in the same table as the other large values of the run. A payload is committed
 * before Temporal gets its reference. It belongs to the workspace of the execution, and is deleted with the execution. The same
 * payload of a run has one row, so a retried task stores nothing new. Sealed payloads arrive here already sealed.
 */
export class PayloadStore implements StorageDriver {
  readonly name = 'holdfast';
  readonly type = 'holdfast.postgres';

  constructor(private readonly database: Database) {}

  /** Stores payloads. Throws for a payload without an execution, because nothing would ever delete it. */
  async store({ target }: StorageDriverStoreContext, payloads: Payload[]): Promise<StorageDriverClaim[]> {
    const execution = target?.id ?? '';
    const [row] = await this.database.system<{ workspace_id: string }>(selectWorkspace, [execution]);
    if (!row) throw new Error(`There is no execution ${execution} to keep a payload of.`);
    const workspace = row.workspace_id;
    const kept = payloads.map((payload) => {
      const bytes = Buffer.from(Message.encode(payload).finish());
      return { id: `pay_${computeDigest(execution, bytes)}`, bytes };
    });
    const statements = kept.map(({ id, bytes }): Statement => {
      const body = JSON.stringify(bytes.toString('base64'));
      return [keep, [id, workspace, execution, body, bytes.length]];
    });
    await this.database.batch(workspace, statements);
    return kept.map(({ id }) => new StorageDriverClaim({ workspace, execution, id }));
  }

  async retrieve(_: StorageDriverRetrieveContext, claims: StorageDriverClaim[]): Promise<Payload[]> {
    return Promise.all(claims.map(({ claimData }) => this.payload(claimData)));
  }

  /** The stored payloads of these references. Throws `Unretrievable` for an unknown or changed payload. */
  async resolve(references: Payload[]): Promise<Payload[]> {
    return this.retrieve({}, references.map(parseClaim));
  }

  private async payload({
    workspace = '',
    execution = '',
    id = '',
  }: Record<string, string>): Promise<Payload> {
    const [row] = await this.database.statement(workspace, find, [id, execution]);
    const bytes = Buffer.from(typeof row?.['body'] === 'string' ? row['body'] : '', 'base64');
    if (`pay_${computeDigest(execution, bytes)}` !== id)
      throw new Unretrievable(`The payload ${id} of ${execution} is not kept here, or was changed.`);
    return Message.decode(bytes);
  }
}

function parseClaim({ data }: Payload): StorageDriverClaim {
  try {
    const { claimData } = Reference.fromObject(JSON.parse(Buffer.from(data ?? []).toString()));
    if (Object.values(claimData).every((id) => /^\w+$/.test(id))) return new StorageDriverClaim(claimData);
  } catch {
    // The payload is not JSON, or is another message.
  }
  throw new Unretrievable('A payload is no reference to one that is kept here.');
}

function computeDigest(execution: string, bytes: Buffer): string {
  return createHash('sha256').update(`${execution} `).update(bytes).digest('hex');
}

const selectWorkspace = 'select workspace_id from executions where id = $1';

const keep = /* sql */ `
insert into payloads (id, workspace_id, execution_id, body, bytes) values ($1, $2, $3, $4, $5)
on conflict (id) do nothing`;

const find = `select body #>> '{}' as body from payloads where id = $1 and execution_id = $2`;
