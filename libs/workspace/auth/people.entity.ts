import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { KeyKind } from './keys.format.ts';

export const roles = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof roles)[number];

/** How many calls to a host are under way at once, and how many begin in any second. */
export interface HostLimit {
  host: string;
  concurrency?: number;
  perSecond?: number;
}

@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') plan!: string;
  @Column('boolean', { name: 'personal_keys_allowed' }) personalKeysAllowed!: boolean;
  /** True when the block log keeps what each visit has sent. */
  @Column('boolean', { name: 'records_values' }) recordsValues!: boolean;
  @Column('jsonb', { name: 'host_limits' }) hostLimits!: HostLimit[];
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}

@Entity('users')
export class User {
  @PrimaryColumn('text') id!: string;
  @Column('text') email!: string;
  @Column('text') name!: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
}

@Entity('memberships')
export class Membership {
  @PrimaryColumn('text', { name: 'workspace_id' }) workspaceId!: string;
  @PrimaryColumn('text', { name: 'user_id' }) userId!: string;
  @Column('text') role!: Role;
  @Column('boolean', { name: 'pause_mails' }) pauseMails!: boolean;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
}

@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id', nullable: true }) workspaceId!: string | null;
  @Column('text', { name: 'user_id', nullable: true }) userId!: string | null;
  @Column('text') kind!: KeyKind;
  @Column('text') role!: Role;
  @Column('text') name!: string;
  /** Keyed hash of the value; the value itself is not stored. */
  @Column('text', { select: false }) digest!: string;
  @Column('text') hint!: string;
  @Column('text', { name: 'created_by' }) createdBy!: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}
