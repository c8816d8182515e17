import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { PausesModule } from '#libs/runs/pauses/pauses.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { ChildLine } from './child-line.ts';
import { Evaluations } from './evaluations.ts';
import { localProviders } from './local-activities.ts';
import { WorkflowHost } from './workflow-host.ts';

@Module({
  imports: [DatabaseModule, ExecutionsModule, LimitsModule, PausesModule, WorkflowsModule],
  providers: [WorkflowHost, Evaluations, ChildLine, ...localProviders],
  exports: [WorkflowHost, ChildLine],
})
export class TemporalWorkersModule {}
