import { WorkflowsResource } from '#libs/sdk/src/generated/workflows';
import { transport } from '../client.ts';

export const workflowsApi = new WorkflowsResource(transport);
