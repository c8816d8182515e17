import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { WorkspacePulses } from './workspace-pulse.ts';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { LogStatistics } from './log-stats.ts';
import { Logs } from './logs.ts';
import { RecordedScenarios } from './recorded-scenarios.ts';

@Module({
  imports: [DatabaseModule, ExecutionsModule, WorkflowsModule],
  providers: [Logs, LogStatistics, RecordedScenarios, WorkspacePulses],
  exports: [Logs, LogStatistics, RecordedScenarios, WorkspacePulses],
})
export class LogsModule {}
