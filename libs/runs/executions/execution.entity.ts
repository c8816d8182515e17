import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Json, JsonObject } from '#libs/platform/json/json';
import type { Failure, VisitEntry, SentValue } from '#libs/language/engine/effects';

export const executionStatuses = ['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

/** True for a status that is final, unless an operator resets the run in Temporal. */
export const terminal = (status: ExecutionStatus) => ['completed', 'failed', 'cancelled'].includes(status);

/** The execution that another one goes on from. */
export interface MadeFrom {
  executionId: string;
  /** The visit that ran anew first; null when everything did. */
  path: string | null;
  /** The parameters of that visit that were replaced. */
  input?: string[];
}
/** True for an execution that a hold keeps back. */
export const isKeptBack = ({ status, nextDeliveryAt }: Pick<Execution, 'status' | 'nextDeliveryAt'>) =>
  status === 'queued' && nextDeliveryAt === Infinity;

/** One run of one version. Its id is the Temporal workflow's id for its whole life. */
@Entity('executions')
export class Execution {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'workflow_id' }) workflowId!: string;
  @Column('text', { name: 'workflow_name' }) workflowName!: string;
  /** What people know it by; null when its inputs say nothing. */
  @Column('text', { nullable: true }) title!: string | null;
  @Column('integer') version!: number;
  @Column('text', { name: 'plan_hash' }) planHash!: string;
  @Column('text') mode!: 'sync' | 'async';
  @Column('text') trigger!: string;
  @Column('json') actor!: JsonObject;
  /** True for a test of a draft, and for the children of one. */
  @Column('boolean', { name: 'is_test' }) isTest!: boolean;
  @Column('text') status!: ExecutionStatus;
  @Column('text', { name: 'parent_id', nullable: true }) parentId!: string | null;
  @Column('text', { name: 'root_id', nullable: true }) rootId!: string | null;
  @Column('integer') depth!: number;
  @Column('json') inputs!: JsonObject;
  @Column('json', { nullable: true }) output!: Json | null;
  @Column('json', { nullable: true }) failure!: Failure | null;
  @Column('json', { nullable: true }) response!: {
    status: number;
    headers: Record<string, string>;
    raw: boolean;
  } | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'started_at', nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { name: 'completed_at', nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { name: 'cancel_requested_at', nullable: true }) cancelRequestedAt!: Date | null;
  @Column('timestamptz', { name: 'retried_at', nullable: true }) retriedAt!: Date | null;
  /** The execution that runs with its inputs; null for one that runs itself. */
  @Column('text', { name: 'batched_into', nullable: true }) batchedInto!: string | null;
  @Column('json', { name: 'made_from', nullable: true }) madeFrom!: MadeFrom | null;
  @Column('integer', { name: 'active_ms_max', nullable: true }) activeMsMax!: number | null;
  /** Infinity while a hold keeps the execution back. */
  @Column('timestamptz', { name: 'next_delivery_at' }) nextDeliveryAt!: Date | number;
}

/** One entry of the block log. */
@Entity('visits')
export class VisitRow {
  @PrimaryColumn('text', { name: 'execution_id' }) executionId!: string;
  @PrimaryColumn('text') path!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('integer') seq!: number;
  @Column('text', { name: 'block_id' }) blockId!: string;
  @Column('text') name!: string;
  @Column('text') type!: string;
  @Column('text') status!: VisitEntry['status'];
  @Column('timestamptz', { name: 'started_at' }) startedAt!: Date;
  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Date | null;
  @Column('integer') attempts!: number;
  @Column('json', { nullable: true }) output!: Json | null;
  @Column('json', { nullable: true }) failure!: Failure | null;
  @Column('text', { nullable: true }) port!: string | null;
  /** Null when the block sent nothing, or when the workspace keeps no values. */
  @Column('json', { nullable: true }) sent!: SentValue | null;
  /** The lines that the block wrote to its console; null when it wrote nothing. */
  @Column('json', { nullable: true }) logs!: string[] | null;
}
