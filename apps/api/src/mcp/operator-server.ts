import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import { ApiError, Invalid } from '#libs/platform/errors/errors';
import { cutText } from '#libs/platform/text/whole-text';
import type { OperationCall, OperatorCalls } from './operator-calls.ts';
import type { ApiOperationInfo, ApiOperations } from './operations.ts';
import { buildErrorResult } from './tool-results.ts';

const operationId = { type: 'string', description: 'The id of the operation, from search_operations.' };
const parameters = {
  type: 'object',
  description: 'The parameters of the operation by name: path, query and header parameters.',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
};
const body = { description: 'The body of the operation, as describe_operation shows its schema.' };

/** Reads and writes are separate tools, so that a client can ask its user before it writes. */
export const operatorTools: Tool[] = [
  {
    name: 'search_operations',
    title: 'Find operations of the API',
    description:
      'Finds operations of this installation by words, for example "list failed executions" or "deploy". Begin here.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'A few words about the operation.' },
        readsOnly: {
          type: 'boolean',
          description: 'True: only operations that change nothing.',
          default: false,
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Shows what an operation does, its parameters, and the schema of its body.',
    inputSchema: {
      type: 'object',
      properties: { operationId },
      required: ['operationId'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'read',
    title: 'Carry out an operation that changes nothing',
    description: 'Carries out an operation that only reads, with the permissions of the key.',
    inputSchema: {
      type: 'object',
      properties: { operationId, parameters, body },
      required: ['operationId'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'write',
    title: 'Carry out an operation that changes something',
    description:
      'Carries out an operation that creates, changes, runs or deletes something, with the permissions of the key.',
    inputSchema: {
      type: 'object',
      properties: { operationId, parameters, body },
      required: ['operationId'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
];

export interface OperatorTools {
  /** True for the form of the server that has no tool `write`. */
  isReadOnly: boolean;
  operations: ApiOperations;
  calls: OperatorCalls;
}

/** The server for one request of an operator, with four tools for all of the API. */
export function operatorServer(toolSource: OperatorTools, request: FastifyRequest): Server {
  const hint = { ttlMs: 3_600_000, cacheScope: 'private' } as const;
  const server = new Server(
    { name: 'holdfast', title: 'Holdfast', version: '1' },
    {
      capabilities: { tools: {} },
      instructions:
        'Everything that the API of this installation can do. Find an operation, read its description, then read or write.',
      cacheHints: { 'tools/list': hint, 'server/discover': hint },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(toolSource) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const args = isObject(params.arguments) ? params.arguments : {};
    try {
      return await call(params.name, args, toolSource, { request, signal });
    } catch (error) {
      if (error instanceof ApiError) return buildErrorResult(error);
      throw error;
    }
  });
  return server;
}

const toolsFor = ({ isReadOnly }: OperatorTools) =>
  operatorTools.filter(({ name }) => !isReadOnly || name !== 'write');

async function call(
  name: string,
  args: JsonObject,
  toolSource: OperatorTools,
  { request, signal }: { request: FastifyRequest; signal: AbortSignal },
): Promise<CallToolResult> {
  const { operations, calls, isReadOnly } = toolSource;
  const tool = toolsFor(toolSource).find((one) => one.name === name);
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${cutText(name, 100)}".`);
  requireMembers(tool, args);
  switch (name) {
    case 'search_operations': {
      const matches = operations.search(getText(args, 'query'), isReadOnly || args.readsOnly === true);
      return toResult({
        operations: matches.map(({ operationId: id, method, path, summary, reads }) => ({
          operationId: id,
          method,
          path,
          summary,
          reads,
        })),
      });
    }
    case 'describe_operation':
      return toResult(buildDescription(operations.get(getText(args, 'operationId'))));
    default:
      return calls.runOperation(request, parseCall(args), { reads: name === 'read', signal });
  }
}

function buildDescription({
  operationId: id,
  method,
  path,
  summary,
  description,
  reads,
  parameters: list,
  body: schema,
}: ApiOperationInfo): JsonObject {
  return {
    operationId: id,
    tool: reads ? 'read' : 'write',
    method,
    path,
    summary,
    description,
    parameters: list.map((one) => ({ ...one })),
    ...(schema === null ? {} : { body: schema }),
  };
}

function parseCall(args: JsonObject): OperationCall {
  const { parameters: values = {} } = args;
  if (!isObject(values)) throw Invalid.field('parameters', 'must be an object', 'type');
  return { operationId: getText(args, 'operationId'), parameters: values, body: args.body };
}

function getText(args: JsonObject, name: string): string {
  const value = args[name];
  if (typeof value !== 'string') throw Invalid.field(name, 'must be text', 'required');
  return value;
}

function requireMembers({ inputSchema }: Tool, args: JsonObject): void {
  const other = Object.keys(args).find((name) => !Object.hasOwn(inputSchema.properties ?? {}, name));
  if (other !== undefined)
    throw Invalid.field(cutText(other, 100), 'is not an input of this tool', 'unknown_key');
}

function toResult(structuredContent: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
