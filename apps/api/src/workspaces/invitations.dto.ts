import { invitationStatuses, type Invitation, type InvitationOffer } from '#libs/workspace/auth/invitations';
import { roles, type Role } from '#libs/workspace/auth/people.entity';
import { Email, NameOf, OneOf, Text, Time } from '../http/fields.ts';

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
  @OneOf(roles, { description: 'The role of the person after acceptance.' }) role!: Role;
}

export class InvitationView {
  @Text({ description: 'The id of the invitation, which begins with `inv_`.' }) id!: string;
  @Text({ description: 'The mail address that was invited.' }) email!: string;
  @Text({ description: 'The name that a new user gets; empty when none was given.' }) name!: string;
  @OneOf(roles, { description: 'The role of the person after acceptance.' }) role!: string;
  @OneOf(invitationStatuses, {
    description: '`pending` until the person decides. All other states are final.',
  })
  status!: string;
  @Text({ description: 'The id of the user or the key that sent the invitation.' }) invitedBy!: string;
  @NameOf('invitedBy') invitedByName?: string | null;
  @Time({ description: 'The time at which the person was invited, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time at which the token expires, in ISO 8601 and UTC.' }) expiresAt!: string;
  @Time({
    nullable: true,
    description: 'The time at which the person accepted or declined, in ISO 8601 and UTC; null until then.',
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
  @Text({ description: 'The token, shown only in this answer. Give it only to the invited person.' })
  token!: string;

  static ofMade({ invitation, token }: { invitation: Invitation; token: string }): MadeInvitationView {
    return { ...InvitationView.of(invitation), token };
  }
}

export class InvitationTokenBody {
  @Text({ min: 20, max: 100, description: 'The token of the invitation.' }) token!: string;
}

export class OfferView {
  @Text({ description: 'The id of the workspace of the invitation.' }) workspaceId!: string;
  @Text({ description: 'The name of the workspace of the invitation.' }) workspaceName!: string;
  @Text({ description: 'The mail address that was invited.' }) email!: string;
  @OneOf(roles, { description: 'The role in the workspace after acceptance.' }) role!: string;
  @Time({ description: 'The time at which the token expires, in ISO 8601 and UTC.' }) expiresAt!: string;

  static of({ workspaceId, workspaceName, email, role, expiresAt }: InvitationOffer): OfferView {
    return { workspaceId, workspaceName, email, role, expiresAt: expiresAt.toISOString() };
  }
}

export class JoinedView {
  @Text({ description: 'The id of the joined workspace.' }) workspaceId!: string;
  @Text({ description: 'The id of the user who has joined.' }) userId!: string;
  @OneOf(roles, { description: 'The role of the user in the workspace.' }) role!: string;
  @Text({
    nullable: true,
    description:
      'The first personal key of a new user, shown only in this answer; null for an existing user.',
  })
  key!: string | null;
}

export class DeclinedView {
  @OneOf(['declined'], { description: 'Always `declined`.' }) status!: 'declined';
}
