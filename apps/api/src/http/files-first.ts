import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import type { Caller } from '#libs/workspace/auth/caller';
import { Denied } from '#libs/platform/errors/errors';
import type { StorageQuota } from '#libs/workspace/limits/storage-quota';
import { recordRefusedAccess } from './caller.guard.ts';
import { getRouteFlags } from './route-config.ts';

/**
 * Refuses a file before it is read, when its sender has no permission or no room for it: reading writes it to the disk.
 * The guard checks the same later. This check needs the workspace from the query or the key. Call this after
 * `authenticateBeforeBody`.
 */
export function filesFirst(
  server: FastifyInstance,
  { attempts, room }: { attempts: RefusedAttempts; room: StorageQuota },
): void {
  server.addHook('onRequest', async (request) => {
    const { permission, takesRows, takesUploads, storesData } = getRouteFlags(request);
    const { caller } = request;
    if (!permission || !caller || (!takesRows && !takesUploads)) return;
    const workspaceId = findWorkspace(request, caller);
    if (!workspaceId) return;
    try {
      caller.require(workspaceId, permission);
    } catch (error) {
      if (error instanceof Denied) void recordRefusedAccess(attempts, request, workspaceId, error.code);
      throw error;
    }
    if (storesData) await room.require(workspaceId);
  });
}

function findWorkspace(request: FastifyRequest, caller: Caller): string | undefined {
  const requestedId: unknown = Object.entries(request.query ?? {}).find(
    ([name]) => name === 'workspaceId',
  )?.[1];
  const [only, second] = caller.workspaceIds;
  const workspaceId = typeof requestedId === 'string' ? requestedId : second === undefined ? only : undefined;
  return workspaceId !== undefined && caller.workspaceIds.includes(workspaceId) ? workspaceId : undefined;
}
