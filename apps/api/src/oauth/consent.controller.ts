import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction, InteractionResults } from 'oidc-provider';
import { Audit } from '#libs/workspace/audit/audit';
import type { Caller } from '#libs/workspace/auth/caller';
import { Callers } from '#libs/workspace/auth/callers';
import { actorContext } from '#libs/platform/database/actor-context';
import { Conflict, Denied, NotFound, Unauthenticated } from '#libs/platform/errors/errors';
import { McpServers } from '#libs/workspace/mcp-servers/mcp-servers';
import { Settings } from '#libs/platform/settings/settings';
import { Public } from '../http/route-decorators.ts';
import { formOfBody } from '../http/form-body.ts';
import { pageHeaders } from '../http/html.ts';
import { IsPage } from '../http/page-route.ts';
import { RawBody } from '../http/raw-input.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { Consenters } from './consenters.ts';
import { consentHeaders, consentPage, type ConsentRequest, refusedPage } from './consent.html.ts';
import { buildScopes, parseResource } from './resources.ts';

/** A client's request that waits for a person. */
interface OpenRequest extends ConsentRequest {
  interaction: Interaction;
  serverId: string;
}

/**
 * The page where a person lets a client act for them: by their session, or by a personal key when nobody has signed in.
 * A cookie proves that this browser began the request. GET changes nothing.
 */
@ApiExcludeController()
@Controller('oauth/consent/:uid')
export class ConsentController {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly callers: Callers,
    private readonly consenters: Consenters,
    private readonly servers: McpServers,
    private readonly audit: Audit,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Public()
  @IsPage()
  async showConsent(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const open = await this.openRequest(request, reply);
    if (!open) return endedPage(reply);
    return consentPage(open, { reader: await this.consenters.signedIn(request) });
  }

  @Post()
  @Public()
  @IsPage({ takesForms: true })
  @HttpCode(200)
  async decideConsent(
    @RawBody() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const open = await this.openRequest(request, reply);
    if (!open) return endedPage(reply);
    const form = formOfBody(body);
    if (form.get('decision')?.[0] !== 'allow') {
      const refusal = { error: 'access_denied', error_description: 'The person did not allow it.' };
      return this.finish(request, reply, refusal);
    }
    try {
      const [key, user] = [form.get('key')?.[0], form.get('user')?.[0]];
      const caller = await this.consenters.of(request, {
        ...(key === undefined ? {} : { key }),
        ...(user === undefined ? {} : { user }),
      });
      const workspaceId = await this.requireAccess(caller, open);
      const result = await this.actingAs(caller, request, () => this.allow(caller, workspaceId, open));
      return await this.finish(request, reply, result);
    } catch (error) {
      const refusal = toSentence(error);
      if (refusal === null) throw error;
      void reply.status(400);
      return consentPage(open, { fault: refusal, reader: await this.consenters.signedIn(request) });
    }
  }

  /** The request of the URL and the cookie, whose page the reply may show; null when there is none, or when it has ended. */
  private async openRequest(request: FastifyRequest, reply: FastifyReply): Promise<OpenRequest | null> {
    const { provider } = this.server;
    this.server.showPublicAddress(request.raw);
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
      if (this.server.isEnded(error)) return null;
      throw error;
    });
    if (!interaction) return null;
    const { client_id: clientId, redirect_uri: redirectUri, resource, scope } = interaction.params;
    const client = await provider.Client.find(String(clientId));
    const serverId = parseResource(this.settings.publicUrl, String(resource));
    if (!client || !serverId) return null;
    const knownScopes = buildScopes(serverId);
    void reply.headers(consentHeaders(String(redirectUri)));
    return {
      interaction,
      serverId,
      path: `/oauth/consent/${interaction.uid}`,
      clientName: client.clientName ?? new URL(client.clientId).hostname,
      clientHost: new URL(client.clientId).host,
      redirectUri: String(redirectUri),
      resource: String(resource),
      scopes: String(scope ?? '')
        .split(' ')
        .filter((one) => knownScopes.includes(one)),
    };
  }

  /** The workspace of the server. Throws unless the caller is a person with the permissions that the client asks for. */
  private async requireAccess(caller: Caller, { serverId, scopes }: OpenRequest): Promise<string> {
    if (caller.userId === null)
      throw new Denied('This is a key of a workspace. A personal key is needed: it says who you are.');
    const workspaceId = await this.callers.locate(caller, 'mcpServer', serverId);
    caller.require(workspaceId, scopes.some((scope) => scope.startsWith('execute:')) ? 'execute' : 'read');
    await this.servers.get(workspaceId, serverId);
    return workspaceId;
  }

  private async allow(caller: Caller, workspaceId: string, open: OpenRequest): Promise<InteractionResults> {
    const accountId = await this.consenters.getKeyId(caller, workspaceId, open.clientHost);
    const grantId = await this.grant(accountId, open);
    await this.recordGrant(workspaceId, open);
    return { login: { accountId, remember: false }, consent: { grantId } };
  }

  private async grant(accountId: string, { interaction, resource, scopes }: OpenRequest): Promise<string> {
    const { provider } = this.server;
    const grant = new provider.Grant({ accountId, clientId: String(interaction.params.client_id) });
    grant.addResourceScope(resource, scopes.join(' '));
    return grant.save();
  }

  private recordGrant(workspaceId: string, { serverId, interaction, scopes }: OpenRequest): Promise<void> {
    const changes = { client: String(interaction.params.client_id), scopes: scopes.join(' ') };
    const note = {
      action: 'mcp_server.access_granted',
      resourceType: 'mcp_server',
      resourceId: serverId,
      changes,
    };
    return this.audit.recordIfThere(workspaceId, note);
  }

  private actingAs<T>({ actor, keyId }: Caller, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    return actorContext.run({ actor, keyId, requestId: request.id, address: request.ip }, work);
  }

  private async finish(
    request: FastifyRequest,
    reply: FastifyReply,
    result: InteractionResults,
  ): Promise<string> {
    const next = await this.server.provider.interactionResult(request.raw, reply.raw, result);
    void reply.status(303).header('Location', next);
    return '';
  }
}

function endedPage(reply: FastifyReply): string {
  void reply.status(400).headers(pageHeaders);
  return refusedPage('request_ended', 'this request has ended, or another browser began it');
}

/** Returns the sentence for a person who may not allow it; null for a bug. */
function toSentence(error: unknown): string | null {
  if (error instanceof Unauthenticated)
    return error.code === 'UNAUTHORIZED' ? 'This is no key that works here.' : error.message;
  if (error instanceof NotFound) return 'This account or key does not reach the workspace of the server.';
  return error instanceof Denied || error instanceof Conflict ? error.message : null;
}
