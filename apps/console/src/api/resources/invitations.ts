import { InvitationsResource } from '#libs/sdk/src/generated/invitations';
import { transport } from '../client.ts';

export const invitationsApi = new InvitationsResource(transport);
