import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalJson } from '#libs/platform/json/canonical';
import type { Json } from '#libs/platform/json/json';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { ApiError, InFlight, Mismatch } from '#libs/platform/errors/errors';
import { newId, type IdPrefix } from '#libs/platform/ids/ids';
import { readAround } from '#libs/platform/json/unread-json';
import { toStoredJson } from '#libs/platform/text/whole-text';

/** The lease of a key, in seconds. A live process renews it three times within this time. After it ends, another process may take the key. */
const lockS = 15;
const renewMs = 5000;
const keptHours = 24;
/** At most so many keys are deleted by one statement. Keys with large answers are deleted in smaller batches. */
const batch = 5000;

/**
 * The statements that find what a keyed request has made, by the prefix of its id. Each kind of keyed request has one here, because a
 * request that is refused after it made something keeps its key. $1 workspace, $5 id
 */
const findMade = {
  exec: `select from executions where workspace_id = $1 and id = $5`,
  // An answer that the run refused made nothing, so a corrected one may take the key.
  res: `select from resume_entries where workspace_id = $1 and id = $5 and status <> 'failed'`,
  bulk: `select from bulk_jobs where workspace_id = $1 and id = $5`,
  bkf: `select from backfills where workspace_id = $1 and id = $5`,
  dep: `select from deployments where workspace_id = $1 and id = $5`,
  doc: `select from documents where workspace_id = $1 and id = $5`,
  imp: `select from table_imports where workspace_id = $1 and id = $5
    union all select from import_reports where workspace_id = $1 and id = $5`,
  // The rows of a call are numbered in the last four digits of their ids.
  row: `select from tables t join table_rows r on r.table_no = t.no
      and r.id = (left(replace($5, 'row_', ''), -4) || '0000')::uuid where t.workspace_id = $1`,
} satisfies Partial<Record<IdPrefix, string>>;

/** The prefix of an id that a keyed request gives to what it makes. */
export type KeyedPrefix = keyof typeof findMade;

/** A request with its key. Each use of a key must have the same caller and the same body. */
export interface KeyedRequest {
  workspaceId: string;
  route: string;
  key: string;
  /** The caller. No other caller gets the stored answer. */
  actor: { kind: string; id: string };
  body: unknown;
}

export interface Replay {
  status: number;
  /** A string is a body that is JSON text already. It is sent unchanged, so its numbers keep every digit. */
  answer: Json;
  etag?: string;
}

interface KeyedRow {
  fingerprint: string;
  resource_id: string;
  status: number | null;
  /** JSON text, and where the large values stand in it. */
  answer: string | null;
  unread: number[] | null;
  etag: string | null;
  won: boolean;
}

/** The lease of this request on its key. The id of the first claim of a key is also the id of the resource. */
interface Claim {
  request: KeyedRequest;
  id: string;
  resourceId: string;
}

/**
 * Carries out a request once, however often it is repeated with its key. The first request gets the id of the resource that it
 * will make. When its process dies, the next request gets the same id, so no resource is made twice.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly database: Database) {}

  /**
   * Runs the work under the key, or returns the stored response. `isRetry` is true when an earlier request may have made the resource
   * with this id already. Throws `Mismatch` for another caller or another body. Throws
   * `InFlight` while another request holds the key. Throws the error of the work.
   */
  async once<Fresh extends Replay>(
    request: KeyedRequest,
    prefix: KeyedPrefix,
    work: (resourceId: string, isRetry: boolean) => Promise<Fresh>,
  ): Promise<(Fresh & { replayed: false }) | (Replay & { replayed: true })> {
    const { kind, id } = request.actor;
    const fingerprint = createHash('sha256')
      .update(canonicalJson({ actor: { kind, id }, body: request.body }))
      .digest('hex');
    const claimId = newId(prefix);
    const row = await this.claim(request, fingerprint, claimId);
    if (row.fingerprint !== fingerprint) throw new Mismatch();
    if (row.status !== null) {
      const answer = readAround(row.answer ?? 'null', row.unread ?? []);
      return { status: row.status, answer, etag: row.etag ?? undefined, replayed: true };
    }
    if (!row.won) throw new InFlight(prefix === 'exec' ? row.resource_id : undefined);
    const claim: Claim = { request, id: claimId, resourceId: row.resource_id };
    const renewal = setInterval(() => void this.renew(claim).catch(() => undefined), renewMs);
    try {
      const replay = await work(claim.resourceId, claim.resourceId !== claim.id);
      await this.store(claim, replay);
      return { ...replay, replayed: false };
    } catch (error) {
      // After an error that is no refusal the resource may exist soon, so the key keeps its id.
      if (error instanceof ApiError && error.kind !== 'unavailable') await this.giveBack(claim, prefix);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Deletes keys that are older than a day, with their responses. */
  async forgetOld(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...oldKeys, rowsMax: batch }, bounds);
  }

  private async claim(request: KeyedRequest, fingerprint: string, claimId: string): Promise<KeyedRow> {
    const values = [...placeOf(request), fingerprint, claimId, lockS];
    const [row] = await this.database.statement<KeyedRow>(request.workspaceId, claimKey, values);
    if (row) return row;
    throw new InFlight();
  }

  private async renew({ request, id }: Claim): Promise<void> {
    await this.database.statement(request.workspaceId, renewKey, [...placeOf(request), id, lockS]);
  }

  private async store({ request, resourceId }: Claim, { status, answer, etag }: Replay): Promise<void> {
    const unread: number[] = [];
    const text = toStoredJson(answer, unread);
    const values = [...placeOf(request), resourceId, status, text, etag, unread.length > 0 ? unread : null];
    await this.database.statement(request.workspaceId, storeAnswer, values);
  }

  /**
   * Deletes the key if this claim was the first and made nothing, so that a corrected request can use the key. Otherwise only ends
   * the lease: the key keeps its id, and the next request can take it at once.
   */
  private async giveBack({ request, id, resourceId }: Claim, prefix: KeyedPrefix): Promise<void> {
    const values = [...placeOf(request), id, resourceId];
    const sql = giveBackKey(findMade[prefix]);
    await this.database.statement(request.workspaceId, sql, values).catch(() => undefined);
  }
}

