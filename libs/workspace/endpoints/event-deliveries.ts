import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { JsonObject } from '#libs/platform/json/json';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import type { Endpoint } from './endpoints.ts';
import { testType } from './event-types.ts';

export const deliveryStatuses = ['pending', 'held', 'delivered', 'failed'] as const;

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  at: string;
  status: number | null;
  error: string | null;
  durationMs: number;
}

/** An event for one receiver: an endpoint, a trigger, or the callback of one execution. */
export interface EventDelivery {
  id: string;
  endpointId: string | null;
  triggerId: string | null;
  eventId: string;
  type: string;
  executionId: string | null;
  workflowId: string | null;
  sequence: number | null;
  status: (typeof deliveryStatuses)[number];
  attempts: number;
  dueAt: Date;
  lastStatus: number | null;
  lastError: string | null;
  log: DeliveryAttempt[];
  occurredAt: Date;
  createdAt: Date;
  settledAt: Date | null;
}

export interface EventDeliveryQuery {
  endpointId?: string;
  executionId?: string;
  status?: string;
  type?: string;
  limit: number;
  cursor?: string;
}

/** How many deliveries were made due again. With `more`, a further call goes on; `nextSince` is its moment. */
export interface Replayed {
  replayed: number;
  more: boolean;
  nextSince: Date | null;
}

/** One call makes so many deliveries due again. */
const replayedMax = 10_000;

/** The log of deliveries, and their repetition. */
@Injectable()
export class EventDeliveries {
  constructor(
    private readonly database: Database,
    private readonly cursors: Cursors,
  ) {}

  /** Throws `Invalid` for an endpoint that the workspace does not have. Its deliveries go with it. */
  private async requireEndpoint(workspaceId: string, id: string): Promise<void> {
    const values = [workspaceId, id];
    const rows = await this.database.statement(
      workspaceId,
      'select from endpoints where workspace_id = $1 and id = $2',
      values,
    );
    if (rows.length === 0)
      throw Invalid.field('endpointId', 'is not an endpoint of the workspace', 'unknown');
  }

