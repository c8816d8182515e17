import { Injectable } from '@nestjs/common';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { NotFound } from '#libs/platform/errors/errors';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Settings } from '#libs/platform/settings/settings';
import { CalledTriggers } from './called-triggers.ts';
import { type Trigger, TriggerDelivery } from './trigger.entity.ts';
import { logRefused, type RefusedDelivery } from './refused-delivery.ts';
import { keptBack } from '#libs/runs/executions/accept/holds.sql';
import type { FirstDelivery } from '#libs/runs/executions/accept/accept-execution';

export interface DeliveryQuery {
  verdict?: string;
  from?: Date;
  to?: Date;
  limit: number;
  cursor?: string;
}

/** A delivery, and whether a hold keeps its execution back. */
export interface ShownDelivery extends TriggerDelivery {
  isHeld: boolean;
}

/** Forged deliveries in a row that switch a trigger off. */
const forgeriesMax = 100;

/** The log of what came to triggers. `acceptDelivery` writes the accepted ones, in the transaction of their executions. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
    private readonly called: CalledTriggers,
    private readonly settings: Settings,
  ) {}

  /** Newest first. */
  async list(
    workspaceId: string,
    triggerId: string,
    { limit, cursor, verdict, from, to }: DeliveryQuery,
  ): Promise<Page<ShownDelivery>> {
    const filters = [verdict ?? null, from ?? null, to ?? null];
    const scope = `deliveries ${triggerId} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope);
    const values = [triggerId, ...filters, after?.id ?? null, limit + 1];
    const rows = await this.database.entities(workspaceId, TriggerDelivery, pageOfDeliveries, values);
    const { items, nextCursor } = this.cursors.page(rows, limit, scope, ({ id }) => ({ at: '', id }));
    return { items: await this.addHeld(workspaceId, items), nextCursor };
  }

  private async addHeld(workspaceId: string, deliveries: TriggerDelivery[]): Promise<ShownDelivery[]> {
    const ids = deliveries.map(({ executionId }) => executionId);
    const rows = await this.database.statement<{ id: string }>(workspaceId, findHeld, [ids]);
    const held = new Set<string | null>(rows.map(({ id }) => id));
    return deliveries.map((delivery) => ({ ...delivery, isHeld: held.has(delivery.executionId) }));
  }

  async get(workspaceId: string, triggerId: string, id: string): Promise<ShownDelivery> {
    const rows = await this.database.entities(
      workspaceId,
      TriggerDelivery,
      'where t.id = $1 and t.trigger_id = $2',
      [id, triggerId],
    );
    const [shown] = await this.addHeld(workspaceId, rows);
    if (!shown) throw new NotFound('delivery');
    return shown;
  }

  /** The deliveries of a query whose event has started nothing, or no replay of a query, the oldest first. Each has the cursor behind it. */
  async listUnreplayed(
    trigger: Trigger,
    { limit, cursor, verdict, from, to }: DeliveryQuery,
  ): Promise<{ items: { delivery: TriggerDelivery; cursor: string }[]; isLast: boolean }> {
    const filters = [verdict ?? null, from ?? null, to ?? null];
    const scope = `unreplayed ${trigger.id} ${JSON.stringify(filters)}`;
    const after = this.cursors.open(cursor, scope)?.id ?? null;
    const values = [trigger.id, ...filters, after, limit + 1, repeatSecondsOf(trigger)];
    const rows = await this.database.entities(trigger.workspaceId, TriggerDelivery, unreplayed, values);
    const items = rows
      .slice(0, limit)
      .map((delivery) => ({ delivery, cursor: this.cursors.seal({ at: '', id: delivery.id }, scope) }));
    return { items, isLast: rows.length <= limit };
  }

  /** What a delivery tells: the id by which it starts one execution, and what it has started already. */
  async findEvent(
    trigger: Trigger,
    { id }: Pick<TriggerDelivery, 'id'>,
  ): Promise<{ id: string; first: FirstDelivery | null }> {
    const values = [trigger.id, id, repeatSecondsOf(trigger)];
    const [row] = await this.database.statement<{ id: string } & Partial<FirstDelivery>>(
      trigger.workspaceId,
      eventOfDelivery,
      values,
    );
    if (!row) throw new NotFound('delivery');
    const { deliveryId, executionId } = row;
    return { id: row.id, first: deliveryId && executionId ? { deliveryId, executionId } : null };
  }

  /** Logs a delivery that started nothing. Forgeries in a row switch the trigger off. */
  async logRefused(refused: RefusedDelivery): Promise<void> {
    const { workspaceId, delivery, verdict } = refused;
    await this.database.batch(workspaceId, logRefused(refused));
    if (verdict === 'forged') await this.countForgery(workspaceId, delivery.trigger_id);
  }

  /** Returns the id of the delivery that started the execution. */
  async findId(workspaceId: string, triggerId: string, executionId: string): Promise<string | undefined> {
    const sql = 'select id from trigger_deliveries where trigger_id = $1 and execution_id = $2';
    const [row] = await this.database.statement<{ id: string }>(workspaceId, sql, [triggerId, executionId]);
    return row?.id;
  }

  /** Deletes deliveries that are older than executions are kept. */
  async forgetOldDeliveries(bounds = new TurnBounds()): Promise<void> {
    const { retentionMs } = this.settings;
    if (retentionMs === null) return;
    await forgetRows(
      this.database,
      { ...oldDeliveries, values: [retentionMs / 1000], rowsMax: 5000 },
      bounds,
    );
  }

  private async countForgery(workspaceId: string, triggerId: string): Promise<void> {
    const [row] = await this.database.statement<{ forgeries: number }>(workspaceId, countForged, [triggerId]);
    if (!row || row.forgeries < forgeriesMax) return;
    const note = `${forgeriesMax} deliveries in a row were forged. Check the secret at the sender, and rotate the address.`;
    await this.database.statement(workspaceId, disable, [triggerId, forgeriesMax, note]);
    await this.called.forget();
  }
}

/** The seconds in which an equal delivery without an id is a repetition. */
const repeatSecondsOf = ({ webhook }: Trigger): number => webhook?.repeatSeconds ?? 0;

/** $1 executions */
const findHeld = `select e.id from executions e where e.id = any($1::text[]) and ${keptBack}`;

const filtered = /* sql */ `
where t.trigger_id = $1 and ($2::text is null or t.verdict = $2) and ($3::timestamptz is null or t.received_at >= $3)
  and ($4::timestamptz is null or t.received_at <= $4)`;

/** $5 the id of the last delivery of the page before, $6 limit */
const pageOfDeliveries = /* sql */ `${filtered} and ($5::text is null or t.id < $5) order by t.id desc limit $6`;

/**
 * The id by which what a delivery `t` tells starts one execution: the sender's, or that of the first of equal deliveries. A delivery that has
 * started one is replayed by an id of its own.
 */
const buildEventId = (repeatSeconds: string) => /* sql */ `
case when t.verdict = 'accepted' then 'replay:' || t.id else coalesce(t.sender_id, 'replay:' || coalesce((
  select min(o.id) from trigger_deliveries o where o.trigger_id = t.trigger_id and o.content_hash = t.content_hash and o.verdict <> 'accepted'
    and o.replay_of is null and o.received_at between t.received_at - ${repeatSeconds} and t.received_at), t.id)) end`;

/** The accepted deliveries that tell what `t` does. A sender without ids may have sent it again within the seconds. */
const buildSame = (repeatSeconds: string) => /* sql */ `
select a.id, a.execution_id from trigger_deliveries a
where a.trigger_id = t.trigger_id and a.verdict = 'accepted' and a.sender_id = ${buildEventId(repeatSeconds)}
union all
select a.id, a.execution_id from trigger_deliveries a
where t.verdict <> 'accepted' and a.trigger_id = t.trigger_id and a.verdict = 'accepted' and a.content_hash = t.content_hash
  and a.replay_of is null and a.received_at between t.received_at - ${repeatSeconds} and t.received_at + ${repeatSeconds}`;

/** $5 the id of the last delivery of the call before, $6 limit, $7 the seconds in which an equal delivery is a repetition */
const unreplayed = /* sql */ `${filtered} and ($5::text is null or t.id > $5) and t.source <> 'test' and t.replay_of is null
  and not exists (${buildSame('make_interval(secs => $7)')})
order by t.id limit $6`;

/** $1 trigger, $2 delivery, $3 the seconds in which an equal delivery is a repetition */
const eventOfDelivery = /* sql */ `
select ${buildEventId('make_interval(secs => $3)')} as id, f.id as "deliveryId", f.execution_id as "executionId"
from trigger_deliveries t left join lateral (${buildSame('make_interval(secs => $3)')} limit 1) f on true
where t.trigger_id = $1 and t.id = $2`;

/** $1 trigger */
const countForged = /* sql */ `
update triggers set forgeries = forgeries + 1 where id = $1 and status = 'active' returning forgeries`;

/** $1 trigger, $2 the forgeries that switch it off, $3 the reason */
const disable = /* sql */ `
update triggers set status = 'disabled', note = $3, revision = revision + 1, updated_at = now()
where id = $1 and status = 'active' and forgeries >= $2`;

const oldDeliveries = {
  kind: 'delivery',
  table: 'trigger_deliveries',
  id: 't.id',
  where: 't.received_at < now() - make_interval(secs => $1)',
  order: 't.received_at',
} as const;
