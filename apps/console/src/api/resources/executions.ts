import { ExecutionsResource } from '#libs/sdk/src/generated/executions';
import { transport } from '../client.ts';

export const executionsApi = new ExecutionsResource(transport);
