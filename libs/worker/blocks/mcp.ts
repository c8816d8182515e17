import { Injectable } from '@nestjs/common';
import { ApplicationFailure } from '@temporalio/common';
import type { EffectParams } from '#libs/language/definition/blocks/registry';
import type { Json, JsonObject } from '#libs/platform/json/json';
import { Egress, EgressFailed, EgressRefused } from '#libs/platform/egress/egress';
import { cutText } from '#libs/platform/text/whole-text';
import {
  blockFailure,
  isPlainObject,
  type EffectHandler,
  type EffectContext,
} from '../effects/effect-handler.ts';
import { EgressFetch } from '../calls/egress-fetch.ts';
import { readBeginning, excerpt, toHeaders, callFailure, statusFailure } from '../calls/http-response.ts';

/** The SDK uses this JSON-RPC code for its own time-out. */
const requestTimeout = -32_001;
const messageCharsMax = 500;

/** Calls one tool of an MCP server over streamable HTTP, in a session of its own. */
@Injectable()
export class McpHandler implements EffectHandler<'mcp'> {
  constructor(private readonly egress: Egress) {}

  async execute({ params, effect, signal, writes, gate }: EffectContext<'mcp'>): Promise<Json> {
    const repeatable = params.idempotent === true;
    const door = new EgressFetch(this.egress, { signal, timeoutMs: effect.timeoutMs, gate });
    const progress = { called: false };
    const beforeCall = async () => {
      if (!repeatable) await writes.sendOnce();
      progress.called = true;
    };
    try {
      return outputOf(await callTool(params, door, beforeCall), params.tool, repeatable);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw toolCallFailure(error, door, repeatable || !progress.called);
    }
  }
}

async function callTool(
  params: EffectParams<'mcp'>,
  door: EgressFetch,
  beforeCall: () => Promise<void>,
): Promise<object> {
  if (!URL.canParse(params.url)) throw new EgressRefused('The URL cannot be read.');
  // Loaded late: the client costs some 400 ms and 15 MB, and most workers never call a tool.
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const client = new Client({ name: 'holdfast', version: '1' });
  const address = new URL(params.url);
  const transport = new StreamableHTTPClientTransport(address, {
    // The query goes out as its author wrote it, because a `URL` changes quotes in it.
    fetch: (url, init) => door.fetch(String(url) === address.href ? params.url : url, init),
    requestInit: { headers: toHeaders(params.headers) },
  });
  try {
    await client.connect(transport, { timeout: door.remainingMs });
    await beforeCall();
    const call = { name: params.tool, arguments: params.arguments ?? {} };
    return await client.callTool(call, undefined, { timeout: door.remainingMs });
  } finally {
    // The call already has its outcome, and a session that stays open on the server does not change it.
    await transport.terminateSession().catch(() => undefined);
    await client.close();
  }
}

function outputOf(result: object, tool: string, repeatable: boolean): JsonObject {
  // The SDK's types allow values that are no JSON, but the server sent JSON.
  const { content = [], structuredContent, isError }: JsonObject = JSON.parse(JSON.stringify(result));
  if (isError === true)
    throw blockFailure('MCP_TOOL_FAILED', `The tool ${tool} failed: ${textIn(content)}`, {
      retryable: repeatable,
      details: { content: excerpt(content) },
    });
  return { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
}

function textIn(content: Json): string {
  const parts = Array.isArray(content) ? content.filter(isPlainObject) : [];
  const text = parts.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join(' ');
  return text === '' ? 'it did not say why.' : cutText(text, messageCharsMax);
}

/** Recognises errors of the SDK by their members, because the module with their classes is loaded late. */
function toolCallFailure(error: unknown, { refused, answer }: EgressFetch, repeatable: boolean): unknown {
  if (error instanceof EgressRefused || error instanceof EgressFailed) return callFailure(error, repeatable);
  const { name, code, message } = Object(error);
  if (refused && code === refused.status) return statusFailure(refused, repeatable);
  if (name === 'McpError' && code === requestTimeout)
    return blockFailure('TIMEOUT', 'The MCP server did not answer in time.', { retryable: repeatable });
  if (name === 'McpError')
    return blockFailure('MCP_ERROR', cutText(String(message), messageCharsMax), {
      retryable: repeatable,
      details: { code },
    });
  if (name === 'ZodError' || name === '$ZodError' || name === 'SyntaxError' || code === -1)
    return blockFailure(
      'RESPONSE_INVALID',
      `The server does not speak MCP. Its answer begins: ${answer ? readBeginning(answer) : ''}`,
      { retryable: repeatable },
    );
  if (error instanceof ApplicationFailure) return error;
  return blockFailure('MCP_ERROR', `The call failed: ${cutText(String(message), messageCharsMax)}`, {
    retryable: repeatable,
  });
}
