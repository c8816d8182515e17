import { Body, Controller, Delete, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Invalid } from '#libs/platform/errors/errors';
import { Backtests } from '#libs/runs/executions/control/backtests';
import { Deployments } from '#libs/runs/workflows/deployments';
import type { MadeTriggerChange } from '#libs/runs/workflows/trigger-keeper';
import { Workflows } from '#libs/runs/workflows/workflows';
import { withoutSecrets } from '#libs/worker/effects/redact';
import { Secrets } from '#libs/workspace/secrets/secrets';
import type { JsonObject } from '#libs/platform/json/json';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiResult } from '../http/api-result.ts';
import { CursorQuery } from '../http/cursor-query.ts';
import { TakesIfMatch, versionsIn } from '../http/etag.ts';
import { HttpAnswer, type KeyedCall, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { versionBounds } from '../http/fields.ts';
import { BacktestBody, BacktestView } from './backtests.dto.ts';
import {
  DeployBody,
  DeploymentView,
  PreviewQuery,
  PreviewView,
  RollbackBody,
  VersionSummaryView,
  VersionView,
} from './deployments.dto.ts';

@ApiTags('Deployments')
@Controller('api/v1/workflows/:workflowId')
export class DeploymentsController {
  constructor(
    private readonly backtests: Backtests,
    private readonly deployments: Deployments,
    private readonly secrets: Secrets,
    private readonly workflows: Workflows,
  ) {}

  @Post('deploy')
  @ApiOperation({
    summary: 'Compile the draft and make it live as the next version',
    description:
      'Checks the draft and makes it the next version, which never changes afterwards. New executions run it; running executions keep their version. A draft with faults is refused, `details` lists every fault, and nothing changes. The triggers in `start.triggers` are made, changed and deleted with it; they act for the caller.',
  })
  @RequirePermission('admin', 'workflow')
  @ApiBody({ type: DeployBody, required: false })
  @Idempotent('dep')
  @TakesIfMatch('the workflow')
  @ApiResult(200, { data: DeploymentView }, 'The draft is live as a new version; new executions run it.', {
    also: [409, 412, 422],
  })
  async deployWorkflow(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() body: DeployBody,
  ) {
    const expectedRevisions = versionsIn(ifMatch, 'a workflow');
    // A key with another If-Match is a different request.
    const request = expectedRevisions === undefined ? body : { ...body, expectedRevisions };
    // The answer that is stored for the key has no address and no secret in it.
    let shownOnce: MadeTriggerChange[] = [];
    const run = async (call: KeyedCall) => {
      const options = { ...body, id: call.id, expectedRevisions };
      const result = await this.deployments.deploy(workspaceId, id, options, caller.actor);
      shownOnce = result.triggers;
      return new HttpAnswer({ data: DeploymentView.of(result) });
    };
    return new KeyedWork(`deploy ${id}`, request, run, ({ data }) => ({
      data: DeploymentView.withAddresses(data, shownOnce),
    }));
  }

  @Get('deploy/preview')
  @ApiOperation({
    summary: 'Preview a deploy, rollback or undeploy',
    description:
      'Shows the result of a deploy, rollback or undeploy without doing it. It lists faults, warnings, changes of triggers, and the executions that wait for people and will finish on an older version. With `backtest` it also replays the last executions on it.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: PreviewView }, 'The preview of the change. Nothing was changed.')
  async previewDeploy(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') id: string,
    @Query() { action = 'deploy', version, backtest: executions }: PreviewQuery,
  ): Promise<{ data: PreviewView }> {
    if (action === 'rollback' && version === undefined)
      throw Invalid.field('version', 'is required: name the version to go back to', 'required');
    if (action !== 'rollback' && version !== undefined)
      throw Invalid.field(
        'version',
        'is only for a rollback: a deploy makes the next version of the draft',
        'unknown',
      );
    if (action === 'undeploy' && executions !== undefined)
      throw Invalid.field('backtest', 'is only for a deploy and a rollback', 'unknown');
    const to = action === 'deploy' ? 'draft' : action === 'undeploy' ? null : (version ?? null);
    const preview = await this.deployments.preview(admission.workspaceId, id, to);
    if (executions === undefined) return { data: preview };
    if (preview.faults.length > 0) return { data: { ...preview, backtest: null } };
    const wish = { version: action === 'rollback' ? (version ?? null) : null, executions };
    return { data: { ...preview, backtest: await this.runBacktest(admission, id, wish) } };
  }

  @Post('backtest')
  @ApiOperation({
    summary: 'Replay recorded executions on the draft or a version',
    description:
      'Replays the last executions that have completed or failed, with the answers that servers and people gave then. Shows which would end otherwise, decide otherwise or send other requests, and which members of these differ. Makes no call and writes nothing.',
  })
  @RequirePermission('read', 'workflow')
  @ApiBody({ type: BacktestBody, required: false })
  @ApiResult(200, { data: BacktestView }, 'What would have been otherwise. Nothing was changed.', {
    also: [422],
  })
  async backtestWorkflow(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') id: string,
    @Body() { version, executions = 50 }: BacktestBody,
  ) {
    return { data: await this.runBacktest(admission, id, { version: version ?? null, executions }) };
  }

  private async runBacktest(
    { workspaceId, caller }: Admission,
    workflowId: string,
    wish: { version: number | null; executions: number },
  ): Promise<BacktestView> {
    const viewer = {
      seesValues: caller.seesValuesIn(workspaceId),
      readSecrets: (params: JsonObject) => this.secrets.readFor(workspaceId, params),
      withoutSecrets,
    };
    return BacktestView.of(await this.backtests.backtest(workspaceId, workflowId, wish, viewer));
  }

  @Post('rollback')
  @ApiOperation({
    summary: 'Make an earlier version live again',
    description:
      'Makes an earlier version live again. Without a number it takes the previous live version. New executions run it; running executions keep their version.',
  })
  @RequirePermission('admin', 'workflow')
  @ApiBody({ type: RollbackBody, required: false })
  @ApiResult(200, { data: DeploymentView }, 'The earlier version is live again.', { also: [409] })
  async rollbackWorkflow(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') id: string,
    @Body() { version }: RollbackBody,
  ) {
    const result = await this.deployments.rollback(workspaceId, id, version, caller.actor);
    return { data: DeploymentView.withAddresses(DeploymentView.of(result), result.triggers) };
  }

  @Delete('deploy')
  @ApiOperation({
    summary: 'Take the workflow out of service',
    description:
      'Takes the workflow out of service. New executions are refused with NOT_DEPLOYED until a version is live again. Running executions go on.',
  })
  @RequirePermission('admin', 'workflow')
  @ApiResult(200, { data: DeploymentView }, 'No version is live; running executions go on.', { also: [409] })
  async undeployWorkflow(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param('workflowId') id: string,
  ) {
    return { data: DeploymentView.of(await this.deployments.undeploy(workspaceId, id, caller.actor)) };
  }

  @Get('versions')
  @ApiOperation({
    summary: 'List the versions, newest first',
    description:
      'Lists all versions of a workflow without their definitions. `isActive` marks the live version.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: [VersionSummaryView] }, 'One page of versions, the newest first.', { paged: true })
  async listVersions(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') id: string,
    @Query() query: CursorQuery,
  ) {
    const { liveVersion } = await this.workflows.get(workspaceId, id);
    const { items, nextCursor } = await this.deployments.versions(workspaceId, id, query);
    return { data: items.map((item) => VersionSummaryView.of(item, liveVersion)), nextCursor };
  }

  @Get('versions/:version')
  @ApiOperation({
    summary: 'Read one version with its definition',
    description: 'Shows the exact definition of a version, for example to compare it with the draft.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, { data: VersionView }, 'The version with its definition.')
  async getVersion(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') id: string,
    @Param('version') text: string,
  ) {
    const [version, { max }] = [Number(text), versionBounds];
    if (!/^[1-9]\d*$/.test(text) || version > max)
      throw Invalid.field('version', `must be a whole number from 1 to ${max}`, 'type');
    const { liveVersion } = await this.workflows.get(workspaceId, id);
    return {
      data: VersionView.of(await this.deployments.version(workspaceId, id, version), liveVersion),
    };
  }
}
