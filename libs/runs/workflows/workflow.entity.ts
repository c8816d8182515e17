import {
  Column,
  CreateDateColumn,
  Entity,
  type EntityManager,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  UpdateDateColumn,
} from 'typeorm';
import type { Plan as CompiledPlan } from '#libs/language/definition/plan';
import type { JsonObject } from '#libs/platform/json/json';

/** A workflow and its draft. Runs use the live deployment and not the draft. */
@Entity('workflows')
export class Workflow {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @Column('text') folder!: string;
  @Column('json') definition!: JsonObject;
  @Column('text', { name: 'definition_hash' }) definitionHash!: string;
  /** Grows by one with each change of the workflow or its draft; a deploy changes neither. */
  @Column('integer') revision!: number;
  @Column('integer', { name: 'live_version', nullable: true }) liveVersion!: number | null;
  @Column('timestamptz', { name: 'deployed_at', nullable: true }) deployedAt!: Date | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}

/** One version: immutable, and never renumbered. */
@Entity('deployments')
export class Deployment {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'workflow_id' }) workflowId!: string;
  @Column('integer') version!: number;
  @Column('text') name!: string;
  @Column('text') description!: string;
  @Column('json') definition!: JsonObject;
  @Column('text', { name: 'definition_hash' }) definitionHash!: string;
  @Column('text', { name: 'plan_hash' }) planHash!: string;
  @Column('json') warnings!: string[];
  @Column('text', { name: 'created_by' }) createdBy!: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
}

/** A compiled plan, addressed by the hash of its content. */
@Entity('plans')
export class StoredPlan {
  @PrimaryColumn('text', { name: 'workspace_id' }) workspaceId!: string;
  @PrimaryColumn('text') hash!: string;
  @Column('json') plan!: CompiledPlan;
  /** The draft that tests run by this plan; null for the plan of a version alone. */
  @Column('json', { nullable: true }) definition!: JsonObject | null;
}

/** One move of the live pointer; a null version is an undeploy. */
@Entity('activations')
export class Activation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text', { name: 'workflow_id' }) workflowId!: string;
  @Column('integer', { nullable: true }) version!: number | null;
  @Column('text') actor!: string;
}

/** A workflow or a version as lists have it. */
export type Listed<Row extends { definition: JsonObject }> = Omit<Row, 'definition'>;

/** The columns that a list reads. It leaves out the definition, which may have megabytes. */
export function listedColumns(tx: EntityManager, entity: new () => object, alias: string): string[] {
  const names = tx.connection.getMetadata(entity).columns.map(({ propertyName }) => propertyName);
  return names.filter((name) => name !== 'definition').map((name) => `${alias}.${name}`);
}
