import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Callers } from '#libs/workspace/auth/callers';
import { Database } from '#libs/platform/database/database';
import { Denied } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { IdentityProvider, JoinRule } from '#libs/platform/settings/identity-providers';
import { cutText, screenText } from '#libs/platform/text/whole-text';

/** A person who has just proven a mail address, by a mail or by an identity provider. */
export interface ProvenPerson {
  email: string;
  name: string;
}

/** The claims of an identity provider about a person. */
export interface ProviderClaims {
  subject: string;
  /** Null when the provider does not say that the address is verified. */
  email: string | null;
  name: string | null;
  groups: string[];
}

type JoinedRole = JoinRule['role'];
const rank: JoinedRole[] = ['viewer', 'editor', 'admin'];

/**
 * Finds the account of a person who proves an address or an identity. An address that an inviter typed is not proven: another person
 * may have used that account. So the first proof revokes the account's keys, passkeys, sessions and identities.
 */
@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
  ) {}

  /** True when the address has an account or an open invitation, so that a mail can sign its person in. */
  async isKnownAddress(email: string): Promise<boolean> {
    return (await this.database.system(knownAddress, [email])).length > 0;
  }

  /** The id of the account that a proof of the address would find; null when there is none yet. */
  async findAccount(email: string): Promise<string | null> {
    const [found] = await this.database.system<{ id: string; proven: boolean }>(usersOfAddress, [email]);
    return found?.id ?? null;
  }

  /**
   * The id of the user with the proven address. Creates the account of an invited person. Throws `NOT_INVITED` without account and
   * invitation. The account of `signedInAs` keeps its keys and sessions.
   */
  async findByAddress(person: ProvenPerson, signedInAs: string | null): Promise<string> {
    return this.changing((client) => accountOfAddress(client, person, { signedInAs, join: [] }));
  }

  /**
   * The user with an identity; `isNew` when the identity was not linked before. The first sign-in links the identity to `linkTo`, or to the account with its proven address.
   * Throws `IDENTITY_TAKEN` when the identity belongs to a user other than `linkTo`, `ADDRESS_NOT_VERIFIED` and `NOT_INVITED`.
   */
  async findByIdentity(
    { id: provider, join }: IdentityProvider,
    claims: ProviderClaims,
    { signedInAs, linkTo }: { signedInAs: string | null; linkTo: string | null },
  ): Promise<{ userId: string; isNew: boolean }> {
    return this.changing(async (client) => {
      await lockName(client, `${provider} ${claims.subject}`);
      const { rows } = await client.query<{ user_id: string }>(touchIdentity, [
        provider,
        claims.subject,
        claims.email,
      ]);
      const known = rows[0]?.user_id;
      if (known !== undefined && linkTo !== null && known !== linkTo)
        throw new Denied('Another person signs in by this identity already.', 'IDENTITY_TAKEN');
      const rules = join.filter((rule) => fits(rule, claims));
      const userId = known ?? linkTo ?? (await newOrProven(client, claims, { signedInAs, join: rules }));
      if (known === undefined)
        await client.query(linkIdentity, [newId('idn'), provider, claims.subject, userId, claims.email]);
      await followRules(client, userId, provider, rules);
      return { userId, isNew: known === undefined };
    });
  }

  /** Runs a change of accounts, then empties the cache of callers: memberships or keys may have changed. */
  private async changing<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const result = await this.database.systemTransaction(work);
    await this.callers.forget();
    return result;
  }
}

