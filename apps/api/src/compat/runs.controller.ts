import { Body, Controller, Get, Header, Headers, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import { Executions } from '#libs/runs/executions/executions';
import { Invalid, NotFound } from '#libs/platform/errors/errors';
import { Execute } from '../executions/execute.ts';
import type { ExecuteCall } from '../executions/parse-execute-request.ts';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission, Unmetered } from '../http/route-decorators.ts';
import { HttpAnswer, KeyedWork } from '../http/answer.ts';
import { Idempotent } from '../http/answer.interceptor.ts';
import { type RunParams, ExecuteRunBody, RunQuery } from './runs.dto.ts';
import { CompatRuns } from './runs.ts';
import { RunStreams, type StreamKind } from './run-streams.ts';

const json = 'application/json; charset=utf-8';

type ExecuteHeaders = Partial<Record<'accept' | 'x-run-id', string>>;

/** The stored answer of the first call, for repetitions: a stream of the run, or data. */
type StoredRunAnswer = { follow: string } | { data: object };

/** Executions, for clients of another product. */
@ApiExcludeController()
@Controller('api/v2/workflows/:workflowId')
export class RunsController {
  constructor(
    private readonly execute: Execute,
    private readonly executions: Executions,
    private readonly runs: CompatRuns,
    private readonly streams: RunStreams,
  ) {}

  @Post('execute')
  @Idempotent('exec')
  @RequirePermission('execute', 'workflow')
  @Unmetered()
  @HttpCode(200)
  @Header('Content-Type', json)
  executeWorkflow(
    @CurrentCaller() admission: Admission,
    @Param('workflowId') workflowId: string,
    @Headers() headers: ExecuteHeaders,
    @Body() body: ExecuteRunBody,
    @Req() request: FastifyRequest,
  ) {
    requireKnown(body, headers);
    const { workspaceId } = admission;
    const kind = body.async ? null : chooseStream(body, headers);
    const call = toCall(body, kind);
    return new KeyedWork<StoredRunAnswer>(
      `v2 execute ${workflowId}`,
      body,
      async (once) => {
        // A repetition gets its answer also when the workflow is live no more.
        const selections = await this.runs.liveSelections(workspaceId, workflowId, body.selectedOutputs);
        const executed = await this.execute.executeWorkflow(admission, workflowId, once, call);
        const { status, limitStatus, row } = executed;
        const head = { status, limits: { status: limitStatus, bucket: call.mode } };
        if (kind) return new HttpAnswer({ follow: once.id }, head);
        const data = row ? await this.runs.view(row, selections) : this.runs.receipt(workflowId, once.id);
        return new HttpAnswer({ data }, head);
      },
      (stored) => {
        if (!('follow' in stored)) return stored;
        const followed = { workspaceId, runId: stored.follow, selectors: body.selectedOutputs ?? [] };
        return this.streams.openRunStream(request, kind ?? 'lines', followed);
      },
    );
  }

  /** The clients read it to find the block of a selected output. */
  @Get('state')
  @RequirePermission('read', 'workflow')
  @Header('Content-Type', json)
  async getState(@CurrentCaller() { workspaceId }: Admission, @Param('workflowId') workflowId: string) {
    return { data: { blocks: await this.runs.liveBlocks(workspaceId, workflowId) } };
  }

  @Get('runs/:runId')
  @RequirePermission('read', 'workflow')
  @Header('Content-Type', json)
  async getRun(
    @CurrentCaller() { workspaceId }: Admission,
    @Param() { workflowId, runId }: RunParams,
    @Query() { includeOutput, selectedOutputs }: RunQuery,
  ) {
    const row = await this.executions.getExecution(workspaceId, runId);
    if (row.workflowId !== workflowId) throw new NotFound('run');
    const selections = await this.runs.selectionsFor(row, parseList(selectedOutputs));
    return { data: await this.runs.view(row, selections, includeOutput) };
  }
}

const parseList = (text: string | undefined) => (text ? text.split(',').map((item) => item.trim()) : []);

/** Refuses options that this API does not have, so that no caller relies on them. */
function requireKnown(body: ExecuteRunBody, headers: ExecuteHeaders): void {
  if (headers['x-run-id'] !== undefined) {
    const message =
      'is not accepted: this service chooses run ids; send an Idempotency-Key to make a repeated call safe';
    throw Invalid.field('X-Run-Id', message, 'unsupported');
  }
  if (body.async && body.stream) throw Invalid.field('stream', 'must not be true with async', 'conflict');
  if (body.async && body.selectedOutputs)
    throw Invalid.field('selectedOutputs', 'must be left out with async: read the run with them', 'conflict');
}

function toCall(
  { input, async, executionTimeoutSeconds }: ExecuteRunBody,
  kind: StreamKind | null,
): ExecuteCall {
  return {
    inputs: toInputs(input),
    trigger: 'api',
    mode: async ? 'async' : 'sync',
    waitMs: null,
    streams: kind !== null,
    raw: false,
    wantsSpans: false,
    activeMsMax: executionTimeoutSeconds === undefined ? null : executionTimeoutSeconds * 1000,
  };
}

/** A value that is no object becomes the input `input`. */
function toInputs(input: Json | undefined): JsonObject {
  if (input === undefined || input === null) return {};
  return isObject(input) ? input : { input };
}

/** The kind of stream, only for a caller whose Accept header wants one: some clients set `stream` and then parse JSON. */
function chooseStream({ stream }: ExecuteRunBody, { accept = '' }: ExecuteHeaders): StreamKind | null {
  if (stream && accept.includes('text/event-stream')) return 'events';
  return accept.includes('application/x-ndjson') ? 'lines' : null;
}