const placeOf = ({ workspaceId, route, key }: KeyedRequest) => [workspaceId, route, key];

/**
 * Takes the key if it is new or older than a day, or if the lease of the same request has ended without an answer. A lease that ends in
 * more than two leases is of a time before the clock of the database was set back. Returns the row of the key; `won` is true if this claim
 * took it. $1 workspace, $2 route, $3 key, $4 fingerprint, $5 id of this claim, and of the resource if this claim is the first, $6 seconds
 * of the lease
 */
const claimKey = /* sql */ `
with won as (
  insert into idempotency_keys as k (workspace_id, route, key, fingerprint, resource_id, claim, locked_until)
  values ($1, $2, $3, $4, $5, $5, now() + make_interval(secs => $6))
  on conflict (workspace_id, route, key) do update set
    claim = excluded.claim,
    locked_until = excluded.locked_until,
    fingerprint = excluded.fingerprint,
    resource_id = case when k.created_at < now() - interval '24 hours' then excluded.resource_id else k.resource_id end,
    created_at = case when k.created_at < now() - interval '24 hours' then now() else k.created_at end,
    status = case when k.created_at < now() - interval '24 hours' then null else k.status end
  where (k.status is null and k.locked_until not between now() and now() + 2 * make_interval(secs => $6) and k.fingerprint = excluded.fingerprint)
    or k.created_at < now() - interval '24 hours'
  returning fingerprint, resource_id, status, answer::text as answer, unread, etag, true as won
)
select fingerprint, resource_id, status, answer, unread, etag, won from won
union all
select fingerprint, resource_id, status, answer::text, unread, etag, false from idempotency_keys
where workspace_id = $1 and route = $2 and key = $3 and not exists (select 1 from won)`;

const oldKeys = {
  kind: 'idempotency key',
  table: 'idempotency_keys',
  id: `t.workspace_id || ' ' || t.route || ' ' || t.key`,
  where: `t.created_at < now() - interval '${keptHours} hours'`,
  order: 't.created_at',
  values: [] as unknown[],
} as const;

const renewKey = /* sql */ `
update idempotency_keys set locked_until = now() + make_interval(secs => $5)
where workspace_id = $1 and route = $2 and key = $3 and claim = $4 and status is null`;

const storeAnswer = /* sql */ `
update idempotency_keys set status = $5, answer = $6, etag = $7, unread = $8
where workspace_id = $1 and route = $2 and key = $3 and resource_id = $4 and status is null`;

const giveBackKey = (made: string) => /* sql */ `
with made as (${made} limit 1),
freed as (
  delete from idempotency_keys
  where workspace_id = $1 and route = $2 and key = $3 and claim = $4 and resource_id = $4 and status is null
    and not exists (select from made)
)
update idempotency_keys set locked_until = now() - interval '1 millisecond'
where workspace_id = $1 and route = $2 and key = $3 and claim = $4 and status is null
  and (resource_id <> $4 or exists (select from made))`;
