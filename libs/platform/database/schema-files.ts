import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of `schema`, one a resource, in the order in which they are applied. */
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

/** Only sources are compiled, so the files stay where they were written, also for the compiled program. */
const folder = join(import.meta.dirname, 'schema').replace(/([\\/])dist[\\/](?=libs[\\/])/, '$1');

export function schemaSql(name: (typeof schemaFiles)[number]): string {
  return readFileSync(join(folder, `${name}.sql`), 'utf8');
}

/** Procedures that a migration may call on the same connection: `tenant_rows`, `system_rows` and `sixteen_partitions` of `pg_temp`. */
export const migrationProcedures = (): string => schemaSql('tenancy');
