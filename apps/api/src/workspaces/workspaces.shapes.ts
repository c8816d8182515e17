import type { Member } from '#libs/auth/workspaces';
import type { MintedKey } from '#libs/auth/keys';
import { keyKinds } from '#libs/auth/keys.format';
import { roles, type ApiKey, type Role, type Workspace } from '#libs/auth/people.entity';
import { Bool, OneOf, Text, Time } from '../http/fields.ts';

const nameMax = 128;

export class CreateWorkspaceBody {
  @Text({ min: 1, max: nameMax }) name!: string;
}

export class UpdateWorkspaceBody {
  @Text({ optional: true, min: 1, max: nameMax }) name?: string;
  @Bool({ optional: true, description: 'False: only workspace keys work here.' })
  personalKeysAllowed?: boolean;
}

export class WorkspaceView {
  @Text() id!: string;
  @Text() name!: string;
  @Text() plan!: string;
  @Bool() personalKeysAllowed!: boolean;
  @Time() createdAt!: string;
  @Time() updatedAt!: string;

  static of({ id, name, plan, personalKeysAllowed, createdAt, updatedAt }: Workspace): WorkspaceView {
    return {
      id,
      name,
      plan,
      personalKeysAllowed,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    };
  }
}

export class ChangeRoleBody {
  @OneOf(roles) role!: Role;
}

export class MemberView {
  @Text() userId!: string;
  @Text() email!: string;
  @Text() name!: string;
  @OneOf(roles) role!: string;
  @Time() createdAt!: string;

  static of({ createdAt, ...rest }: Member): MemberView {
    return { ...rest, createdAt: createdAt.toISOString() };
  }
}

export class CreateKeyBody {
  @Text({ min: 1, max: nameMax }) name!: string;
  @OneOf(roles, { optional: true, default: 'editor' }) role?: Role;
  @Time({ optional: true }) expiresAt?: string;
}

export class CreatePersonalKeyBody {
  @Text({ min: 1, max: nameMax }) name!: string;
  @Time({ optional: true }) expiresAt?: string;
}

export class KeyView {
  @Text() id!: string;
  @Text() name!: string;
  @OneOf(keyKinds) kind!: string;
  @OneOf(roles) role!: string;
  @Text({ description: 'Enough of the value to tell two keys apart.' }) hint!: string;
  @Text() createdBy!: string;
  @Time() createdAt!: string;
  @Time({ nullable: true }) expiresAt!: string | null;
  @Time({ nullable: true }) revokedAt!: string | null;
  @Time({ nullable: true }) lastUsedAt!: string | null;

  static of({
    id,
    name,
    kind,
    role,
    hint,
    createdBy,
    createdAt,
    expiresAt,
    revokedAt,
    lastUsedAt,
  }: ApiKey): KeyView {
    const time = (moment: Date | null) => moment?.toISOString() ?? null;
    return {
      id,
      name,
      kind,
      role,
      hint,
      createdBy,
      createdAt: createdAt.toISOString(),
      expiresAt: time(expiresAt),
      revokedAt: time(revokedAt),
      lastUsedAt: time(lastUsedAt),
    };
  }
}

/** A new key; only the answer to its creation holds the value. */
export class MintedKeyView extends KeyView {
  @Text({ description: 'Shown this once.' }) key!: string;

  static ofMinted({ key, value }: MintedKey): MintedKeyView {
    return { ...KeyView.of(key), key: value };
  }
}
