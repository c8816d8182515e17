import { AccountResource } from '#libs/sdk/src/generated/account';
import { transport } from '../client.ts';

export const accountApi = new AccountResource(transport);
