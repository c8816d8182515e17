import { Controller, Headers, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Links } from '#libs/runs/pauses/links';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, Unmetered } from '../http/route-decorators.ts';
import { RawBody, RawQuery } from '../http/raw-input.ts';
import { ApiResult } from '../http/api-result.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { withLinks } from '../pauses/caller-links.ts';
import { type ExecuteCall, type CallHeaders, type CallQuery, readCall } from './parse-execute-request.ts';
import { Execute, type Executed } from './execute.ts';
import { AcknowledgementView, ExecuteBody, type PausedView, SyncResultView } from './executions.dto.ts';
import { JobStream } from './job-stream.ts';
import { type RawAnswer, toRawAnswer } from './raw-answer.ts';

@ApiTags('Execution and jobs')
@Controller('api/workflows/:workflowId')
export class ExecuteController {
  constructor(
    private readonly execute: Execute,
    private readonly stream: JobStream,
    private readonly links: Links,
  ) {}

  @Post('execute')
  @ApiOperation({
    summary: 'Execute the live version of a workflow',
    description:
      'Runs the live version with the inputs of the body. Waits for the end and answers with the output. With `"async": true` it answers 202 with a job at once. A run that takes longer than the wait limit of the installation becomes a job too. A failed run is answered with 200 and `success: false`, so look at `success`. With `X-Response-Mode: raw` the answer is only that of the Response block.',
  })
  @RequirePermission('execute', 'workflow')
  @Unmetered()
  @ApiBody({ type: ExecuteBody, required: false })
  @ApiHeader({
    name: 'Prefer',
    required: false,
    description: '`respond-async` asks for a job; `wait=<seconds>` bounds the wait for a result.',
  })
  @ApiHeader({ name: 'X-Execution-Mode', required: false, description: '`async` asks for a job.' })
  @ApiHeader({
    name: 'X-Response-Mode',
    required: false,
    description: '`raw` asks for only the status, headers and body of the Response block.',
  })
  @ApiHeader({
    name: 'X-Include-Trace-Spans',
    required: false,
    description:
      '`true` adds the first hundred blocks as `logs` and as `traceSpans`, and `totalDuration`, to a result.',
  })
  @ApiQuery({
    name: 'body',
    required: false,
    enum: ['inputs'],
    description:
      '`inputs` takes the whole body as the inputs, whatever its members are called, for senders with a form of their own. Then headers alone control the call.',
  })
  @Idempotent('exec')
  @ApiResult(200, SyncResultView, 'The run has ended or waits for a person. `status` tells the difference.', {
    also: [402, 409, 422],
    streamed: true,
  })
  @ApiResponse({
    status: 202,
    type: AcknowledgementView,
    description: 'The execution was accepted as a job. Read its progress at `statusUrl`.',
  })
  @ApiResponse({
    status: 'default',
    description: 'For a raw answer: only the status, headers and body of the Response block.',
    content: { '*/*': { schema: {} } },
  })
  executeWorkflow(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Headers() headers: CallHeaders,
    @RawQuery() query: CallQuery,
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
  ) {
    const call = readCall(body, headers, query);
    return new KeyedWork(
      `execute ${workflowId}${query.body === 'inputs' ? ' with the body as inputs' : ''}`,
      body,
      async (once) => {
        const executed = await this.execute.executeWorkflow(admission, workflowId, once, call);
        const { status, limitStatus } = executed;
        return new HttpAnswer(toForm(executed, call), {
          status,
          limits: { status: limitStatus, bucket: call.mode },
        });
      },
      (form) => {
        if ('stream' in form) return this.stream.open(request, admission, { executionId: form.stream });
        return 'raw' in form ? toRawAnswer(form.raw) : withLinks(form.result, this.links, admission);
      },
    );
  }
}

/**
 * The form of an answer: the events of an execution, the answer of its Response block alone, or the envelope without
 * links. A repeated call gets the form of the first.
 */
type StoredForm = { stream: string } | { raw: RawAnswer } | { result: { paused?: PausedView } };

function toForm({ id, row, body }: Executed, call: ExecuteCall): StoredForm {
  if (call.streams) return { stream: id };
  const isRaw = row?.status === 'completed' && row.response !== null && (row.response.raw || call.raw);
  if (!isRaw) return { result: body };
  const { status, headers } = row.response ?? {};
  return { raw: { status, headers, output: row.output } };
}
