import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { Callers } from '#libs/workspace/auth/callers';
import type { Caller } from '#libs/workspace/auth/caller';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { AuthorizationServer } from './authorization-server.ts';
import { executeScopeOf, resourceOf } from './resources.ts';

/** The time for which a token is remembered. A revoked token may still work so long. */
const cacheMs = 5000;
const cacheMax = 10_000;

/** A token as it was found: whose it is, and for what. */
interface KnownToken {
  keyId: string;
  resource: string;
  scopes: string[];
}

/** Finds the caller for whom an access token was granted. */
@Injectable()
export class AccessTokens {
  private readonly cache = new LRUCache<string, KnownToken>({ max: cacheMax, ttl: cacheMs });

  constructor(
    private readonly server: AuthorizationServer,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  /**
   * The caller of a live token for this MCP server, with no more than its workspace and what was allowed. A token that is unknown,
   * has expired, is for another server, or whose key does not live any more, gets the same error.
   */
  async callerOf(value: string, serverId: string): Promise<Caller> {
    const token = this.cache.get(value) ?? (await this.readToken(value));
    if (token.resource !== resourceOf(this.settings.publicUrl, serverId)) throw new Unauthenticated();
    const caller = await this.callers.identifyById(token.keyId);
    const workspaceId = await this.callers.locate(caller, 'mcpServer', serverId);
    const { scopes } = token;
    return caller.limitedTo(
      workspaceId,
      scopes.includes(executeScopeOf(serverId)) ? 'editor' : 'viewer',
      scopes,
    );
  }

  private async readToken(value: string): Promise<KnownToken> {
    const { provider } = this.server;
    const found = await provider.AccessToken.find(value);
    const grant = found?.grantId === undefined ? undefined : await provider.Grant.find(found.grantId);
    if (!found || !grant) throw new Unauthenticated();
    const { accountId: keyId, aud, scope = '' } = found;
    const token = { keyId, resource: String(aud), scopes: scope.split(' ') };
    this.cache.set(value, token);
    return token;
  }
}
