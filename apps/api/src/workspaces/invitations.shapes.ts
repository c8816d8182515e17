import { invitationStatuses, type Invitation, type Offer } from '#libs/auth/invitations';
import { roles, type Role } from '#libs/auth/people.entity';
import { Email, OneOf, Text, Time } from '../http/fields.ts';

export class InviteBody {
  @Email() email!: string;
  @Text({ optional: true, min: 1, max: 128 }) name?: string;
  @OneOf(roles) role!: Role;
}

export class InvitationView {
  @Text() id!: string;
  @Text() email!: string;
  @Text() name!: string;
  @OneOf(roles) role!: string;
  @OneOf(invitationStatuses) status!: string;
  @Text({ description: 'The user or the key that has invited.' }) invitedBy!: string;
  @Time() createdAt!: string;
  @Time() expiresAt!: string;
  @Time({ nullable: true }) decidedAt!: string | null;

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

/** A new invitation; only the answer to its creation holds the token. */
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
  @Text() workspaceId!: string;
  @Text() workspaceName!: string;
  @Text() email!: string;
  @OneOf(roles) role!: string;
  @Time() expiresAt!: string;

  static of({ workspaceId, workspaceName, email, role, expiresAt }: Offer): OfferView {
    return { workspaceId, workspaceName, email, role, expiresAt: expiresAt.toISOString() };
  }
}

export class JoinedView {
  @Text() workspaceId!: string;
  @Text() userId!: string;
  @OneOf(roles) role!: string;
  @Text({
    nullable: true,
    description:
      'The first personal key of a new user, shown this once; null for a user who came with a key.',
  })
  key!: string | null;
}

export class DeclinedView {
  @OneOf(['declined']) status!: 'declined';
}
