import { Injectable } from '@nestjs/common';
import {
  isInputRequiredResult,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ToolOffer } from '#libs/workspace/mcp-servers/mcp-servers';
import { Settings } from '#libs/platform/settings/settings';
import type { FormerSession } from './former-sessions.ts';
import { callStates } from './request-states.ts';
import { StreamQuestions } from './stream-questions.ts';
import { ToolChanges } from './tool-changes.ts';
import type { Visit } from './visit.ts';
import { type GivenCall, WorkflowTools } from './workflow-tools.ts';

/** A call in a conversation of an older revision, and the server of its stream. */
export interface FormerCall {
  server: Server;
  offer: ToolOffer;
  visit: Visit;
  session: FormerSession;
  given: GivenCall;
}

/**
 * Calls by clients of older revisions that declared their abilities. Such a client is asked through the stream of its
 * call, and can cancel the call.
 */
@Injectable()
export class FormerCalls {
  constructor(
    readonly tools: WorkflowTools,
    readonly questions: StreamQuestions,
    private readonly changes: ToolChanges,
    private readonly settings: Settings,
  ) {}

  async call(former: FormerCall, ctx: ServerContext): Promise<Result> {
    const { visit, session } = former;
    const { admission, serverId } = visit;
    const correspondent = { caller: admission.caller, serverId, session };
    const cancelled = new AbortController();
    const onBegun = (executionId: string, workflowId: string) => {
      const giveUp = () => void this.tools.runs.giveUp(visit, executionId, workflowId);
      if (cancelled.signal.aborted) giveUp();
      else cancelled.signal.addEventListener('abort', giveUp, { once: true });
    };
    const off = this.questions.onCancelled(correspondent, ctx.mcpReq.id, () => cancelled.abort());
    try {
      return await this.asking({ ...former, visit: { ...visit, onBegun } }, ctx, cancelled.signal);
    } finally {
      off();
    }
  }

  /**
   * Asks the call's questions through the stream and continues with the answers, until there is a result. All questions
   * share the time of one call.
   */
  private async asking(former: FormerCall, ctx: ServerContext, cancelled: AbortSignal): Promise<Result> {
    const { server, offer, visit, session, given } = former;
    const { admission, serverId } = visit;
    const { caller } = admission;
    const call = { actor: caller.actor, serverId, tool: given.name, arguments: given.arguments };
    const waitMs = Math.min(offer.server.waitSeconds * 1000, this.settings.syncWaitMsMax);
    let result = await this.tools.call(visit, given, ctx);
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
      result = await this.tools.call({ ...visit, leftMs }, given, {
        ...ctx,
        mcpReq: answered,
      });
    }
    return result;
  }
}
