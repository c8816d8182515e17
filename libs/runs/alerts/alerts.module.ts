import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { AlertRules } from './alert-rules.ts';
import { AlertWatch } from './alert-watch.ts';

const providers = [AlertRules, AlertWatch];

@Module({ imports: [DatabaseModule], providers, exports: providers })
export class AlertsModule {}
