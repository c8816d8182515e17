import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** How a server presents one workflow to agents. The workflow itself gives each missing member. */
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
  /** The server offers every deployed workflow in this folder or below it. Null: it offers none because of its folder. */
  @Column('text', { nullable: true }) folder!: string | null;
  @Column('json') tools!: ToolChoice[];
  /** A call waits so long for a result; after it, the call continues as a task. */
  @Column('integer', { name: 'wait_seconds' }) waitSeconds!: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
}
