import { roles, type Role } from '#libs/workspace/auth/people.entity';
import type { Passkey } from '#libs/workspace/sign-in/passkeys';
import type { Identity } from '#libs/workspace/sign-in/ways-in';
import { type Session, signInMethods } from '#libs/workspace/auth/sessions';
import { Bool, Email, ListOf, Obj, One, OneOf, Text, Time } from '../http/fields.ts';

export class ProviderView {
  @Text({ description: 'The id of the provider, a part of the address of its sign-in.' }) id!: string;
  @Text({ description: 'The name for its button.' }) name!: string;
}

export class SignInWaysView {
  @Bool({ description: 'True when a link by mail signs people in.' }) mail!: boolean;
  @Bool({ description: 'True when passkeys sign people in. They need the public address.' })
  passkeys!: boolean;
  @ListOf(() => ProviderView, { description: 'The identity providers by which people sign in.' })
  providers!: ProviderView[];
}

export class SignInLinkBody {
  @Text({ min: 20, max: 100, description: 'The token of the link: the text behind `#token=`.' })
  token!: string;
  @Bool({
    optional: true,
    default: false,
    description:
      'True after the person was told whose account it is, and agreed: the answer to a refusal with `CONFIRM_SIGN_IN`.',
  })
  confirmed?: boolean;
}

export class SignInMailBody {
  @Email({ description: 'The mail address of the person who signs in.' }) email!: string;
}

export class SentMailView {
  @Text({ description: 'A sentence for the person. It does not tell whether the address is known.' })
  message!: string;
}

export class PasskeyOptionsView {
  @Obj({ description: 'The options for `navigator.credentials`, in the JSON form of WebAuthn.' })
  options!: object;
}

export class PasskeyAnswerBody {
  @Obj({ description: 'The answer of the browser, in the JSON form of WebAuthn.' }) response!: object;
}

export class NewPasskeyBody extends PasskeyAnswerBody {
  @Text({ min: 1, max: 100, description: 'A name for the device of the passkey.' }) name!: string;
}

export class PasskeyView {
  @Text({ description: 'The id of the passkey, which begins with `pky_`.' }) id!: string;
  @Text({ description: 'The name that its user gave it.' }) name!: string;
  @Time({ description: 'The time at which it was made, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ nullable: true, description: 'The time of the last sign-in with it; null when there was none.' })
  lastUsedAt!: string | null;

  static of({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
    return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
  }
}

export class IdentityView {
  @Text({ description: 'The id of the link, which begins with `idn_`.' }) id!: string;
  @Text({ description: 'The id of the identity provider.' }) provider!: string;
  @Text({ description: 'The name of the identity provider.' }) providerName!: string;
  @Text({ nullable: true, description: 'The address at the provider; null when it gave none.' })
  email!: string | null;
  @Time({ description: 'The time at which it was linked, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time at which the provider last confirmed the person, in ISO 8601 and UTC.' })
  lastUsedAt!: string;

  static of({ id, provider, providerName, email, createdAt, lastUsedAt }: Identity): IdentityView {
    return {
      id,
      provider,
      providerName,
      email,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    };
  }
}

export class WaysInView {
  @Bool({ description: 'True when the user has a passkey.' }) passkey!: boolean;
  @Bool({ description: 'True when a link by mail can reach the user.' }) mail!: boolean;
  @ListOf(() => ProviderView, { description: 'The identity providers at which the user has an identity.' })
  providers!: ProviderView[];
}

export class SessionView {
  @Text({ description: 'The id of the session, which begins with `ses_`. It is not a secret.' }) id!: string;
  @OneOf(signInMethods, { description: 'The way of sign-in.' }) method!: string;
  @Text({ description: 'The address from which the person signed in.' }) address!: string;
  @Text({ description: 'The browser in which the person signed in, in words.' }) browser!: string;
  @Bool({ description: 'True for the session that makes this call.' }) current!: boolean;
  @Time({ description: 'The time at which the person signed in, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last use, exact to about a minute, in ISO 8601 and UTC.' })
  lastUsedAt!: string;
  @Time({ description: 'The latest time at which the session ends, in ISO 8601 and UTC.' })
  expiresAt!: string;

  static of(session: Session, currentId: string): SessionView {
    const { id, method, address, browser, createdAt, lastUsedAt, expiresAt } = session;
    return {
      id,
      method,
      address,
      browser,
      current: id === currentId,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}

export class SignedInView {
  @Text({ description: 'The id of the user who has signed in.' }) userId!: string;
  @Text({ description: 'The id of the session; its secret is in the cookie alone.' }) sessionId!: string;
  @Time({ description: 'The latest time at which the session ends, in ISO 8601 and UTC.' })
  expiresAt!: string;
}

export class OwnWorkspaceView {
  @Text({ description: 'The id of the workspace.' }) id!: string;
  @Text({ description: 'The name of the workspace.' }) name!: string;
  @Text({ description: 'The plan of the workspace.' }) plan!: string;
  @OneOf(roles, { description: 'The role of the user in the workspace.' }) role!: Role;
  @Bool({
    description:
      'False when personal keys are refused. Workspace keys and signed-in users have access in any case.',
  })
  personalKeysAllowed!: boolean;
  @Bool({ description: 'False when the user gets no mail about pauses of the workspace.' })
  pauseMails!: boolean;
  @Text({
    nullable: true,
    description:
      'The identity provider that gave the membership and must confirm the user before the next call; null when none must.',
  })
  awaitsProvider!: string | null;
}

export class OwnSessionView {
  @Text({ description: 'The id of the session.' }) id!: string;
  @Time({ description: 'The time at which the person signed in, in ISO 8601 and UTC.' }) createdAt!: string;
}

export class MeView {
  @Text({ description: 'The id of the user.' }) id!: string;
  @Text({ description: 'The mail address of the user.' }) email!: string;
  @Bool({ description: 'True when a mail or an identity provider has proven the address.' })
  emailProven!: boolean;
  @Time({
    nullable: true,
    description: 'The time at which the address was proven, in ISO 8601 and UTC; null when it was not.',
  })
  emailProvenAt!: string | null;
  @Text({ description: 'The name of the user.' }) name!: string;
  @One(() => WaysInView, { description: 'The ways by which the user can sign in again.' })
  ways!: WaysInView;
  @ListOf(() => OwnWorkspaceView, { description: 'The workspaces of the user, the oldest first.' })
  workspaces!: OwnWorkspaceView[];
  @One(() => OwnSessionView, {
    nullable: true,
    description: 'The session that makes the call; null for a key.',
  })
  session!: OwnSessionView | null;
}

export class UpdateMeBody {
  @Text({ min: 1, max: 128, description: 'The name that others see.' }) name!: string;
}

export class UpdateOwnWorkspaceBody {
  @Bool({ description: 'False: you get no mail about pauses of the workspace.' }) pauseMails!: boolean;
}

export class RevokedSessionsView {
  @Text({ description: 'The result, in a sentence for people.' }) message!: string;
}

export class SignedOutView {
  @Bool({ description: 'Always true.' }) signedOut!: boolean;
}
