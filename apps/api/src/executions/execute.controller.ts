import { Body, Controller, Headers, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Execution } from '#libs/executions/execution.entity';
import { Idempotency } from '#libs/idempotency/idempotency';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { keyedOnce, TakesIdempotencyKey } from '../http/idempotency-key.ts';
import { writeRateHeaders } from '../http/rate-headers.ts';
import { type CallHeaders, readCall } from './dialect.ts';
import { Execute, type Executed } from './execute.ts';
import { AcknowledgementView, ExecuteBody, SyncResultView } from './executions.shapes.ts';
import { JobStream } from './job-stream.ts';

@ApiTags('Execution and jobs')
@Controller('api/workflows/:workflowId')
export class ExecuteController {
  constructor(
    private readonly execute: Execute,
    private readonly idempotency: Idempotency,
    private readonly stream: JobStream,
  ) {}

  @Post('execute')
  @ApiOperation({ summary: 'Execute the live version of a workflow' })
  @Needs('execute', 'workflow', { metered: false })
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
    description: '`raw` asks for the status, headers and body of the Response block alone.',
  })
  @ApiHeader({
    name: 'X-Include-Trace-Spans',
    required: false,
    description:
      '`true` adds the first hundred blocks as `logs` and as `traceSpans`, and `totalDuration`, to a result.',
  })
  @TakesIdempotencyKey()
  @Responds(200, SyncResultView, 'The run has ended, or waits for a person; `status` says which.', {
    also: [402, 409, 422],
    streamed: true,
  })
  @ApiResponse({
    status: 202,
    type: AcknowledgementView,
    description: 'The execution was accepted as a job; `statusUrl` tells how it goes on.',
  })
  @ApiResponse({
    status: 'default',
    description:
      'The status, headers and body of the Response block alone, where a raw answer was asked for.',
    content: { '*/*': { schema: {} } },
  })
  async executeWorkflow(
    @Admitted() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Headers() headers: CallHeaders,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const call = readCall(body, headers);
    const { workspaceId } = admission;
    const { idempotency } = this;
    const key = headers['idempotency-key'];
    const route = `execute ${workflowId}`;
    let executed: Executed | undefined;
    const answer = await keyedOnce(
      { idempotency, key, workspaceId, route, body, prefix: 'exec', reply },
      async (id) => (executed = await this.execute.run(admission, workflowId, id, call)),
    );
    if (!executed) return answer;
    writeRateHeaders(reply, executed.limitStatus, call.mode);
    if (call.streams) return this.stream.open(reply, admission, executed.id, undefined);
    const { row } = executed;
    const isRaw = row?.status === 'completed' && row.response !== null && (row.response.raw || call.raw);
    return isRaw ? rawAnswer(row, reply) : answer;
  }
}

/** Headers that a workflow may not set: they would break the connection or speak for the service. */
const keptBack =
  /^(connection|content-length|transfer-encoding|keep-alive|upgrade|set-cookie|x-request-id|access-control-.*|strict-transport-security)$/i;

/** Writes the status and headers of the Response block and gives its body, without the envelope. */
function rawAnswer(row: Execution, reply: FastifyReply): unknown {
  const { status = 200, headers = {} } = row.response ?? {};
  reply.status(status);
  for (const [name, value] of Object.entries(headers)) if (!keptBack.test(name)) reply.header(name, value);
  reply.header('Content-Security-Policy', "sandbox; default-src 'none'");
  const output = row.output ?? null;
  if (typeof output === 'string' && reply.hasHeader('content-type')) return output;
  reply.type('application/json');
  return JSON.stringify(output);
}
