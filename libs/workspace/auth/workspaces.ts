import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { EntityManager } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Denied, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import { Callers } from './callers.ts';
import { keepAnAdminKey } from './keys.ts';
import { Membership, Workspace, type Role } from './people.entity.ts';

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: Role;
  createdAt: Date;
}

/** Workspaces and their members. `Invitations` adds members. A workspace never loses its last admin. */
@Injectable()
export class Workspaces {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
    private readonly settings: Settings,
  ) {}

  /**
   * Makes a workspace with the user as its admin. Each workspace is a share of this installation, so a user makes a bounded number of
   * them. Who leaves a workspace has still made it.
   */
  async create(userId: string, name: string): Promise<Workspace> {
    const { createdBy, perUser } = this.settings.workspaces;
    if (createdBy === 'operators')
      throw new Denied(
        'Only the operators of this installation make workspaces; ask them for one.',
        'WORKSPACES_BY_OPERATORS',
      );
    const id = await this.database.systemTransaction(async (client) => {
      await client.query('select from users where id = $1 for update', [userId]);
      const { rows } = await client.query<{ n: number }>(countMade, [userId]);
      if ((rows[0]?.n ?? 0) >= perUser)
        throw new Denied(
          `You have made ${perUser} workspaces, which is the most for one person. Use one of them, or ask the operators for another.`,
          'WORKSPACE_LIMIT',
        );
      return insertWorkspace(client, { name, userId, plan: this.settings.defaultPlan, createdBy: userId });
    });
    await this.callers.forget();
    return this.get(id);
  }

  get(id: string): Promise<Workspace> {
    return this.database.within(id, async (tx) => {
      const workspace = await tx.findOneBy(Workspace, { id });
      if (!workspace) throw new NotFound('workspace');
      return workspace;
    });
  }

  async list(ids: string[]): Promise<Workspace[]> {
    if (ids.length === 0) return [];
    return this.database.within(ids, (tx) => tx.find(Workspace, { order: { createdAt: 'ASC', id: 'ASC' } }));
  }

  /** Changes the given members. Throws `LAST_ADMIN_KEY` when it would switch personal keys off and the workspace has no live admin key. */
  async update(
    id: string,
    changes: Partial<Pick<Workspace, 'name' | 'personalKeysAllowed' | 'recordsValues' | 'hostLimits'>>,
  ): Promise<Workspace> {
    await this.database.within(id, async (tx) => {
      if (changes.personalKeysAllowed === false) await keepAnAdminKey(tx, id);
      await tx.update(Workspace, { id }, { ...changes, updatedAt: new Date(readClockMs()) });
    });
    await this.callers.forget();
    return this.get(id);
  }

  members(workspaceId: string): Promise<Member[]> {
    return this.database.statement(workspaceId, listMembers, [workspaceId]);
  }

  /** Resolves to the number of members of each workspace. */
  async memberCounts(ids: string[]): Promise<Map<string, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.statement<{ id: string; n: number }>(ids, countMembers);
    return new Map(rows.map(({ id, n }) => [id, n]));
  }

  async changeRole(workspaceId: string, userId: string, role: Role): Promise<Member> {
    await this.database.within(workspaceId, async (tx) => {
      await this.keepAnAdmin(tx, workspaceId, role === 'admin' ? null : userId);
      const { affected } = await tx.update(Membership, { workspaceId, userId }, { role });
      if (!affected) throw new NotFound('member');
    });
    await this.callers.forget();
    const member = (await this.members(workspaceId)).find((one) => one.userId === userId);
    if (!member) throw new NotFound('member');
    return member;
  }

  async removeMember(workspaceId: string, userId: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      await this.keepAnAdmin(tx, workspaceId, userId);
      await send(tx, rememberFormer, [workspaceId, userId]);
      const { affected } = await tx.delete(Membership, { workspaceId, userId });
      if (!affected) throw new NotFound('member');
    });
    await this.callers.forget();
  }

  /** Resolves to the workspaces among `ids` in which the user gets mails about pauses. */
  async mailingTo(userId: string, ids: string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found = await this.database.within(ids, (tx) =>
      tx.findBy(Membership, { userId, pauseMails: true }),
    );
    return new Set(found.map(({ workspaceId }) => workspaceId));
  }

  /** Sets whether the member gets mails about pauses. Throws `NotFound` when the user is not a member. */
  async setPauseMails(workspaceId: string, userId: string, pauseMails: boolean): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const { affected } = await tx.update(Membership, { workspaceId, userId }, { pauseMails });
      if (!affected) throw new NotFound('member');
    });
  }

  /** Throws when the workspace would lose its last admin. Locks stop two admins from removing each other at the same time. */
  private async keepAnAdmin(tx: EntityManager, workspaceId: string, leaving: string | null): Promise<void> {
    const admins = await send<{ user_id: string }>(
      tx,
      `select user_id from memberships where workspace_id = $1 and role = 'admin' order by user_id for update`,
      [workspaceId],
    );
    if (leaving !== null && admins.length === 1 && admins[0]?.user_id === leaving) {
      throw new Conflict(
        'A workspace needs at least one admin; make another member an admin first.',
        'LAST_ADMIN',
      );
    }
  }
}

const countMade = 'select count(*)::int as n from workspaces where created_by = $1';

/** Inserts a workspace with its first admin. Returns its id. */
export async function insertWorkspace(
  client: Pick<pg.ClientBase, 'query'>,
  made: { name: string; plan: string; userId: string; createdBy: string | null },
): Promise<string> {
  const id = newId('ws');
  const { name, plan, userId, createdBy } = made;
  await client.query('insert into workspaces (id, name, plan, created_by) values ($1, $2, $3, $4)', [
    id,
    name,
    plan,
    createdBy,
  ]);
  await client.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, 'admin')`, [
    id,
    userId,
  ]);
  return id;
}

const rememberFormer = /* sql */ `
insert into former_members as f (workspace_id, user_id, email)
select m.workspace_id, u.id, lower(u.email) from memberships m join users u on u.id = m.user_id
where m.workspace_id = $1 and m.user_id = $2
on conflict (workspace_id, user_id) do update set removed_at = excluded.removed_at`;

const countMembers = 'select workspace_id as id, count(*)::int as n from memberships group by workspace_id';

const listMembers = /* sql */ `
select m.user_id as "userId", u.email, u.name, m.role, m.created_at as "createdAt"
from memberships m join users u on u.id = m.user_id
where m.workspace_id = $1 order by m.created_at, m.user_id`;
