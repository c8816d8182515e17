import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { AnswerOutbox } from './answer-outbox.ts';
import { Answers } from './answers.ts';
import { Delegations } from './delegations.ts';
import { Inbox } from './inbox.ts';
import { Links } from './links.ts';
import { Notifications } from './notifications.ts';
import { PauseHistory } from './pause-history.ts';
import { PausedExecution, PausePoint, ResumeEntry } from './pause.entity.ts';
import { Pauses } from './pauses.ts';

const providers = [Pauses, Answers, AnswerOutbox, Delegations, Inbox, Links, Notifications, PauseHistory];

@Module({
  imports: [
    DatabaseModule,
    ExecutionsModule,
    TypeOrmModule.forFeature([PausedExecution, PausePoint, ResumeEntry]),
  ],
  providers,
  exports: providers,
})
export class PausesModule {}
