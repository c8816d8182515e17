import type { ErrorBody, RefusalFormat } from '../http/refusal-formats.ts';

/** The path of the agents' endpoints. */
const mcpRoot = /^\/api\/mcp(?=[/?]|$)/;

/** A refusal in JSON-RPC. `data` has the further members of our own refusals. */
interface RpcRefusal {
  jsonrpc: '2.0';
  id: null;
  error: { code: number; message: string; data: Omit<ErrorBody, 'error'> };
}

const invalidRequest = -32_600;
const refusedByServer = -32_000;

/** Refusals for agents. */
export const rpcRefusals: RefusalFormat = { path: mcpRoot, write: rpcRefusal };

/** The request was refused before it was parsed as JSON-RPC, so its id is unknown. */
function rpcRefusal(status: number, { error, ...data }: ErrorBody): RpcRefusal {
  const code = status === 400 || status === 413 ? invalidRequest : status >= 500 ? -32_603 : refusedByServer;
  return { jsonrpc: '2.0', id: null, error: { code, message: error, data } };
}
