import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { type EntityManager, IsNull } from 'typeorm';
import { readClockMs } from '#libs/platform/clock/database-clock';
import { Cursors, type Page } from '#libs/platform/cursors/cursor';
import { Database, send } from '#libs/platform/database/database';
import { Conflict, Denied, Invalid, NameTaken, NotFound } from '#libs/platform/errors/errors';
import { newId } from '#libs/platform/ids/ids';
import { Settings } from '#libs/platform/settings/settings';
import type { Caller } from './caller.ts';
import { Callers } from './callers.ts';
import { hintOfKey, mintKey } from './keys.format.ts';
import { ApiKey, type Role } from './people.entity.ts';

export interface NewKey {
  name: string;
  role?: Role;
  expiresAt?: Date | null;
  /** The end of the key that makes this one; null or left out when it has none, or when a session makes it. */
  within?: Date | null;
}

/** The size of a page of keys, and the last cursor. */
export interface KeysPage {
  limit: number;
  cursor?: string;
}

/** A key that was just made, with its value. */
export interface MintedKey {
  key: ApiKey;
  value: string;
}

/**
 * The keys of workspaces and the personal keys of users. The value of a key is shown once, at its creation. A workspace and a user have
 * a bounded number of live keys, and no key makes a key that outlives it.
 */
@Injectable()
export class Keys {
  constructor(
    private readonly database: Database,
    private readonly callers: Callers,
    private readonly cursors: Cursors,
    private readonly settings: Settings,
  ) {}

  async createForWorkspace(workspaceId: string, wanted: NewKey, createdBy: string): Promise<MintedKey> {
    const value = mintKey('workspace');
    const key = this.row(wanted, { kind: 'workspace', workspaceId, userId: null, createdBy }, value);
    return this.database.within(workspaceId, async (tx) => {
      const taken = await tx.findOneBy(ApiKey, { workspaceId, name: wanted.name, revokedAt: IsNull() });
      if (taken) throw new NameTaken('live key', wanted.name);
      await lockWorkspace(tx, workspaceId);
      const [row] = await send<{ live: number }>(tx, liveKeysOfWorkspace, [workspaceId]);
      this.requireRoom('workspace', row?.live ?? 0);
      await tx.insert(ApiKey, key);
      return { key: await tx.findOneByOrFail(ApiKey, { id: key.id }), value };
    });
  }

