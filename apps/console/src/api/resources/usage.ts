import { UsageResource } from '#libs/sdk/src/generated/usage';
import { transport } from '../client.ts';

export const usageApi = new UsageResource(transport);
