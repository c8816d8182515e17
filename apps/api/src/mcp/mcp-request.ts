import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import { ApiError, formatDetails } from '#libs/platform/errors/errors';
import type { Permission } from '#libs/workspace/auth/caller';
import type { Admission } from '../http/caller.guard.ts';
import type { LegacySession } from './legacy-sessions.ts';
import { toExecuteScope } from '../oauth/resources.ts';

/** One message of an agent to one server. */
export interface McpRequest {
  admission: Admission;
  serverId: string;
  /** `legacy`: a revision before 2026-07-28. */
  era: 'legacy' | 'modern';
  message: unknown;
  /** The conversation of a client of an older revision. Null in the current revision, and when the client names none. */
  session: LegacySession | null;
  /** Called with the execution that the message began. */
  onBegun?(executionId: string, workflowId: string): void;
  /** The remaining time for the answer of a continued call. */
  leftMs?(): number;
  /** Takes a token of the bucket for calls other than executions. Throws `RateLimited`. */
  takeToken(): Promise<void>;
}

/** Throws when the caller may not do this in the workspace of the server. A list needs only the permission to read. */
export function requirePermission({ caller, workspaceId }: Admission, permission: Permission): void {
  caller.require(workspaceId, permission);
}

/** The scope that the message needs and the access token lacks; null when nothing is missing. A key has every scope. */
export function missingScope({ caller }: Admission, serverId: string, message: JsonObject): string | null {
  const scope = toExecuteScope(serverId);
  return caller.scopes === null || caller.scopes.includes(scope) || !needsExecute(message) ? null : scope;
}

/** True when the message begins, answers or ends an execution. */
function needsExecute({ method, params }: JsonObject): boolean {
  if (method === 'tasks/update' || method === 'tasks/cancel') return true;
  const { name, inputResponses } = isObject(params) ? params : {};
  return method === 'tools/call' && (name !== 'get_execution' || inputResponses !== undefined);
}

/** Turns a refusal outside of a tool into an error of the protocol. Any other error is a bug and is rethrown. */
export async function orProtocolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, details } = error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, formatDetails(error), {
      code,
      ...(details ? { details } : {}),
    });
  }
}

/** Reports the progress of a call to the client, if it asked for that. */
export function toProgressReporter({
  mcpReq,
}: ServerContext): ((progress: number, message: string) => void) | null {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, message) =>
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined); // The client may have gone.
}
