import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Audit } from '#libs/workspace/audit/audit';
import { McpServers } from '#libs/workspace/mcp-servers/mcp-servers';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { Settings } from '#libs/platform/settings/settings';
import { CurrentCaller, type Admission } from '../http/caller.guard.ts';
import { RequirePermission } from '../http/route-decorators.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { ApiResult } from '../http/api-result.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.dto.ts';
import {
  CreateMcpServerBody,
  McpGrantView,
  McpServerView,
  UpdateMcpServerBody,
  waitSecondsDefault,
} from './mcp-servers.dto.ts';

/** The servers of the Model Context Protocol, with the workflows that agents may call. */
@ApiTags('MCP servers')
@Controller('api/v1/mcp-servers')
export class McpServersController {
  constructor(
    private readonly servers: McpServers,
    private readonly settings: Settings,
    private readonly records: OAuthRecords,
    private readonly audit: Audit,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the MCP servers',
    description: 'Lists the MCP servers of the workspace, each with its address for agents.',
  })
  @RequirePermission('read', 'workspace')
  @ApiResult(200, { data: [McpServerView] }, 'One page of servers, the oldest first.', { paged: true })
  async listMcpServers(@CurrentCaller() { workspaceId }: Admission, @Query() query: WorkspaceCursorQuery) {
    const { items, nextCursor } = await this.servers.list(workspaceId, query);
    return { data: items.map((server) => this.toView(server)), nextCursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Create an MCP server',
    description:
      'Offers deployed workflows to agents as tools: all workflows of a folder, or chosen workflows. Each server has its own address. A server is never public: an agent needs a key.',
  })
  @RequirePermission('write', 'workspace')
  @ApiResult(201, { data: McpServerView }, 'The server was created and answers at `url`.', { also: [409] })
  async createMcpServer(@CurrentCaller() { workspaceId }: Admission, @Body() body: CreateMcpServerBody) {
    const { name, description = '', folder = null, tools = [], waitSeconds = waitSecondsDefault } = body;
    const fields = { name, description, folder, tools, waitSeconds };
    return { data: this.toView(await this.servers.create(workspaceId, fields)) };
  }

  @Get(':serverId')
  @ApiOperation({
    summary: 'Read one MCP server',
    description: 'Shows the settings of the server. Its tools are listed at its address.',
  })
  @RequirePermission('read', 'mcpServer')
  @ApiResult(200, { data: McpServerView }, 'The server with its settings.')
  async getMcpServer(@CurrentCaller() { workspaceId }: Admission, @Param('serverId') id: string) {
    return { data: this.toView(await this.servers.get(workspaceId, id)) };
  }

  @Patch(':serverId')
  @ApiOperation({
    summary: 'Change an MCP server',
    description: 'Changes only the sent members. Agents see the change when they list the tools again.',
  })
  @RequirePermission('write', 'mcpServer')
  @ApiResult(200, { data: McpServerView }, 'The server as it is after the change.', { also: [409] })
  async updateMcpServer(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('serverId') id: string,
    @Body() { name, description, folder, tools, waitSeconds }: UpdateMcpServerBody,
  ) {
    const changes = { name, description, folder, tools, waitSeconds };
    requireChange(changes, ['name', 'description', 'folder', 'tools', 'waitSeconds']);
    return { data: this.toView(await this.servers.update(workspaceId, id, changes)) };
  }

  @Delete(':serverId')
  @ApiOperation({
    summary: 'Delete an MCP server',
    description:
      'Closes the address of the server. Executions that agents began go on, and stay in the logs.',
  })
  @RequirePermission('write', 'mcpServer')
  @ApiResult(200, { data: DeletedView }, 'The server was deleted. The workflows are not changed.')
  async deleteMcpServer(@CurrentCaller() { workspaceId }: Admission, @Param('serverId') id: string) {
    await this.servers.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }

  @Get(':serverId/grants')
  @ApiOperation({
    summary: 'List the clients of an MCP server',
    description:
      'Lists the valid OAuth grants that people have given to clients. Clients that send a key are not in the list.',
  })
  @RequirePermission('admin', 'mcpServer')
  @ApiResult(200, { data: [McpGrantView] }, 'One page of grants, the oldest first.', { paged: true })
  async listMcpGrants(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('serverId') id: string,
    @Query() query: WorkspaceCursorQuery,
  ) {
    // OAuth records belong to no workspace, so access depends on the server.
    await this.servers.get(workspaceId, id);
    const { items, nextCursor } = await this.records.listGrants(id, query);
    return { data: items.map((grant) => McpGrantView.of(grant)), nextCursor };
  }

  @Delete(':serverId/grants/:grantId')
  @ApiOperation({
    summary: 'Revoke the access of a client',
    description: 'Ends the grant that a person has given to a client. Its tokens stop within five seconds.',
  })
  @RequirePermission('admin', 'mcpServer')
  @ApiResult(200, { data: DeletedView }, 'The grant and its tokens were deleted.')
  async revokeMcpGrant(
    @CurrentCaller() { workspaceId }: Admission,
    @Param('serverId') serverId: string,
    @Param('grantId') grantId: string,
  ) {
    await this.servers.get(workspaceId, serverId);
    await this.records.revokeGrant(serverId, grantId);
    const note = { action: 'mcp_server.access_revoked', resourceType: 'mcp_server', resourceId: serverId };
    await this.audit.recordIfThere(workspaceId, { ...note, changes: { grant: grantId } });
    return { data: { id: grantId, deleted: true } };
  }

  private toView(server: Parameters<typeof McpServerView.of>[0]): McpServerView {
    return McpServerView.of(server, this.settings.publicUrl);
  }
}
