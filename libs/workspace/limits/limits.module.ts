import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { UsageBooking } from './usage-booking.ts';
import { MemberCaps } from './member-caps.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { Storage } from './storage.ts';
import { StorageQuota } from './storage-quota.ts';
import { Usage } from './usage.ts';
import { LimitNotices } from './limit-notices.ts';
import { Limits } from './limits.ts';

const services = [
  Limits,
  LimitNotices,
  ConcurrencyLimit,
  Storage,
  StorageQuota,
  Usage,
  MemberCaps,
  UsageBooking,
];

@Module({ imports: [DatabaseModule], providers: services, exports: services })
export class LimitsModule {}
