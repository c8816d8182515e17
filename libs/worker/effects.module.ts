import { Module, type OnModuleDestroy } from '@nestjs/common';
import { KnowledgeModule } from '#libs/knowledge/knowledge.module';
import { Egress, buildPolicy } from '#libs/platform/egress/egress';
import { Sandbox } from '#libs/platform/sandbox/sandbox';
import { sandboxWalls, Settings } from '#libs/platform/settings/settings';
import { SettingsModule } from '#libs/platform/settings/settings.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { TablesModule } from '#libs/tables/tables.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { handlers } from './blocks/handlers.ts';
import { DirectEffects } from './direct-effects.ts';
import { BlockLogLines } from './effects/block-log-lines.ts';
import { Costs } from './effects/costs.ts';
import { EffectStores } from './effects/effect-attempt.ts';
import { EffectExecutor } from './effects/effect-executor.ts';
import { WorkerEnds } from './effects/worker-ends.ts';
import { ModelProvider } from './models/model-provider.ts';
import { OpenAiCompatible } from './models/openai-compatible.ts';
import { Outputs } from './outputs/outputs.ts';
import { StructuredAnswers } from './models/structured.ts';
import { slotsOfAll, slotWaitMs } from './effects/workspace-share.ts';

const outputBytesMax = 10 * 1024 * 1024;
/**
 * The most processes that wait for the first code of a workspace; each takes some 45 MB. One is left while another
 * starts.
 */
const warmMax = 2;

const providers = [
  EffectStores,
  BlockLogLines,
  EffectExecutor,
  WorkerEnds,
  Costs,
  Outputs,
  ...Object.values(handlers),
  { provide: StructuredAnswers, useFactory: () => new StructuredAnswers() },
  { provide: ModelProvider, useClass: OpenAiCompatible },
  {
    provide: Egress,
    inject: [Settings],
    useFactory: ({ egressAllow: allow, egressHeadersMaxBytes: headersBytesMax }: Settings) =>
      new Egress(buildPolicy({ allow, headersBytesMax })),
  },
  {
    provide: Sandbox,
    inject: [Settings],
    useFactory: ({ codeSlots, sandboxWall }: Settings) => {
      const without = sandboxWalls.slice(sandboxWalls.indexOf(sandboxWall) + 1);
      return new Sandbox({
        concurrency: slotsOfAll(codeSlots),
        perWorkspace: codeSlots,
        waitMs: slotWaitMs,
        warm: Math.min(codeSlots, warmMax),
        outputBytesMax,
        without,
      });
    },
  },
];

/** What carries out the effects of blocks, in whatever process. */
@Module({
  imports: [
    SettingsModule,
    ExecutionsModule,
    SecretsModule,
    LimitsModule,
    WorkflowsModule,
    TablesModule,
    KnowledgeModule,
  ],
  providers,
  exports: providers,
})
export class EffectsModule implements OnModuleDestroy {
  constructor(
    private readonly egress: Egress,
    private readonly sandbox: Sandbox,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.egress.close(), this.sandbox.close()]);
  }
}

/** The worker role of a process that also accepts executions: it carries them out by itself, as far as it can. */
@Module({ imports: [EffectsModule, ExecutionsModule], providers: [DirectEffects] })
export class DirectEffectsModule {}
