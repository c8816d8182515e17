import type { CallToolResult } from '@modelcontextprotocol/server';
import { readWhole, writeJson } from '#libs/platform/json/unread-json';
import { isObject, type Json, type JsonObject } from '#libs/platform/json/json';
import type { Execution } from '#libs/runs/executions/execution.entity';
import { ApiError, type Detail, formatDetails, TooMany } from '#libs/platform/errors/errors';

/** A larger output becomes a link to a resource. In bytes of JSON. */
export const outputBytesMax = 64 * 1024;

/** The state of an execution, for an agent whose output is not ready or too large. */
export interface ExecutionStatusResult extends JsonObject {
  executionId: string;
  status: string;
}

/** The schema of a tool's result while the execution runs, or when its output is too large. */
export const statusSchema: JsonObject = {
  type: 'object',
  properties: {
    execution: {
      type: 'object',
      description:
        'The execution. It is present when there is no output yet, or when the output is too large for this answer.',
      properties: {
        executionId: { type: 'string' },
        status: { type: 'string' },
        links: { type: 'array', items: { type: 'string' }, description: 'The pages where a person answers.' },
        outputUri: { type: 'string', description: 'The resource that holds the output.' },
        bytes: { type: 'integer' },
      },
      required: ['executionId', 'status'],
    },
  },
  required: ['execution'],
};

export const buildOutputUri = (executionId: string) => `holdfast://executions/${executionId}/output`;

const uriPattern = /^holdfast:\/\/executions\/(exec_[0-9a-z]{20,64})\/output$/;

/** The execution whose output the URI names; null for any other URI. */
export function parseOutputUri(uri: string): string | null {
  return uriPattern.exec(uri)?.[1] ?? null;
}

export function buildOutputResult({ id, output: given }: Pick<Execution, 'id' | 'output'>): CallToolResult {
  const text = writeJson(given);
  const bytes = Buffer.byteLength(text);
  if (bytes <= outputBytesMax) {
    const output = readWhole(given);
    const structured = isObject(output) ? { structuredContent: output } : {};
    return { content: [{ type: 'text', text: typeof output === 'string' ? output : text }], ...structured };
  }
  const outputUri = buildOutputUri(id);
  return {
    content: [
      { type: 'text', text: `The output has ${bytes} bytes. Read the resource ${outputUri} for it.` },
      {
        type: 'resource_link',
        uri: outputUri,
        name: `output of ${id}`,
        mimeType: 'application/json',
        size: bytes,
      },
    ],
    structuredContent: { execution: { executionId: id, status: 'completed', outputUri, bytes } },
  };
}

/** A failed or cancelled execution. */
export function buildFailureResult({
  id,
  status,
  failure,
}: Pick<Execution, 'id' | 'status' | 'failure'>): CallToolResult {
  if (status === 'cancelled')
    return errorResult('EXECUTION_CANCELLED', 'The execution was cancelled.', { executionId: id });
  const { code = 'EXECUTION_FAILED', message = 'The execution has failed.', blockId } = failure ?? {};
  return errorResult(code, message, { executionId: id, ...(blockId === undefined ? {} : { blockId }) });
}

/** A running execution. `sentences` describe what happens next. */
export function buildStatusResult(state: ExecutionStatusResult, sentences: string): CallToolResult {
  return { content: [{ type: 'text', text: sentences }], structuredContent: { execution: state } };
}

/** A refused call. Any error but an ApiError is a bug, which the caller must not read. */
export function buildErrorResult(error: ApiError): CallToolResult {
  const details = (error.details ?? []).map((detail: Detail) => ({ ...detail }));
  return errorResult(error.code, formatDetails(error), {
    ...(details.length > 0 ? { details } : {}),
    ...(error instanceof TooMany ? { retryAfterSeconds: error.retryAfterS } : {}),
  });
}

function errorResult(code: string, message: string, details: Record<string, Json>): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message, ...details } },
  };
}
