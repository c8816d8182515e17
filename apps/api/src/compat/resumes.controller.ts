import { Body, Controller, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { isObject } from '#libs/platform/json/json';
import { terminal } from '#libs/runs/executions/execution.entity';
import { Executions } from '#libs/runs/executions/executions';
import { Conflict, Invalid } from '#libs/platform/errors/errors';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { Resume } from '../pauses/resume.ts';
import { ResumeRunBody, type RunParams } from './runs.dto.ts';
import { CompatRuns } from './runs.ts';

/** Lets clients of another product answer and cancel a running execution. */
@ApiExcludeController()
@Controller('api/v2/workflows/:workflowId/runs/:runId')
export class ResumesController {
  constructor(
    private readonly resume: Resume,
    private readonly executions: Executions,
    private readonly runs: CompatRuns,
  ) {}

  /** The response has the id of the answered run, so that a client can go on with the same id. */
  @Post('resume')
  @Idempotent('res')
  @RequirePermission('execute', 'workflow')
  @HttpCode(200)
  @Header('Content-Type', 'application/json; charset=utf-8')
  resumeRun(
    @CurrentCaller() { workspaceId, caller }: Admission,
    @Param() { workflowId, runId }: RunParams,
    @Body() body: ResumeRunBody,
  ) {
    const { contextId, input = {} } = body;
    if (!isObject(input)) throw Invalid.field('input', 'must be an object', 'type');
    const route = `v2 resume ${runId} ${contextId} ${caller.actor.id}`;
    return new KeyedWork(route, body, async (call) => {
      const { entry, row } = await this.resume.answerAndWait({
        workflowId,
        executionId: runId,
        contextId,
        answers: input,
        entryId: call.id,
        workspaceId,
        actor: caller.actor,
        who: caller.userId ?? undefined,
        requireWrite: () => void caller.require(workspaceId, 'write'),
      });
      if (row) return new HttpAnswer<object>({ data: await this.runs.view(row, []) });
      const { id } = await this.executions.getExecution(workspaceId, entry.newExecutionId);
      return new HttpAnswer<object>({ data: this.runs.receipt(workflowId, id) }, { status: 202 });
    });
  }

  /** A cancel of an ended run is no error for those clients. The response says why nothing was done. */
  @Post('cancel')
  @RequirePermission('execute', 'workflow')
  @HttpCode(200)
  @Header('Content-Type', 'application/json; charset=utf-8')
  async cancelRun(@CurrentCaller() { workspaceId }: Admission, @Param() { workflowId, runId }: RunParams) {
    try {
      const { id, status } = await this.executions.cancelExecution(workspaceId, runId, workflowId);
      if (status === 'cancelled') return { data: cancelled(id, 'already_cancelled') };
      const more = { success: true, durablyRecorded: true, pausedCancelled: status === 'paused' };
      return { data: { ...cancelled(id, 'recorded'), ...more } };
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      const { id, status } = await this.executions.getExecution(workspaceId, runId);
      if (!terminal(status)) throw error;
      return { data: cancelled(id, `already_${status}`) };
    }
  }
}

function cancelled(runId: string, reason: string) {
  return {
    success: false,
    runId,
    durablyRecorded: false,
    locallyAborted: false,
    pausedCancelled: false,
    reason,
  };
}
