import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, send } from '#libs/platform/database/database';
import { buildPolicy, checkTarget, EgressRefused } from '#libs/platform/egress/egress';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { DataKeys } from '#libs/workspace/secrets/data-keys';
import { Secrets } from '#libs/workspace/secrets/secrets';
import { callbackSecret } from './event-types.ts';

/** What a caller sets of an endpoint. */
export interface EndpointFields {
  url: string;
  description: string;
  /** Empty: every type. */
  types: string[];
  /** Empty: every workflow. An event without a workflow passes in any case. */
  workflowIds: string[];
  enabled: boolean;
}

export interface Endpoint extends EndpointFields {
  id: string;
  workspaceId: string;
  disabledReason: string | null;
  rotatedAt: Date | null;
  failingSince: Date | null;
  slowedUntil: Date | null;
  lastDeliveredAt: Date | null;
  lastFailedAt: Date | null;
  lastError: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const endpointsMax = 50;

/** The servers of users that hear of the events of a workspace. */
@Injectable()
export class Endpoints {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
    private readonly secrets: Secrets,
    private readonly settings: Settings,
  ) {}

  /** Lists all endpoints of a workspace, the oldest first. */
  list(workspaceId: string): Promise<Endpoint[]> {
    return this.database.statement(workspaceId, `${select} order by created_at, id`, [workspaceId]);
  }

  async get(workspaceId: string, id: string): Promise<Endpoint> {
    return found(
      await this.database.statement<Endpoint>(workspaceId, `${select} and id = $2`, [workspaceId, id]),
    );
  }

  /** Creates an endpoint. Nobody can read its secret again. */
  async create(workspaceId: string, fields: EndpointFields): Promise<{ endpoint: Endpoint; secret: string }> {
    await this.checkUrl(fields.url);
    const id = newId('ep');
    const secret = newSecret();
    const endpoint = await this.database.within(workspaceId, async (tx) => {
      const [row] = await send<{ n: number }>(tx, countEndpoints, [workspaceId]);
      if (row && row.n >= endpointsMax)
        throw new Conflict(
          `A workspace has at most ${endpointsMax} endpoints; delete one first.`,
          'TOO_MANY_ENDPOINTS',
        );
      await requireWorkflows(tx, workspaceId, fields.workflowIds);
      const sealed = await this.keys.seal(tx, secret, place(workspaceId, id));
      const { url, description, types, workflowIds, enabled } = fields;
      const values = [id, workspaceId, url, description, types, workflowIds, enabled, sealed];
      return found(await send<Endpoint>(tx, insertEndpoint, values));
    });
    return { endpoint, secret };
  }

  /** Changes what is given. Deliveries wait while an endpoint is disabled, and go on when it is enabled. */
  async update(workspaceId: string, id: string, changes: Partial<EndpointFields>): Promise<Endpoint> {
    if (changes.url !== undefined) await this.checkUrl(changes.url);
    return this.database.within(workspaceId, async (tx) => {
      await requireWorkflows(tx, workspaceId, changes.workflowIds ?? []);
      const { url, description, types, workflowIds, enabled } = changes;
      const values = [workspaceId, id, url, description, types, workflowIds, enabled];
      const endpoint = found(
        await send<Endpoint>(
          tx,
          updateEndpoint,
          values.map((value) => value ?? null),
        ),
      );
      if (enabled !== undefined) await send(tx, enabled ? resumeDeliveries : holdDeliveries, [id]);
      return endpoint;
    });
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    const statement = `delete from endpoints where workspace_id = $1 and id = $2 returning id`;
    if ((await this.database.statement(workspaceId, statement, [workspaceId, id])).length === 0)
      throw new NotFound('endpoint');
  }

  /** Gives the endpoint a new secret. The former one signs beside it for a day. */
  async rotate(workspaceId: string, id: string): Promise<{ endpoint: Endpoint; secret: string }> {
    const secret = newSecret();
    const endpoint = await this.database.within(workspaceId, async (tx) => {
      const sealed = await this.keys.seal(tx, secret, place(workspaceId, id));
      return found(await send<Endpoint>(tx, rotateSecret, [workspaceId, id, sealed]));
    });
    return { endpoint, secret };
  }

