import { AuditModule } from '#libs/workspace/audit/audit.module';
import { AlertsModule } from '#libs/runs/alerts/alerts.module';
import { BulkModule } from '#libs/runs/bulk/bulk.module';
import { AuthModule } from '#libs/workspace/auth/auth.module';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { EndpointsModule } from '#libs/workspace/endpoints/endpoints.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { FilesModule } from '#libs/platform/files/files.module';
import { IdempotencyModule } from '#libs/workspace/idempotency/idempotency.module';
import { OAuthModule } from '#libs/workspace/oauth/oauth.module';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { LogsModule } from '#libs/runs/history/logs.module';
import { McpServersModule } from '#libs/workspace/mcp-servers/mcp-servers.module';
import { PausesModule } from '#libs/runs/pauses/pauses.module';
import { SignInModule } from '#libs/workspace/sign-in/sign-in.module';
import { SavedViewsModule } from '#libs/workspace/saved-views/saved-views.module';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { ImportOutboxModule } from '#libs/tables/files/import-outbox.module';
import { TablesModule } from '#libs/tables/tables.module';
import { TriggersModule } from '#libs/triggers/triggers.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';

/** The modules of `libs` that the controllers call. */
export const serviceModules = [
  AuditModule,
  AuthModule,
  BulkModule,
  DatabaseModule,
  AlertsModule,
  EndpointsModule,
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
  TriggersModule,
  WorkflowsModule,
];
