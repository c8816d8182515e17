import { Module, type OnModuleDestroy } from '@nestjs/common';
import { AuditModule } from '#libs/workspace/audit/audit.module';
import { Egress, buildPolicy } from '#libs/platform/egress/egress';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { TemporalWorkersModule } from '#libs/runs/temporal-workers/temporal-workers.module';
import { IdempotencyModule } from '#libs/workspace/idempotency/idempotency.module';
import { AuthModule } from '#libs/workspace/auth/auth.module';
import { OAuthModule } from '#libs/workspace/oauth/oauth.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { TemporalClientModule } from '#libs/platform/temporal-client/temporal-client.module';
import { PagesModule } from '#libs/platform/cursors/pages.module';
import { PausesModule } from '#libs/runs/pauses/pauses.module';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { sandboxWalls, Settings } from '#libs/platform/settings/settings';
import { SettingsModule } from '#libs/platform/settings/settings.module';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { ImportOutboxModule } from '#libs/tables/files/import-outbox.module';
import { TablesModule } from '#libs/tables/tables.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { maintenanceProviders } from './maintenance-loops.ts';
import { Costs } from './effects/costs.ts';
import { SingleEffectRunner } from './effects/single-effect-runner.ts';
import { BlockLogLines } from './effects/block-log-lines.ts';
import { EffectStores } from './effects/effect-attempt.ts';
import { WorkerEnds } from './effects/worker-ends.ts';
import { EffectExecutor } from './effects/effect-executor.ts';
import { BatchRunner } from './effects/batch-runner.ts';
import { EffectChainRunner } from './effects/effect-chain-runner.ts';
import { handlers } from './blocks/handlers.ts';
import { EffectHost } from './effect-host.ts';
import { DocumentFetch } from './ingestion/document-fetch.ts';
import { DocumentWork } from './ingestion/document-work.ts';
import { ImportHost } from './imports/import-host.ts';
import { ImportWork } from './imports/import-work.ts';
import { IngestionHost } from './ingestion/ingestion-host.ts';
import { Mail } from '#libs/platform/mail/mail';
import { Notifier } from './notices/notifier.ts';
import { ModelProvider } from './models/model-provider.ts';
import { StructuredAnswers } from './models/structured.ts';
import { OpenAiCompatible } from './models/openai-compatible.ts';

const outputBytesMax = 10 * 1024 * 1024;
/**
 * The most processes that wait for the first code of a workspace; each takes some 45 MB. One is left while another
 * starts.
 */
const warmMax = 2;

@Module({
  imports: [
    SettingsModule,
    TemporalClientModule,
    PagesModule,
    ExecutionsModule,
    PausesModule,
    SecretsModule,
    TemporalWorkersModule,
    IdempotencyModule,
    AuthModule,
    OAuthModule,
    LimitsModule,
    WorkflowsModule,
    AuditModule,
    TablesModule,
    ImportOutboxModule,
    KnowledgeModule,
  ],
  providers: [
    ...maintenanceProviders,
    Mail,
    Notifier,
    EffectHost,
    IngestionHost,
    ImportHost,
    ImportWork,
    DocumentWork,
    DocumentFetch,
    EffectStores,
    BlockLogLines,
    EffectExecutor,
    WorkerEnds,
    EffectChainRunner,
    SingleEffectRunner,
    BatchRunner,
    Costs,
    ...Object.values(handlers),
    { provide: StructuredAnswers, useFactory: () => new StructuredAnswers() },
    { provide: ModelProvider, useClass: OpenAiCompatible },
    {
      provide: Egress,
      inject: [Settings],
      useFactory: ({ egressAllow }: Settings) => new Egress(buildPolicy({ allow: egressAllow })),
    },
    {
      provide: Sandbox,
      inject: [Settings],
      useFactory: ({ codeSlots, sandboxWall }: Settings) => {
        const without = sandboxWalls.slice(sandboxWalls.indexOf(sandboxWall) + 1);
        const warm = Math.min(codeSlots, warmMax);
        return new Sandbox({ concurrency: codeSlots, warm, outputBytesMax, without });
      },
    },
  ],
})
export class WorkerModule implements OnModuleDestroy {
  constructor(
    private readonly egress: Egress,
    private readonly sandbox: Sandbox,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.egress.close(), this.sandbox.close()]);
  }
}
