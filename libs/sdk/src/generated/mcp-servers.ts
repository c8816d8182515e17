// This file is generated from the description of the API: change that, and run `npm run clients`.
import type { Call, PageCall } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { AnswerOf, BodyOf, DataOf, QueryOf, WorkspaceOptional } from '../shapes.ts';
import { Resource } from '../resource.ts';

/** The calls of `client.mcpServers`. */
export class McpServersResource extends Resource {
  readonly grants = new McpServersGrantsResource(this.transport);

  /**
   * List the MCP servers.
   *
   * Lists the MCP servers of the workspace, each with its address for agents.
   *
   * `GET /api/v1/mcp-servers`
   */
  list(params: WorkspaceOptional<QueryOf<'listMcpServers'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listMcpServers'>['data'][number], AnswerOf<'listMcpServers'>> {
    return this.transport.list({ id: 'listMcpServers', verb: 'GET', path: `/api/v1/mcp-servers`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Create an MCP server.
   *
   * Offers deployed workflows to agents as tools: all workflows of a folder, or chosen workflows. Each server has its own address. A server is never public: an agent needs a key.
   *
   * `POST /api/v1/mcp-servers`
   */
  create(params: WorkspaceOptional<BodyOf<'createMcpServer'>>, options: CallOptions = {}): Call<DataOf<'createMcpServer'>> {
    return this.transport.read({ id: 'createMcpServer', verb: 'POST', path: `/api/v1/mcp-servers`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Read one MCP server.
   *
   * Shows the settings of the server. Its tools are listed at its address.
   *
   * `GET /api/v1/mcp-servers/{serverId}`
   */
  get(serverId: string, options: CallOptions = {}): Call<DataOf<'getMcpServer'>> {
    return this.transport.read({ id: 'getMcpServer', verb: 'GET', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, valuePath: ['data'] }, options);
  }

  /**
   * Change an MCP server.
   *
   * Changes only the sent members. Agents see the change when they list the tools again.
   *
   * `PATCH /api/v1/mcp-servers/{serverId}`
   */
  update(serverId: string, params: WorkspaceOptional<BodyOf<'updateMcpServer'>> = {}, options: CallOptions = {}): Call<DataOf<'updateMcpServer'>> {
    return this.transport.read({ id: 'updateMcpServer', verb: 'PATCH', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, params, body: 'json', workspaceIn: 'body', valuePath: ['data'] }, options);
  }

  /**
   * Delete an MCP server.
   *
   * Closes the address of the server. Executions that agents began go on, and stay in the logs.
   *
   * `DELETE /api/v1/mcp-servers/{serverId}`
   */
  delete(serverId: string, options: CallOptions = {}): Call<DataOf<'deleteMcpServer'>> {
    return this.transport.read({ id: 'deleteMcpServer', verb: 'DELETE', path: `/api/v1/mcp-servers/${this.segment(serverId)}`, valuePath: ['data'] }, options);
  }
}

/** The calls of `client.mcpServers.grants`. */
export class McpServersGrantsResource extends Resource {
  /**
   * List the clients of an MCP server.
   *
   * Lists the valid OAuth grants that people have given to clients. Clients that send a key are not in the list.
   *
   * `GET /api/v1/mcp-servers/{serverId}/grants`
   */
  list(serverId: string, params: WorkspaceOptional<QueryOf<'listMcpGrants'>> = {}, options: CallOptions = {}): PageCall<AnswerOf<'listMcpGrants'>['data'][number], AnswerOf<'listMcpGrants'>> {
    return this.transport.list({ id: 'listMcpGrants', verb: 'GET', path: `/api/v1/mcp-servers/${this.segment(serverId)}/grants`, params, workspaceIn: 'query', valuePath: ['data'], cursorPath: ['nextCursor'], paging: 'cursor' }, options);
  }

  /**
   * Revoke the access of a client.
   *
   * Ends the grant that a person has given to a client. Its tokens stop within five seconds.
   *
   * `DELETE /api/v1/mcp-servers/{serverId}/grants/{grantId}`
   */
  revoke(serverId: string, grantId: string, options: CallOptions = {}): Call<DataOf<'revokeMcpGrant'>> {
    return this.transport.read({ id: 'revokeMcpGrant', verb: 'DELETE', path: `/api/v1/mcp-servers/${this.segment(serverId)}/grants/${this.segment(grantId)}`, valuePath: ['data'] }, options);
  }
}
