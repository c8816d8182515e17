import { readClockMs } from '#libs/platform/clock/database-clock';
import { Denied, Invalid, NotFound } from '#libs/platform/errors/errors';
import type { KeyKind } from './keys.format.ts';
import type { Role } from './people.entity.ts';

/** The permissions that a handler can require. Each includes those before it. */
export const permissions = ['read', 'execute', 'write', 'admin'] as const;
export type Permission = (typeof permissions)[number];

const granted: Record<Role, readonly Permission[]> = {
  viewer: ['read'],
  editor: ['read', 'execute', 'write'],
  admin: permissions,
};

export function isGranted(role: Role, permission: Permission): boolean {
  return granted[role].includes(permission);
}

/** The role with the fewest permissions that has this one. */
export function lowestRole(permission: Permission): string {
  return Object.entries(granted).find(([, has]) => has.includes(permission))?.[0] ?? 'admin';
}

/** The plan of a caller who reaches no workspace. */
export const planOfNone = 'self_hosted';

/** The rights of a caller in one workspace. */
export interface WorkspaceAccess {
  role: Role;
  plan: string;
  /** False when the caller may not enter now: `awaits` says why, or else the policy of the workspace on personal keys. */
  open: boolean;
  /** The name of the identity provider that gave the membership and has not confirmed the person lately; null in every other case. */
  awaits: string | null;
}

/** The data of a session from the time of its sign-in. */
export interface CallerSession {
  id: string;
  method: string;
  createdAt: Date;
  /** The place of the sign-in: the address, and the family of the browser. */
  address: string;
  browser: string;
}

/** The time for which a sign-in may change permissions and ways to sign in, in milliseconds. */
const recentMs = 3_600_000;

/** True for a sign-in of the last hour. A key has no sign-in: expiry and revocation bound it. */
export function isRecentSignIn({ session }: { session: { createdAt: Date } | null }): boolean {
  return !session || readClockMs() - session.createdAt.getTime() <= recentMs;
}

/** Throws `SIGN_IN_AGAIN` for an older sign-in, because a session may be hours old and its machine unattended. */
export function requireRecentSignIn(caller: { session: { createdAt: Date } | null }): void {
  if (!isRecentSignIn(caller))
    throw new Denied(
      'This changes permissions, and your sign-in is more than an hour old. Sign in again.',
      'SIGN_IN_AGAIN',
    );
}

/** The proof of identity of a caller without a key: a session, or an access token. */
interface CallerProof {
  session?: CallerSession | null;
  scopes?: readonly string[] | null;
  endsAt?: Date | null;
}

/** The holder of a live key or session, with the workspaces that it reaches. */
export class Caller {
  /** The session of a person who has signed in; null for a key. */
  readonly session: CallerSession | null;
  /** The scopes of the access token. Null when the caller sent the key itself. */
  readonly scopes: readonly string[] | null;
  /** The time at which the key expires; null for a key without an end, and for a session. */
  readonly endsAt: Date | null;

  constructor(
    /** The id of the key; of the session, for a person who has signed in. */
    readonly keyId: string,
    readonly kind: KeyKind | 'session',
    /** The user of a personal key or a session; null for a workspace key. */
    readonly userId: string | null,
    private readonly reach: ReadonlyMap<string, WorkspaceAccess>,
    { session = null, scopes = null, endsAt = null }: CallerProof = {},
  ) {
    this.session = session;
    this.scopes = scopes;
    this.endsAt = endsAt;
  }

  /** The caller with an access token: only this workspace, and at most this role in it. */
  limitedTo(workspaceId: string, role: Role, scopes: readonly string[]): Caller {
    const reach = this.reach.get(workspaceId);
    if (!reach) throw new NotFound('workspace');
    const limited = permissions.every((one) => !isGranted(reach.role, one) || isGranted(role, one))
      ? reach.role
      : role;
    return new Caller(
      this.keyId,
      this.kind,
      this.userId,
      new Map([[workspaceId, { ...reach, role: limited }]]),
      { session: this.session, scopes, endsAt: this.endsAt },
    );
  }

  get workspaceIds(): string[] {
    return [...this.reach.keys()];
  }

  /** The name of the actor in rows and audit lines. */
  get actor(): { kind: 'user' | 'key'; id: string } {
    return this.userId ? { kind: 'user', id: this.userId } : { kind: 'key', id: this.keyId };
  }

  /** The owner of the debited rate bucket: the workspace for its keys, the user for a personal key. */
  get bucketOwner(): string {
    return this.userId ?? this.workspaceIds[0] ?? this.keyId;
  }

  /** The first workspace that the key may use. It pays for a call that needs no workspace, or that was refused before its workspace was known. */
  get payer(): { owner: string; plan: string; workspaceId: string } {
    const workspaceId = this.workspaceIds.find((id) => this.reach.get(id)?.open) ?? '';
    const plan = this.reach.get(workspaceId)?.plan ?? planOfNone;
    return { owner: this.bucketOwner, plan, workspaceId };
  }

  /** Returns the requested workspace, or the only workspace of the key. Throws `NotFound` for a workspace that the key does not reach. */
  choose(asked: string | undefined): string {
    if (asked !== undefined) {
      if (!this.reach.has(asked)) throw new NotFound('workspace');
      return asked;
    }
    const [only, second] = this.workspaceIds;
    if (only && !second) return only;
    throw Invalid.field('workspaceId', 'is required: this key reaches more than one workspace', 'required');
  }

  /** The role of the caller in a workspace; undefined without any right. */
  reachIn(workspaceId: string): WorkspaceAccess | undefined {
    return this.reach.get(workspaceId);
  }

  /** True for a caller whom the call that answers a pause would let in. An agent with an access token never answers by it. */
  mayAnswerIn(workspaceId: string): boolean {
    const reach = this.reach.get(workspaceId);
    return this.scopes === null && reach?.open === true && isGranted(reach.role, 'execute');
  }

  /** True for a caller who may see what blocks have sent: who may write a workflow could have it sent anywhere. */
  seesValuesIn(workspaceId: string): boolean {
    const reach = this.reach.get(workspaceId);
    return reach?.open === true && isGranted(reach.role, 'write');
  }

  /** Every workspace that the caller may read now. Throws `SIGN_IN_BY_PROVIDER` when there is none before a provider confirms the person. */
  readable(): string[] {
    const found = this.workspaceIds.filter((id) => this.reach.get(id)?.open);
    const awaiting = this.workspaceIds.find((id) => this.reach.get(id)?.awaits);
    if (found.length === 0 && awaiting !== undefined) this.require(awaiting, 'read');
    return found;
  }

  /**
   * Refuses a caller whom the workspace does not let in. The order is: a workspace that the key does not reach, a provider that has
   * not confirmed the person lately, the workspace's policy on personal keys, the role. Both rules apply only in their own workspace.
   */
  require(workspaceId: string, permission: Permission): WorkspaceAccess {
    const reach = this.reach.get(workspaceId);
    if (!reach) throw new NotFound('workspace');
    if (reach.awaits !== null)
      throw new Denied(
        `Your membership of this workspace comes from ${reach.awaits}, which has not confirmed you lately. Sign in by ${reach.awaits}.`,
        'SIGN_IN_BY_PROVIDER',
      );
    if (!reach.open)
      throw new Denied(
        'Personal keys are switched off for this workspace; use a key of the workspace.',
        'PERSONAL_KEYS_DISABLED',
      );
    if (!isGranted(reach.role, permission)) {
      throw new Denied(
        `This call needs the permission to ${permission}, which the role ${reach.role} of this key does not have.`,
      );
    }
    return reach;
  }
}
