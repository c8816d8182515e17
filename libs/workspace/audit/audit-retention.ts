import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { deleteInBatches, isDue, TurnBounds, workOnEach } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { Settings } from '#libs/platform/settings/settings';
import {
  anchorValues,
  type Begin,
  beginColumns,
  forgetUpTo,
  isOurBegin,
  leaveAnchor,
  type Point,
} from './begin.ts';

/** Entries of one transaction. */
const batch = 1000;

interface WithOld extends Record<string, unknown> {
  workspace_id: string;
}

interface Old {
  seq: string | null;
}

/** Deletes the oldest entries of the audit log some time after they were appended, and leaves a signed anchor from which the rest is provable. */
@Injectable()
export class AuditRetention {
  private readonly log = new Logger(AuditRetention.name);

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Returns how many entries it deleted. Any number of processes may take turns at the same time. */
  async deleteOldEntries(bounds = new TurnBounds(), rowsMax = batch): Promise<number> {
    const { retentionMs } = this.settings.audit;
    if (retentionMs === null) return 0;
    const before = new Date(Date.now() - retentionMs);
    let deleted = 0;
    const work = async ({ workspace_id: id }: WithOld, within: TurnBounds) => {
      const forget = async (size: number) => {
        const gone = await this.database.systemTransaction((client) =>
          this.forget(client, id, { before, size }),
        );
        deleted += gone;
        return gone;
      };
      return (await deleteInBatches(rowsMax, within, forget)).complete;
    };
    const items = await this.database.system<WithOld>(withOld, [before]);
    const id = ({ workspace_id: workspaceId }: WithOld) => workspaceId;
    await workOnEach(this.database, { kind: 'audit log', items, id, work }, bounds);
    return deleted;
  }

  private async forget(
    client: pg.PoolClient,
    workspaceId: string,
    { before, size }: { before: Date; size: number },
  ): Promise<number> {
    // A writer of an entry waits for this row too, and so does another worker.
    const [begin] = (await client.query<Begin>(holdHead, [workspaceId])).rows;
    if (!begin) return 0;
    // A signature of ours must not stand under what somebody else deleted.
    if (!isOurBegin(this.settings.secret, workspaceId, begin)) {
      this.log.warn(`The audit log of ${workspaceId} does not hold: see \`npm run audit -- verify\`.`);
      return 0;
    }
    const found = await client.query<Old>(oldUpTo, [workspaceId, begin.anchorSeq, before, size]);
    const { seq } = found.rows[0] ?? { seq: null };
    if (seq === null || seq === begin.anchorSeq) return 0;
    const [point] = (await client.query<Point>(pointAt, [workspaceId, seq])).rows;
    if (!point) return 0;
    await client.query(leaveAnchor, anchorValues(this.settings.secret, point));
    await client.query(`set local holdfast.audit_retention = 'on'`);
    return (await client.query(forgetUpTo, [workspaceId, seq])).rowCount ?? 0;
  }
}

/** Chains whose oldest kept entry is old; in no order, so that large ones do not keep others waiting. */
const withOld = /* sql */ `
select h.workspace_id from audit_heads h
join audit_entries e on e.workspace_id = h.workspace_id and e.seq = h.anchor_seq + 1
where e.created_at < $1 and ${isDue('audit log', 'h.workspace_id')} order by random()`;

const holdHead = /* sql */ `select ${beginColumns} from audit_heads h where h.workspace_id = $1 for update`;

/** The end of the old ones that follow the anchor without a younger one between them. */
const oldUpTo = /* sql */ `
select coalesce(min(seq) filter (where created_at >= $3) - 1, max(seq)) as seq
from (select seq, created_at from audit_entries where workspace_id = $1 and seq > $2 order by seq limit $4) e`;

const pointAt = /* sql */ `
select workspace_id as "workspaceId", seq, encode(hash, 'hex') as hash, created_at as "createdAt"
from audit_entries where workspace_id = $1 and seq = $2`;
