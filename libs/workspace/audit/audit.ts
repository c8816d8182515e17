import { Injectable } from '@nestjs/common';
import { actorContext, nameOfActor } from '#libs/platform/database/actor-context';
import { appendEntry } from '#libs/platform/database/audited';
import { Database } from '#libs/platform/database/database';
import type { JsonObject } from '#libs/platform/json/json';
import { NotFound, TooMany } from '#libs/platform/errors/errors';
import { type CursorPosition, Cursors, type Page } from '#libs/platform/cursors/cursor';
import { HourlyQuota } from './hourly-quota.ts';

/** The most exports of one caller from one workspace in one process and hour. Each export appends an entry that nobody may delete. */
const exportsMax = 1000;

/** One entry, with the members that its hash covers. */
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
  /** The current name of the person or the key; null for other actors and after a deletion. */
  actorName: string | null;
  actorEmail: string | null;
}

type EntryFilters = Omit<AuditQuery, 'limit' | 'cursor'>;

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

/** An event that no trigger can record, because it changes no row: an export, or a refused attempt. */
export interface AuditNote {
  action: string;
  resourceType: string;
  resourceId: string;
  changes?: JsonObject;
}

/**
 * The audit log: who changed what. Triggers append an entry in the transaction of each change. Each workspace has its own hash
 * chain of entries. No role may change an entry; only retention deletes old ones.
 */
@Injectable()
export class Audit {
  private readonly room = new HourlyQuota(exportsMax);

  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Lists a page of entries, the newest first. */
  async list(workspaceId: string, { limit, cursor, ...filters }: AuditQuery): Promise<Page<ShownEntry>> {
    const scope = `audit ${workspaceId} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope);
    const { text, values } = pageOfEntries(workspaceId, filters, after, limit + 1);
    const rows = await this.database.statement<ShownEntry>(workspaceId, text, values, 'shaped by a caller');
    const dated = isDated(filters);
    return this.cursors.page<ShownEntry>(rows, limit, scope, ({ entry }) => ({
      at: dated ? entry.createdAt : String(entry.seq),
      id: String(entry.seq),
    }));
  }

  async get(workspaceId: string, id: string): Promise<ShownEntry> {
    const [row] = await this.database.statement<ShownEntry>(
      workspaceId,
      `${shown} where a.workspace_id = $1 and a.id = $2`,
      [workspaceId, id],
    );
    if (!row) throw new NotFound('audit log');
    return row;
  }

  /** Appends an entry for an export. Call it before the first byte is sent. Throws `TooMany` when the caller has made too many exports. */
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

  /** Appends an event if the workspace exists. Does nothing otherwise, because a caller can send any id. */
  async recordIfThere(
    workspaceId: string,
    { action, resourceType, resourceId, changes = {} }: AuditNote,
  ): Promise<void> {
    const values = [workspaceId, action, resourceType, resourceId, JSON.stringify(changes)];
    await this.database.statement(workspaceId, appendIfThere, values);
  }
}

/** A text that identifies the current actor: its id, or its kind and address. Empty without an actor. */
export function actorOfNow(): string {
  const who = actorContext.getStore();
  return who ? `${who.actor.id ?? who.actor.kind} ${who.actor.id ? '' : who.address}` : '';
}

/** Appends an entry only if the workspace exists: otherwise an invented id would get a chain that nothing ever deletes. */
const appendIfThere = /* sql */ `
select audit_append($1, $2, $3, $4, null, $5::jsonb) from workspaces where id = $1`;

const shown = /* sql */ `
select a.body as entry, encode(a.hash, 'hex') as hash, u.email as "actorEmail", ${nameOfActor('a.actor_id')} as "actorName"
from audit_entries a left join users u on u.id = a.actor_id`;

/** $1 workspace, $2 to $7 filters, $8 limit, $9 position of the last entry of the page before; in the order of time $9 time and $10 position */
const filtered = /* sql */ `
${shown} where a.workspace_id = $1 and ($2::text is null or a.action = $2) and ($3::text is null or a.resource_type = $3)
  and ($4::text is null or a.resource_id = $4) and ($5::text is null or a.actor_id = $5)
  and ($6::timestamptz is null or a.created_at >= $6) and ($7::timestamptz is null or a.created_at <= $7)`;

const bySeq = /* sql */ `${filtered} and ($9::bigint is null or a.seq < $9) order by a.seq desc limit $8`;

/**
 * Used with a time range, so that an index limits how many rows a page reads. The order of time may differ from the order of the chain,
 * by milliseconds, for entries that are appended at the same time.
 */
const byTime = /* sql */ `
${filtered} and ($9::timestamptz is null or (a.created_at, a.seq) < ($9, $10::bigint)) order by a.created_at desc, a.seq desc limit $8`;

const isDated = ({ from, to }: EntryFilters): boolean => from !== undefined || to !== undefined;

/** The statement that reads the page after a position. */
export function pageOfEntries(
  workspaceId: string,
  filters: EntryFilters,
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
