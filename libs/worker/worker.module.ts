import { Module } from '@nestjs/common';
import { AuditModule } from '#libs/workspace/audit/audit.module';
import { AlertsModule } from '#libs/runs/alerts/alerts.module';
import { BulkModule } from '#libs/runs/bulk/bulk.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { TemporalWorkersModule } from '#libs/runs/temporal-workers/temporal-workers.module';
import { IdempotencyModule } from '#libs/workspace/idempotency/idempotency.module';
import { AuthModule } from '#libs/workspace/auth/auth.module';
import { OAuthModule } from '#libs/workspace/oauth/oauth.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { PausesModule } from '#libs/runs/pauses/pauses.module';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { SettingsModule } from '#libs/platform/settings/settings.module';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { ImportOutboxModule } from '#libs/tables/files/import-outbox.module';
import { TablesModule } from '#libs/tables/tables.module';
import { TriggersModule } from '#libs/triggers/triggers.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { maintenanceProviders } from './maintenance-loops.ts';
import { SingleEffectRunner } from './effects/single-effect-runner.ts';
import { BatchRunner } from './effects/batch-runner.ts';
import { EffectLineRunner } from './effects/effect-line-runner.ts';
import { EffectsModule } from './effects.module.ts';
import { EffectHost } from './effect-host.ts';
import { DocumentFetch } from './ingestion/document-fetch.ts';
import { DocumentWork } from './ingestion/document-work.ts';
import { ImportHost } from './imports/import-host.ts';
import { ImportWork } from './imports/import-work.ts';
import { IngestionHost } from './ingestion/ingestion-host.ts';
import { Mail } from '#libs/platform/mail/mail';
import { EndpointsModule } from '#libs/workspace/endpoints/endpoints.module';
import { EventCourier } from './events/event-courier.ts';
import { Notifier } from './notices/notifier.ts';
import { WorkerRole } from './worker-role.ts';

@Module({
  imports: [
    DatabaseModule,
    SettingsModule,
    TemporalClientModule,
    PagesModule,
    BulkModule,
    ExecutionsModule,
    PausesModule,
    SecretsModule,
    EndpointsModule,
    AlertsModule,
    TemporalWorkersModule,
    IdempotencyModule,
    AuthModule,
    OAuthModule,
    LimitsModule,
    WorkflowsModule,
    AuditModule,
    TablesModule,
    ImportOutboxModule,
    TriggersModule,
    KnowledgeModule,
    EffectsModule,
  ],
  providers: [
    ...maintenanceProviders,
    Mail,
    Notifier,
    EventCourier,
    EffectHost,
    IngestionHost,
    ImportHost,
    ImportWork,
    DocumentWork,
    DocumentFetch,
    EffectLineRunner,
    SingleEffectRunner,
    BatchRunner,
    WorkerRole,
  ],
})
export class WorkerModule {}
