import type { McpServer, ToolChoice } from '#libs/workspace/mcp-servers/mcp-server.entity';
import { toolNamePattern } from '#libs/workspace/mcp-servers/tool-names';
import type { OAuthGrant } from '#libs/workspace/oauth/oauth-records';
import { folderMax } from '#libs/runs/workflows/folder';
import { Bool, Int, ListOf, One, Text, Texts, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { descriptionMax, nameMax } from '../workflows/workflow-fields.ts';

/** The time that an agent waits for a result by default, in seconds. */
export const waitSecondsDefault = 20;
const waitSecondsMax = 300;
const toolsMax = 200;

export class ToolChoiceBody {
  @Text({ max: 100, description: 'The id of a workflow of the workspace.' }) workflowId!: string;
  @Text({
    optional: true,
    min: 1,
    max: 64,
    pattern: toolNamePattern,
    rule: 'must have 1 to 64 letters, digits, underscores and hyphens',
    description: 'The name of the tool. Left out: a name made from the name of the workflow.',
  })
  name?: string;
  @Text({
    optional: true,
    max: descriptionMax,
    description: 'The description of the tool for agents. Left out: the description of the workflow.',
  })
  description?: string;
  @Bool({ optional: true, description: 'Tells clients that the tool changes nothing.' })
  readOnlyHint?: boolean;
  @Bool({ optional: true, description: 'Tells clients that the tool may destroy something.' })
  destructiveHint?: boolean;
  @Bool({ optional: true, description: 'Tells clients that a repeated call changes nothing more.' })
  idempotentHint?: boolean;
}

const folder =
  'The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder.';
const waits = 'The seconds that a call waits for a result before it goes on as a task.';

export class CreateMcpServerBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ min: 1, max: nameMax, description: 'The name, which no other server of the workspace may have.' })
  name!: string;
  @Text({
    optional: true,
    max: descriptionMax,
    description: 'The description of the server for agents; empty when left out.',
  })
  description?: string;
  @Text({ optional: true, nullable: true, max: folderMax, description: folder }) folder?: string | null;
  @ListOf(() => ToolChoiceBody, {
    optional: true,
    max: toolsMax,
    description: 'Workflows that are offered from any folder, and settings for their tools.',
  })
  tools?: ToolChoiceBody[];
  @Int({ optional: true, min: 0, max: waitSecondsMax, default: waitSecondsDefault, description: waits })
  waitSeconds?: number;
}

export class UpdateMcpServerBody {
  @WorkspaceId() workspaceId?: string;
  @Text({ optional: true, min: 1, max: nameMax, description: 'The new name. Left out: no change.' })
  name?: string;
  @Text({ optional: true, max: descriptionMax, description: 'The new description. Left out: no change.' })
  description?: string;
  @Text({ optional: true, nullable: true, max: folderMax, description: folder }) folder?: string | null;
  @ListOf(() => ToolChoiceBody, {
    optional: true,
    max: toolsMax,
    description: 'The new list as a whole. Left out: no change.',
  })
  tools?: ToolChoiceBody[];
  @Int({ optional: true, min: 0, max: waitSecondsMax, description: waits }) waitSeconds?: number;
}

export class ToolChoiceView {
  @Text({ description: 'The id of the workflow.' }) workflowId!: string;
  @Text({
    nullable: true,
    description: 'The chosen name of the tool; null when the name comes from the workflow.',
  })
  name!: string | null;
  @Text({
    nullable: true,
    description: 'The chosen description; null when the description comes from the workflow.',
  })
  description!: string | null;
  @Bool({ nullable: true, description: 'True when the tool changes nothing; null when nothing is declared.' })
  readOnlyHint!: boolean | null;
  @Bool({
    nullable: true,
    description: 'True when the tool may destroy something; null when nothing is declared.',
  })
  destructiveHint!: boolean | null;
  @Bool({
    nullable: true,
    description: 'True when a repeated call changes nothing more; null when nothing is declared.',
  })
  idempotentHint!: boolean | null;

  static of(choice: ToolChoice): ToolChoiceView {
    const { workflowId, name = null, description = null } = choice;
    const { readOnlyHint = null, destructiveHint = null, idempotentHint = null } = choice;
    return { workflowId, name, description, readOnlyHint, destructiveHint, idempotentHint };
  }
}

export class McpServerView {
  @Text({ description: 'The id of the server, which begins with `mcp_`.' }) id!: string;
  @Text({ description: 'The id of its workspace.' }) workspaceId!: string;
  @Text({ description: 'The name, which is unique in the workspace.' }) name!: string;
  @Text({ description: 'The description of the server for agents.' }) description!: string;
  @Text({ nullable: true, description: folder }) folder!: string | null;
  @ListOf(() => ToolChoiceView, {
    description: 'The chosen workflows and the settings of their tools.',
  })
  tools!: ToolChoiceView[];
  @Int({ description: waits }) waitSeconds!: number;
  @Text({ description: 'The address for agents. A call needs a key or a token of this workspace.' })
  url!: string;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time of the last change, in ISO 8601 and UTC.' }) updatedAt!: string;

  static of(server: McpServer, publicUrl: string): McpServerView {
    const { id, workspaceId, name, description, folder: path, tools, waitSeconds } = server;
    return {
      id,
      workspaceId,
      name,
      description,
      folder: path,
      tools: tools.map((choice) => ToolChoiceView.of(choice)),
      waitSeconds,
      url: `${publicUrl}/api/mcp/${id}`,
      createdAt: server.createdAt.toISOString(),
      updatedAt: server.updatedAt.toISOString(),
    };
  }
}

/** The person who allowed it. */
export class McpGrantPersonView {
  @Text({ description: 'The id of the user.' }) id!: string;
  @Text({ description: 'The mail address of the user.' }) email!: string;
  @Text({ description: 'The name of the user.' }) name!: string;
}

export class McpGrantView {
  @Text({ description: 'The id of the grant.' }) id!: string;
  @Text({ description: 'The address of the metadata document of the client.' }) client!: string;
  @One(() => McpGrantPersonView, { description: 'The user who gave the grant, with a personal key.' })
  person!: McpGrantPersonView;
  @Texts({ description: 'The scopes of the grant: `execute:{serverId}` and `read`.' }) scopes!: string[];
  @Time({ description: 'The time of the grant, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ description: 'The time at which the grant expires, in ISO 8601 and UTC.' }) expiresAt!: string;

  static of({ id, client, userId, email, name, scopes, createdAt, expiresAt }: OAuthGrant): McpGrantView {
    return {
      id,
      client,
      person: { id: userId, email, name },
      scopes: scopes.split(' '),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}
