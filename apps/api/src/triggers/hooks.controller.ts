import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { HttpAnswer } from '../http/answer.ts';
import { ApiResult } from '../http/api-result.ts';
import { getOutput, ExecutionViews } from '../executions/execution-views.ts';
import { toJobId } from '../executions/executions.dto.ts';
import { toRawAnswer } from '../executions/raw-answer.ts';
import { Public, TakesHooks } from '../http/route-decorators.ts';
import { type HookOutcome, type HookRequest, Hooks } from './hooks.ts';
import { HookView } from './deliveries.dto.ts';

/** The addresses of triggers, for senders of webhooks. */
@ApiTags('Triggers')
@Controller('hooks')
export class HooksController {
  constructor(
    private readonly hooks: Hooks,
    private readonly views: ExecutionViews,
  ) {}

  @Post(':token')
  @ApiOperation({
    summary: 'Deliver a webhook to a trigger',
    description:
      'Starts the workflow of the trigger. The token in the address stands in place of a key, and the signature of the scheme proves the sender. A repeated delivery starts nothing and gets the first answer, with the header Idempotency-Replayed.',
  })
  @Public()
  @TakesHooks()
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded', 'text/plain')
  @ApiBody({
    required: false,
    description:
      'JSON, a form, or any text in UTF-8, of at most 1 MB. It is sent as it is, because the sender has signed its bytes.',
    schema: {},
  })
  @ApiResult(202, HookView, 'The delivery is committed with its execution.', { also: [402, 409] })
  @ApiResponse({
    status: 200,
    type: HookView,
    description: 'The filter of the trigger left the delivery out, or the run has ended.',
  })
  @ApiResponse({
    status: 'default',
    description: 'With `respond: result`: the status, headers and body of the Response block.',
    content: { '*/*': { schema: {} } },
  })
  async deliverHook(@Param('token') token: string, @Req() request: FastifyRequest) {
    return this.toAnswer(await this.hooks.receive(toHookRequest(token, request)));
  }

  private toAnswer(outcome: HookOutcome): HttpAnswer {
    if (outcome.kind === 'challenge')
      return toRawAnswer({ output: outcome.challenge, headers: { 'content-type': 'text/plain' } });
    if (outcome.kind === 'filtered') {
      const body = { success: true, deliveryId: outcome.deliveryId, verdict: 'filtered', executionId: null };
      return new HttpAnswer({ ...body, jobId: null, statusUrl: null }, { status: 200 });
    }
    const { executed, deliveryId, isRepeated, respond } = outcome;
    const headers: Record<string, string> = isRepeated ? { 'Idempotency-Replayed': 'true' } : {};
    const { id, row } = executed;
    if (respond === 'result' && row?.status === 'completed' && row.response) {
      const raw = toRawAnswer({ ...row.response, output: row.output });
      return new HttpAnswer(raw.body, { ...raw.head, headers: { ...raw.head.headers, ...headers } });
    }
    const links = { jobId: toJobId(id), statusUrl: this.views.statusUrl(id) };
    const accepted = { success: true, deliveryId, verdict: 'accepted', executionId: id, ...links };
    if (respond !== 'result' || !row) return new HttpAnswer(accepted, { headers });
    const success = row.status === 'completed' || row.status === 'paused';
    const result = { status: row.status, output: getOutput(row), error: row.failure?.message ?? null };
    return new HttpAnswer({ ...accepted, success, ...result }, { status: 200, headers });
  }
}

function toHookRequest(token: string, request: FastifyRequest): HookRequest {
  const contentType = request.hookContentType ?? null;
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || name === 'content-type' ? [] : [[name, String(value)]],
    ),
  );
  return {
    token,
    path: request.raw.url ?? '',
    headers: contentType === null ? headers : { ...headers, 'content-type': contentType },
    query: request.query as HookRequest['query'],
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    contentType,
  };
}
