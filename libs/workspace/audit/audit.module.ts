import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/platform/database/database.module';
import { AuditAnchors } from './audit-anchors.ts';
import { AuditRetention } from './audit-retention.ts';
import { Audit } from './audit.ts';
import { RefusedAttempts } from './refused-attempts.ts';

const services = [Audit, AuditAnchors, AuditRetention, RefusedAttempts];

@Module({ imports: [DatabaseModule], providers: services, exports: services })
export class AuditModule {}
