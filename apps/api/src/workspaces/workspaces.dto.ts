import type { Member } from '#libs/workspace/auth/workspaces';
import type { MintedKey } from '#libs/workspace/auth/keys';
import { keyKinds } from '#libs/workspace/auth/keys.format';
import { toHostName } from '#libs/platform/egress/host-name';
import { Invalid } from '#libs/platform/errors/errors';
import {
  roles,
  type ApiKey,
  type HostLimit,
  type Role,
  type Workspace,
} from '#libs/workspace/auth/people.entity';
import { Bool, Int, ListOf, NameOf, OneOf, Text, Time } from '../http/fields.ts';

const nameMax = 128;

export class CreateWorkspaceBody {
  @Text({ min: 1, max: nameMax, description: 'The name of the workspace.' }) name!: string;
}

const limitedHost = 'The host of outgoing calls, as `api.example.com`.';
const atOnce = 'So many calls are under way at once, at most.';
const inSecond = 'So many calls begin in any second, at most.';

export class HostLimitBody {
  @Text({ min: 1, max: 253, description: limitedHost }) host!: string;
  @Int({ optional: true, min: 1, max: 10_000, description: atOnce }) concurrency?: number;
  @Int({ optional: true, min: 1, max: 10_000, description: inSecond }) perSecond?: number;
}

export class HostLimitView {
  @Text({ description: limitedHost }) host!: string;
  @Int({ optional: true, description: `${atOnce} Absent without such a limit.` }) concurrency?: number;
  @Int({ optional: true, description: `${inSecond} Absent without such a limit.` }) perSecond?: number;
}

const limitsOfHosts = 'The limits of hosts of outgoing calls, which all workflows share.';

export class UpdateWorkspaceBody {
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name. Left out: no change.' })
  name?: string;
  @Bool({ optional: true, description: 'False: only workspace keys work here.' })
  personalKeysAllowed?: boolean;
  @Bool({ optional: true, description: 'False: block logs keep no values of what blocks send from now on.' })
  recordsValues?: boolean;
  @ListOf(() => HostLimitBody, {
    optional: true,
    max: 50,
    description: `${limitsOfHosts} They replace those before; an empty list has none.`,
  })
  hostLimits?: HostLimitBody[];
}

/** The limits with their hosts as URLs have them. Throws for a host that is none, is there twice, or has no limit. */
export function toHostLimits(limits: HostLimitBody[]): HostLimit[] {
  const hosts = new Set<string>();
  return limits.map(({ host: named, concurrency, perSecond }, at) => {
    const host = toHostName(named);
    if (host === null)
      throw Invalid.field(`hostLimits.${at}.host`, 'must be a host alone, as api.example.com', 'pattern');
    if (hosts.has(host)) throw Invalid.field(`hostLimits.${at}.host`, 'has a limit already', 'duplicate');
    hosts.add(host);
    if (concurrency === undefined && perSecond === undefined)
      throw Invalid.field(
        `hostLimits.${at}.concurrency`,
        'is required, or perSecond in its place',
        'required',
      );
    return {
      host,
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(perSecond === undefined ? {} : { perSecond }),
    };
  });
}

export class WorkspaceView {
  @Text({ description: 'The id of the workspace, which begins with `ws_`.' }) id!: string;
  @Text({ description: 'The name of the workspace.' }) name!: string;
  @Text({ description: 'The name of its plan, which sets its limits.' }) plan!: string;
  @Bool({ description: 'False when only workspace keys work here.' }) personalKeysAllowed!: boolean;
  @Bool({ description: 'True when block logs keep the values of what blocks send.' }) recordsValues!: boolean;
  @ListOf(() => HostLimitView, { description: limitsOfHosts }) hostLimits!: HostLimitView[];
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of({
    id,
    name,
    plan,
    personalKeysAllowed,
    recordsValues,
    hostLimits,
    createdAt,
    updatedAt,
  }: Workspace): WorkspaceView {
    return {
      id,
      name,
      plan,
      personalKeysAllowed,
      recordsValues,
      hostLimits,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class ChangeRoleBody {
  @OneOf(roles, { description: 'The new role of the member.' }) role!: Role;
}

export class MemberView {
  @Text({ description: 'The id of the user, which begins with `usr_`.' }) userId!: string;
  @Text({ description: 'The mail address of the user.' }) email!: string;
  @Text({ description: 'The name of the user.' }) name!: string;
  @OneOf(roles, { description: 'The role of the user in the workspace.' }) role!: string;
  @Time({ description: 'The time at which the user joined, in ISO 8601 and UTC.' }) createdAt!: string;

  static of({ createdAt, ...rest }: Member): MemberView {
    return { ...rest, createdAt: createdAt.toISOString() };
  }
}

export class CreateKeyBody {
  @Text({ min: 1, max: nameMax, description: 'A name that tells people what the key is for.' }) name!: string;
  @OneOf(roles, { optional: true, default: 'editor', description: 'The role of the key.' }) role?: Role;
  @Time({
    optional: true,
    description:
      'The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.',
  })
  expiresAt?: string;
}

export class CreatePersonalKeyBody {
  @Text({ min: 1, max: nameMax, description: 'A name that tells people what the key is for.' }) name!: string;
  @Time({
    optional: true,
    description:
      'The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it.',
  })
  expiresAt?: string;
}

export class KeyView {
  @Text({ description: 'The id of the key, which begins with `key_`. It is not a secret.' }) id!: string;
  @Text({ description: 'The name that tells people what the key is for.' }) name!: string;
  @OneOf(keyKinds, {
    description:
      '`workspace` for a key of one workspace, `personal` for a key of all workspaces of its user.',
  })
  kind!: string;
  @OneOf(roles, {
    description: 'The role of the key. A personal key has the role of its user in each workspace instead.',
  })
  role!: string;
  @Text({ description: 'The first and the last characters of the value, to tell two keys apart.' })
  hint!: string;
  @Text({ description: 'The id of the user or of the key that made it.' }) createdBy!: string;
  @NameOf('createdBy') createdByName?: string | null;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({
    nullable: true,
    description: 'The time at which the key expires, in ISO 8601 and UTC; null when it does not expire.',
  })
  expiresAt!: string | null;
  @Time({
    nullable: true,
    description: 'The time of the revocation, in ISO 8601 and UTC; null while the key is valid.',
  })
  revokedAt!: string | null;
  @Time({
    nullable: true,
    description: 'The time of the last use, in ISO 8601 and UTC; null when there was none.',
  })
  lastUsedAt!: string | null;

  static of(key: ApiKey): KeyView {
    const { id, name, kind, role, hint, createdBy } = key;
    const time = (moment: Date | null) => moment?.toISOString() ?? null;
    return {
      id,
      name,
      kind,
      role,
      hint,
      createdBy,
      createdAt: key.createdAt.toISOString(),
      expiresAt: time(key.expiresAt),
      revokedAt: time(key.revokedAt),
      lastUsedAt: time(key.lastUsedAt),
    };
  }
}

/** A new key. Only the answer to its creation has the value. */
export class MintedKeyView extends KeyView {
  @Text({ description: 'The value of the key, shown only in this answer.' }) key!: string;

  static ofMinted({ key, value }: MintedKey): MintedKeyView {
    return { ...KeyView.of(key), key: value };
  }
}
