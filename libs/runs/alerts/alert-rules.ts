import { Injectable } from '@nestjs/common';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';

/** What a rule measures, each of the executions that began in its window. */
export const alertMetrics = ['failuresInRow', 'failureRate', 'duration', 'cost', 'inactivity'] as const;
export type AlertMetric = (typeof alertMetrics)[number];

export interface AlertFields {
  name: string;
  /** Null: all workflows of the workspace together. */
  workflowId: string | null;
  metric: AlertMetric;
  threshold: number;
  windowSeconds: number;
  minExecutions: number;
  cooldownSeconds: number;
  enabled: boolean;
}

/** A rule with its state. */
export interface AlertRule extends AlertFields {
  id: string;
  workspaceId: string;
  isRaised: boolean;
  raisedAt: Date | null;
  value: number | null;
  checkedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const rulesMax = 50;

/** The alert rules of workspaces. `AlertWatch` checks them. */
@Injectable()
export class AlertRules {
  constructor(private readonly database: Database) {}

  /** Lists all rules, the oldest first. */
  list(workspaceId: string): Promise<AlertRule[]> {
    return this.database.statement<AlertRule>(workspaceId, `${readRules} order by created_at, id`, [
      workspaceId,
    ]);
  }

  async get(workspaceId: string, id: string): Promise<AlertRule> {
    const rows = await this.database.statement<AlertRule>(workspaceId, `${readRules} and id = $2`, [
      workspaceId,
      id,
    ]);
    if (!rows[0]) throw new NotFound('alert rule');
    return rows[0];
  }

  async create(workspaceId: string, fields: AlertFields): Promise<AlertRule> {
    requireThreshold(fields);
    const id = newId('alr');
    await this.database.within(workspaceId, async (tx) => {
      const [found] = await send<{ rules: number; known: boolean }>(tx, countRules, [
        workspaceId,
        fields.workflowId,
      ]);
      if (found && found.rules >= rulesMax)
        throw new Conflict(
          `A workspace has at most ${rulesMax} alert rules; delete one first.`,
          'TOO_MANY_ALERTS',
        );
      if (!found?.known) throw Invalid.field('workflowId', 'is not a workflow of the workspace', 'unknown');
      await send(tx, insertRule, [id, workspaceId, fields.workflowId, ...toValues(fields)]);
    });
    return this.get(workspaceId, id);
  }

  /** Changes what is given. The rule begins anew, as if it had never been broken. */
  async update(workspaceId: string, id: string, changes: Partial<AlertFields>): Promise<AlertRule> {
    const fields = { ...(await this.get(workspaceId, id)), ...changes };
    requireThreshold(fields);
    await this.database.statement(workspaceId, updateRule, [id, workspaceId, ...toValues(fields)]);
    return this.get(workspaceId, id);
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    const sql = 'delete from alert_rules where workspace_id = $1 and id = $2 returning id';
    const gone = await this.database.statement(workspaceId, sql, [workspaceId, id]);
    if (gone.length === 0) throw new NotFound('alert rule');
  }
}

/** Throws `Invalid` for a threshold that is always or never reached. */
function requireThreshold({ metric, threshold }: Pick<AlertFields, 'metric' | 'threshold'>): void {
  const most = metric === 'failureRate' ? 100 : metric === 'failuresInRow' ? 1000 : 1e12;
  const isWhole = metric !== 'failuresInRow' || Number.isInteger(threshold);
  if (threshold > 0 && threshold <= most && isWhole) return;
  const what = isWhole ? 'a number' : 'a whole number';
  throw Invalid.field('threshold', `must be ${what} above 0, and ${most} at most`, 'range');
}

const toValues = (fields: AlertFields) => [
  fields.name,
  fields.metric,
  fields.threshold,
  fields.windowSeconds,
  fields.minExecutions,
  fields.cooldownSeconds,
  fields.enabled,
];

const readRules = /* sql */ `
select id, workspace_id as "workspaceId", workflow_id as "workflowId", name, metric, threshold, window_seconds as "windowSeconds",
  min_executions as "minExecutions", cooldown_seconds as "cooldownSeconds", enabled, is_raised as "isRaised", raised_at as "raisedAt",
  value, checked_at as "checkedAt", created_at as "createdAt", updated_at as "updatedAt"
from alert_rules where workspace_id = $1`;

/** Locks the workspace, so that the count holds until the insert. $1 workspace, $2 workflow */
const countRules = /* sql */ `
select (select count(*)::int from alert_rules where workspace_id = $1) as rules,
  $2::text is null or exists (select from workflows where workspace_id = $1 and id = $2) as known
from workspaces where id = $1 for no key update`;

const insertRule = /* sql */ `
insert into alert_rules (id, workspace_id, workflow_id, name, metric, threshold, window_seconds, min_executions, cooldown_seconds, enabled)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const updateRule = /* sql */ `
update alert_rules set name = $3, metric = $4, threshold = $5, window_seconds = $6, min_executions = $7, cooldown_seconds = $8, enabled = $9,
  is_raised = false, raised_at = null, value = null, checked_at = null, updated_at = now()
where id = $1 and workspace_id = $2`;