/** Locks the name until the transaction ends, so that two first sign-ins of a person run one after the other. */
function lockName(client: PoolClient, name: string): Promise<unknown> {
  return client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-in ${name}`]);
}

function newOrProven(
  client: PoolClient,
  { email, name }: ProviderClaims,
  options: { signedInAs: string | null; join: JoinRule[] },
): Promise<string> {
  if (email === null)
    throw new Denied(
      'The provider does not say that your mail address is verified, so no account can be found by it.',
      'ADDRESS_NOT_VERIFIED',
    );
  return accountOfAddress(client, { email, name: name ?? nameOf(email) }, options);
}

async function accountOfAddress(
  client: PoolClient,
  { email, name }: ProvenPerson,
  { signedInAs, join }: { signedInAs: string | null; join: JoinRule[] },
): Promise<string> {
  await lockName(client, email.toLowerCase());
  const { rows } = await client.query<{ id: string; proven: boolean }>(`${usersOfAddress} for update of u`, [
    email,
  ]);
  const found = rows[0];
  if (found?.proven) return found.id;
  if (found) {
    if (found.id !== signedInAs) for (const statement of takeBack) await client.query(statement, [found.id]);
    await client.query('update users set email_proven_at = now() where id = $1', [found.id]);
    return found.id;
  }
  const invitations = await client.query<{ workspace_id: string; role: JoinedRole; id: string }>(pendingOf, [
    email,
  ]);
  if (invitations.rows.length === 0 && join.length === 0)
    throw new Denied(
      'Nobody has invited this mail address. Ask an admin of your workspace for an invitation.',
      'NOT_INVITED',
    );
  const id = newId('usr');
  await client.query('insert into users (id, email, name, email_proven_at) values ($1, $2, $3, now())', [
    id,
    email,
    cutText(screenText(name), 200) || nameOf(email),
  ]);
  for (const invitation of invitations.rows) {
    await client.query(joinWorkspace, [invitation.workspace_id, id, invitation.role, null]);
    await client.query(`update invitations set status = 'accepted', decided_at = now() where id = $1`, [
      invitation.id,
    ]);
  }
  return id;
}

/** Updates the memberships that the provider gave, to match its current rules. Memberships that people gave stay as they are. */
async function followRules(
  client: PoolClient,
  userId: string,
  provider: string,
  rules: JoinRule[],
): Promise<void> {
  const wanted = new Map<string, JoinedRole>();
  for (const { workspaceId, role } of rules) {
    const before = wanted.get(workspaceId);
    if (before === undefined || rank.indexOf(role) > rank.indexOf(before)) wanted.set(workspaceId, role);
  }
  for (const [workspaceId, role] of wanted)
    await client.query(joinWorkspace, [workspaceId, userId, role, provider]);
  const values = [userId, provider, [...wanted.keys()]];
  await client.query(rememberLeaving, values);
  await client.query(leaveWorkspaces, values);
}

function fits({ domain, group }: JoinRule, { email, groups }: ProviderClaims): boolean {
  if (group !== undefined) return groups.includes(group);
  return email !== null && email.toLowerCase().endsWith(`@${domain}`);
}

const nameOf = (email: string): string => email.slice(0, email.indexOf('@'));

/** The account with the address: a proven account first, then the oldest account that is a member of a workspace. */
const usersOfAddress = /* sql */ `
select u.id, u.email_proven_at is not null as proven from users u
where lower(u.email) = lower($1) and (u.email_proven_at is not null or exists (select from memberships m where m.user_id = u.id))
order by u.email_proven_at is null, u.created_at, u.id limit 1`;

const knownAddress = /* sql */ `
select from users u where lower(u.email) = lower($1)
  and (u.email_proven_at is not null or exists (select from memberships m where m.user_id = u.id))
union all
select from invitations where lower(email) = lower($1) and status = 'pending' and expires_at > now() limit 1`;

const takeBack = [
  'update api_keys set revoked_at = now() where user_id = $1 and revoked_at is null',
  'update sessions set revoked_at = now(), expires_at = least(expires_at, now()) where user_id = $1 and revoked_at is null',
  'delete from passkeys where user_id = $1',
  'delete from identities where user_id = $1',
];

const pendingOf = /* sql */ `
select id, workspace_id, role from invitations
where lower(email) = lower($1) and status = 'pending' and expires_at > now() order by created_at for update`;

const touchIdentity = /* sql */ `
update identities set last_used_at = now(), email = coalesce($3, email)
where provider = $1 and subject = $2 returning user_id`;

const linkIdentity =
  'insert into identities (id, provider, subject, user_id, email) values ($1, $2, $3, $4, $5)';

/** $1 workspace, $2 user, $3 role, $4 provider. Nobody joins where a member has the same address. */
const joinWorkspace = /* sql */ `
insert into memberships (workspace_id, user_id, role, provider)
select w.id, u.id, $3, $4 from workspaces w, users u
where w.id = $1 and u.id = $2 and not exists (
  select from memberships m join users o on o.id = m.user_id
  where m.workspace_id = w.id and o.id <> u.id and lower(o.email) = lower(u.email))
on conflict (workspace_id, user_id) do update set role = excluded.role
  where memberships.provider = excluded.provider and memberships.role <> excluded.role`;

/** An SQL condition: the membership must end, because no rule of the provider gives it. The last admin of a workspace always stays. */
const leaving = /* sql */ `
m.user_id = $1 and m.provider = $2 and m.workspace_id <> all($3) and (m.role <> 'admin' or exists (
  select from memberships o where o.workspace_id = m.workspace_id and o.user_id <> m.user_id and o.role = 'admin'))`;

const rememberLeaving = /* sql */ `
insert into former_members as f (workspace_id, user_id, email)
select m.workspace_id, u.id, lower(u.email) from memberships m join users u on u.id = m.user_id where ${leaving}
on conflict (workspace_id, user_id) do update set removed_at = excluded.removed_at`;

const leaveWorkspaces = `delete from memberships m where ${leaving}`;
