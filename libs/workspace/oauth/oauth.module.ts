import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { OAuthRecords } from './oauth-records.ts';

@Module({ imports: [DatabaseModule], providers: [OAuthRecords], exports: [OAuthRecords] })
export class OAuthModule {}
