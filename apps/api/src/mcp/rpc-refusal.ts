import type { ErrorBody } from '../http/error.filter.ts';

/** The path that agents call. */
export const mcpRoot = /^\/api\/mcp(?=[/?]|$)/;

/** A refusal as a client of JSON-RPC reads it. What our own refusals say beside the sentence stands in `data`. */
export interface RpcRefusal {
  jsonrpc: '2.0';
  id: null;
  error: { code: number; message: string; data: Omit<ErrorBody, 'error'> };
}

const invalidRequest = -32_600;
const refusedByServer = -32_000;

/** The request was refused before it was read as JSON-RPC, so its id is not known. */
export function rpcRefusal(status: number, { error, ...data }: ErrorBody): RpcRefusal {
  const code = status === 400 || status === 413 ? invalidRequest : status >= 500 ? -32_603 : refusedByServer;
  return { jsonrpc: '2.0', id: null, error: { code, message: error, data } };
}
