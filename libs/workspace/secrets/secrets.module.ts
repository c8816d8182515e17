import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { Secrets } from './secrets.ts';

@Module({ imports: [DatabaseModule], providers: [Secrets], exports: [Secrets] })
export class SecretsModule {}
