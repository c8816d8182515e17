import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { McpServers } from '#libs/mcp-servers/mcp-servers';
import { Settings } from '#libs/settings/settings';
import { Admitted, type Admission, Needs } from '../http/caller.guard.ts';
import { WorkspaceCursorQuery } from '../http/cursor-query.ts';
import { Responds } from '../http/responds.ts';
import { requireChange } from '../http/validation.ts';
import { DeletedView } from '../workflows/workflows.shapes.ts';
import {
  CreateMcpServerBody,
  McpServerView,
  UpdateMcpServerBody,
  waitSecondsDefault,
} from './mcp-servers.shapes.ts';

/** Which workflows agents may call, as servers of the Model Context Protocol. */
@ApiTags('MCP servers')
@Controller('api/v1/mcp-servers')
export class McpServersController {
  constructor(
    private readonly servers: McpServers,
    private readonly settings: Settings,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the MCP servers',
    description: 'Lists the servers of the workspace, each with the address that an agent is given.',
  })
  @Needs('read', 'workspace')
  @Responds(200, { data: [McpServerView] }, 'One page of servers, the oldest first.', { paged: true })
  async listMcpServers(@Admitted() { workspaceId }: Admission, @Query() query: WorkspaceCursorQuery) {
    const { items, nextCursor } = await this.servers.list(workspaceId, query);
    return { data: items.map((server) => this.viewOf(server)), nextCursor };
  }

  @Post()
  @ApiOperation({
    summary: 'Create an MCP server',
    description:
      'Offers deployed workflows to agents as tools: all of a folder, or chosen ones. Each server has an address of its own, and is never public: an agent needs a key.',
  })
  @Needs('write', 'workspace')
  @Responds(201, { data: McpServerView }, 'The server was created and answers at `url`.', { also: [409] })
  async createMcpServer(@Admitted() { workspaceId }: Admission, @Body() body: CreateMcpServerBody) {
    const { name, description = '', folder = null, tools = [], waitSeconds = waitSecondsDefault } = body;
    const fields = { name, description, folder, tools, waitSeconds };
    return { data: this.viewOf(await this.servers.create(workspaceId, fields)) };
  }

  @Get(':serverId')
  @ApiOperation({
    summary: 'Read one MCP server',
    description: 'Shows what the server offers as it was set. Its list of tools is read at its address.',
  })
  @Needs('read', 'mcpServer')
  @Responds(200, { data: McpServerView }, 'The server, with what it offers as it was set.')
  async getMcpServer(@Admitted() { workspaceId }: Admission, @Param('serverId') id: string) {
    return { data: this.viewOf(await this.servers.get(workspaceId, id)) };
  }

  @Patch(':serverId')
  @ApiOperation({
    summary: 'Change an MCP server',
    description: 'Changes what is sent and leaves the rest. Agents see it with their next list.',
  })
  @Needs('write', 'mcpServer')
  @Responds(200, { data: McpServerView }, 'The server as it is after the change.', { also: [409] })
  async updateMcpServer(
    @Admitted() { workspaceId }: Admission,
    @Param('serverId') id: string,
    @Body() { name, description, folder, tools, waitSeconds }: UpdateMcpServerBody,
  ) {
    const changes = { name, description, folder, tools, waitSeconds };
    requireChange(changes, ['name', 'description', 'folder', 'tools', 'waitSeconds']);
    return { data: this.viewOf(await this.servers.update(workspaceId, id, changes)) };
  }

  @Delete(':serverId')
  @ApiOperation({
    summary: 'Delete an MCP server',
    description: 'Closes its address. Executions that agents began go on, and stay in the logs.',
  })
  @Needs('write', 'mcpServer')
  @Responds(200, { data: DeletedView }, 'The server is gone; the workflows are not touched.')
  async deleteMcpServer(@Admitted() { workspaceId }: Admission, @Param('serverId') id: string) {
    await this.servers.delete(workspaceId, id);
    return { data: { id, deleted: true } };
  }

  private viewOf(server: Parameters<typeof McpServerView.of>[0]): McpServerView {
    return McpServerView.of(server, this.settings.publicUrl);
  }
}
