import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  MissingRequiredClientCapabilityError,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import type { ToolOffer } from '#libs/workspace/mcp-servers/mcp-servers';
import { getAbilities, tasksExtension } from './client-abilities.ts';
import { callStates, type CallIdentity } from './request-states.ts';
import type { McpRequest } from './mcp-request.ts';
import type { LegacyCalls } from './legacy-calls.ts';
import type { ToolCallInput } from './workflow-tools.ts';

/** The time for which a client may cache a list. A deploy changes the list. */
const listTtlMs = 5000;

const anyParams = {
  '~standard': { version: 1, vendor: 'holdfast', validate: (value: unknown) => ({ value }) },
} as const;

/** Builds the server for one request: its tools come from the offer, and its calls run for its caller. */
export function buildWorkflowServer(legacyCalls: LegacyCalls, offer: ToolOffer, request: McpRequest): Server {
  const { tools } = legacyCalls;
  const isModern = request.era === 'modern';
  const { name, description } = offer.server;
  const hint = { ttlMs: listTtlMs, cacheScope: 'private' } as const;
  const server = new Server(
    { name, title: name, version: '1' },
    {
      capabilities: {
        tools: isModern ? { listChanged: true } : {},
        resources: {},
        ...(isModern ? { extensions: { [tasksExtension]: {} } } : {}),
      },
      ...(description ? { instructions: description } : {}),
      cacheHints: {
        'tools/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'server/discover': hint,
      },
      requestState: {
        verify: (state, ctx) => callStates(tools.secret, buildIdentity(request, offer)).verify(state, ctx),
      },
      // `LegacyCalls` asks older clients. The library's own way needs the process in which the conversation began.
      inputRequired: { legacyShim: false },
    },
  );
  const { session } = request;
  const callTool = (input: ToolCallInput, ctx: ServerContext) =>
    session
      ? legacyCalls.call({ server, offer, request, session, input }, ctx)
      : tools.call(request, input, ctx);
  server.setRequestHandler('tools/list', ({ params }) => tools.list(request, params?.cursor));
  server.setRequestHandler(
    'tools/call',
    (call, ctx) => callTool(toCallInput(call), ctx) as Promise<CallToolResult>,
  );
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [outputTemplate] }));
  server.setRequestHandler('resources/read', ({ params }) => tools.readOutput(request, params.uri));
  if (!isModern) return server;
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  const onTask = (method: string, work: (params: JsonObject, ctx: ServerContext) => Promise<Result>) =>
    server.setRequestHandler(method, { params: anyParams }, (params, ctx) => {
      if (!getAbilities(ctx, request).tasks)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
      return work(isObject(params) ? params : {}, ctx);
    });
  onTask('tasks/get', (params, ctx) => tools.runs.getTask(request, getTaskId(params), ctx));
  onTask('tasks/update', (params, ctx) =>
    tools.runs.updateTask(request, getTaskId(params), params.inputResponses ?? ctx.mcpReq.inputResponses),
  );
  onTask('tasks/cancel', (params) => tools.runs.cancelTask(request, getTaskId(params)));
  return server;
}

const outputTemplate = {
  uriTemplate: 'holdfast://executions/{executionId}/output',
  name: 'output',
  title: 'Output of an execution',
  mimeType: 'application/json',
};

/** The identity of a call. A request state is valid only for this call. */
function buildIdentity({ admission, message }: McpRequest, { server }: ToolOffer): CallIdentity {
  const params = isObject(message) && isObject(message.params) ? message.params : {};
  const tool = typeof params.name === 'string' ? params.name : '';
  return {
    actor: admission.caller.actor,
    serverId: server.id,
    tool,
    arguments: isObject(params.arguments) ? params.arguments : {},
  };
}

function toCallInput({ params }: CallToolRequest): ToolCallInput {
  return { name: params.name, arguments: isObject(params.arguments) ? params.arguments : {} };
}

function getTaskId({ taskId }: JsonObject): string {
  if (typeof taskId !== 'string')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'taskId must be the id of a task.');
  return taskId;
}
