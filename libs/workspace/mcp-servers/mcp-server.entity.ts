import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** The presentation of one workflow to agents. A missing member comes from the workflow. */
export interface ToolChoice {
  workflowId: string;
  name?: string;
  description?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
}

/** A server of the Model Context Protocol: the workflows of a workspace that agents may call as tools. */
@Entity('mcp_servers')
export class McpServer {
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') name!: string;
  @Column('text') description!: string;
  /** Every deployed workflow that lies here or below is offered; null: none by where it lies. */
  @Column('text', { nullable: true }) folder!: string | null;
  @Column('json') tools!: ToolChoice[];
  /** The wait of a call for a result before it goes on as a task. */
  @Column('integer', { name: 'wait_seconds' }) waitSeconds!: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}
