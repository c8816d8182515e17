import { Injectable } from '@nestjs/common';
import { isAnyDue } from '#libs/platform/database/fair-claim';
import { forgetRows, type TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import { lagOver, type OutboxLag } from '#libs/platform/database/outbox';
import { claimByReceiver, type Deliverable } from '#libs/platform/database/delivery-room';
import type { JsonObject } from '#libs/platform/json/json';
import type { DeliveryAttempt } from './event-deliveries.ts';

/** A claimed delivery with its event. */
export interface DueDelivery extends Deliverable {
  id: string;
  eventId: string;
  /** Null for a callback, and for a trigger. */
  endpointId: string | null;
  /** The trigger that the event starts; null for a receiver elsewhere. */
  triggerId: string | null;
  url: string;
  type: string;
  at: Date;
  sequence: number | null;
  data: JsonObject;
  /** Counts this attempt. */
  attempts: number;
}

/** The result of an attempt. */
export interface AttemptResult {
  attempt: DeliveryAttempt;
  outcome: 'delivered' | 'failed' | 'retry';
  /** The receiver asks for no call for so long. */
  slowForS?: number;
  /** True when the receiver says that it is gone. */
  isGone?: boolean;
}

/** The times of the attempts of a delivery, each after the one before, in seconds: some 75 hours in all. */
export const delaysS = [0, 5, 300, 1800, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];
/** A later event of an execution waits for an earlier one during so many attempts of it, which take some five minutes. */
const inOrderAttempts = 3;
const keptDays = 30;
const batch = 1000;

/** The deliveries that are due. They are claimed for a minute, and no transaction is open while a receiver is called. */
@Injectable()
export class EventOutbox {
  readonly due = isAnyDue(waiting);

  constructor(private readonly database: Database) {}

  /** Claims due deliveries for a `DeliveryRoom`. */
  claim(values: unknown[]): Promise<DueDelivery[]> {
    return this.database.systemUnflushed<DueDelivery>(claimDeliveries, values);
  }

  /**
   * Writes the result of an attempt, unless the delivery was claimed or replayed since. A failed attempt is repeated until the last of
   * ten has failed. An endpoint is disabled when it is gone, or when nothing has succeeded for five days.
   */
  async settle({ id, attempts, endpointId }: DueDelivery, result: AttemptResult): Promise<void> {
    const { attempt, outcome, slowForS = 0, isGone = false } = result;
    const delayS = Math.max(delaysS[attempts] ?? 0, slowForS);
    const isLast = attempts >= delaysS.length;
    const status = outcome === 'retry' ? (isLast ? 'failed' : 'pending') : outcome;
    const { error, status: code } = attempt;
    await this.database.systemUnflushed(settleDelivery, [
      id,
      attempts,
      status,
      delayS,
      code,
      error,
      JSON.stringify([attempt]),
      slowForS,
    ]);
    if (endpointId === null || outcome === 'delivered') return;
    if (slowForS > 0) await this.database.systemUnflushed(slowDeliveries, [endpointId]);
    await this.database.system(disableEndpoint, [endpointId, isGone]);
  }

  /** Reads how many deliveries wait for an attempt, counted to 10,000, and the age of the oldest of these. */
  async lag(): Promise<OutboxLag> {
    const [row] = await this.database.system<OutboxLag>(waitingDeliveries);
    return row ?? { count: 0, oldestS: 0 };
  }

  /** Deletes old events with their deliveries. Events of an execution that has not ended stay, because their numbers go on. */
  async forgetOld(bounds: TurnBounds): Promise<void> {
    await forgetRows(this.database, { ...oldEvents, rowsMax: batch }, bounds);
  }
}

/**
 * True for a delivery that must wait, because an earlier event of the same execution is not delivered yet. The last condition keeps
 * the order while the last attempt in order is under way.
 */
const waitsForEarlier = /* sql */ `exists (select from event_deliveries b where b.lane = event_deliveries.lane and b.status = 'pending'
  and b.sequence < event_deliveries.sequence
  and (b.attempts < ${inOrderAttempts} or (b.attempts = ${inOrderAttempts} and b.due_at < now() + interval '1 minute')))`;

/** True for a delivery to a receiver that has asked for a pause. */
const isSlowed = /* sql */ `exists (select from endpoints e where e.id = event_deliveries.endpoint_id and e.slowed_until > now())`;

const waiting = {
  table: 'event_deliveries',
  id: 'id',
  at: 'due_at',
  waits: [`status = 'pending'`],
  also: `not ${isSlowed} and not ${waitsForEarlier}`,
};
const receiver = `coalesce(endpoint_id, trigger_id, substring(event_deliveries.url from '^[a-z]+://([^/?#]*)'), '')`;

const claimDeliveries = /* sql */ `
with chosen as (${claimByReceiver(waiting, receiver)}
), claimed as (
  update event_deliveries d set due_at = now() + interval '1 minute', attempts = d.attempts + 1
  from chosen where d.id = chosen.id
  returning d.id, d.workspace_id, d.endpoint_id, d.trigger_id, d.event_id, d.url, d.sequence, d.attempts
)
select d.id, d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.trigger_id as "triggerId", d.event_id as "eventId", coalesce(e.url, d.url) as url,
  d.sequence, d.attempts, v.type, v.at, v.data, coalesce(d.endpoint_id, d.trigger_id, substring(d.url from '^[a-z]+://([^/?#]*)'), '') as receiver
from claimed d join events v on v.id = d.event_id left join endpoints e on e.id = d.endpoint_id`;

/**
 * Later events of the execution get the time of this one, so that a claim does not look at them in vain.
 * $1 delivery, $2 its attempts, $3 status, $4 seconds to the next attempt, $5 HTTP status, $6 error, $7 attempt, $8 seconds without calls
 */
const settleDelivery = /* sql */ `
with settled as (
  update event_deliveries d set status = case when $3 = 'pending' then d.status else $3 end,
    due_at = now() + make_interval(secs => $4), last_status = $5, last_error = $6,
    log = (case when jsonb_array_length(d.log) >= 20 then d.log - 0 else d.log end) || $7::jsonb,
    settled_at = case when $3 <> 'pending' then now() end
  where d.id = $1 and d.attempts = $2 and d.status in ('pending', 'held')
  returning d.id, d.lane, d.sequence, d.endpoint_id, d.status, d.due_at, d.attempts
), followed as (
  update event_deliveries f set due_at = case when s.status = 'pending' and s.attempts < ${inOrderAttempts} then s.due_at else now() end
  from settled s where f.lane = s.lane and f.status = 'pending' and f.attempts = 0 and f.sequence > s.sequence
)
update endpoints e set
  failing_since = case when s.status = 'delivered' then null else coalesce(e.failing_since, now()) end,
  last_delivered_at = case when s.status = 'delivered' then now() else e.last_delivered_at end,
  last_failed_at = case when s.status = 'delivered' then e.last_failed_at else now() end,
  last_error = case when s.status = 'delivered' then null else $6 end,
  slowed_until = case when $8 > 0 then greatest(e.slowed_until, now() + make_interval(secs => $8)) else e.slowed_until end
from settled s
where e.id = s.endpoint_id and (s.status <> 'delivered' or e.failing_since is not null or e.last_error is not null
  or e.last_delivered_at is null or e.last_delivered_at < now() - interval '5 seconds')`;

/** So that a claim does not look at what must wait. $1 endpoint */
const slowDeliveries = /* sql */ `
update event_deliveries d set due_at = e.slowed_until from endpoints e
where e.id = $1 and d.endpoint_id = $1 and d.status = 'pending' and d.due_at < e.slowed_until`;

/** $1 endpoint, $2 whether it is gone */
const disableEndpoint = /* sql */ `
with disabled as (
  update endpoints set enabled = false, updated_at = now(),
    disabled_reason = case when $2 then 'the receiver answered 410 Gone' else 'no delivery succeeded for five days' end
  where id = $1 and enabled and ($2 or failing_since < now() - interval '5 days') returning id
)
update event_deliveries d set status = 'held' from disabled where d.endpoint_id = disabled.id and d.status = 'pending'`;

const waitingDeliveries = lagOver(
  `select created_at as since from event_deliveries where status = 'pending' limit 10000`,
);

const oldEvents = {
  kind: 'event',
  table: 'events',
  id: 't.id',
  where: `t.at < now() - make_interval(days => $1)
    and not exists (select from executions e where e.id = t.execution_id and e.completed_at is null)`,
  order: 't.at',
  values: [keptDays] as unknown[],
} as const;
