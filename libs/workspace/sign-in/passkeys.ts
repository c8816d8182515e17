import { Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type BegunSession, Sessions, type SignInPlace } from '#libs/workspace/auth/sessions';
import { Database } from '#libs/platform/database/database';
import { Conflict, Denied, Invalid, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { OAuthRecords } from '#libs/workspace/oauth/oauth-records';
import { Settings } from '#libs/platform/settings/settings';

export type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const challengeKind = 'PasskeyChallenge';
const challengeLastsS = 300;
/** EdDSA, ES256 and RS256 by their numbers in COSE. Every release of Node on which a process may run checks them. */
const algorithms = [-8, -7, -257];

/** The most passkeys of one user. */
const passkeysMax = 20;

/**
 * Passkeys (WebAuthn), with which people sign in without a mail. Each challenge is a record that works once. The authenticator must
 * verify its user, because there is no second factor.
 */
@Injectable()
export class Passkeys {
  private readonly origin: string;
  private readonly domain: string;

  constructor(
    private readonly database: Database,
    private readonly records: OAuthRecords,
    private readonly sessions: Sessions,
    { publicUrl }: Settings,
  ) {
    const { origin, hostname } = new URL(publicUrl);
    [this.origin, this.domain] = [origin, hostname];
  }

  async listPasskeys(userId: string): Promise<Passkey[]> {
    return this.database.system<Passkey>(
      `select ${columns} from passkeys where user_id = $1 order by created_at, id`,
      [userId],
    );
  }

  /** The options with which a browser makes a passkey for the user. */
  async startRegistration(userId: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const [user] = await this.database.system<{ email: string; name: string; known: string[] }>(userAndKeys, [
      userId,
    ]);
    if (!user) throw new NotFound('user');
    if (user.known.length >= passkeysMax)
      throw new Conflict(
        `A user has at most ${passkeysMax} passkeys; delete one first.`,
        'TOO_MANY_PASSKEYS',
      );
    const options = await generateRegistrationOptions({
      rpName: 'Holdfast',
      rpID: this.domain,
      userID: new TextEncoder().encode(userId),
      userName: user.email,
      userDisplayName: user.name,
      excludeCredentials: user.known.map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    });
    await this.keepChallenge(options.challenge, userId);
    return options;
  }

  /** Stores a passkey that a browser has created. Throws `Invalid` for an answer without a live challenge of this user. */
  async finishRegistration(
    userId: string,
    name: string,
    response: RegistrationResponseJSON,
  ): Promise<Passkey> {
    const challenge = challengeOf(response);
    const record = await this.records.consumeOnce(challengeKind, challenge);
    if (!record?.isFirst || record.payload['userId'] !== userId) throw spentChallenge();
    const { registrationInfo } = await this.checked(() =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.domain,
      }),
    );
    if (!registrationInfo) throw unverified();
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const values = [newId('pky'), userId, id, Buffer.from(publicKey), counter, transports, name];
    const [passkey] = await this.database.system<Passkey>(insertPasskey, values);
    if (!passkey) throw new Conflict('This passkey is known already.', 'PASSKEY_KNOWN');
    return passkey;
  }

  /** The options with which a browser signs in a person whom this system does not know yet. */
  async startSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const options = await generateAuthenticationOptions({ rpID: this.domain, userVerification: 'required' });
    await this.keepChallenge(options.challenge, null);
    return options;
  }

  /** Begins a session for the user of a passkey. Throws `Denied` for an unknown passkey. */
  async finishSignIn(
    response: AuthenticationResponseJSON,
    place: SignInPlace,
    replaces: string | null,
  ): Promise<BegunSession> {
    const challenge = challengeOf(response);
    const record = await this.records.consumeOnce(challengeKind, challenge);
    if (!record?.isFirst || record.payload['userId'] !== null) throw spentChallenge();
    const [known] = await this.database.system<Credential>(findCredential, [response.id]);
    if (!known) throw new Denied('This passkey is not known here, or was deleted.', 'PASSKEY_UNKNOWN');
    const { verified, authenticationInfo } = await this.checked(() =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.domain,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(known.public_key),
          counter: Number(known.counter),
        },
      }),
    );
    if (!verified) throw unverified();
    await this.database.system(
      'update passkeys set counter = $2, last_used_at = now() where credential_id = $1',
      [response.id, authenticationInfo.newCounter],
    );
    return this.sessions.beginSession(known.user_id, 'passkey', place, { replaces });
  }

  private async keepChallenge(challenge: string, userId: string | null): Promise<void> {
    await this.records.keep(challengeKind, challenge, {
      payload: { userId },
      grantId: null,
      uid: null,
      serverId: null,
      expiresInS: challengeLastsS,
    });
  }

  /** Runs a check of the library. The library throws plain errors, so this turns them into refusals. */
  private async checked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch {
      throw unverified();
    }
  }
}

interface Credential extends Record<string, unknown> {
  user_id: string;
  public_key: Buffer;
  counter: string;
}

const spentChallenge = () => Invalid.field('response', 'answers no open challenge; begin again', 'challenge');
const unverified = () =>
  Invalid.field('response', 'was not made by this passkey for this address', 'signature');

/** The challenge in the answer of a browser. */
function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    const { challenge } = Object(data) as { challenge?: unknown };
    if (typeof challenge === 'string' && challenge.length > 0 && challenge.length <= 200) return challenge;
  } catch {
    // The code below refuses it.
  }
  throw spentChallenge();
}

const columns = `id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`;

const userAndKeys = /* sql */ `
select u.email, u.name, coalesce(array_agg(p.credential_id) filter (where p.id is not null), '{}') as known
from users u left join passkeys p on p.user_id = u.id where u.id = $1 group by u.id`;

const insertPasskey = /* sql */ `
insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (credential_id) do nothing returning ${columns}`;

const findCredential = 'select user_id, public_key, counter from passkeys where credential_id = $1';