  /**
   * Returns the secrets that sign a delivery now, the newest first. Without an endpoint it is the secret of the workspace for
   * callbacks. Empty when there is none.
   */
  async readSecrets(workspaceId: string, endpointId: string | null): Promise<string[]> {
    if (endpointId === null) {
      const secret = await this.secrets.read(workspaceId, callbackSecret);
      return secret === null ? [] : [secret];
    }
    return this.database.within(workspaceId, async (tx) => {
      const rows = await send<{ sealed: string }>(tx, sealedSecrets, [workspaceId, endpointId]);
      const openSealed = await this.keys.buildOpener(tx, workspaceId);
      return rows.map(({ sealed }) => openSealed(sealed, place(workspaceId, endpointId)));
    });
  }

  /** Throws for a callback that no call would reach, or that nobody could verify. */
  async requireCallback(workspaceId: string, url: string): Promise<void> {
    await this.checkUrl(url, 'callbackUrl');
    if ((await this.readSecrets(workspaceId, null)).length === 0)
      throw new Conflict(
        `A callback is signed with the secret ${callbackSecret} of the workspace, which is missing: store whsec_ and the base64 of 24 to 64 bytes first.`,
        'NO_CALLBACK_SECRET',
      );
  }

  private async checkUrl(url: string, field = 'url'): Promise<void> {
    await checkTarget(url, buildPolicy({ allow: this.settings.egressAllow })).catch((error: unknown) => {
      if (!(error instanceof EgressRefused)) throw error;
      throw Invalid.field(field, error.message, 'egress');
    });
  }
}

function found(rows: Endpoint[]): Endpoint {
  if (!rows[0]) throw new NotFound('endpoint');
  return rows[0];
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const place = (workspace: string, row: string) => ({ workspace, table: 'endpoints', row, column: 'secret' });

/** Throws `Invalid` for an id that is no workflow of the workspace. */
export async function requireWorkflows(
  tx: EntityManager,
  workspaceId: string,
  ids: string[],
  path = 'workflowIds',
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await send<{ id: string }>(
    tx,
    'select id from workflows where workspace_id = $1 and id = any ($2)',
    [workspaceId, ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !known.has(id));
  if (missing >= 0)
    throw Invalid.field(`${path}.${missing}`, 'is not a workflow of the workspace', 'unknown');
}

const columns = `id, workspace_id as "workspaceId", url, description, types, workflow_ids as "workflowIds", enabled,
  disabled_reason as "disabledReason", rotated_at as "rotatedAt", failing_since as "failingSince", slowed_until as "slowedUntil",
  last_delivered_at as "lastDeliveredAt", last_failed_at as "lastFailedAt", last_error as "lastError",
  created_at as "createdAt", updated_at as "updatedAt"`;

const select = /* sql */ `select ${columns} from endpoints where workspace_id = $1`;

const countEndpoints = 'select count(*)::int as n from endpoints where workspace_id = $1';

const insertEndpoint = /* sql */ `
insert into endpoints (id, workspace_id, url, description, types, workflow_ids, enabled, disabled_reason, secret)
values ($1, $2, $3, $4, $5, $6, $7, case when not $7 then 'by a person' end, $8) returning ${columns}`;

/** $1 workspace, $2 endpoint, and null for what stays: $3 URL, $4 description, $5 types, $6 workflows, $7 enabled */
const updateEndpoint = /* sql */ `
update endpoints set url = coalesce($3, url), description = coalesce($4, description), types = coalesce($5, types),
  workflow_ids = coalesce($6, workflow_ids), enabled = coalesce($7, enabled), updated_at = now(),
  disabled_reason = case when $7 then null when not $7 and enabled then 'by a person' else disabled_reason end,
  failing_since = case when $7 and not enabled then null else failing_since end,
  slowed_until = case when $7 and not enabled then null else slowed_until end
where workspace_id = $1 and id = $2 returning ${columns}`;

/** $1 endpoint */
const holdDeliveries = `update event_deliveries set status = 'held' where endpoint_id = $1 and status = 'pending'`;
const resumeDeliveries = `update event_deliveries set status = 'pending', due_at = now() where endpoint_id = $1 and status = 'held'`;

/** $1 workspace, $2 endpoint, $3 sealed secret */
const rotateSecret = /* sql */ `
update endpoints set former_secret = secret, secret = $3, rotated_at = now(), updated_at = now()
where workspace_id = $1 and id = $2 returning ${columns}`;

const sealedSecrets = /* sql */ `
select secret as sealed from endpoints where workspace_id = $1 and id = $2
union all
select former_secret from endpoints
where workspace_id = $1 and id = $2 and former_secret is not null and rotated_at > now() - interval '1 day'`;
