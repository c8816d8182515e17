import { McpServersResource } from '#libs/sdk/src/generated/mcp-servers';
import { transport } from '../client.ts';

export const mcpServersApi = new McpServersResource(transport);
