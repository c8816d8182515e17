import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { DataKeys } from './data-keys.ts';
import { Secrets } from './secrets.ts';

@Module({ imports: [DatabaseModule], providers: [DataKeys, Secrets], exports: [DataKeys, Secrets] })
export class SecretsModule {}
