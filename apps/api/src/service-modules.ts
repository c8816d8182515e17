import { AuditModule } from '#libs/workspace/audit/audit.module';
import { AuthModule } from '#libs/workspace/auth/workspaces';
import { DatabaseModule } from '#libs/platform/database/database';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { FilesModule } from '#libs/platform/files/files';
import { IdempotencyModule } from '#libs/workspace/idempotency/idempotency';
import { OAuthModule } from '#libs/workspace/oauth/oauth-records';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { LimitsModule } from '#libs/workspace/limits/limits';
import { LogsModule } from '#libs/runs/history/logs';
import { McpServersModule } from '#libs/workspace/mcp-servers/mcp-servers';
import { PausesModule } from '#libs/runs/pauses/pauses';
import { SignInModule } from '#libs/workspace/sign-in/sign-in.module';
import { SavedViewsModule } from '#libs/workspace/saved-views/saved-views';
import { SecretsModule } from '#libs/workspace/secrets/secrets';
import { ImportOutboxModule } from '#libs/tables/files/import-outbox';
import { TablesModule } from '#libs/tables/tables.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows';

/** The modules of `libs` that the controllers call. */
export const serviceModules = [
  AuditModule,
  AuthModule,
  DatabaseModule,
  ExecutionsModule,
  FilesModule,
  IdempotencyModule,
  OAuthModule,
  KnowledgeModule,
  LimitsModule,
  LogsModule,
  McpServersModule,
  PausesModule,
  SavedViewsModule,
  SecretsModule,
  SignInModule,
  TablesModule,
  ImportOutboxModule,
  WorkflowsModule,
];
