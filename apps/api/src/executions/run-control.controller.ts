import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RunRetries } from '#libs/runs/executions/control/run-retries';
import { ApiResult } from '../http/api-result.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { ForkBody, ForkView, RetryBody, RetryView } from './run-control.dto.ts';
import { RunControl } from './run-control.ts';

@ApiTags('Execution and jobs')
@Controller('api/workflows/:workflowId/executions/:executionId')
export class RunControlController {
  constructor(
    private readonly retries: RunRetries,
    private readonly control: RunControl,
  ) {}

  @Post('retry')
  @ApiOperation({
    summary: 'Retry a failed execution from where it failed',
    description:
      'Lets a failed execution go on in itself. All that it has done is kept; the calls that failed, or that the failure stopped, are sent again under new keys. With `dryRun` the answer says what would run anew and what is kept, each with its keys, and nothing changes. An execution whose failed block only computes is refused, because it would fail again: fork it.',
  })
  @RequirePermission('execute', 'workflow')
  @ApiBody({ type: RetryBody, required: false })
  @ApiResult(202, { data: RetryView }, 'The execution goes on, or would with `dryRun`.', { also: [409] })
  async retryExecution(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
    @Body() { dryRun: isPreview = false }: RetryBody,
  ) {
    const plan = await this.retries.retryExecution(workspaceId, executionId, { workflowId, isPreview });
    return { data: RetryView.of(plan, isPreview) };
  }

  @Post('fork')
  @ApiOperation({
    summary: 'Run an execution again, from its start or from any visit',
    description:
      'Makes a new execution from another one, with the same inputs or others, on the same version or another. With `from` it takes over what the original had done before that visit, and goes on from there; with `output` that visit is not carried out but has this output, and with `input` it is carried out with other parameters. The original stays as it is. With `dryRun` the answer says what would be kept and what would run anew, each with its keys.',
  })
  @RequirePermission('execute', 'workflow')
  @Idempotent('exec')
  @ApiResult(202, { data: ForkView }, 'The new execution was accepted as a job, or would be with `dryRun`.', {
    also: [402, 409, 422],
  })
  forkExecution(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Param('executionId') executionId: string,
    @Body() body: ForkBody,
  ) {
    // The secrets of a call go wherever its parameters say, which only a writer may decide.
    if (body.input) admission.caller.require(admission.workspaceId, 'write');
    return new KeyedWork(`fork ${executionId}`, body, async (once) => {
      const { dryRun, ...wish } = body;
      const { fork, visits, limitStatus, acknowledgement } = await this.control.forkExecution(
        admission,
        executionId,
        { ...wish, workflowId, newId: once.id, isPreview: dryRun === true },
      );
      const limits = limitStatus && { limits: { status: limitStatus, bucket: 'async' as const } };
      return new HttpAnswer({ data: ForkView.of(fork, visits, acknowledgement) }, { ...limits });
    });
  }
}
