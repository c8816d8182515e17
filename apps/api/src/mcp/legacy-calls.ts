import { Injectable } from '@nestjs/common';
import {
  isInputRequiredResult,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolOffer } from '#libs/workspace/mcp-servers/mcp-servers';
import { Settings } from '#libs/platform/settings/settings';
import type { LegacySession } from './legacy-sessions.ts';
import { callStates } from './request-states.ts';
import { StreamQuestions } from './stream-questions.ts';
import { ToolChanges } from './tool-changes.ts';
import type { McpRequest } from './mcp-request.ts';
import { type ToolCallInput, WorkflowTools } from './workflow-tools.ts';

/** A call in a conversation of an older revision, and the server of its stream. */
export interface LegacyCall {
  server: Server;
  offer: ToolOffer;
  request: McpRequest;
  session: LegacySession;
  input: ToolCallInput;
}

/**
 * Calls by clients of older revisions that declared their abilities. Such a client is asked through the stream of its
 * call, and can cancel the call.
 */
@Injectable()
export class LegacyCalls {
  constructor(
    readonly tools: WorkflowTools,
    readonly questions: StreamQuestions,
    private readonly changes: ToolChanges,
    private readonly settings: Settings,
  ) {}

  async call(legacyCall: LegacyCall, ctx: ServerContext): Promise<Result> {
    const { request, session } = legacyCall;
    const { admission, serverId } = request;
    const correspondent = { caller: admission.caller, serverId, session };
    const cancelled = new AbortController();
    const onBegun = (executionId: string, workflowId: string) => {
      const giveUp = () => void this.tools.runs.cancelAbandoned(request, executionId, workflowId);
      if (cancelled.signal.aborted) giveUp();
      else cancelled.signal.addEventListener('abort', giveUp, { once: true });
    };
    const off = this.questions.onCancelled(correspondent, ctx.mcpReq.id, () => cancelled.abort());
    try {
      return await this.callAndAsk(
        { ...legacyCall, request: { ...request, onBegun } },
        ctx,
        cancelled.signal,
      );
    } finally {
      off();
    }
  }

  /**
   * Asks the call's questions through the stream and continues with the answers, until there is a result. All questions
   * share the time of one call.
   */
  private async callAndAsk(
    legacyCall: LegacyCall,
    ctx: ServerContext,
    cancelled: AbortSignal,
  ): Promise<Result> {
    const { server, offer, request, session, input } = legacyCall;
    const { admission, serverId } = request;
    const { caller } = admission;
    const call = { actor: caller.actor, serverId, tool: input.name, arguments: input.arguments };
    const waitMs = Math.min(offer.server.waitSeconds * 1000, this.settings.syncWaitMsMax);
    let result = await this.tools.call(request, input, ctx);
    const deadline = performance.now() + waitMs;
    const leftMs = () => Math.max(0, deadline - performance.now());
    while (isInputRequiredResult(result)) {
      const { inputRequests = {}, requestState = '' } = result;
      const timeUp = AbortSignal.timeout(Math.ceil(leftMs()));
      const signal = AbortSignal.any([cancelled, ctx.mcpReq.signal, timeUp, this.changes.closing]);
      const correspondent = { caller, serverId, session };
      const inputResponses = await this.questions.ask({ server, ctx }, inputRequests, correspondent, signal);
      const state = await callStates(this.settings.secret, call).verify(requestState, ctx);
      const requestStateOf = <T>() => state as T;
      const answered = { ...ctx.mcpReq, inputResponses, requestState: requestStateOf };
      result = await this.tools.call({ ...request, leftMs }, input, {
        ...ctx,
        mcpReq: answered,
      });
    }
    return result;
  }
}
