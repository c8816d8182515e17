import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The files of `../schema`, one a resource, in the order in which they are applied. */
export const schemaFiles = [
  'tenancy',
  'audit',
  'workspaces',
  'sign-in',
  'workflows',
  'executions',
  'pauses',
  'limits',
  'files',
  'tables',
  'knowledge',
  'agents',
];

/** Only sources are compiled, so the files stay where they were written, also for the compiled program. */
const folder = join(import.meta.dirname, '..', 'schema').replace(/([\\/])dist[\\/](?=libs[\\/])/, '$1');

/** Makes every table, trigger, policy and grant of the first release. */
export class InitialSchema1700000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    for (const name of schemaFiles) await db.query(readFileSync(join(folder, `${name}.sql`), 'utf8'));
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}
