import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Database, send } from '#libs/platform/database/database';
import { repeatedConstraint } from '#libs/platform/database/violations';
import { Conflict, Denied, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { keyedHash } from '#libs/platform/crypto/crypto';
import { Settings } from '#libs/platform/settings/settings';
import { Callers } from './callers.ts';
import { Keys } from './keys.ts';
import type { Role } from './people.entity.ts';

export const invitationStatuses = ['pending', 'accepted', 'declined', 'withdrawn', 'expired'] as const;

/** The most open invitations of one workspace, and the most invitations in a list. */
const pendingMax = 200;

export interface Invitation {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: (typeof invitationStatuses)[number];
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

/** An invitation as the invited person sees it before the answer. */
export interface InvitationOffer extends Invitation {
  workspaceId: string;
  workspaceName: string;
}

/** A new member, with the value of their first key when they had none. */
export interface Joined {
  workspaceId: string;
  userId: string;
  role: Role;
  key: string | null;
}

/**
 * Invitations to a workspace. An admin invites a mail address and gets a token once, to hand over. The holder of the token may accept
 * or decline. A user who accepts with their key must have the invited address.
 */
@Injectable()
export class Invitations {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
    private readonly keys: Keys,
    private readonly settings: Settings,
  ) {}

  /** Invites a person for seven days, and until `within` at most, the end of the inviting key. The token is not stored, so it cannot be shown again. */
  async create(
    workspaceId: string,
    person: { email: string; name?: string; role: Role; within?: Date | null },
    invitedBy: string,
  ): Promise<{ invitation: Invitation; token: string }> {
    const token = randomBytes(32).toString('base64url');
    const { email, role, name = email.slice(0, email.indexOf('@')), within = null } = person;
    const values = [newId('inv'), workspaceId, email, name, role, this.digest(token), invitedBy, within];
    const made = this.database.within(workspaceId, async (tx) => {
      const [others] = await send<OtherCounts>(tx, countOthers, [workspaceId, email]);
      if (!others) throw new Error('Postgres returned no row.');
      if (others.members > 0)
        throw new Conflict('This person is a member already; change their role instead.', 'ALREADY_MEMBER');
      if (others.pending >= pendingMax)
        throw new Conflict(
          `${pendingMax} invitations wait for an answer; withdraw some first.`,
          'TOO_MANY_INVITATIONS',
        );
      await send(tx, expire, [workspaceId]);
      const [invitation] = await send<Invitation>(tx, insertInvitation, values);
      if (!invitation) throw new Error('Postgres returned no row.');
      return invitation;
    });
    return { invitation: await made.catch(refuseRepeated), token };
  }

  /** Lists the open invitations first, then the others, the newest first. */
  list(workspaceId: string): Promise<Invitation[]> {
    return this.database.statement(workspaceId, listInvitations, [workspaceId, pendingMax]);
  }

  /** Withdraws an invitation. Its token no longer works. */
  async withdraw(workspaceId: string, id: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const [found] = await send<Invitation>(
        tx,
        `select ${columns} from invitations i where i.workspace_id = $1 and i.id = $2 for update`,
        [workspaceId, id],
      );
      requirePending(found);
      await send(tx, decide, [id, 'withdrawn']);
    });
  }

  async readOffer(token: string): Promise<InvitationOffer> {
    const [offer] = await this.database.system<InvitationOffer>(findOffer, [this.digest(token)]);
    return requirePending(offer);
  }

  async decline(token: string): Promise<void> {
    await this.database.systemTransaction(async (client) => {
      const { id } = await this.lockOffer(client, token);
      await client.query(decide, [id, 'declined']);
    });
  }

  /**
   * Makes the user a member of the workspace. With `userId` null it creates a user first, with a key if `withKey`. Throws `Denied` for
   * a user with another address than the invited one, because members would mistake them for the invited person. Throws `Conflict`
   * when a member has the address already.
   */
  async accept(token: string, userId: string | null, { withKey = true } = {}): Promise<Joined> {
    const joined = await this.database.systemTransaction(async (client): Promise<Joined> => {
      const offer = await this.lockOffer(client, token);
      const { rows } = await client.query(memberByAddress, [offer.workspaceId, offer.email]);
      if (rows.length > 0)
        throw new Conflict('A member of the workspace has this address already.', 'ALREADY_MEMBER');
      if (userId) await requireAddress(client, userId, offer.email);
      const { id, key } = userId ? { id: userId, key: null } : await this.newUser(client, offer, withKey);
      await client.query('insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)', [
        offer.workspaceId,
        id,
        offer.role,
      ]);
      await client.query(decide, [offer.id, 'accepted']);
      return { workspaceId: offer.workspaceId, userId: id, role: offer.role, key };
    });
    await this.callers.forget();
    return joined;
  }

  private async newUser(
    client: PoolClient,
    { email, name }: InvitationOffer,
    withKey: boolean,
  ): Promise<{ id: string; key: string | null }> {
    const id = newId('usr');
    await client.query('insert into users (id, email, name) values ($1, $2, $3)', [id, email, name]);
    if (!withKey) return { id, key: null };
    const { value } = await this.keys.createPersonal(id, { name: 'first' }, client);
    return { id, key: value };
  }

  /** Locks the invitation, so that two answers to it run one after the other. */
  private async lockOffer(client: PoolClient, token: string): Promise<InvitationOffer> {
    const { rows } = await client.query<InvitationOffer>(`${findOffer} for update of i`, [
      this.digest(token),
    ]);
    return requirePending(rows[0]);
  }

  private digest(token: string): string {
    return keyedHash(this.settings.secret, 'invitation', token);
  }
}

