import { readFileSync, writeFileSync } from 'node:fs';
import { n8nTable } from '#libs/import/n8n/nodes';
import { toPageRows } from '#libs/import/n8n/table';
import { testAsWarning } from '#libs/platform/settings/support/warnings';

const page = 'apps/docs/pages/importing.md';
const table =
  /(?<=\| node \| versions \| verdict \| becomes \| how \| parameters \|\n\|---\|---\|---\|---\|---\|---\|\n)(?:\|.*\n)*/;

/** With HOLDFAST_TABLES in the environment it writes the table anew. */
testAsWarning('the page on imports shows the table of nodes that the importer goes by', () => {
  const text = readFileSync(page, 'utf8');
  const rows = toPageRows(n8nTable.rows);
  if (process.env['HOLDFAST_TABLES'])
    writeFileSync(
      page,
      text.replace(table, () => rows),
    );
  const cure = `${page} is out of date. Cure it with: HOLDFAST_TABLES=1 npm test -- apps/docs/importing.spec.ts`;
  expect({ cure, shown: table.exec(readFileSync(page, 'utf8'))?.[0] }).toEqual({ cure, shown: rows });
});
