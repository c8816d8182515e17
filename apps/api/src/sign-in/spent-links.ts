import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RefusedAttempts } from '#libs/workspace/audit/refused-attempts';
import { Callers } from '#libs/workspace/auth/callers';
import { actorContext } from '#libs/platform/database/actor-context';
import type { LinkSpent } from '#libs/workspace/sign-in/links';

/** Notes an attempt with a person's spent link in the audit logs of their workspaces. */
@Injectable()
export class SpentLinks {
  constructor(
    private readonly callers: Callers,
    private readonly attempts: RefusedAttempts,
  ) {}

  async recordSpentLink(request: FastifyRequest, { userId, code }: LinkSpent): Promise<void> {
    if (userId === null) return;
    const who = { actor: { kind: 'anyone' }, keyId: null, requestId: request.id, address: request.ip };
    const about = { code, method: request.method, path: request.routeOptions.url ?? '' };
    const attempt = { action: 'sign_in.refused', resourceType: 'user', resourceId: userId, about } as const;
    for (const workspaceId of await this.callers.listWorkspaces(userId))
      void actorContext.run(who, () => this.attempts.recordAttempt(workspaceId, attempt));
  }
}
