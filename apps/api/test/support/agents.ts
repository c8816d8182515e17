import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Answer, answerOf } from './stack.ts';

export const revision = '2026-07-28';
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** The client's capabilities, and further parts of one message. */
export interface Said {
  capabilities?: object;
  /** Further members of `_meta`. */
  meta?: object;
  headers?: Record<string, string>;
  id?: number;
}

/** Sends one message of the current revision, without a client library. */
export async function sendRpc(
  url: string,
  key: string,
  method: string,
  params: object,
  client: Said = {},
): Promise<Answer> {
  return answerOf(await fetch(url, rpcRequest(key, method, params, client)));
}

/** The request of one message of the current revision. */
export function rpcRequest(key: string, method: string, params: object, client: Said = {}): RequestInit {
  const { capabilities = {}, meta = {}, headers = {}, id = 1 } = client;
  const prefix = 'io.modelcontextprotocol';
  const envelope = {
    [`${prefix}/protocolVersion`]: revision,
    [`${prefix}/clientInfo`]: { name: 'test', version: '1' },
    [`${prefix}/clientCapabilities`]: capabilities,
  };
  const { name, taskId, uri } = params as { name?: string; taskId?: string; uri?: string };
  const nameHeader = name ?? taskId ?? uri;
  return {
    method: 'POST',
    headers: {
      ...(key === '' ? {} : { 'x-api-key': key }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(nameHeader === undefined ? {} : { 'mcp-name': nameHeader }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: { ...envelope, ...meta } },
    }),
  };
}

/** Sends one message of any revision, with only these headers. */
export async function sendPlain(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const sent = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...headers,
  };
  return answerOf(
    await fetch(url, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** The current official client, which speaks the current revision. */
export async function connectClient(url: string, key: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: revision } }, ...options },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'x-api-key': key } } }),
  );
  return client;
}

/** The previous official client. Messages that expect no result go to `elsewhere`, if given. */
export async function connectFormerClient(
  url: string,
  key: string,
  { capabilities = {}, elsewhere = url }: { capabilities?: ClientCapabilities; elsewhere?: string } = {},
): Promise<FormerClient> {
  const client = new FormerClient({ name: 'test', version: '1' }, { capabilities });
  const send: typeof fetch = (at, init) => {
    const message = JSON.parse(String(init?.body ?? '{}'));
    const waits = message.method !== undefined && message.id !== undefined;
    return fetch(waits || init?.method !== 'POST' ? at : elsewhere, init);
  };
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new FormerTransport(new URL(url), { requestInit, fetch: send }));
  return client;
}