function requirePending<I extends Invitation>(invitation: I | undefined): I {
  if (!invitation) throw new NotFound('invitation');
  if (invitation.status !== 'pending')
    throw new Conflict(
      invitation.status === 'expired'
        ? 'The invitation has expired; ask for a new one.'
        : `The invitation was ${invitation.status} already.`,
      'INVITATION_CLOSED',
    );
  return invitation;
}

async function requireAddress(client: PoolClient, userId: string, email: string): Promise<void> {
  const same = await client.query('select 1 from users where id = $1 and lower(email) = lower($2)', [
    userId,
    email,
  ]);
  if (same.rowCount === 0)
    throw new Denied(
      'The invitation is for another address than that of the user of this key.',
      'INVITATION_FOR_ANOTHER',
    );
}

function refuseRepeated(error: unknown): never {
  if (repeatedConstraint(error) !== 'invitations_pending') throw error;
  throw new Conflict(
    'This person is invited already; withdraw that invitation to make another.',
    'ALREADY_INVITED',
  );
}

const columns = `i.id, i.email, i.name, i.role, i.invited_by as "invitedBy", i.created_at as "createdAt",
  i.expires_at as "expiresAt", i.decided_at as "decidedAt",
  case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end as status`;

interface OtherCounts {
  members: number;
  pending: number;
}

const countOthers = /* sql */ `
select
  (select count(*)::int from memberships m join users u on u.id = m.user_id
    where m.workspace_id = $1 and lower(u.email) = lower($2)) as members,
  (select count(*)::int from invitations
    where workspace_id = $1 and status = 'pending' and expires_at > now()) as pending`;

/** Marks expired invitations, so that the same person can be invited again. */
const expire = /* sql */ `
update invitations set status = 'expired'
where workspace_id = $1 and status = 'pending' and expires_at <= now()`;

const insertInvitation = /* sql */ `
insert into invitations as i (id, workspace_id, email, name, role, digest, invited_by, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, least(now() + interval '7 days', $8::timestamptz))
returning ${columns}`;

const listInvitations = /* sql */ `
select ${columns} from invitations i where i.workspace_id = $1
order by i.status = 'pending' and i.expires_at > now() desc, i.created_at desc, i.id desc limit $2`;

const findOffer = /* sql */ `
select ${columns}, w.id as "workspaceId", w.name as "workspaceName"
from invitations i join workspaces w on w.id = i.workspace_id
where i.digest = $1`;

const memberByAddress = /* sql */ `
select 1 from memberships m join users u on u.id = m.user_id
where m.workspace_id = $1 and lower(u.email) = lower($2)`;

const decide = 'update invitations set status = $2, decided_at = now() where id = $1';
