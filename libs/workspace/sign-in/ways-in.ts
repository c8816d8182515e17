import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { CallerSession } from '#libs/workspace/auth/caller';
import { Database } from '#libs/platform/database/database';
import { Conflict, NotFound } from '#libs/platform/errors/errors';
import { Settings } from '#libs/platform/settings/settings';

/** An account of a person at an identity provider, which signs the person in. */
export interface Identity {
  id: string;
  /** The id of the provider, and its name; the id again when the provider is no longer configured. */
  provider: string;
  providerName: string;
  email: string | null;
  createdAt: Date;
  lastUsedAt: Date;
}

/** The ways by which a person can sign in again without an operator, an admin, or a link that was used up. */
export interface WaysIn {
  passkey: boolean;
  /** True when mails are sent and the address of the person can be reached. */
  mail: boolean;
  /** The providers at which the person has an identity. */
  providers: { id: string; name: string }[];
}

/** What a person can take away. */
export type RemovedWay = 'passkey' | 'identity';

/** The first sign-ins of people who have no other way yet. Nobody can repeat them, because the link is used up. */
const usedUpLinks: readonly string[] = ['link', 'invitation', 'mail'];

/** Knows by which ways people sign in, and takes ways away. Nobody takes away the last one. */
@Injectable()
export class SignInWays {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** The ways of a person. */
  readWays(userId: string): Promise<WaysIn> {
    return this.database.systemTransaction((client) => this.read(client, userId));
  }

  /**
   * True when the person may make a first passkey although the sign-in is old: the session is the one that a link has begun, and there
   * is no other way in. Such a session is the only proof that the person can show, and only an operator's link would bring another.
   */
  async mayMakeFirstPasskey(userId: string, { method }: CallerSession): Promise<boolean> {
    return usedUpLinks.includes(method) && !hasAny(await this.readWays(userId));
  }

  async listIdentities(userId: string): Promise<Identity[]> {
    const rows = await this.database.system<Omit<Identity, 'providerName'>>(listIdentities, [userId]);
    return rows.map((row) => ({ ...row, providerName: this.getProviderName(row.provider) ?? row.provider }));
  }

  /** Takes a way of the person away. Throws `NotFound` for a way of another person, and `LAST_WAY_IN` when no way would be left. */
  async removeWay(userId: string, kind: RemovedWay, id: string): Promise<void> {
    await this.database.systemTransaction(async (client) => {
      await client.query('select from users where id = $1 for no key update', [userId]);
      const { rowCount } = await client.query(removals[kind], [userId, id]);
      if (rowCount === 0) throw new NotFound(kind);
      if (!hasAny(await this.read(client, userId)))
        throw new Conflict(
          `This is your last way to sign in, so it cannot be removed. Make another passkey first${this.settings.identityProviders.length > 0 ? ', or link an identity' : ''}.`,
          'LAST_WAY_IN',
        );
    });
  }

  private async read(client: PoolClient, userId: string): Promise<WaysIn> {
    const { rows } = await client.query<{ email: string; passkeys: number; providers: string[] }>(findWays, [
      userId,
    ]);
    const [found] = rows;
    if (!found) throw new NotFound('user');
    const providers = this.settings.identityProviders.filter(({ id }) => found.providers.includes(id));
    return {
      passkey: found.passkeys > 0,
      // The first admin has this address until an operator sets another one.
      mail: this.settings.mail !== null && !found.email.endsWith('@localhost'),
      providers: providers.map(({ id, name }) => ({ id, name })),
    };
  }

  private getProviderName(provider: string): string | undefined {
    return this.settings.identityProviders.find(({ id }) => id === provider)?.name;
  }
}

function hasAny({ passkey, mail, providers }: WaysIn): boolean {
  return passkey || mail || providers.length > 0;
}

const listIdentities = /* sql */ `
select id, provider, email, created_at as "createdAt", last_used_at as "lastUsedAt" from identities
where user_id = $1 order by created_at, id`;

const removals: Record<RemovedWay, string> = {
  passkey: 'delete from passkeys where user_id = $1 and id = $2',
  identity: 'delete from identities where user_id = $1 and id = $2',
};

const findWays = /* sql */ `
select u.email, (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
  array(select distinct i.provider from identities i where i.user_id = u.id) as providers
from users u where u.id = $1`;
