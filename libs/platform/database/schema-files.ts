import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of `schema` in the order of their execution, one for each area. */
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
] as const;

/** The folder of the SQL files. The compiler does not copy them, so the compiled program reads them from the source folder. */
const folder = join(import.meta.dirname, 'schema').replace(/([\\/])dist[\\/](?=libs[\\/])/, '$1');

export function schemaSql(name: (typeof schemaFiles)[number]): string {
  return readFileSync(join(folder, `${name}.sql`), 'utf8');
}

/** SQL that creates procedures in `pg_temp`: `tenant_rows`, `system_rows` and `sixteen_partitions`. Migrations call them on the same connection. */
export const migrationProcedures = (): string => schemaSql('tenancy');
