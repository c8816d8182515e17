import { Body, Controller, Headers, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Idempotency } from '#libs/idempotency/idempotency';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { Responds } from '../http/responds.ts';
import { keyedOnce } from '../http/idempotency-key.ts';
import { writeRateHeaders } from '../http/rate-headers.ts';
import { type Call, readCall, readPrefer } from './dialect.ts';
import { Execute, type Executed, type CallMode } from './execute.ts';
import { AcknowledgementView, ExecuteBody, SyncResultView } from './executions.shapes.ts';
import { JobStream } from './job-stream.ts';

type CallHeaders = Partial<
  Record<'prefer' | 'accept' | 'x-execution-mode' | 'x-response-mode' | 'idempotency-key', string>
>;

@ApiTags('Execution and jobs')
@Controller('api/workflows/:workflowId')
export class ExecuteController {
  constructor(
    private readonly execute: Execute,
    private readonly idempotency: Idempotency,
    private readonly stream: JobStream,
  ) {}

  @Post('execute')
  @ApiOperation({ summary: 'Run the live version, and wait for it or get a job' })
  @Needs('execute', 'workflow', { metered: false })
  @ApiBody({ type: ExecuteBody, required: false })
  @ApiHeader({ name: 'Prefer', required: false, description: 'respond-async, wait=<seconds>' })
  @ApiHeader({ name: 'X-Execution-Mode', required: false, description: 'async' })
  @ApiHeader({
    name: 'X-Response-Mode',
    required: false,
    description: 'raw: the Response block answers without envelope',
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: '1 to 255 printable characters, kept for 24 hours',
  })
  @Responds(200, SyncResultView, { also: [402, 409, 413, 422, 503], description: 'The run has settled.' })
  @ApiResponse({ status: 202, type: AcknowledgementView, description: 'The run was accepted as a job.' })
  async run(
    @Admitted() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Headers() headers: CallHeaders,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const call = readCall(body);
    const callMode = this.callModeOf(call, headers);
    const streamed =
      call.stream && callMode.mode === 'sync' && (headers.accept ?? '').includes('text/event-stream');
    let executed: Executed | undefined;
    const keyed = {
      idempotency: this.idempotency,
      key: headers['idempotency-key'],
      workspaceId: admission.workspaceId,
      route: `execute ${workflowId}`,
      body,
      prefix: 'exec' as const,
      reply,
    };
    const answer = await keyedOnce(keyed, async (id) => {
      executed = await this.execute.run(
        admission,
        { ...call, workflowId, id },
        streamed ? { mode: 'sync', waitMs: 0 } : callMode,
      );
      return executed;
    });
    if (!executed) return answer;
    writeRateHeaders(reply, executed.limitStatus, callMode.mode);
    if (streamed) return this.stream.open(reply, admission.workspaceId, executed.id, undefined);
    return isRaw(executed, headers) ? rawAnswer(executed, reply) : answer;
  }

  private callModeOf(call: Call, headers: CallHeaders): CallMode {
    const prefer = readPrefer(headers.prefer);
    const asked = call.async || prefer.async || headers['x-execution-mode']?.toLowerCase() === 'async';
    return { mode: asked ? 'async' : 'sync', waitMs: this.execute.waitMs(prefer.waitS) };
  }
}

function isRaw({ row }: Executed, headers: CallHeaders): boolean {
  if (row?.status !== 'completed' || !row.response) return false;
  return row.response.raw || headers['x-response-mode']?.toLowerCase() === 'raw';
}

/** Headers that would break the connection or speak for another party than the workflow. */
const keptBack =
  /^(connection|content-length|transfer-encoding|keep-alive|upgrade|set-cookie|x-request-id|access-control-.*|strict-transport-security)$/i;

/** The Response block's own status, headers and body, without the envelope. */
function rawAnswer({ row }: Executed, reply: FastifyReply): unknown {
  const { status = 200, headers = {} } = row?.response ?? {};
  reply.status(status);
  for (const [name, value] of Object.entries(headers)) if (!keptBack.test(name)) reply.header(name, value);
  reply.header('Content-Security-Policy', "sandbox; default-src 'none'");
  const output = row?.output ?? null;
  if (typeof output === 'string' && reply.hasHeader('content-type')) return output;
  reply.type('application/json');
  return JSON.stringify(output);
}