  /** Lists the keys of a workspace, the newest first. */
  async listOfWorkspace(workspaceId: string, page: KeysPage): Promise<Page<ApiKey>> {
    return this.readPage(`keys ${workspaceId}`, page, (range) =>
      this.database.statement(workspaceId, listKeys('workspace_id'), [workspaceId, ...range]),
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
      await tx.update(ApiKey, { id, revokedAt: IsNull() }, { revokedAt: new Date(readClockMs()) });
    });
    await this.callers.forget();
  }

  /** Makes a personal key. It belongs to no workspace, so the system role stores it, in the transaction of `client` if it is given. */
  async createPersonal(userId: string, wanted: NewKey, client?: PoolClient): Promise<MintedKey> {
    if (!client) return this.database.systemTransaction((own) => this.createPersonal(userId, wanted, own));
    const value = mintKey('personal');
    const owned = { kind: 'personal', workspaceId: null, userId, createdBy: userId } as const;
    const key = this.row({ ...wanted, role: 'admin' }, owned, value);
    const user = await client.query('select from users where id = $1 for no key update', [userId]);
    if (user.rowCount === 0) throw new NotFound('user');
    const { rows: counted } = await client.query<{ live: number }>(liveKeysOfUser, [userId]);
    this.requireRoom('user', counted[0]?.live ?? 0);
    const values = [key.id, userId, key.name, key.digest, key.hint, key.expiresAt];
    const { rows } = await client.query<ApiKey>(insertPersonal, values);
    if (!rows[0]) throw new Error('Postgres returned no row.');
    return { key: rows[0], value };
  }

  /** Lists the personal keys of a user, the newest first. */
  async listPersonal(userId: string, page: KeysPage): Promise<Page<ApiKey>> {
    return this.readPage(`personal keys ${userId}`, page, (range) =>
      this.database.system<ApiKey>(listKeys('user_id'), [userId, ...range]),
    );
  }

  async revokePersonal(userId: string, id: string): Promise<void> {
    const revoked = await this.database.system(
      `update api_keys set revoked_at = coalesce(revoked_at, now()) where user_id = $1 and id = $2 returning id`,
      [userId, id],
    );
    if (revoked.length === 0) throw new NotFound('key');
    await this.callers.forget();
  }

  private async readPage(
    scope: string,
    { limit, cursor }: KeysPage,
    read: (range: unknown[]) => Promise<ApiKey[]>,
  ): Promise<Page<ApiKey>> {
    const after = this.cursors.open(cursor, scope);
    const rows = await read([after?.at ?? null, after?.id ?? null, limit + 1]);
    return this.cursors.page(rows, limit, scope, ({ createdAt, id }) => ({
      at: createdAt.toISOString(),
      id,
    }));
  }

  private requireRoom(owner: 'workspace' | 'user', live: number): void {
    const { keysMax } = this.settings;
    if (live < keysMax) return;
    throw new Conflict(`A ${owner} has at most ${keysMax} live keys; revoke one first.`, 'TOO_MANY_KEYS');
  }

  private row(
    { name, role = 'editor', expiresAt, within }: NewKey,
    owned: Pick<ApiKey, 'kind' | 'workspaceId' | 'userId' | 'createdBy'>,
    value: string,
  ): Pick<ApiKey, 'id' | 'name' | 'role' | 'expiresAt' | 'digest' | 'hint' | keyof typeof owned> {
    return {
      id: newId('key'),
      name,
      role,
      expiresAt: endOfKey(expiresAt ?? null, within ?? null),
      digest: this.callers.digest(value),
      hint: hintOfKey(value),
      ...owned,
    };
  }
}

/**
 * The end of a new key. No credential makes one that lives longer: left out, the key ends with the key that makes it, and a later end
 * is refused.
 */
function endOfKey(wanted: Date | null, within: Date | null): Date | null {
  if (within !== null && wanted !== null && wanted > within)
    throw Invalid.field(
      'expiresAt',
      `must not be later than ${within.toISOString()}, when the key that makes this one expires`,
      'range',
    );
  return wanted ?? within;
}

/** Locks the workspace, so that its keys and its policy on personal keys do not change at once. True when it takes personal keys. */
async function lockWorkspace(tx: EntityManager, workspaceId: string): Promise<boolean> {
  const [row] = await send<{ open: boolean }>(
    tx,
    'select personal_keys_allowed as open from workspaces where id = $1 for no key update',
    [workspaceId],
  );
  return row?.open !== false;
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
  const isOpen = await lockWorkspace(tx, workspaceId);
  if (going && (isOpen || going.role !== 'admin' || going.revokedAt !== null)) return;
  const [row] = await send<{ left: number }>(tx, liveAdminKeys, [workspaceId, going?.id ?? '']);
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

const columns = `id, workspace_id as "workspaceId", user_id as "userId", kind, role, name, hint,
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;

const insertPersonal = /* sql */ `
insert into api_keys (id, user_id, kind, role, name, digest, hint, created_by, expires_at)
values ($1, $2, 'personal', 'admin', $3, $4, $5, $2, $6)
returning ${columns}`;

const isLive = 'revoked_at is null and (expires_at is null or expires_at > now())';
const liveKeysOfUser = `select count(*)::int as live from api_keys where user_id = $1 and ${isLive}`;
const liveKeysOfWorkspace = `select count(*)::int as live from api_keys where workspace_id = $1 and ${isLive}`;

/** $1 owner, $2 and $3 time and id of the last key of the page before, $4 limit */
const listKeys = (owner: 'user_id' | 'workspace_id') => /* sql */ `
select ${columns} from api_keys
where ${owner} = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3))
order by created_at desc, id desc limit $4`;
