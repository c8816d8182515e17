import { randomBytes } from 'node:crypto';
import { asOperator } from '#libs/workspace/auth/operator';
import { keyedHash } from '#libs/platform/crypto/crypto';
import type { Settings } from '#libs/platform/settings/settings';
import { addressOfLink, linkKind, linkLastsS } from './link-records.ts';

type OwnerSettings = Pick<Settings, 'databaseDirectUrl' | 'secret' | 'publicUrl'>;

/** A sign-in link, and the mail address of its person. */
export interface OwnerLink {
  url: string;
  email: string;
}

/**
 * Creates a link that signs in the owner: the admin with the address `email`, or the first admin of the oldest workspace. Only a
 * person who can run commands on the machine of the installation gets this link. `newEmail` replaces the owner's address and counts
 * as proven. Resolves to null when there is no such admin.
 */
export function createOwnerLink(
  { databaseDirectUrl, secret, publicUrl }: OwnerSettings,
  { email = null, newEmail = null }: { email?: string | null; newEmail?: string | null } = {},
): Promise<OwnerLink | null> {
  return asOperator({ databaseDirectUrl }, async (client) => {
    const { rows } = await client.query<{ id: string; email: string }>(findOwner, [email]);
    const [owner] = rows;
    if (!owner) return null;
    if (newEmail !== null)
      await client.query('update users set email = $2, email_proven_at = now() where id = $1', [
        owner.id,
        newEmail,
      ]);
    const token = randomBytes(32).toString('base64url');
    await client.query(insertLink, [
      linkKind,
      keyedHash(secret, 'oauth-record', token),
      JSON.stringify({ userId: owner.id }),
      linkLastsS,
    ]);
    return { url: addressOfLink(publicUrl, token), email: newEmail ?? owner.email };
  });
}

const findOwner = /* sql */ `
select u.id, u.email from memberships m join users u on u.id = m.user_id join workspaces w on w.id = m.workspace_id
where m.role = 'admin' and ($1::text is null or lower(u.email) = lower($1))
order by w.created_at, w.id, m.created_at, u.id limit 1`;

const insertLink = /* sql */ `
insert into oauth_records (kind, digest, payload, expires_at) values ($1, $2, $3, now() + make_interval(secs => $4))`;
