import { Injectable, Logger } from '@nestjs/common';
import {
  type CallToolResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type RequestStateCodec,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { writeJson } from '#libs/platform/json/unread-json';
import { Executions } from '#libs/runs/executions/executions';
import { type Execution, terminal } from '#libs/runs/executions/execution.entity';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import { getAbilities } from './client-abilities.ts';
import { AgentAnswers } from './agent-answers.ts';
import type { CallState } from './request-states.ts';
import { RunProgress } from './run-progress.ts';
import { RunResults, type LoadedRun } from './run-results.ts';
import { type ToolCall, ToolCalls } from './tool-calls.ts';
import { parseOutputUri } from './tool-results.ts';
import { orProtocolError, toProgressReporter, requirePermission, type McpRequest } from './mcp-request.ts';

/** Begins, follows, answers and ends executions for agents. */
@Injectable()
export class AgentRuns {
  private readonly log = new Logger(AgentRuns.name);

  constructor(
    private readonly calls: ToolCalls,
    private readonly results: RunResults,
    private readonly answers: AgentAnswers,
    private readonly executions: Executions,
    private readonly progress: RunProgress,
  ) {}

  /** Begins an execution. Returns its result, or its state when it takes longer than the server waits. */
  async beginRun(
    request: McpRequest,
    call: ToolCall,
    ctx: ServerContext,
    states: () => RequestStateCodec<CallState>,
  ): Promise<Result> {
    const { admission, era } = request;
    const { workspaceId } = admission;
    const run = await this.calls.startCall(admission, call);
    request.onBegun?.(run.id, call.workflowId);
    const { signal } = ctx.mcpReq;
    const giveUp = () => {
      // An older client that loses its connection has not given up, and a client with a key will ask again.
      if (era === 'modern' && call.key === undefined)
        void this.cancelAbandoned(request, run.id, call.workflowId);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    const report = toProgressReporter(ctx);
    const row = report
      ? await this.progress.waitUntilSettled(workspaceId, run, call.waitMs, { report, signal })
      : await this.executions.waitUntilSettled(workspaceId, run.id, call.waitMs, run.state);
    signal.removeEventListener('abort', giveUp);
    return this.answer(
      request,
      row ?? (await this.executions.getExecution(workspaceId, run.id)),
      ctx,
      states,
    );
  }

  /** Continues a call whose first round began the execution: takes the user's responses, and waits for the result. */
  async continueCall(
    request: McpRequest,
    state: CallState,
    waitMs: number,
    ctx: ServerContext,
    states: () => RequestStateCodec<CallState>,
  ): Promise<Result> {
    const { workspaceId } = request.admission;
    const { executionId, asked } = state;
    const responses = this.answers.readAnswers(ctx.mcpReq.inputResponses, asked);
    const row = await this.executions.getExecution(workspaceId, executionId);
    await this.answers.submitAnswers(request.admission, row, responses);
    const isRefused = asked.some((id) => responses.get(id)?.action !== 'accept');
    const later = isRefused
      ? await this.executions.getExecution(workspaceId, executionId)
      : await this.calls.waitBeyondPauses(workspaceId, executionId, asked, waitMs);
    const run = await this.results.withPauses(later);
    // The user may have the page open and be undecided. The page need not be shown again at once.
    const isOld = run.points.some(({ contextId }) => asked.includes(contextId));
    if (isOld) return this.results.toStatusResult(run, request.admission, getAbilities(ctx, request));
    return this.answer(request, later, ctx, states);
  }

  private async answer(
    request: McpRequest,
    row: Execution,
    ctx: ServerContext,
    states: () => RequestStateCodec<CallState>,
  ): Promise<Result> {
    const end = this.results.toEndResult(row);
    if (end) return end;
    const { admission } = request;
    const run = await this.results.withPauses(row);
    const can = getAbilities(ctx, request);
    if (can.tasks) return { resultType: 'task', ...this.results.toTask(run, admission, can) };
    return (await this.ask(run, request, ctx, states)) ?? this.results.toStatusResult(run, admission, can);
  }

  /**
   * Lets the client ask its user the open questions. Null when nothing is open, or when the client can ask none of
   * them.
   */
  private async ask(
    run: LoadedRun,
    request: McpRequest,
    ctx: ServerContext,
    states: () => RequestStateCodec<CallState>,
  ): Promise<Result | null> {
    const { id: executionId, status } = run.row;
    const inputRequests = this.results.buildInputRequests(run, request.admission, getAbilities(ctx, request));
    const asked = Object.keys(inputRequests);
    if (status !== 'paused' || asked.length === 0) return null;
    return inputRequired({ inputRequests, requestState: await states().mint({ executionId, asked }, ctx) });
  }

  /** Answers the tool `get_execution`. A client that can ask its user gets the open questions again. */
  async getExecution(
    request: McpRequest,
    executionId: string,
    ctx: ServerContext,
    states: () => RequestStateCodec<CallState>,
  ): Promise<Result> {
    const run = await this.loadRun(request, executionId);
    const end = this.results.toEndResult(run.row);
    if (end) return end;
    const state = ctx.mcpReq.requestState<CallState>();
    if (state !== undefined) return this.continueCall(request, state, 0, ctx, states);
    const question = await this.ask(run, request, ctx, states);
    return question ?? this.results.toStatusResult(run, request.admission, getAbilities(ctx, request));
  }

  /** Answers the tool `cancel_execution`: cancels the execution and returns its state. */
  async cancelExecution(request: McpRequest, executionId: string): Promise<CallToolResult> {
    requirePermission(request.admission, 'execute');
    const { id, workflowId } = (await this.loadRun(request, executionId)).row;
    await this.executions.cancelExecution(request.admission.workspaceId, id, workflowId);
    return { content: [{ type: 'text', text: `The execution ${id} was asked to end.` }] };
  }

  getTask(request: McpRequest, taskId: string, ctx: ServerContext): Promise<Result> {
    return orProtocolError(async () => {
      const run = await this.loadRun(request, taskId);
      const task = this.results.toTask(run, request.admission, getAbilities(ctx, request));
      const end = this.results.toEndResult(run.row);
      if (task.status === 'completed' && end) return { ...task, result: end };
      if (task.status !== 'input_required') return task;
      return {
        ...task,
        inputRequests: this.results.buildInputRequests(run, request.admission, getAbilities(ctx, request)),
      };
    });
  }

  /** Answers the open pauses. Ignores responses to pauses that are answered or unknown. */
  updateTask(request: McpRequest, taskId: string, responses: unknown): Promise<Result> {
    return orProtocolError(async () => {
      const { row, points } = await this.loadRun(request, taskId);
      const open = points.map(({ contextId }) => contextId);
      await this.answers.submitAnswers(request.admission, row, this.answers.readAnswers(responses, open));
      return {};
    });
  }

  cancelTask(request: McpRequest, taskId: string): Promise<Result> {
    return orProtocolError(async () => {
      requirePermission(request.admission, 'execute');
      const { id, workflowId } = (await this.loadRun(request, taskId)).row;
      await this.executions
        .cancelExecution(request.admission.workspaceId, id, workflowId)
        .catch((error: unknown) => {
          if (!(error instanceof Conflict)) throw error; // It has ended meanwhile.
        });
      return {};
    });
  }

  readOutput(request: McpRequest, uri: string): Promise<ReadResourceResult> {
    return orProtocolError(async () => {
      const executionId = parseOutputUri(uri);
      if (executionId === null)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no resource "${cutText(uri, 200)}".`,
          { uri: cutText(uri, 200) },
        );
      const { row } = await this.loadRun(request, executionId);
      if (!terminal(row.status)) throw new NotFound('output: the execution is under way');
      return { contents: [{ uri, mimeType: 'application/json', text: writeJson(row.output) }] };
    });
  }

  /**
   * A server shows only the executions that agents began through it, because a token for one server is not valid for
   * others.
   */
  private async loadRun({ admission, serverId }: McpRequest, executionId: string): Promise<LoadedRun> {
    const run = await this.results.readRun(admission.workspaceId, executionId);
    const { trigger, actor } = run.row;
    if (trigger !== 'mcp' || actor.mcpServer !== serverId) throw new NotFound('execution');
    return run;
  }

  /** Ends an execution whose caller no longer waits for it. */
  async cancelAbandoned({ admission }: McpRequest, executionId: string, workflowId: string): Promise<void> {
    try {
      await this.executions.cancelExecution(admission.workspaceId, executionId, workflowId);
    } catch (error) {
      if (!(error instanceof Conflict))
        this.log.warn(`An abandoned call could not be cancelled: ${String(error)}`);
    }
  }
}
