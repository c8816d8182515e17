import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AlertRules } from '#libs/runs/alerts/alert-rules';
import { ApiResult } from '../http/api-result.ts';
import { type Admission, CurrentCaller } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import { AlertRuleView, CreateAlertRuleBody, UpdateAlertRuleBody } from './alerts.dto.ts';

/** Rules on executions, which tell endpoints and start workflows by events. */
@ApiTags('Events')
@Controller('api/v1/workspaces/:workspaceId/alerts')
export class AlertsController {
  constructor(private readonly rules: AlertRules) {}

  @Get()
  @ApiOperation({
    summary: 'List the alert rules',
    description: 'Lists the rules of the workspace with their latest values, and which of them are broken.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [AlertRuleView] }, 'All rules, the oldest first.')
  async listAlertRules(@CurrentCaller() { workspaceId }: Admission) {
    return { data: (await this.rules.list(workspaceId)).map((rule) => AlertRuleView.of(rule)) };
  }

  @Post()
  @ApiOperation({
    summary: 'Create an alert rule',
    description:
      'Has executions watched. A rule that is broken writes the event `alert.raised`, and `alert.resolved` when it holds again. Endpoints and event triggers hear of both.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(201, { data: AlertRuleView }, 'The rule was created, and is checked within a minute.', {
    also: [409],
  })
  async createAlertRule(@CurrentCaller() { workspaceId }: Admission, @Body() body: CreateAlertRuleBody) {
    const { name, workflowId = null, metric, threshold, enabled = true } = body;
    const { windowSeconds = 3600, minExecutions = 5, cooldownSeconds = 3600 } = body;
    const what = { name, workflowId, metric, threshold, enabled };
    const bounds = { windowSeconds, minExecutions, cooldownSeconds };
    const rule = await this.rules.create(workspaceId, { ...what, ...bounds });
    return { data: AlertRuleView.of(rule) };
  }

  @Get(':alertId')
  @ApiOperation({
    summary: 'Read one alert rule',
    description: 'Shows a rule with its latest value, and whether it is broken.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: AlertRuleView }, 'The rule with its state.')
  async getAlertRule(@CurrentCaller() { workspaceId }: Admission, @Param('alertId') id: string) {
    return { data: AlertRuleView.of(await this.rules.get(workspaceId, id)) };
  }

  @Patch(':alertId')
  @ApiOperation({
    summary: 'Change an alert rule',
    description: 'Changes only the sent members. The rule begins anew, as if it had never been broken.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: AlertRuleView }, 'The rule as it is after the change.')
  async updateAlertRule(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('alertId') id: string,
    @Body() body: UpdateAlertRuleBody,
  ) {
    requireChange(body, [
      'name',
      'metric',
      'threshold',
      'windowSeconds',
      'minExecutions',
      'cooldownSeconds',
      'enabled',
    ]);
    const given = Object.entries(body).filter(([, value]) => value !== undefined);
    return { data: AlertRuleView.of(await this.rules.update(workspaceId, id, Object.fromEntries(given))) };
  }

  @Delete(':alertId')
  @ApiOperation({
    summary: 'Delete an alert rule',
    description: 'Deletes a rule. Events that it has written stay.',
  })
  @RequirePermission('admin', 'workspace')
  @ApiResult(200, { data: DeletedView }, 'The alert rule was deleted.')
  async deleteAlertRule(@CurrentCaller() { workspaceId }: Admission, @Param('alertId') id: string) {
    await this.rules.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }
}
