import { DeploymentsResource } from '#libs/sdk/src/generated/deployments';
import { transport } from '../client.ts';

export const deploymentsApi = new DeploymentsResource(transport);
