import { Injectable } from '@nestjs/common';
import { isDue, TurnBounds, workOnEach } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';
import type { AlertMetric, AlertRule } from './alert-rules.ts';

type DueRule = Pick<
  AlertRule,
  'id' | 'workspaceId' | 'workflowId' | 'metric' | 'windowSeconds' | 'minExecutions'
> &
  Record<string, unknown>;

const batch = 100;

/** Checks the alert rules. A rule that is broken, and one that holds again, writes an event in the statement that notes it. */
@Injectable()
export class AlertWatch {
  constructor(private readonly database: Database) {}

  /** Checks the rules that were not checked for half a minute. Several processes may take turns at once. */
  async checkDueRules(bounds = new TurnBounds()): Promise<void> {
    while (!bounds.over) {
      const items = await this.database.system<DueRule>(claimRules, [batch]);
      const work = async (rule: DueRule) => {
        await this.check(rule);
        return true;
      };
      await workOnEach(this.database, { kind: 'alert rule', items, id: ({ id }) => id, work }, bounds);
      if (items.length < batch) return;
    }
  }

  private async check({ id, workspaceId, workflowId, metric, ...rule }: DueRule): Promise<void> {
    const sql = buildMeasurement(metric, workflowId !== null);
    const values = [id, workspaceId, workflowId, rule.windowSeconds, rule.minExecutions];
    await this.database.statement(workspaceId, sql, values);
  }
}

/** So many of the newest executions of a window count at most. */
const executionsMax = 10_000;

const claimRules = /* sql */ `
update alert_rules r set checked_at = now() from (
  select id from alert_rules where enabled and (checked_at is null or checked_at < now() - interval '30 seconds')
    and ${isDue('alert rule', 'id')}
  order by checked_at nulls first limit $1 for update skip locked
) due where r.id = due.id
returning r.id, r.workspace_id as "workspaceId", r.workflow_id as "workflowId", r.metric, r.window_seconds as "windowSeconds",
  r.min_executions as "minExecutions"`;

/** Leaves out the executions that an alert has started, so that their failures raise no further one. */
const notOfAlerts = `not exists (select from triggers t where t.id = e.actor ->> 'triggerId' and t.event -> 'types' ? 'alert.raised')`;

/** $2 workspace, $3 workflow, $4 seconds of the window, $5 fewest executions */
function buildMetric(metric: AlertMetric, of: string): string {
  const began = `from executions e where ${of} and e.parent_id is null and not e.is_test and ${notOfAlerts}`;
  const newest = 'order by e.created_at desc, e.id desc';
  const inWindow = `select e.status, e.duration_ms ${began} and e.created_at > now() - make_interval(secs => $4)
    and e.status in ('completed', 'failed') ${newest} limit ${executionsMax}`;
  const metrics: Record<AlertMetric, string> = {
    failuresInRow: `select count(*) from (
      select status, count(*) filter (where status = 'completed') over (order by created_at desc, id desc) as completed from (
        select e.id, e.status, e.created_at ${began} and e.status in ('completed', 'failed') ${newest} limit 1000) ended
    ) failures where completed = 0`,
    failureRate: `select case when count(*) >= $5 then 100.0 * count(*) filter (where status = 'failed') / count(*) end from (${inWindow}) ended`,
    duration: `select case when count(*) >= $5 then percentile_disc(0.95) within group (order by duration_ms) end from (${inWindow}) ended`,
    cost: `select coalesce(sum(e.cost), 0) from usage_entries e where ${of} and e.created_at > now() - make_interval(secs => $4)
      and not exists (select from executions x where x.id in (e.execution_id, e.during_execution) and x.is_test)`,
    inactivity: `select extract(epoch from now() - greatest(r.updated_at, (select max(e.created_at) from (
      select e.created_at ${began} ${newest} limit 1) e))) from alert_rules r where r.id = $1`,
  };
  return metrics[metric];
}

/** Measures, notes the value, and writes an event when the rule is broken or holds again. $1 rule */
const buildMeasurement = (metric: AlertMetric, isOfWorkflow: boolean): string => /* sql */ `
with measured as (
  select (${buildMetric(metric, `e.workspace_id = $2 and ${isOfWorkflow ? 'e.workflow_id = $3' : '$3::text is null'}`)})::float8 as value,
    $4::int as window_seconds, $5::int as min_executions
), former as (
  select r.*, m.value as now_value, coalesce(m.value >= r.threshold, false) as is_broken,
    r.raised_at is null or r.raised_at < now() - make_interval(secs => r.cooldown_seconds) as is_cool
  from alert_rules r, measured m where r.id = $1 and r.enabled and r.metric = '${metric}' for update of r
), noted as (
  update alert_rules r set value = f.now_value, is_raised = f.is_broken and (f.is_raised or f.is_cool),
    raised_at = case when f.is_broken and f.is_cool then now() else r.raised_at end
  from former f where r.id = f.id returning r.*
)
select record_event(n.workspace_id, case when n.is_raised then 'alert.raised' else 'alert.resolved' end, n.workflow_id, null, 0, null,
  json_build_object('alertId', n.id, 'name', n.name, 'workflowId', n.workflow_id,
    'workflowName', (select w.name from workflows w where w.id = n.workflow_id), 'metric', n.metric, 'threshold', n.threshold,
    'value', n.value, 'windowSeconds', n.window_seconds))
from noted n join former f on f.id = n.id
where case when n.is_raised then n.raised_at is distinct from f.raised_at else f.is_raised end`;
