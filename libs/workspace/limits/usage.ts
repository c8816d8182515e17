import { Injectable } from '@nestjs/common';
import { nameOfActor } from '#libs/platform/database/actor-context';
import { forgetRows, TurnBounds } from '#libs/platform/database/bounded-deletion';
import { Database } from '#libs/platform/database/database';

export const usageGroups = ['day', 'workflow', 'member', 'kind'] as const;

export interface UsageQuery {
  groupBy: (typeof usageGroups)[number];
  /** Days as `2026-01-31`, both included, in UTC. */
  from: string;
  to: string;
  limit: number;
}

export interface UsageGroup {
  /** The day, the id of the workflow, the id of the actor, or the kind. Empty for cost without a workflow. */
  group: string;
  /** Null for a group without a name, or after a deletion. */
  name: string | null;
  cost: number;
  entries: number;
}

/** The most entries that one statement deletes. */
const batch = 5000;

/** Reads booked usage. It reads sums by day, so no call has to add up all entries. */
@Injectable()
export class Usage {
  constructor(private readonly database: Database) {}

  /** The groups and their total cost. Days are in order of time, other groups in order of cost. */
  async readUsage(
    workspaceId: string,
    query: UsageQuery,
  ): Promise<{ groups: UsageGroup[]; totalCost: number }> {
    const { groupBy, from, to, limit } = query;
    const [groups = [], totals = []] = await this.database.batch<UsageGroup & { total: number }>(
      workspaceId,
      [
        [statements[groupBy], [workspaceId, from, to, limit]],
        [total, [workspaceId, from, to]],
      ],
    );
    return { groups, totalCost: totals[0]?.total ?? 0 };
  }

  /** Counts the executions that began in this time, up to a million. Free executions count, tests do not. Deleted executions do not count. */
  async countExecutions(workspaceId: string, { from, to }: UsageQuery): Promise<number> {
    const values = [workspaceId, from, to];
    const [row] = await this.database.statement<{ total: number }>(workspaceId, executionsBegun, values);
    return row?.total ?? 0;
  }

  /** Deletes old entries. Their sums stay. */
  async forgetOld(bounds = new TurnBounds()): Promise<void> {
    await forgetRows(this.database, { ...oldEntries, rowsMax: batch }, bounds);
  }
}

const oldEntries = {
  kind: 'usage entry',
  table: 'usage_entries',
  id: 't.id::text',
  where: `t.created_at < now() - interval '400 days'`,
  order: 't.created_at',
  values: [] as unknown[],
} as const;

const within = 'workspace_id = $1 and day between $2::date and $3::date';

const total = /* sql */ `select coalesce(sum(cost), 0)::float8 as total from usage_days where ${within}`;

const executionsBegun = /* sql */ `
select count(*)::int as total from (
  select from executions where workspace_id = $1 and not is_test
    and created_at >= ($2::date)::timestamp at time zone 'UTC' and created_at < ($3::date + 1)::timestamp at time zone 'UTC'
  limit 1000000
) begun`;

/** $4 limit */
const grouped = (column: string, name: string, order: string) => /* sql */ `
select u.group, ${name} as name, u.cost::float8 as cost, u.entries::int as entries from (
  select ${column} as group, sum(cost) as cost, sum(entries) as entries from usage_days where ${within} group by 1 order by ${order} limit $4
) u order by ${order}`;

const costliest = 'cost desc, 1';
const statements: Record<UsageQuery['groupBy'], string> = {
  day: grouped('day::text', 'null::text', '1'),
  workflow: grouped('workflow_id', '(select name from workflows w where w.id = u.group)', costliest),
  member: grouped('actor', nameOfActor('u.group'), costliest),
  kind: grouped('kind', 'null::text', costliest),
};
