import { Injectable } from '@nestjs/common';
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
  /** The day, or the id of the workflow or of who acted, or the kind. Empty for what belongs to no workflow. */
  group: string;
  /** Null when it has none, or is gone. */
  name: string | null;
  cost: number;
  entries: number;
}

/** Entries that one statement forgets. */
const batch = 5000;

/** Reads booked usage from sums by day, so no call adds up the entries. */
@Injectable()
export class Usage {
  constructor(private readonly database: Database) {}

  /** The groups, days in their order and others by their cost, with the cost of all of them. */
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

  /** The executions that began in the time, at most a million. Free ones count, and deleted ones do not. */
  async countExecutions(workspaceId: string, { from, to }: UsageQuery): Promise<number> {
    const values = [workspaceId, from, to];
    const [row] = await this.database.statement<{ total: number }>(workspaceId, executionsBegun, values);
    return row?.total ?? 0;
  }

  /** Forgets entries some time after they were booked. Their sums stay. */
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
  select from executions where workspace_id = $1
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
  member: grouped(
    'actor',
    'coalesce((select name from users m where m.id = u.group), (select name from api_keys k where k.id = u.group))',
    costliest,
  ),
  kind: grouped('kind', 'null::text', costliest),
};
