import type { MigrationInterface, QueryRunner } from 'typeorm';

const slots = [1, 2, 3, 4];
const numbers = slots.map((n) => `n${n}`);
const texts = slots.map((n) => `s${n}`);

/**
 * The first columns of a table that hold numbers and texts have ids that are the names of slots: Postgres keeps their cells a second
 * time, with types, and an index of the slots answers for sums and counts without reading the rows.
 */
export class TableSlots1700000000030 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(counters);
    const added = [...numbers.map(numberSlot), ...texts.map(textSlot)].map((one) => `add column ${one}`);
    await db.query(`alter table table_rows ${added.join(', ')}`);
    await db.query(index);
    const partitions: { name: string }[] = await db.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'table_rows'::regclass`,
    );
    for (const { name } of partitions)
      await db.query(`alter table ${name} set (autovacuum_vacuum_insert_scale_factor = 0.02)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

/**
 * A number of up to 18 digits before its point and 12 after it. Any other stands as one between its neighbours that has 13 digits
 * after its point, or as an infinity, so it compares with ordinary numbers as it should.
 */
function numberSlot(name: string): string {
  const cell = `(data -> '${name}')::numeric`;
  return `${name} numeric generated always as (case when jsonb_typeof(data -> '${name}') = 'number' then
    case when abs(${cell}) >= 1e18 then sign(${cell}) * 'Infinity'::numeric
      when min_scale(${cell}) > 12 then trunc(${cell}, 12) + sign(${cell}) * 0.0000000000005
      else ${cell} end end) stored`;
}

/** A text of up to 40 characters. Any other, and one that begins with the character 1, stands as that character alone. */
function textSlot(name: string): string {
  const cell = `(data ->> '${name}')`;
  return `${name} text collate "C" generated always as (case when jsonb_typeof(data -> '${name}') = 'string' then
    case when char_length(${cell}) > 40 or starts_with(${cell}, E'\\x01') then E'\\x01' else ${cell} end end) stored`;
}

const counters = /* sql */ `
alter table tables add column next_number integer not null default 1, add column next_text integer not null default 1;
comment on column tables.next_number is 'The next slot for numbers. A slot is never given twice: rows may still hold cells of a deleted column.';
comment on column tables.next_text is 'The next slot for texts.';`;

// The workspace comes before the position, so the policy is a condition of the index and is not computed for each row. An index alone
// answers for pages of which all is visible to all: rows that are only inserted waited for that until they were a fifth of a partition.
const index = /* sql */ `
create index table_rows_slots on table_rows (table_no, workspace_id, position) include (${[...numbers, ...texts].join(', ')})`;
