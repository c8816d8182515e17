import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { HostingModule } from '#libs/hosting/workflow-host';
import { TemporalLinkModule } from '#libs/link/temporal-link';
import { PagesModule } from '#libs/pages/cursor';
import { SettingsModule } from '#libs/settings/settings';
import { controllers } from './controllers.ts';
import { ExecutionAnswers } from './executions/execution-answers.ts';
import { Execute } from './executions/execute.ts';
import { JobStream } from './executions/job-stream.ts';
import { CallerGuard } from './http/caller.guard.ts';
import { FaultFilter } from './http/fault.filter.ts';
import { nouns } from './nouns.ts';
import { AskedPeople } from './pauses/pauses.controller.ts';
import { Resume } from './pauses/resume.ts';

@Module({
  imports: [SettingsModule, TemporalLinkModule, PagesModule, HostingModule, ...nouns],
  controllers,
  providers: [
    { provide: APP_GUARD, useClass: CallerGuard },
    { provide: APP_FILTER, useClass: FaultFilter },
    Execute,
    ExecutionAnswers,
    JobStream,
    Resume,
    AskedPeople,
  ],
})
export class ApiModule {}
