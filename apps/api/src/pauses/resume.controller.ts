import { Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Links } from '#libs/runs/pauses/links';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { RawBody } from '../http/raw-input.ts';
import { ApiResult } from '../http/api-result.ts';
import { withLinks } from './caller-links.ts';
import type { PauseParams } from './pauses.dto.ts';
import { ResumeAcknowledgementView, ResumeBody, ResumeResultView } from './resume.dto.ts';
import { readAnswers, Resume } from './resume.ts';

@ApiTags('Paused executions')
@Controller('api/resume/:workflowId/:executionId/:contextId')
export class ResumeController {
  constructor(
    private readonly resume: Resume,
    private readonly links: Links,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Answer a pause, and let its execution go on',
    description:
      'Answers a pause. The first answer that fits the form wins, and everyone else gets 409 ALREADY_RESUMED. Waits until the run has ended or waits again; with `"async": true` it answers 202 with a job at once.',
  })
  @RequirePermission('execute', 'workflow')
  @ApiBody({ type: ResumeBody, required: false })
  @Idempotent('res')
  @ApiResult(200, ResumeResultView, 'The answer was taken, and the run has ended or waits again.', {
    also: [409, 422],
  })
  @ApiResponse({
    status: 202,
    type: ResumeAcknowledgementView,
    description: 'The answer was taken, and the run goes on. Read its progress at `statusUrl`.',
  })
  resumeExecution(
    @CurrentCaller() admission: Admission,
    @Param() params: PauseParams,
    @RawBody() body: unknown,
  ) {
    const { workspaceId, caller } = admission;
    const parsed = readAnswers(body);
    // Two people may answer one pause under one key. Neither answer is a repetition of the other.
    const route = `resume ${params.executionId} ${params.contextId} ${caller.actor.id}`;
    const who = caller.userId ?? undefined;
    return new KeyedWork(
      route,
      body,
      async ({ id: entryId }) => {
        const requireWrite = () => void caller.require(workspaceId, 'write');
        const answer = { ...params, ...parsed, entryId, workspaceId, actor: caller.actor, who, requireWrite };
        const { status, body: result } = await this.resume.answerPause(answer);
        return new HttpAnswer(result, { status });
      },
      (result) => withLinks(result, this.links, admission),
    );
  }
}
