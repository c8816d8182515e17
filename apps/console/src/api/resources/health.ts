import { HealthResource } from '#libs/sdk/src/generated/health';
import { transport } from '../client.ts';

export const healthApi = new HealthResource(transport);
