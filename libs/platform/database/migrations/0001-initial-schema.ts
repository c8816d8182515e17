import type { MigrationInterface, QueryRunner } from 'typeorm';
import { schemaFiles, schemaSql } from '../schema-files.ts';

/** Makes every table, trigger, policy and grant of the first release. */
export class InitialSchema1700000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    for (const name of schemaFiles) await db.query(schemaSql(name));
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
