import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/workspace/audit/audit';
import { Limits } from '#libs/workspace/limits/limits';
import { LimitsView } from '../executions/executions.dto.ts';
import { WorkspaceQuery } from '../http/cursor-query.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { requireTimeOrder, parseTime } from '../http/parse-time.ts';
import { ApiResult } from '../http/api-result.ts';
import { AuditLogsQuery, AuditLogView } from './audit-logs.dto.ts';

@ApiTags('Audit')
@Controller('api/v1/audit-logs')
export class AuditLogsController {
  constructor(
    private readonly audit: Audit,
    private readonly limits: Limits,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the audit log',
    description:
      'Lists who deployed, answered, invited or changed a key, and when. Filter by action, resource, actor and time. An entry must match all filters.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: [AuditLogView], limits: LimitsView }, 'One page of entries, the newest first.', {
    paged: true,
  })
  async listAuditLogs(@CurrentCaller() { workspaceId, payer }: Admission, @Query() query: AuditLogsQuery) {
    const { action, resourceType, resourceId, actorId, limit, cursor } = query;
    const [from, to] = [parseTime(query, 'startDate'), parseTime(query, 'endDate', { wholeDay: true })];
    requireTimeOrder(from, to, 'endDate', 'startDate');
    const filters = { action, resourceType, resourceId, actorId, from, to };
    const { items, nextCursor } = await this.audit.list(workspaceId, { ...filters, limit, cursor });
    const limits = LimitsView.of(await this.limits.readLimits(payer));
    return { data: items.map((item) => AuditLogView.of(item)), limits, nextCursor };
  }

  @Get(':auditLogId')
  @ApiOperation({
    summary: 'Read one entry of the audit log',
    description: 'Shows one entry, as the list does, with its change and its place in the hash chain.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: AuditLogView }, 'The entry, as it was appended.')
  async getAuditLog(
    @Query() _: WorkspaceQuery,
    @CurrentCaller() { workspaceId }: Admission,
    @Param('auditLogId') auditLogId: string,
  ) {
    return { data: AuditLogView.of(await this.audit.get(workspaceId, auditLogId)) };
  }
}