  /** Lists a page of deliveries, the newest first. */
  async list(
    workspaceId: string,
    { limit, cursor, ...filters }: EventDeliveryQuery,
  ): Promise<Page<EventDelivery>> {
    const { endpointId = null, executionId = null, status = null, type = null } = filters;
    if (endpointId !== null) await this.requireEndpoint(workspaceId, endpointId);
    const scope = `deliveries ${workspaceId} ${JSON.stringify([endpointId, executionId, status, type])}`;
    const after = this.cursors.open(cursor, scope);
    const values = [workspaceId, endpointId, executionId, status, type, after?.at ?? null, after?.id ?? null];
    const rows = await this.database.statement<EventDelivery>(
      workspaceId,
      pageOfDeliveries,
      [...values, limit + 1],
      'shaped by a caller',
    );
    return this.cursors.page<EventDelivery>(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  async get(workspaceId: string, id: string): Promise<EventDelivery> {
    return found(await this.database.statement<EventDelivery>(workspaceId, findDelivery, [workspaceId, id]));
  }

  /** Sends the event of a test to one endpoint. */
  async test({ workspaceId, id, enabled }: Endpoint): Promise<EventDelivery> {
    requireEnabled(enabled);
    const deliveryId = newId('dlv');
    const data: JsonObject = { endpointId: id };
    const values = [newId('evt'), workspaceId, testType, JSON.stringify(data), deliveryId, id];
    const [, rows = []] = await this.database.batch<EventDelivery>(workspaceId, [
      [insertTest, values],
      [findDelivery, [workspaceId, deliveryId]],
    ]);
    return found(rows);
  }

  /** Sends an event again, with the same id. */
  async replay(workspaceId: string, id: string): Promise<EventDelivery> {
    const values = [workspaceId, id];
    const [before, after = []] = await this.database.batch<EventDelivery & { enabled?: boolean }>(
      workspaceId,
      [
        [replayOne, values],
        [findDelivery, values],
      ],
    );
    if (before?.[0]) requireEnabled(before[0].enabled === true);
    return found(after);
  }

  /** Sends the failed deliveries of an endpoint again, or all its events since a moment, also those that it missed. */
  async replayAll({ workspaceId, id, enabled }: Endpoint, since: Date | null): Promise<Replayed> {
    requireEnabled(enabled);
    const [statement, values] = since
      ? [replaySince, [workspaceId, id, since, replayedMax]]
      : [replayFailed, [workspaceId, id, replayedMax]];
    const [row] = await this.database.statement<{ n: number; last: Date | null }>(
      workspaceId,
      statement,
      values,
    );
    const { n = 0, last = null } = row ?? {};
    const more = n >= replayedMax;
    return { replayed: n, more, nextSince: more && since ? last : null };
  }
}

function found(rows: EventDelivery[]): EventDelivery {
  if (!rows[0]) throw new NotFound('delivery');
  return rows[0];
}

function requireEnabled(enabled: boolean): void {
  if (!enabled) throw new Conflict('The endpoint is disabled: enable it first.', 'ENDPOINT_DISABLED');
}

const readDelivery = /* sql */ `
select d.id, d.endpoint_id as "endpointId", d.trigger_id as "triggerId", d.event_id as "eventId", v.type, d.execution_id as "executionId",
  v.workflow_id as "workflowId", d.sequence, d.status, d.attempts, d.due_at as "dueAt", d.last_status as "lastStatus",
  d.last_error as "lastError", d.log, v.at as "occurredAt", d.created_at as "createdAt", d.settled_at as "settledAt"
from event_deliveries d join events v on v.id = d.event_id`;

const findDelivery = /* sql */ `${readDelivery} where d.workspace_id = $1 and d.id = $2`;

/** $1 workspace, $2 to $5 filters, $6 and $7 position of the last row of the page before, $8 limit */
const pageOfDeliveries = /* sql */ `
${readDelivery}
where d.workspace_id = $1 and ($2::text is null or d.endpoint_id = $2) and ($3::text is null or d.execution_id = $3)
  and ($4::text is null or d.status = $4) and ($5::text is null or v.type = $5)
  and ($6::timestamptz is null or (d.created_at, d.id) < ($6, $7))
order by d.created_at desc, d.id desc limit $8`;

/** $1 event, $2 workspace, $3 type, $4 data, $5 delivery, $6 endpoint */
const insertTest = /* sql */ `
with event as (
  insert into events (id, workspace_id, type, data) values ($1, $2, $3, $4) returning id
)
insert into event_deliveries (id, workspace_id, endpoint_id, event_id) select $5, $2, $6, id from event`;

const dueAgain = `status = 'pending', attempts = 0, due_at = now(), settled_at = null`;

/** Changes nothing for a disabled endpoint. $1 workspace, $2 delivery */
const replayOne = /* sql */ `
with one as (
  select d.id, coalesce(e.enabled, true) as enabled from event_deliveries d left join endpoints e on e.id = d.endpoint_id
  where d.workspace_id = $1 and d.id = $2
), again as (
  update event_deliveries d set ${dueAgain} from one where d.id = one.id and one.enabled
)
select enabled from one`;

/** $1 workspace, $2 endpoint, $3 most */
const replayFailed = /* sql */ `
with chosen as (
  select id from event_deliveries where workspace_id = $1 and endpoint_id = $2 and status = 'failed' order by created_at, id limit $3
), again as (
  update event_deliveries d set ${dueAgain} from chosen where d.id = chosen.id returning 1
)
select count(*)::int as n, null::timestamptz as last from again`;

/** $1 workspace, $2 endpoint, $3 moment, $4 most */
const replaySince = /* sql */ `
with chosen as (
  select v.* from events v join endpoints e on e.id = $2 and e.workspace_id = $1
  where v.workspace_id = $1 and v.at >= $3 and wants_event(e, v.type, v.workflow_id) and v.type <> '${testType}'
  order by v.at, v.id limit $4
), again as (
  insert into event_deliveries (id, workspace_id, endpoint_id, event_id, execution_id, sequence)
  select 'dlv_' || replace(gen_random_uuid()::text, '-', ''), $1, $2, id, execution_id, sequence from chosen
  on conflict (endpoint_id, event_id) do update set ${dueAgain} returning 1
)
select count(*)::int as n, (select max(at) from chosen) as last from again`;
