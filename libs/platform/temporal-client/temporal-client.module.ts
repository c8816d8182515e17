import { Global, Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { TemporalClient } from './temporal-client.ts';

@Global()
@Module({ imports: [DatabaseModule], providers: [TemporalClient], exports: [TemporalClient] })
export class TemporalClientModule {}
