import { Injectable } from '@nestjs/common';
import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Result,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { buildInputSchema, buildOutputSchema } from '#libs/workspace/mcp-servers/tool-schemas';
import { ownTools } from '#libs/workspace/mcp-servers/tool-names';
import type { JsonObject } from '#libs/platform/json/json';
import { ApiError, Invalid } from '#libs/platform/errors/errors';
import { McpServers, type OfferedTool } from '#libs/workspace/mcp-servers/mcp-servers';
import { Cursors } from '#libs/platform/cursors/cursor';
import { Settings } from '#libs/platform/settings/settings';
import { Deployments } from '#libs/runs/workflows/deployments';
import { cutText } from '#libs/platform/text/whole-text';
import { AgentRuns } from './agent-runs.ts';
import { callStates, type CallState } from './request-states.ts';
import { keyMember } from './tool-calls.ts';
import { buildErrorResult, statusSchema } from './tool-results.ts';
import { orProtocolError, requirePermission, type McpRequest } from './mcp-request.ts';

const pageMax = 100;

export interface ToolCallInput {
  name: string;
  arguments: JsonObject;
}

/** The deployed workflows of a server as tools. */
@Injectable()
export class WorkflowTools {
  constructor(
    private readonly servers: McpServers,
    private readonly deployments: Deployments,
    private readonly cursors: Cursors,
    readonly runs: AgentRuns,
    private readonly settings: Settings,
  ) {}

  /** One page of the tools, the oldest workflow first. Tools that every server has come last. */
  list(
    { admission: { workspaceId }, serverId }: McpRequest,
    cursor: string | undefined,
  ): Promise<ListToolsResult> {
    return orProtocolError(async () => {
      const { tools } = await this.servers.offer(workspaceId, serverId);
      const scope = `tools ${workspaceId} ${serverId}`;
      const after = this.cursors.open(cursor, scope);
      const rest = after ? tools.slice(indexAfter(tools, after)) : tools;
      const page = this.cursors.page(rest, pageMax, scope, (tool) => ({
        at: String(tools.indexOf(tool)),
        id: tool.workflowId,
      }));
      const views = await Promise.all(page.items.map((tool) => this.show(workspaceId, tool)));
      if (page.nextCursor !== null) return { tools: views, nextCursor: page.nextCursor };
      return { tools: [...views, ...ownToolList] };
    });
  }

  private async show(workspaceId: string, tool: OfferedTool): Promise<Tool> {
    const plan = await this.deployments.plan(workspaceId, tool.planHash);
    const output = buildOutputSchema(plan);
    const hints = Object.fromEntries(Object.entries(tool.hints).filter(([, value]) => value !== undefined));
    return {
      name: tool.toolName,
      title: tool.workflowName,
      description: tool.description,
      inputSchema: { ...buildInputSchema(plan.inputs), type: 'object' },
      ...(output ? { outputSchema: { type: 'object', anyOf: [output, statusSchema] } } : {}),
      ...(Object.keys(hints).length > 0 ? { annotations: hints } : {}),
    };
  }

  /** A refusal is a result of the tool, with its code and sentence, so that an agent can read it. */
  async call(request: McpRequest, input: ToolCallInput, ctx: ServerContext): Promise<Result> {
    try {
      return await this.runTool(request, input, ctx);
    } catch (error) {
      if (error instanceof ApiError) return buildErrorResult(error);
      throw error;
    }
  }

