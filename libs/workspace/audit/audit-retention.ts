import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';
import { readClockMs } from '#libs/platform/clock/database-clock';
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

/** The most entries that one transaction deletes. */
const batch = 1000;

interface WithOld extends Record<string, unknown> {
  workspace_id: string;
}

interface Old {
  seq: string | null;
}

/** Deletes old entries of the audit log. Stores a signed anchor of the last deleted entry, so that the rest can still be verified. */
@Injectable()
export class AuditRetention {
  private readonly log = new Logger(AuditRetention.name);

  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Resolves to the number of deleted entries. Several processes may run this at the same time. */
  async deleteOldEntries(bounds = new TurnBounds(), rowsMax = batch): Promise<number> {
    const { retentionMs } = this.settings.audit;
    if (retentionMs === null) return 0;
    const before = new Date(readClockMs() - retentionMs);
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
    // Writers of entries and other workers lock this row too, so they wait until this transaction ends.
    const [begin] = (await client.query<Begin>(holdHead, [workspaceId])).rows;
    if (!begin) return 0;
    // If somebody else deleted entries, this process must not sign that deletion.
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

/** Chains whose oldest entry is old. In random order, so that large chains do not delay the others each time. */
const withOld = /* sql */ `
select h.workspace_id from audit_heads h
join audit_entries e on e.workspace_id = h.workspace_id and e.seq = h.anchor_seq + 1
where e.created_at < $1 and ${isDue('audit log', 'h.workspace_id')} order by random()`;

const holdHead = /* sql */ `select ${beginColumns} from audit_heads h where h.workspace_id = $1 for update`;

/** The last old entry after the anchor with no younger entry before it. $1 workspace, $2 anchor, $3 time limit, $4 most entries to look at */
const oldUpTo = /* sql */ `
select coalesce(min(seq) filter (where created_at >= $3) - 1, max(seq)) as seq
from (select seq, created_at from audit_entries where workspace_id = $1 and seq > $2 order by seq limit $4) e`;

const pointAt = /* sql */ `
select workspace_id as "workspaceId", seq, encode(hash, 'hex') as hash, created_at as "createdAt"
from audit_entries where workspace_id = $1 and seq = $2`;
