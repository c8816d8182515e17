import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Audit } from '#libs/workspace/audit/audit';
import { Invalid } from '#libs/platform/errors/errors';
import { Usage, type UsageGroup, usageGroups, type UsageQuery } from '#libs/workspace/limits/usage';
import { guardedText, quotedText } from '#libs/tables/files/exports';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { Int, Num, OneOf, Text, Time } from '../http/fields.ts';
import { parseTime } from '../http/parse-time.ts';
import { ApiErrors, ApiResult } from '../http/api-result.ts';
import { WorkspaceId } from '../http/workspace-query.ts';

const dayMs = 24 * 60 * 60 * 1000;
const daysMax = 366;
const csvMax = 10_000;

export class UsageFilterQuery {
  @WorkspaceId() workspaceId?: string;
  @OneOf(usageGroups, { optional: true, default: 'day', description: 'The grouping of the cost.' })
  groupBy: (typeof usageGroups)[number] = 'day';
  @Time({ optional: true, description: 'The first day, in UTC. Left out: the first day of this month.' })
  startDate?: string;
  @Time({ optional: true, description: 'The last day, in UTC. Left out: today.' }) endDate?: string;
}

export class UsageListQuery extends UsageFilterQuery {
  @Int({
    query: true,
    optional: true,
    min: 1,
    max: 1000,
    default: 366,
    description: 'The maximum number of groups.',
  })
  limit: number = daysMax;
}

export class UsageGroupView implements UsageGroup {
  @Text({ description: 'The day, the id of the workflow, the id of the actor, or the kind.' }) group!: string;
  @Text({ nullable: true, description: 'The name of the workflow, the member or the key.' })
  name!: string | null;
  @Num({
    description: 'The cost of the group, in the currency of the prices of the operator.',
  })
  cost!: number;
  @Int({ description: 'The number of booked executions and hosted calls.' }) entries!: number;
}

export class UsageTotalView {
  @Num({ description: 'The cost of all groups, also beyond `limit`.' }) cost!: number;
  @Int({
    description:
      'The number of kept executions that began in this time, with or without cost; a million at most.',
  })
  executions!: number;
}

@ApiTags('Usage')
@Controller('api/v1/usage')
export class UsageController {
  constructor(
    private readonly usage: Usage,
    private readonly audit: Audit,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Read the cost of a workspace by day, workflow, member or kind',
    description: 'Adds up the cost of a workspace by day, workflow, member or kind, over 366 days at most.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(
    200,
    { data: [UsageGroupView], total: UsageTotalView },
    'The groups. Days come in their order, other groups by their cost.',
  )
  async getUsage(@CurrentCaller() { workspaceId }: Admission, @Query() query: UsageListQuery) {
    const usageQuery = toQuery(query, query.limit);
    const [{ groups, totalCost }, executions] = await Promise.all([
      this.usage.readUsage(workspaceId, usageQuery),
      this.usage.countExecutions(workspaceId, usageQuery),
    ]);
    return { data: groups, total: { cost: totalCost, executions } };
  }

  @Get('export')
  @ApiOperation({
    summary: 'Download the cost of a workspace as CSV',
    description: 'Gives the cost of a workspace as CSV, with a line for each group, 10,000 at most.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResponse({
    status: 200,
    description: 'The CSV with a line for each group, 10,000 at most.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  @ApiErrors()
  async exportUsage(
    @CurrentCaller() { workspaceId }: Admission,
    @Query() query: UsageFilterQuery,
  ): Promise<StreamableFile> {
    const usageQuery = toQuery(query, csvMax);
    const { groups } = await this.usage.readUsage(workspaceId, usageQuery);
    const { groupBy, from, to } = usageQuery;
    const changes = { groupBy, from, to };
    const about = { resourceType: 'workspace', resourceId: workspaceId, changes };
    await this.audit.noteEvent(workspaceId, { action: 'usage.exported', ...about });
    const lines = groups.map(({ group, name, cost, entries }) => [group, name ?? '', cost, entries]);
    const text = [['group', 'name', 'cost', 'entries'], ...lines].map(csvLine).join('');
    const disposition = `attachment; filename="usage-by-${groupBy}.csv"`;
    return new StreamableFile(Buffer.from(text), { type: 'text/csv; charset=utf-8', disposition });
  }
}

function toQuery({ groupBy, startDate, endDate }: UsageFilterQuery, limit: number): UsageQuery {
  const to = toDay(parseTime({ endDate }, 'endDate') ?? new Date(readClockMs()));
  const from = toDay(parseTime({ startDate }, 'startDate') ?? new Date(`${to.slice(0, 8)}01`));
  if (to < from) throw Invalid.field('endDate', 'must not be before startDate', 'range');
  if (Date.parse(to) - Date.parse(from) >= daysMax * dayMs)
    throw Invalid.field('startDate', `must be less than ${daysMax} days before endDate`, 'range');
  return { groupBy, from, to, limit };
}

function toDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function csvLine(cells: (string | number)[]): string {
  const cell = (value: string | number) =>
    typeof value === 'number' ? String(value) : quotedText(guardedText(value));
  return `${cells.map(cell).join(',')}\r\n`;
}
