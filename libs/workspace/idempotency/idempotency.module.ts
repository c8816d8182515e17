import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { Idempotency } from './idempotency.ts';

@Module({ imports: [DatabaseModule], providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
