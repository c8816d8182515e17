import { Controller, Logger, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { actorContext } from '#libs/platform/database/actor-context';
import { Limits } from '#libs/workspace/limits/limits';
import { Denied } from '#libs/platform/errors/errors';
import { McpServers } from '#libs/workspace/mcp-servers/mcp-servers';
import { Settings } from '#libs/platform/settings/settings';
import { actingIn } from '../http/actor-context.ts';
import { CurrentCaller, type Admission, getHeader } from '../http/caller.guard.ts';
import { ForAgents, RequirePermission, Unmetered } from '../http/route-decorators.ts';
import { LastingAnswers } from '../http/lasting-answers.ts';
import { writeRateHeaders } from '../http/rate-headers.ts';
import { buildChallenge } from '../oauth/resources.ts';
import { answerByMcp, requireOneMessage } from './web-exchange.ts';
import { LegacyCalls } from './legacy-calls.ts';
import { newSessionId, sessionHeader, parseSession } from './legacy-sessions.ts';
import { ToolChanges } from './tool-changes.ts';
import { missingScope } from './mcp-request.ts';
import { buildWorkflowServer } from './workflow-server.ts';

/** The endpoint for agents: one URL for each server, in every revision of the Model Context Protocol that clients use. */
@ApiExcludeController()
@Controller('api/mcp')
export class McpController {
  private readonly log = new Logger(McpController.name);

  constructor(
    private readonly servers: McpServers,
    private readonly limits: Limits,
    private readonly changes: ToolChanges,
    private readonly settings: Settings,
    private readonly legacyCalls: LegacyCalls,
    private readonly lasting: LastingAnswers,
  ) {}

  @Post(':serverId')
  @RequirePermission('read', 'mcpServer')
  @Unmetered()
  @ForAgents()
  async callMcpServer(
    @CurrentCaller() admission: Admission,
    @Param('serverId') serverId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | string> {
    const message = requireOneMessage(request.body);
    const scope = missingScope(admission, serverId, message);
    if (scope !== null) {
      const challenge = buildChallenge(this.settings.publicUrl, serverId, 'insufficient_scope');
      reply.header('WWW-Authenticate', challenge);
      const sentence = `This call needs the scope ${scope}, which the access token does not have.`;
      throw new Denied(sentence, 'INSUFFICIENT_SCOPE');
    }
    const { workspaceId, payer } = admission;
    const mcpRequest = {
      admission,
      serverId,
      message,
      takeToken: async () => writeRateHeaders(reply, await this.limits.takeTokens(payer, 'api'), 'api'),
    };
    // A call takes its token later, because an execution has a token of another kind.
    if (message.method !== 'tools/call') await mcpRequest.takeToken();
    const offer = await this.servers.recall(workspaceId, serverId);
    const listens = message.method === 'subscriptions/listen';
    const session = parseSession(getHeader(request, sessionHeader));
    if (
      session &&
      this.legacyCalls.questions.pass({ caller: admission.caller, serverId, session }, message)
    ) {
      reply.status(202);
      return '';
    }
    const serve = () =>
      answerByMcp(
        ({ era }) =>
          buildWorkflowServer(this.legacyCalls, offer, {
            ...mcpRequest,
            era,
            session: era === 'legacy' ? session : null,
          }),
        {
          request,
          reply,
          lasting: this.lasting,
          bus: this.changes.getBus(workspaceId),
          ...(listens ? { closing: this.changes.closing } : {}),
          onerror: (error) => this.log.debug(error.message),
        },
      );
    const answer = await actorContext.run(actingIn(request), serve);
    if (message.method === 'initialize' && reply.statusCode === 200)
      reply.header(sessionHeader, newSessionId(message.params));
    return answer;
  }
}
