import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemRole } from '../policies.ts';
import { migrationProcedures } from '../schema-files.ts';

/** Makes the table with the ids of the payload keys, so that a backup without one of them is refused. */
export class PayloadKeys1700000000036 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(migrationProcedures());
    await db.query(payloadKeys);
    await db.query(`call pg_temp.system_rows('payload_keys')`);
    await db.query(`grant select, insert, update on payload_keys to ${systemRole}`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const payloadKeys = /* sql */ `
create table payload_keys (
  -- The id in PAYLOAD_KEYS, and nothing of the key.
  id text primary key,
  -- Since when processes start without the key; null while they have it.
  left_at timestamptz(3)
);
comment on table payload_keys is 'The keys that seal payloads of runs. A run that began before a key was left may need it.';`;
