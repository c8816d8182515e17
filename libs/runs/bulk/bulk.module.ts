import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { LogsModule } from '#libs/runs/history/logs.module';
import { PausesModule } from '#libs/runs/pauses/pauses.module';
import { WorkflowsModule } from '#libs/runs/workflows/workflows.module';
import { LimitsModule } from '#libs/workspace/limits/limits.module';
import { BulkActs } from './bulk-acts.ts';
import { BulkJobs } from './bulk-jobs.ts';
import { BulkOutbox } from './bulk-outbox.ts';

@Module({
  imports: [DatabaseModule, ExecutionsModule, LogsModule, PausesModule, WorkflowsModule, LimitsModule],
  providers: [BulkActs, BulkJobs, BulkOutbox],
  exports: [BulkJobs, BulkOutbox],
})
export class BulkModule {}
