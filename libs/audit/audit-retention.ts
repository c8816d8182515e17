import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '#libs/database/database';
import { Settings } from '#libs/settings/settings';
import { signedAnchor } from './anchor.ts';

/** Entries of one transaction. */
const batch = 1000;

interface Old {
  seq: string | null;
  read: number;
}

/** Deletes the oldest entries of the audit log some time after they were appended, and leaves a signed anchor from which the rest is provable. */
@Injectable()
export class AuditRetention {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Returns how many entries it deleted. Any number of processes may take turns at the same time. */
  async turn(size = batch): Promise<number> {
    const { auditRetentionMs } = this.settings;
    if (auditRetentionMs === null) return 0;
    const before = new Date(Date.now() - auditRetentionMs);
    let deleted = 0;
    for (const { workspace_id: id } of await this.database.system<{ workspace_id: string }>(withOld, [
      before,
    ]))
      for (let more = true; more;) {
        const gone = await this.database.systemTransaction((client) =>
          this.forget(client, id, { before, size }),
        );
        deleted += gone;
        more = gone === size;
      }
    return deleted;
  }

  private async forget(
    client: pg.PoolClient,
    workspaceId: string,
    { before, size }: { before: Date; size: number },
  ): Promise<number> {
    // Whoever appends waits for this line too, and so does another worker.
    const { rows } = await client.query<{ anchor_seq: string }>(holdHead, [workspaceId]);
    const found = await client.query<Old>(oldUpTo, [workspaceId, rows[0]?.anchor_seq ?? 0, before, size]);
    const { seq } = found.rows[0] ?? { seq: null };
    if (seq === null || seq === rows[0]?.anchor_seq) return 0;
    const last = await client.query<{ hash: string }>(hashOf, [workspaceId, seq]);
    const hash = last.rows[0]?.hash ?? '';
    const { mac } = signedAnchor(this.settings.secret, { workspaceId, seq: Number(seq), hash });
    await client.query(leaveAnchor, [workspaceId, seq, hash, mac]);
    await client.query(`set local holdfast.audit_retention = 'on'`);
    return (await client.query(forgetUpTo, [workspaceId, seq])).rowCount ?? 0;
  }
}

/** Chains whose oldest kept entry is old. */
const withOld = /* sql */ `
select h.workspace_id from audit_heads h
join audit_entries e on e.workspace_id = h.workspace_id and e.seq = h.anchor_seq + 1 where e.created_at < $1`;

const holdHead = 'select anchor_seq from audit_heads where workspace_id = $1 for update';

/** The end of the old ones that follow the anchor without a younger one between them. */
const oldUpTo = /* sql */ `
select coalesce(min(seq) filter (where created_at >= $3) - 1, max(seq)) as seq
from (select seq, created_at from audit_entries where workspace_id = $1 and seq > $2 order by seq limit $4) e`;

const hashOf = `select encode(hash, 'hex') as hash from audit_entries where workspace_id = $1 and seq = $2`;

export const leaveAnchor = /* sql */ `
update audit_heads set anchor_seq = $2, anchor_hash = decode($3, 'hex'), anchor_mac = $4 where workspace_id = $1`;

export const forgetUpTo = /* sql */ `delete from audit_entries where workspace_id = $1 and seq <= $2`;
