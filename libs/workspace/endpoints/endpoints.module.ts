import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { SecretsModule } from '#libs/workspace/secrets/secrets.module';
import { Endpoints } from './endpoints.ts';
import { EventDeliveries } from './event-deliveries.ts';
import { EventOutbox } from './event-outbox.ts';

const providers = [Endpoints, EventDeliveries, EventOutbox];

@Module({
  imports: [DatabaseModule, SecretsModule],
  providers,
  exports: providers,
})
export class EndpointsModule {}
