import { invitationStatuses, type Invitation, type InvitationOffer } from '#libs/workspace/auth/invitations';
import { roles, type Role } from '#libs/workspace/auth/people.entity';
import { Email, OneOf, Text, Time } from '../http/fields.ts';

export class InviteBody {
  @Email({ description: 'The mail address of the person; only a user with this address can accept.' })
  email!: string;
  @Text({
    optional: true,
    min: 1,
    max: 128,
    description: 'The name that a new user gets; empty when left out.',
  })
  name?: string;
  @OneOf(roles, { description: 'What the person may do once they have accepted.' }) role!: Role;
}

export class InvitationView {
  @Text({ description: 'The id of the invitation, which begins with `inv_`.' }) id!: string;
  @Text({ description: 'The mail address that was invited.' }) email!: string;
  @Text({ description: 'The name that a new user gets; empty when none was given.' }) name!: string;
  @OneOf(roles, { description: 'What the person may do once they have accepted.' }) role!: string;
  @OneOf(invitationStatuses, { description: '`pending` until the person decides; the others are ends.' })
  status!: string;
  @Text({ description: 'The user or the key that has invited.' }) invitedBy!: string;
  @Time({ description: 'When the person was invited, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'When the token opens nothing any more, in ISO 8601 and UTC.' }) expiresAt!: string;
  @Time({
    nullable: true,
    description: 'When the person accepted or declined, in ISO 8601 and UTC; null until then.',
  })
  decidedAt!: string | null;

  static of({ id, email, name, role, status, invitedBy, ...times }: Invitation): InvitationView {
    const { createdAt, expiresAt, decidedAt } = times;
    return {
      id,
      email,
      name,
      role,
      status,
      invitedBy,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      decidedAt: decidedAt?.toISOString() ?? null,
    };
  }
}

/** A new invitation. Only the answer to its creation has the token. */
export class MadeInvitationView extends InvitationView {
  @Text({ description: 'Shown this once. Hand it to the invited person alone.' }) token!: string;

  static ofMade({ invitation, token }: { invitation: Invitation; token: string }): MadeInvitationView {
    return { ...InvitationView.of(invitation), token };
  }
}

export class InvitationTokenBody {
  @Text({ min: 20, max: 100, description: 'The token of the invitation.' }) token!: string;
}

export class OfferView {
  @Text({ description: 'The id of the workspace that one is invited to.' }) workspaceId!: string;
  @Text({ description: 'The name of that workspace.' }) workspaceName!: string;
  @Text({ description: 'The mail address that was invited.' }) email!: string;
  @OneOf(roles, { description: 'What one may do there after accepting.' }) role!: string;
  @Time({ description: 'When the token opens nothing any more, in ISO 8601 and UTC.' }) expiresAt!: string;

  static of({ workspaceId, workspaceName, email, role, expiresAt }: InvitationOffer): OfferView {
    return { workspaceId, workspaceName, email, role, expiresAt: expiresAt.toISOString() };
  }
}

export class JoinedView {
  @Text({ description: 'The id of the workspace that one has joined.' }) workspaceId!: string;
  @Text({ description: 'The id of the user who has joined.' }) userId!: string;
  @OneOf(roles, { description: 'What one may do there.' }) role!: string;
  @Text({
    nullable: true,
    description:
      'The first personal key of a new user, shown this once; null for a user who came with a key.',
  })
  key!: string | null;
}

export class DeclinedView {
  @OneOf(['declined'], { description: 'Always `declined`.' }) status!: 'declined';
}
