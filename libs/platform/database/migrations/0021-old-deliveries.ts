import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';

/** Lets the worker delete old deliveries of triggers, which it locks first. */
export class OldDeliveries1700000000021 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`grant update on trigger_deliveries to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