  private async runTool(request: McpRequest, input: ToolCallInput, ctx: ServerContext): Promise<Result> {
    const { admission, serverId } = request;
    const { actor } = admission.caller;
    const identity = { actor, serverId, tool: input.name, arguments: input.arguments };
    // Built late, because most calls ask nothing and have no state.
    const states = () => callStates(this.settings.secret, identity);
    const state = ctx.mcpReq.requestState<CallState>();
    const isOwn = ownTools.some((own) => own === input.name);
    // Only calls that begin an execution take an execution token.
    if (isOwn || state !== undefined) await request.takeToken();
    if (input.name === 'get_execution')
      return this.runs.getExecution(request, readExecutionId(input), ctx, states);
    if (input.name === 'cancel_execution') return this.runs.cancelExecution(request, readExecutionId(input));
    requirePermission(admission, 'execute');
    const { tool, waitMs } = await this.find(request, input.name);
    if (state !== undefined)
      return this.runs.continueCall(
        request,
        state,
        Math.min(waitMs, request.leftMs?.() ?? waitMs),
        ctx,
        states,
      );
    await this.requireKnownInputs(admission.workspaceId, tool, input.arguments);
    const { _meta: meta } = ctx.mcpReq;
    const key = meta?.[keyMember];
    if (key !== undefined && typeof key !== 'string')
      throw Invalid.field(`_meta.${keyMember}`, 'must be text', 'type');
    return this.runs.beginRun(
      request,
      { serverId, workflowId: tool.workflowId, inputs: input.arguments, waitMs, key },
      ctx,
      states,
    );
  }

  private async find(
    { admission: { workspaceId }, serverId, takeToken }: McpRequest,
    name: string,
  ): Promise<{ tool: OfferedTool; waitMs: number }> {
    for (const offer of [
      () => this.servers.recall(workspaceId, serverId),
      async () => {
        await takeToken();
        return this.servers.offer(workspaceId, serverId);
      },
    ]) {
      const { server, tools } = await offer();
      const tool = tools.find(({ toolName }) => toolName === name);
      if (tool) return { tool, waitMs: Math.min(server.waitSeconds * 1000, this.settings.syncWaitMsMax) };
    }
    const message = `There is no tool "${cutText(name, 100)}"; its workflow may not be deployed any more. List the tools again.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }

  /** Throws for an unknown input. The schema of the tool allows no others, so an agent learns of an invented name. */
  private async requireKnownInputs(
    workspaceId: string,
    { planHash }: OfferedTool,
    callInputs: JsonObject,
  ): Promise<void> {
    const { inputs } = await this.deployments.plan(workspaceId, planHash);
    const declared = Object.keys(inputs);
    const others =
      declared.length === 0 ? [] : Object.keys(callInputs).filter((name) => !Object.hasOwn(inputs, name));
    if (others.length === 0) return;
    const message = `is not an input of this tool; it has ${declared.join(', ')}`;
    throw new Invalid(
      others.map((name) => ({ path: `inputs.${cutText(name, 100)}`, message, code: 'unknown_key' })),
    );
  }

  get secret(): string {
    return this.settings.secret;
  }

  readOutput(request: McpRequest, uri: string): Promise<ReadResourceResult> {
    return this.runs.readOutput(request, uri);
  }
}

/** Returns the start of the next page: after the cursor's tool, or at its old index if the tool was removed. */
function indexAfter(tools: OfferedTool[], { at, id }: { at: string; id: string }): number {
  const index = tools.findIndex(({ workflowId }) => workflowId === id);
  return index < 0 ? Number(at) : index + 1;
}

const idSchema = {
  type: 'object' as const,
  properties: {
    executionId: {
      type: 'string',
      description: 'The id of an execution that an agent began; it begins with exec_.',
    },
  },
  required: ['executionId'],
  additionalProperties: false,
};

const ownToolList: Tool[] = [
  {
    name: 'get_execution',
    title: 'Get the result of an execution',
    description:
      'Gives the output of an execution that has ended. Before its end it gives the state, and the pages where a person has to decide.',
    inputSchema: idSchema,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'cancel_execution',
    title: 'Cancel an execution',
    description: 'Asks an execution to end. Its effects so far are not undone.',
    inputSchema: idSchema,
    annotations: { destructiveHint: true, idempotentHint: true },
  },
];

function readExecutionId({ arguments: { executionId, ...others } }: ToolCallInput): string {
  if (typeof executionId !== 'string')
    throw Invalid.field('executionId', 'must be the id of an execution', 'required');
  const [other] = Object.keys(others);
  if (other) throw Invalid.field(cutText(other, 100), 'is not an input of this tool', 'unknown_key');
  return executionId;
}
