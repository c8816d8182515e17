import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { Callers } from '#libs/workspace/auth/callers';
import type { Caller } from '#libs/workspace/auth/caller';
import { Unauthenticated } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';
import { AuthorizationServer } from './authorization-server.ts';
import { toExecuteScope, toResource } from './resources.ts';

/** A token is cached this long. A revoked token may work for as long. */
const cacheMs = 5000;
const cacheMax = 10_000;

/** A cached token: its caller and its purpose. */
interface KnownToken {
  keyId: string;
  resource: string;
  scopes: string[];
}

/** Finds the caller of an access token. */
@Injectable()
export class AccessTokens {
  private readonly cache = new LRUCache<string, KnownToken>({ max: cacheMax, ttl: cacheMs });

  constructor(
    private readonly server: AuthorizationServer,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  /**
   * The caller of a live token for this MCP server. It has only the token's workspace and scopes. A token gets the same
   * error when it is unknown, expired or for another server, and when its key is no longer live.
   */
  async findCaller(value: string, serverId: string): Promise<Caller> {
    const token = this.cache.get(value) ?? (await this.readToken(value));
    if (token.resource !== toResource(this.settings.publicUrl, serverId)) throw new Unauthenticated();
    const caller = await this.callers.identifyById(token.keyId);
    const workspaceId = await this.callers.locate(caller, 'mcpServer', serverId);
    const { scopes } = token;
    return caller.limitedTo(
      workspaceId,
      scopes.includes(toExecuteScope(serverId)) ? 'editor' : 'viewer',
      scopes,
    );
  }

  private async readToken(value: string): Promise<KnownToken> {
    const { provider } = this.server;
    const accessToken = await provider.AccessToken.find(value);
    const grant =
      accessToken?.grantId === undefined ? undefined : await provider.Grant.find(accessToken.grantId);
    if (!accessToken || !grant) throw new Unauthenticated();
    const { accountId: keyId, aud, scope = '' } = accessToken;
    const token = { keyId, resource: String(aud), scopes: scope.split(' ') };
    this.cache.set(value, token);
    return token;
  }
}
