import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '#libs/platform/settings/settings';
import { DatabasePool } from './connections.ts';
import { appRole } from './policies.ts';
import { Database, roleAtStart } from './database.ts';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: (settings: Settings) => ({
        type: 'postgres' as const,
        url: settings.databaseUrl,
        driver: { ...pg, Pool: DatabasePool },
        autoLoadEntities: true,
        extra: {
          max: settings.databasePoolMax,
          connectionTimeoutMillis: settings.databaseWaitMs,
          pipeline: true,
          options: roleAtStart(appRole),
        },
      }),
    }),
  ],
  providers: [{ provide: Database, useFactory: Database.open, inject: [DataSource, Settings] }],
  exports: [Database],
})
export class DatabaseModule {}
