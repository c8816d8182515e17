import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outputs of effects that one activity carries out one after the other are found by the stretch that they belong to. */
export class Checkpoints1700000000028 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(checkpoints);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

const checkpoints = /* sql */ `
alter table committed_effects
  -- The Temporal run and the first visit of the stretch; null for an effect with an activity of its own.
  add column stretch text,
  add column committed_at timestamptz not null default now();
create index committed_effects_stretch on committed_effects (execution_id, stretch) where stretch is not null;`;
