import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';

export const statUnits = ['hour', 'day'] as const;

/** The executions that are counted: those accepted from `from` on and before `to`. */
export interface StatsQuery {
  workflowIds: string[] | null;
  from: Date;
  to: Date;
  by: (typeof statUnits)[number];
}

/** The executions that were accepted within one hour or day. */
export interface LogStats {
  /** The begin of the hour or day, in UTC. */
  at: Date;
  runs: number;
  failed: number;
  cancelled: number;
  /** Those that have not ended. */
  open: number;
  /** Half of those that have ended took at most so long, in milliseconds; null when none has ended. */
  p50Ms: number | null;
  p95Ms: number | null;
  cost: number;
}

/** Counts executions by the time of their acceptance, without tests. */
@Injectable()
export class LogStatistics {
  constructor(private readonly database: Database) {}

  /** One line for each hour or day, also for those without an execution. */
  async count(workspaceIds: string[], { workflowIds, from, to, by }: StatsQuery): Promise<LogStats[]> {
    if (workspaceIds.length === 0) return [];
    const values = [workspaceIds, from, to, by, workflowIds];
    return this.database.statement<LogStats>(workspaceIds, counted, values);
  }
}

/** The index of the list bounds what is read: a page of time in each workspace. $1 workspaces, $2 from, $3 to, $4 unit, $5 workflows or null */
const counted = /* sql */ `
select b.at, coalesce(s.runs, 0) as runs, coalesce(s.failed, 0) as failed, coalesce(s.cancelled, 0) as cancelled, coalesce(s.open, 0) as open,
  s."p50Ms", s."p95Ms", coalesce(s.cost, 0) as cost
from generate_series(date_trunc($4, $2::timestamptz, 'UTC'), $3::timestamptz - interval '1 microsecond', ('1 ' || $4)::interval) b (at)
left join (
  select date_trunc($4, e.created_at, 'UTC') as at, count(*)::int as runs, count(*) filter (where e.status = 'failed')::int as failed,
    count(*) filter (where e.status = 'cancelled')::int as cancelled,
    count(*) filter (where e.status in ('queued', 'running', 'paused'))::int as open,
    percentile_disc(0.5) within group (order by e.duration_ms)::float8 as "p50Ms",
    percentile_disc(0.95) within group (order by e.duration_ms)::float8 as "p95Ms",
    (coalesce(sum(u.cost_micros), 0) / 1000000.0)::float8 as cost
  from executions e left join execution_costs u on u.execution_id = e.id
  where e.workspace_id = any ($1) and not e.is_test and e.created_at >= $2 and e.created_at < $3 and ($5::text[] is null or e.workflow_id = any ($5))
  group by 1
) s on s.at = b.at
order by b.at`;
