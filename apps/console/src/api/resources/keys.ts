import { KeysResource } from '#libs/sdk/src/generated/keys';
import { transport } from '../client.ts';

export const keysApi = new KeysResource(transport);
