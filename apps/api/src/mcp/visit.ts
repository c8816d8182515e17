import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '#libs/platform/json/json';
import { Fault, sentencesOf } from '#libs/platform/errors/errors';
import type { Permission } from '#libs/workspace/auth/caller';
import type { Admission } from '../http/caller.guard.ts';
import type { FormerSession } from './former-sessions.ts';
import { executeScopeOf } from '../oauth/resources.ts';

/** One message of an agent to one server. */
export interface Visit {
  admission: Admission;
  serverId: string;
  /** `legacy`: a revision before 2026-07-28. */
  era: 'legacy' | 'modern';
  message: unknown;
  /** The conversation of a client of an older revision; null for one of the present revision, and where the client names none. */
  session: FormerSession | null;
  /** Called with the execution that the message has begun. */
  onBegun?(executionId: string, workflowId: string): void;
  /** The longest wait of an answer that goes on. */
  leftMs?(): number;
  /** Takes a token of other calls than executions. Throws `RateLimited`. */
  takeToken(): Promise<void>;
}

/** Throws when the caller may not do this in the workspace of the server. Listing needs no more than to read. */
export function requirePermission({ caller, workspaceId }: Admission, permission: Permission): void {
  caller.require(workspaceId, permission);
}

/** The scope that the message needs and that the access token of its caller was not granted; null where it has it, as every key has. */
export function missingScope({ caller }: Admission, serverId: string, message: JsonObject): string | null {
  const scope = executeScopeOf(serverId);
  return caller.scopes === null || caller.scopes.includes(scope) || !needsExecute(message) ? null : scope;
}

/** Whether the message begins, answers or ends an execution. */
function needsExecute({ method, params }: JsonObject): boolean {
  if (method === 'tasks/update' || method === 'tasks/cancel') return true;
  const { name, inputResponses } = isObject(params) ? params : {};
  return method === 'tools/call' && (name !== 'get_execution' || inputResponses !== undefined);
}

/** A refusal outside of a tool, as the protocol says it. Any other error is a bug, and is thrown on. */
export async function orProtocolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, details } = error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentencesOf(error), {
      code,
      ...(details ? { details } : {}),
    });
  }
}

/** Tells the client how far its call has come, when it has asked for that. */
export function progressOf({ mcpReq }: ServerContext): ((progress: number, message: string) => void) | null {
  const { _meta: about } = mcpReq;
  const progressToken = about?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, message) =>
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined); // Whoever has gone is told nothing.
}
