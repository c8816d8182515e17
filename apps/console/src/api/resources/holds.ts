import { HoldsResource } from '#libs/sdk/src/generated/holds';
import { transport } from '../client.ts';

export const holdsApi = new HoldsResource(transport);
