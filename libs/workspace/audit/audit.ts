import { Injectable } from '@nestjs/common';
import { actorContext } from '#libs/platform/database/actor-context';
import { appendEntry } from '#libs/platform/database/audited';
import { Database } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { NotFound, TooMany } from '#libs/platform/errors/errors';
import { type CursorPosition, Cursors, type Page } from '#libs/platform/cursors/cursor';
import { HourlyQuota } from './hourly-quota.ts';

/** Exports of one caller from one workspace that one process serves in an hour: each leaves an entry, which nobody may delete. */
const exportsMax = 1000;

/** One entry, as it was hashed. */
export interface AuditEntry {
  id: string;
  workspaceId: string;
  /** Its place in the chain of the workspace, from 1. */
  seq: number;
  createdAt: string;
  actor: { kind: string; id?: string };
  keyId: string | null;
  requestId: string | null;
  address: string | null;
  action: string;
  resourceType: string;
  resourceId: string;
  resourceName: string | null;
  changes: JsonObject;
}

export interface ShownEntry {
  entry: AuditEntry;
  hash: string;
  /** The present name of the person or the key; null for other actors and for deleted ones. */
  actorName: string | null;
  actorEmail: string | null;
}

type Filters = Omit<AuditQuery, 'limit' | 'cursor'>;

export interface AuditQuery {
  action?: string;
  resourceType?: string;
  resourceId?: string;
  actorId?: string;
  from?: Date;
  to?: Date;
  limit: number;
  cursor?: string;
}

/** An event that changes no row which triggers watch: an export, or a refused attempt. */
export interface AuditNote {
  action: string;
  resourceType: string;
  resourceId: string;
  changes?: JsonObject;
}

/**
 * The log of who changed what. Triggers append an entry in the transaction of each change, chained by hashes for each workspace;
 * no role may change or delete one.
 */
@Injectable()
export class Audit {
  private readonly room = new HourlyQuota(exportsMax);

  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** The newest first. */
  async list(workspaceId: string, { limit, cursor, ...filters }: AuditQuery): Promise<Page<ShownEntry>> {
    const scope = `audit ${workspaceId} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope);
    const { text, values } = pageOfEntries(workspaceId, filters, after, limit + 1);
    const rows = await this.database.statement<ShownEntry & Record<string, unknown>>(
      workspaceId,
      text,
      values,
      'shaped by a caller',
    );
    const dated = isDated(filters);
    return this.cursors.page<ShownEntry>(rows, limit, scope, ({ entry }) => ({
      at: dated ? entry.createdAt : String(entry.seq),
      id: String(entry.seq),
    }));
  }

  async get(workspaceId: string, id: string): Promise<ShownEntry> {
    const [row] = await this.database.statement<ShownEntry & Record<string, unknown>>(
      workspaceId,
      `${shown} where a.workspace_id = $1 and a.id = $2`,
      [workspaceId, id],
    );
    if (!row) throw new NotFound('audit log');
    return row;
  }

  /** Notes an export, before anything leaves. Throws `TooMany` when the caller has made too many: none leaves without an entry. */
  async noteEvent(
    workspaceId: string,
    { action, resourceType, resourceId, changes = {} }: AuditNote,
  ): Promise<void> {
    const fullForS = this.room.takeOne(`${workspaceId} ${actorOfNow()}`);
    if (fullForS > 0)
      throw new TooMany(`At most ${exportsMax} exports of one caller are served in an hour.`, fullForS);
    const values = [workspaceId, action, resourceType, resourceId, JSON.stringify(changes)];
    await this.database.statement(workspaceId, appendEntry, values);
  }

  /** Appends an event if the workspace exists: a caller may have made its id up. */
  async noteIfThere(
    workspaceId: string,
    { action, resourceType, resourceId, changes = {} }: AuditNote,
  ): Promise<void> {
    const values = [workspaceId, action, resourceType, resourceId, JSON.stringify(changes)];
    await this.database.statement(workspaceId, appendIfThere, values);
  }
}

/** The present actor in a word; empty for nobody. */
export function actorOfNow(): string {
  const who = actorContext.getStore();
  return who ? `${who.actor.id ?? who.actor.kind} ${who.actor.id ? '' : who.address}` : '';
}

/** To a workspace that there is: a chain that was begun for a name that somebody made up would stay for ever. */
const appendIfThere = /* sql */ `
select audit_append($1, $2, $3, $4, null, $5::jsonb) from workspaces where id = $1`;

const shown = /* sql */ `
select a.body as entry, encode(a.hash, 'hex') as hash, u.email as "actorEmail", coalesce(u.name, k.name) as "actorName"
from audit_entries a left join users u on u.id = a.actor_id left join api_keys k on k.id = a.actor_id`;

/** $2 to $7 the filters, $8 limit, $9 and where it is ordered by time $10 the place of the last entry before */
const filtered = /* sql */ `
${shown} where a.workspace_id = $1 and ($2::text is null or a.action = $2) and ($3::text is null or a.resource_type = $3)
  and ($4::text is null or a.resource_id = $4) and ($5::text is null or a.actor_id = $5)
  and ($6::timestamptz is null or a.created_at >= $6) and ($7::timestamptz is null or a.created_at <= $7)`;

const bySeq = /* sql */ `${filtered} and ($9::bigint is null or a.seq < $9) order by a.seq desc limit $8`;

/** Entries that are appended at the same time may differ by milliseconds from the order of the chain, and only the order of an index bounds what a page between dates reads. */
const byTime = /* sql */ `
${filtered} and ($9::timestamptz is null or (a.created_at, a.seq) < ($9, $10::bigint)) order by a.created_at desc, a.seq desc limit $8`;

const isDated = ({ from, to }: Filters): boolean => from !== undefined || to !== undefined;

/** The statement that reads a page behind a position. */
export function pageOfEntries(
  workspaceId: string,
  filters: Filters,
  after: CursorPosition | null,
  limit: number,
): { text: string; values: unknown[] } {
  const { action, resourceType, resourceId, actorId, from, to } = filters;
  const narrowed = [action, resourceType, resourceId, actorId, from, to].map((value) => value ?? null);
  const values = [workspaceId, ...narrowed, limit, after?.at ?? null];
  return isDated(filters)
    ? { text: byTime, values: [...values, after?.id ?? null] }
    : { text: bySeq, values };
}
