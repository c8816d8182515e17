import { Controller, Get, Headers, Param, Post, Query, Req } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { BlockLog } from '#libs/runs/executions/read/block-log';
import { StoredValues } from '#libs/runs/executions/read/stored-values';
import { Executions } from '#libs/runs/executions/executions';
import type { HttpAnswer } from '../http/answer.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { ApiErrors, ApiResult, ApiEventResult } from '../http/api-result.ts';
import { ExecutionViews } from './execution-views.ts';
import { TracedBlockLogQuery, toTraceView } from './block-log.dto.ts';
import {
  CancelView,
  ExecutionView,
  JobQuery,
  JobView,
  StoredValueView,
  type ValueParams,
} from './executions.dto.ts';
import { JobStream } from './job-stream.ts';

@ApiTags('Execution and jobs')
@Controller('api')
export class ExecutionsController {
  constructor(
    private readonly executions: Executions,
    private readonly views: ExecutionViews,
    private readonly stream: JobStream,
    private readonly log: BlockLog,
    private readonly values: StoredValues,
  ) {}

  @Get('jobs/:jobId')
  @ApiOperation({
    summary: 'Read a job, or wait for its end',
    description:
      'Shows the state of an execution. With `wait` the answer comes when the execution has ended, or after this number of seconds; then ask again. A run that waits for a person is `processing` and has `paused`.',
  })
  @RequirePermission('read', 'execution')
  @ApiResult(200, JobView, 'The job as it is now, or at its end when the end came within `wait` seconds.')
  async getJob(
    @CurrentCaller() admission: Admission,
    @Param('jobId') jobId: string,
    @Query() { wait = 0 }: JobQuery,
  ): Promise<JobView> {
    const row = await this.executions.waitUntilEnded(
      admission.workspaceId,
      toExecutionId(jobId),
      wait * 1000,
    );
    return {
      ...JobView.of(row, jobId, await this.views.paused(row, admission)),
      ...this.views.waiting(row, await this.log.explainWaits(row)),
    };
  }

  @Get('jobs/:jobId/events')
  @ApiOperation({
    summary: 'Follow a job as server-sent events',
    description:
      'Streams each state of a job as it comes, until the run has ended or waits for a person. A client that lost the connection sends the id of its last event and misses nothing.',
  })
  @RequirePermission('read', 'execution')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last event that was received; the stream goes on after it.',
  })
  @ApiEventResult(JobView, 'One event for each state of the job; the event `done` is the last.')
  @ApiErrors()
  async followJob(
    @CurrentCaller() admission: Admission,
    @Param('jobId') jobId: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<HttpAnswer<Readable>> {
    const row = await this.executions.getExecution(admission.workspaceId, toExecutionId(jobId));
    return this.stream.open(request, admission, { executionId: row.id, lastEventId });
  }

  @Get('workflows/:workflowId/executions/:executionId')
  @ApiOperation({
    summary: 'Read one execution with its block log',
    description:
      'Shows one execution with its inputs, its output and its block log. The block log has pages; pass `nextCursor` as `cursor` to get the next page.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, ExecutionView, 'The execution with its inputs, its output and one page of its block log.')
  async getExecution(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
    @Query() { includeTraceSpans, ...page }: TracedBlockLogQuery,
  ): Promise<ExecutionView> {
    const row = await this.log.detail(admission.workspaceId, executionId, workflowId, {
      ...page,
      seesValues: admission.caller.seesValuesIn(admission.workspaceId),
    });
    const view = ExecutionView.of(
      row,
      await this.views.paused(row, admission),
      this.views.temporalUrl(row.id),
    );
    Object.assign(view, this.views.waiting(row, row.waits));
    return includeTraceSpans ? { ...view, ...toTraceView(row.visits, view.metadata.duration) } : view;
  }

  @Get('workflows/:workflowId/executions/:executionId/values/:valueId')
  @ApiOperation({
    summary: 'Read a large value of an execution',
    description:
      'Gives a value that a block log shows as a reference because it is large. Pass the `$payload` of the reference as `valueId`.',
  })
  @RequirePermission('read', 'workflow')
  @ApiResult(200, StoredValueView, 'The value that `$payload` names where a block log shows a reference.')
  async getExecutionValue(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param() { workflowId, executionId: id, valueId: payloadId }: ValueParams,
  ): Promise<StoredValueView> {
    const seesValues = caller.seesValuesIn(workspaceId);
    return { data: await this.values.readValue(workspaceId, { id, workflowId, payloadId }, seesValues) };
  }

  @Post('workflows/:workflowId/executions/:executionId/cancel')
  @ApiOperation({
    summary: 'Cancel an execution',
    description:
      'Asks an execution to end, and answers at once. Effects are told to stop, and open pauses close. Read the execution, or its job, to see when it has ended.',
  })
  @RequirePermission('execute', 'workflow')
  @ApiResult(202, CancelView, 'The execution was asked to end. Its status shows when it has ended.', {
    also: [409],
  })
  async cancelExecution(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
  ): Promise<CancelView> {
    const { id, status } = await this.executions.cancelExecution(workspaceId, executionId, workflowId);
    const message =
      status === 'cancelled' ? 'The execution is cancelled.' : 'The execution was asked to end.';
    return { success: true, executionId: id, status, message };
  }
}

const toExecutionId = (jobId: string) => jobId.replace(/^job_/, 'exec_');
