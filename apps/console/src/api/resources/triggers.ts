import { TriggersResource } from '#libs/sdk/src/generated/triggers';
import { transport } from '../client.ts';

export const triggersApi = new TriggersResource(transport);
