import { EndpointsResource } from '#libs/sdk/src/generated/endpoints';
import { transport } from '../client.ts';

export const endpointsApi = new EndpointsResource(transport);
