import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { untilSessions } from './support/sessions.ts';
import { cloneTemplate } from './template.ts';

class WiderWorkspaces1800000000001 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query('alter table workspaces add column wider text');
  }
  async down(): Promise<void> {
    throw new Error('Migrations of this project only go forward.');
  }
}

describe('a migration that needs a busy table', () => {
  test('a migration that needs a busy table lets others use the table while it waits, and is applied when the table is free', async () => {
    const database = await cloneTemplate(process.env['HOLDFAST_TEST_DATABASE_URL'] ?? '');
    const connect = async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      return client;
    };
    const [busy, other] = [await connect(), await connect()];
    try {
      await busy.query('begin; select 1 from workspaces');
      const migrating = migrate(database.url, [...migrations, WiderWorkspaces1800000000001]);
      await untilSessions(other);
      // This waits for its lock behind the migration. The busy transaction ends only after this statement.
      await other.query('select 1 from workspaces');
      await busy.query('commit');
      expect(await migrating).toEqual(['WiderWorkspaces1800000000001']);
      expect((await other.query('select wider from workspaces')).rows).toEqual([]);
    } finally {
      await busy.end();
      await other.end();
      await database.drop();
    }
  });
});

/** The first migration makes all tables, so nobody uses them yet. */
const ruledFrom = 2;

/** Statements that would lock a busy table while they rewrite or read it, each with the alternative. */
const heavy: [RegExp, string][] = [
  [/create (unique )?index (?!concurrently)/i, 'create the index concurrently, outside of a transaction'],
  [/alter column \w+ (set data )?type/i, 'add a column and fill it in batches by a worker'],
  [/alter column \w+ set not null/i, 'add a check that is not valid, and validate it later'],
  [/overAllRows\(/, 'fill in batches by a worker'],
  [/add column [^,;]*default (?!null)[^,;]*\(/i, 'a default that is computed rewrites the table'],
];

function heavyIn(text: string): string[] {
  const made = [...text.matchAll(/create table (\w+)/gi)].map(([, table = '']) => table);
  // Changes of a new table block nobody.
  const rest = made.reduce(
    (left, table) => left.replaceAll(new RegExp(`[^;\`]*\\bon ${table}\\b[^;\`]*`, 'g'), ''),
    text,
  );
  return heavy.flatMap(([pattern, instead]) => (pattern.test(rest) ? [instead] : []));
}

describe('a migration', () => {
  test('a migration holds no busy table for long', () => {
    const folder = 'libs/platform/database/migrations';
    const files = readdirSync(folder).filter((name) => Number(/^\d{4}/.exec(name)?.[0] ?? 0) >= ruledFrom);
    const found = files.flatMap((name) =>
      heavyIn(readFileSync(`${folder}/${name}`, 'utf8')).map((instead) => `${name}: ${instead}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['create index visits_x on visits (x)', 1],
    ['create index concurrently visits_x on visits (x)', 0],
    ['create table things (id text); create index things_x on things (x)', 0],
    ['alter table visits alter column seq type bigint', 1],
    ['alter table visits alter column name set not null', 1],
    ['alter table visits add column logs json', 0],
  ])('a migration with the statements %j breaks %i rules', (text, count) => {
    expect(heavyIn(text)).toHaveLength(count);
  });
});
