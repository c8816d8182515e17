import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { WorkspacePulses } from './workspace-pulse.ts';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { Logs } from './logs.ts';

@Module({
  imports: [DatabaseModule, ExecutionsModule],
  providers: [Logs, WorkspacePulses],
  exports: [Logs, WorkspacePulses],
})
export class LogsModule {}
