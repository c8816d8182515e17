import { AuditModule } from '#libs/audit/audit.module';
import { AuthModule } from '#libs/auth/workspaces';
import { DatabaseModule } from '#libs/database/database';
import { ExecutionsModule } from '#libs/executions/executions.module';
import { FilesModule } from '#libs/files/files';
import { IdempotencyModule } from '#libs/idempotency/idempotency';
import { OAuthModule } from '#libs/oauth/oauth-records';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { LimitsModule } from '#libs/limits/limits';
import { LogsModule } from '#libs/logs/logs';
import { McpServersModule } from '#libs/mcp-servers/mcp-servers';
import { PausesModule } from '#libs/pauses/pauses';
import { SignInModule } from '#libs/sign-in/sign-in.module';
import { SavedViewsModule } from '#libs/saved-views/saved-views';
import { SecretsModule } from '#libs/secrets/secrets';
import { ImportRelayModule } from '#libs/tables/jobs/import-relay';
import { TablesModule } from '#libs/tables/tables.module';
import { WorkflowsModule } from '#libs/workflows/workflows';

/** The modules of the rooms that the controllers call. */
export const nouns = [
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
  ImportRelayModule,
  WorkflowsModule,
];
