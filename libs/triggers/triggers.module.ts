import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CompletionNotifierModule } from '#libs/platform/database/completion-notifier.module';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { ExecutionsModule } from '#libs/runs/executions/executions.module';
import { CalledTriggers } from './called-triggers.ts';
import { Deliveries } from './deliveries.ts';
import { DefinedTriggers } from './defined/defined-triggers.ts';
import { EventTriggers } from './events/event-triggers.ts';
import { BackfillOutbox } from './schedules/backfill-outbox.ts';
import { Backfills } from './schedules/backfills.ts';
import { Calendars } from './schedules/calendars.ts';
import { Schedules } from './schedules/schedules.ts';
import { SwitchedOffTriggers } from './switched-off.ts';
import { Trigger, TriggerDelivery } from './trigger.entity.ts';
import { Triggers } from './triggers.ts';

@Module({
  imports: [
    DatabaseModule,
    CompletionNotifierModule,
    SecretsModule,
    ExecutionsModule,
    TypeOrmModule.forFeature([Trigger, TriggerDelivery]),
  ],
  providers: [
    Triggers,
    CalledTriggers,
    Deliveries,
    Schedules,
    EventTriggers,
    DefinedTriggers,
    Backfills,
    BackfillOutbox,
    Calendars,
    SwitchedOffTriggers,
  ],
  exports: [
    Triggers,
    CalledTriggers,
    Deliveries,
    Schedules,
    EventTriggers,
    DefinedTriggers,
    Backfills,
    BackfillOutbox,
    Calendars,
    SwitchedOffTriggers,
  ],
})
export class TriggersModule {}
