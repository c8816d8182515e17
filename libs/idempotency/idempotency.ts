import { createHash } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { canonicalJson } from '#libs/definition/compile';
import type { Json } from '#libs/definition/values';
import { Database, DatabaseModule } from '#libs/database/database';
import { Conflict, Fault, Mismatch } from '#libs/faults/faults';
import { newId, type IdPrefix } from '#libs/ids/ids';

/** A live process renews its lock three times within this time; after it, another one may take over. */
const lockS = 15;
const renewMs = 5000;
const keptHours = 24;
/** Keys that one statement forgets. */
const batch = 5000;

/** A request with its key. The body must be the same whenever the key is used. */
export interface KeyedRequest {
  workspaceId: string;
  route: string;
  key: string;
  body: unknown;
}

export interface Replay {
  status: number;
  answer: Json;
}

interface Row {
  fingerprint: string;
  resource_id: string;
  status: number | null;
  answer: Json;
  won: boolean;
}

/**
 * The same key with the same request is answered once. The first request is given the id of the thing that it will
 * make; when its process dies, the next request gets the same id, so that nothing is ever made twice.
 */
@Injectable()
export class Idempotency {
  constructor(private readonly database: Database) {}

  /** Runs the work under the key, or gives the stored response. Throws for another body and while the first is in flight. */
  async once(
    request: KeyedRequest,
    prefix: IdPrefix,
    work: (resourceId: string) => Promise<Replay>,
  ): Promise<Replay & { replayed: boolean }> {
    const fingerprint = createHash('sha256').update(canonicalJson(request.body)).digest('hex');
    const row = await this.claim(request, fingerprint, newId(prefix));
    if (row.fingerprint !== fingerprint) throw new Mismatch();
    if (row.status !== null) return { status: row.status, answer: row.answer, replayed: true };
    if (!row.won)
      throw new Conflict(
        'A request with this Idempotency-Key is still in progress; send it again later.',
        'IDEMPOTENCY_IN_FLIGHT',
      );
    const renewal = setInterval(() => void this.renew(request).catch(() => undefined), renewMs);
    try {
      const replay = await work(row.resource_id);
      await this.store(request, replay);
      return { ...replay, replayed: false };
    } catch (error) {
      // A refusal made nothing: the key is free for the corrected request. After anything else something may have been
      // made, so the key stays bound to the id that it was given.
      if (error instanceof Fault && error.kind !== 'unavailable') await this.release(request);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Deletes responses that are older than a day. */
  async forgetOld(): Promise<void> {
    for (let gone = batch; gone === batch;) gone = (await this.database.system(forget, [batch])).length;
  }

  private async claim(request: KeyedRequest, fingerprint: string, resourceId: string): Promise<Row> {
    const { workspaceId, route, key } = request;
    const values = [workspaceId, route, key, fingerprint, resourceId, lockS];
    const [row] = await this.database.statement<Row>(workspaceId, claimKey, values);
    if (row) return row;
    throw new Conflict(
      'A request with this Idempotency-Key is still in progress; send it again later.',
      'IDEMPOTENCY_IN_FLIGHT',
    );
  }

  private async renew({ workspaceId, route, key }: KeyedRequest): Promise<void> {
    await this.database.statement(workspaceId, renewKey, [workspaceId, route, key, lockS]);
  }

  private async store({ workspaceId, route, key }: KeyedRequest, { status, answer }: Replay): Promise<void> {
    const values = [workspaceId, route, key, status, JSON.stringify(answer)];
    await this.database.statement(workspaceId, storeAnswer, values);
  }

  private async release({ workspaceId, route, key }: KeyedRequest): Promise<void> {
    await this.database.statement(workspaceId, releaseKey, [workspaceId, route, key]).catch(() => undefined);
  }
}

/** Takes the key when it is new, a day old, or held by a process that no longer renews it. */
const claimKey = /* sql */ `
with won as (
  insert into idempotency_keys as k (workspace_id, route, key, fingerprint, resource_id, locked_until)
  values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
  on conflict (workspace_id, route, key) do update set
    locked_until = excluded.locked_until,
    fingerprint = case when k.created_at < now() - interval '24 hours' then excluded.fingerprint else k.fingerprint end,
    resource_id = case when k.created_at < now() - interval '24 hours' then excluded.resource_id else k.resource_id end,
    created_at = case when k.created_at < now() - interval '24 hours' then now() else k.created_at end,
    status = case when k.created_at < now() - interval '24 hours' then null else k.status end
  where (k.status is null and k.locked_until < now()) or k.created_at < now() - interval '24 hours'
  returning fingerprint, resource_id, status, answer, true as won
)
select fingerprint, resource_id, status, answer, won from won
union all
select fingerprint, resource_id, status, answer, false from idempotency_keys
where workspace_id = $1 and route = $2 and key = $3 and not exists (select 1 from won)`;

const forget = /* sql */ `
delete from idempotency_keys where ctid = any (array(
  select ctid from idempotency_keys where created_at < now() - interval '${keptHours} hours' order by created_at limit $1
)) returning 1`;

const renewKey = /* sql */ `
update idempotency_keys set locked_until = now() + make_interval(secs => $4)
where workspace_id = $1 and route = $2 and key = $3 and status is null`;

const storeAnswer = /* sql */ `
update idempotency_keys set status = $4, answer = $5 where workspace_id = $1 and route = $2 and key = $3`;

const releaseKey = /* sql */ `
delete from idempotency_keys where workspace_id = $1 and route = $2 and key = $3 and status is null`;

@Module({ imports: [DatabaseModule], providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
