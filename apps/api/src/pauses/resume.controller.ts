import { Controller, Headers, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Idempotency } from '#libs/workspace/idempotency/idempotency';
import { Links } from '#libs/runs/pauses/links';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { keyedOnce, TakesIdempotencyKey } from '../http/idempotency-key.ts';
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
    private readonly idempotency: Idempotency,
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
  @TakesIdempotencyKey()
  @ApiResult(200, ResumeResultView, 'The answer was taken, and the run has ended or waits again.', {
    also: [409, 422],
  })
  @ApiResponse({
    status: 202,
    type: ResumeAcknowledgementView,
    description: 'The answer was taken, and the run goes on. Read its progress at `statusUrl`.',
  })
  async resumeExecution(
    @CurrentCaller() admission: Admission,
    @Param() params: PauseParams,
    @Headers('idempotency-key') key: string | undefined,
    @RawBody() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const { workspaceId, caller } = admission;
    const parsed = readAnswers(body);
    const { idempotency } = this;
    // Two people may answer one pause under one key. Neither answer is a repetition of the other.
    const route = `resume ${params.executionId} ${params.contextId} ${caller.actor.id}`;
    const call = { idempotency, key, workspaceId, route, body, prefix: 'res' as const, reply };
    const answer = await keyedOnce(call, (entryId) =>
      this.resume.answerPause({
        ...params,
        ...parsed,
        entryId,
        workspaceId,
        actor: caller.actor,
        who: caller.userId ?? undefined,
      }),
    );
    return withLinks(Object(answer), this.links, admission);
  }
}
