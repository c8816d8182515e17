import { Injectable } from '@nestjs/common';
import { Database } from '#libs/platform/database/database';
import { Invalid, NotFound } from '#libs/platform/errors/errors';

/** The cap on the cost of a member's executions in one workspace and calendar month, and their cost in this month. */
export interface MemberCap {
  userId: string;
  monthlyCost: number;
  currentPeriodCost: number;
  isExceeded: boolean;
  updatedAt: Date;
}

/** Caps on the cost of members. They do not apply to keys of the workspace, because such a key acts for no member. */
@Injectable()
export class MemberCaps {
  constructor(private readonly database: Database) {}

  /** The caps of all members that have one. */
  list(workspaceId: string): Promise<MemberCap[]> {
    return this.read(workspaceId, null);
  }

  async get(workspaceId: string, userId: string): Promise<MemberCap> {
    const [cap] = await this.read(workspaceId, userId);
    if (!cap) throw new NotFound('cap');
    return cap;
  }

  /** Sets or changes the cap, rounded to a millionth. Throws `NotFound` for a user who is not a member. */
  async set(workspaceId: string, userId: string, monthlyCost: number): Promise<MemberCap> {
    if (monthlyCost > 0 && monthlyCost < 0.000001)
      throw Invalid.field('monthlyCost', 'must be 0 or at least 0.000001', 'range');
    const [row] = await this.database.statement(workspaceId, write, [workspaceId, userId, monthlyCost]);
    if (!row) throw new NotFound('member');
    return this.get(workspaceId, userId);
  }

  async remove(workspaceId: string, userId: string): Promise<void> {
    const [row] = await this.database.statement(workspaceId, remove, [workspaceId, userId]);
    if (!row) throw new NotFound('cap');
  }

  private async read(workspaceId: string, userId: string | null): Promise<MemberCap[]> {
    const rows = await this.database.statement<Omit<MemberCap, 'isExceeded'>>(workspaceId, read, [
      workspaceId,
      userId,
    ]);
    return rows.map((row) => ({ ...row, isExceeded: row.currentPeriodCost >= row.monthlyCost }));
  }
}

const read = /* sql */ `
select c.user_id as "userId", c.monthly_cost::float8 as "monthlyCost", c.updated_at as "updatedAt",
  (select coalesce(sum(u.cost), 0)::float8 from usage_members u where u.workspace_id = $1 and u.actor = c.user_id
    and u.period = date_trunc('month', now() at time zone 'utc')) as "currentPeriodCost"
from member_caps c where c.workspace_id = $1 and ($2::text is null or c.user_id = $2) order by c.user_id`;

const write = /* sql */ `
insert into member_caps (workspace_id, user_id, monthly_cost)
select workspace_id, user_id, $3 from memberships where workspace_id = $1 and user_id = $2
on conflict (workspace_id, user_id) do update set monthly_cost = excluded.monthly_cost, updated_at = now()
returning user_id`;

const remove = /* sql */ `delete from member_caps where workspace_id = $1 and user_id = $2 returning user_id`;
