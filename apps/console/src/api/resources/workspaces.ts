import { WorkspacesResource } from '#libs/sdk/src/generated/workspaces';
import { transport } from '../client.ts';

export const workspacesApi = new WorkspacesResource(transport);
