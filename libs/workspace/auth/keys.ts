import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { Database } from '#libs/platform/database/database';
import { Conflict, Denied, NameTaken, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import type { Caller } from './caller.ts';
import { Callers } from './callers.ts';
import { hintOfKey, mintKey } from './keys.format.ts';
import { ApiKey, type Role } from './people.entity.ts';

export interface NewKey {
  name: string;
  role?: Role;
  expiresAt?: Date | null;
}

/** A key that was just made, with its value. */
export interface MintedKey {
  key: ApiKey;
  value: string;
}

/** The keys of workspaces and the personal keys of users. The value of a key is shown once, at its creation. */
@Injectable()
export class Keys {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
  ) {}

  async createForWorkspace(workspaceId: string, wanted: NewKey, createdBy: string): Promise<MintedKey> {
    const value = mintKey('workspace');
    const key = this.row(wanted, { kind: 'workspace', workspaceId, userId: null, createdBy }, value);
    return this.database.within(workspaceId, async (tx) => {
      const taken = await tx.findOneBy(ApiKey, { workspaceId, name: wanted.name, revokedAt: IsNull() });
      if (taken) throw new NameTaken('live key', wanted.name);
      await tx.insert(ApiKey, key);
      return { key: await tx.findOneByOrFail(ApiKey, { id: key.id }), value };
    });
  }

  listOfWorkspace(workspaceId: string): Promise<ApiKey[]> {
    return this.database.within(workspaceId, (tx) =>
      tx.find(ApiKey, { where: { workspaceId }, order: { createdAt: 'DESC', id: 'DESC' } }),
    );
  }

  /**
   * Revokes a key: at once in this process, within five seconds in the others. A second call is not an error. Throws
   * `LAST_ADMIN_KEY` when personal keys are switched off and this is the last live admin key.
   */
  async revokeOfWorkspace(workspaceId: string, id: string): Promise<void> {
    await this.database.within(workspaceId, async (tx) => {
      const found = await tx.findOneBy(ApiKey, { workspaceId, id });
      if (!found) throw new NotFound('key');
      await keepAnAdminKey(tx, workspaceId, found);
      await tx.update(ApiKey, { id, revokedAt: IsNull() }, { revokedAt: new Date() });
    });
    this.callers.forget();
  }

  /** Makes a personal key. It belongs to no workspace, so the system role stores it. `run` can run the insert in another transaction. */
  async createPersonal(
    userId: string,
    wanted: NewKey,
    run: (sql: string, values: unknown[]) => Promise<ApiKey[]> = (sql, values) =>
      this.database.system<ApiKey>(sql, values),
  ): Promise<MintedKey> {
    const value = mintKey('personal');
    const owned = { kind: 'personal', workspaceId: null, userId, createdBy: userId } as const;
    const key = this.row({ ...wanted, role: 'admin' }, owned, value);
    const [stored] = await run(insertPersonal, [
      key.id,
      userId,
      key.name,
      key.digest,
      key.hint,
      key.expiresAt,
    ]);
    if (!stored) throw new NotFound('user');
    return { key: stored, value };
  }

  listPersonal(userId: string): Promise<ApiKey[]> {
    return this.database.system<ApiKey>(
      `select ${personalColumns} from api_keys where user_id = $1 order by created_at desc, id desc`,
      [userId],
    );
  }

  async revokePersonal(userId: string, id: string): Promise<void> {
    const revoked = await this.database.system(
      `update api_keys set revoked_at = coalesce(revoked_at, now()) where user_id = $1 and id = $2 returning id`,
      [userId, id],
    );
    if (revoked.length === 0) throw new NotFound('key');
    this.callers.forget();
  }

  private row(
    { name, role = 'editor', expiresAt = null }: NewKey,
    owned: Pick<ApiKey, 'kind' | 'workspaceId' | 'userId' | 'createdBy'>,
    value: string,
  ): Pick<ApiKey, 'id' | 'name' | 'role' | 'expiresAt' | 'digest' | 'hint' | keyof typeof owned> {
    return {
      id: newId('key'),
      name,
      role,
      expiresAt,
      digest: this.callers.digest(value),
      hint: hintOfKey(value),
      ...owned,
    };
  }
}

/** True when the workspace refuses personal keys. Locks the workspace, so that this policy and the last admin key cannot change at once. */
async function isClosedToPersonalKeys(tx: EntityManager, workspaceId: string): Promise<boolean> {
  const [row]: { open: boolean }[] = await tx.query(
    'select personal_keys_allowed as open from workspaces where id = $1 for no key update',
    [workspaceId],
  );
  return row?.open === false;
}

/**
 * Throws `LAST_ADMIN_KEY` when nobody could administer the workspace any more. With `going`: personal keys are switched off and
 * `going` is the last live admin key. Without `going`: personal keys will be switched off and there is no live admin key.
 */
export async function keepAnAdminKey(
  tx: EntityManager,
  workspaceId: string,
  going?: Pick<ApiKey, 'id' | 'role' | 'revokedAt'>,
): Promise<void> {
  const isClosed = await isClosedToPersonalKeys(tx, workspaceId);
  if (going && (!isClosed || going.role !== 'admin' || going.revokedAt !== null)) return;
  const [row]: { left: number }[] = await tx.query(liveAdminKeys, [workspaceId, going?.id ?? '']);
  if (row && row.left > 0) return;
  throw new Conflict(
    going
      ? 'Personal keys are switched off in this workspace, and this is its last admin key; make another admin key first, or switch personal keys on.'
      : 'This workspace has no live admin key of its own, so switching personal keys off would lock everybody out; make an admin key first.',
    'LAST_ADMIN_KEY',
  );
}

const liveAdminKeys = /* sql */ `
select count(*)::int as left from api_keys where workspace_id = $1 and role = 'admin' and id <> $2
  and revoked_at is null and (expires_at is null or expires_at > now())`;

/** The user of a personal key. Throws `NotFound` for any other key. */
export function requireUser(caller: Caller): string {
  if (!caller.userId)
    throw new Denied(
      'This call needs a personal key, because it acts for a person; this is a key of a workspace.',
      'PERSONAL_KEY_NEEDED',
    );
  return caller.userId;
}

const personalColumns = `id, workspace_id as "workspaceId", user_id as "userId", kind, role, name, hint,
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

const insertPersonal = /* sql */ `
insert into api_keys (id, user_id, kind, role, name, digest, hint, created_by, expires_at)
values ($1, $2, 'personal', 'admin', $3, $4, $5, $2, $6)
returning ${personalColumns}`;
