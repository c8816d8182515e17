import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Person } from '#libs/language/definition/blocks/approvals';
import type { Asking } from '#libs/language/engine/asking';
import type { FormField, PauseEffect } from '#libs/language/engine/effects';

export const pausedStatuses = [
  'paused',
  'partially_resumed',
  'fully_resumed',
  'expired',
  'cancelled',
] as const;
export type PausedStatus = (typeof pausedStatuses)[number];

export const resumeStatuses = [
  'paused',
  'queued',
  'resuming',
  'resumed',
  'expired',
  'cancelled',
  'failed',
] as const;
export type ResumeStatus = (typeof resumeStatuses)[number];

/** One row for the whole life of an execution that ever paused. */
@Entity('paused_executions')
export class PausedExecution {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'workflow_id' }) workflowId!: string;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  @Column('text') status!: PausedStatus;
  @Column('integer', { name: 'total_pause_count' }) totalPauseCount!: number;
  @Column('integer', { name: 'resumed_count' }) resumedCount!: number;
  @Column('timestamptz', { name: 'paused_at' }) pausedAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('json', { nullable: true }) metadata!: JsonObject | null;
  @Column('json', { nullable: true, select: false }) snapshot!: JsonObject | null;
}

/** One pause. Its context id is made anew for each visit of a block. */
@Entity('pause_points')
export class PausePoint {
  @PrimaryColumn('text', { name: 'context_id' }) contextId!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  @Column('text', { name: 'root_id' }) rootId!: string;
  @Column('text', { name: 'paused_execution_id' }) pausedExecutionId!: string;
  @Column('text') path!: string;
  @Column('text', { name: 'block_id' }) blockId!: string;
  @Column('text', { name: 'resume_status' }) resumeStatus!: ResumeStatus;
  @Column('json') display!: Pick<
    PauseEffect,
    'name' | 'title' | 'message' | 'fields' | 'scopes' | 'agentMayAnswer'
  >;
  @Column('json') form!: FormField[];
  /** The size of display and form. */
  @Column('integer') bytes!: number;
  @Column('json', { nullable: true }) asking!: Asking | null;
  @Column('timestamptz', { name: 'registered_at' }) registeredAt!: Date;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}

/** One accepted answer. A `failed` entry is an answer that came too late. */
@Entity('resume_entries')
export class ResumeEntry {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  @Column('text', { name: 'paused_execution_id' }) pausedExecutionId!: string;
  @Column('text', { name: 'new_execution_id' }) newExecutionId!: string;
  @Column('text', { name: 'context_id' }) contextId!: string;
  @Column('json', { name: 'resume_input', nullable: true }) answers!: Json | null;
  @Column('text') status!: 'pending' | 'claimed' | 'completed' | 'failed';
  @Column('text') mode!: 'sync' | 'async';
  @Column('json') actor!: JsonObject;
  @Column('json', { nullable: true }) person!: Person | null;
  @Column('timestamptz', { name: 'queued_at' }) queuedAt!: Date;
  @Column('timestamptz', { name: 'claimed_at', nullable: true }) claimedAt!: Date | null;
  @Column('timestamptz', { name: 'completed_at', nullable: true }) completedAt!: Date | null;
  @Column('text', { name: 'failure_reason', nullable: true }) failureReason!: string | null;
  /** The time at which the API applied it inline, before the run did. */
  @Column('timestamptz', { name: 'applied_at', nullable: true }) appliedAt!: Date | null;
}
