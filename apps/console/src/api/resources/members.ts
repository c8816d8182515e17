import { MembersResource } from '#libs/sdk/src/generated/members';
import { transport } from '../client.ts';

export const membersApi = new MembersResource(transport);
