import { Module } from '@nestjs/common';
import { DatabaseModule } from '#libs/database/database';
import { AuditRetention } from './audit-retention.ts';
import { Audit } from './audit.ts';
import { RefusedAttempts } from './refused-attempts.ts';

const nouns = [Audit, AuditRetention, RefusedAttempts];

@Module({ imports: [DatabaseModule], providers: nouns, exports: nouns })
export class AuditModule {}
