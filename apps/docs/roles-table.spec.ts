import { readFileSync, writeFileSync } from 'node:fs';
import { testAsWarning } from '#libs/platform/settings/support/warnings';

const page = 'apps/docs/pages/keys.md';
const table = /(?<=\| of \| viewer \| editor \| admin \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)*/;

interface Operation {
  operationId: string;
  tags: string[];
  security: { apiKey?: string[] }[];
}

const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync('apps/api/openapi.json', 'utf8'),
);
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const roleOf = ({ security: [first] }: Operation) => first?.apiKey?.[0];

function rows(): string {
  const keyed = operations.filter((one) => roleOf(one) !== undefined);
  const tags = [...new Set(keyed.flatMap((one) => one.tags))].toSorted();
  const cell = (tag: string, role: string) =>
    keyed
      .filter((one) => one.tags.includes(tag) && roleOf(one) === role)
      .map(({ operationId }) => operationId)
      .toSorted()
      .map((name) => `\`${name}\``)
      .join(' ') || '–';
  return tags
    .map(
      (tag) => `| ${tag} | ${['viewer', 'editor', 'admin'].map((role) => cell(tag, role)).join(' | ')} |\n`,
    )
    .join('');
}

/** With HOLDFAST_TABLES in the environment it writes the table anew. */
testAsWarning('the page on keys lists each operation with its roles', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env['HOLDFAST_TABLES'])
    writeFileSync(
      page,
      text.replace(table, () => rows()),
    );
  const cure = `${page} is out of date. Cure it with: HOLDFAST_TABLES=1 npm test -- apps/docs/roles-table.spec.ts`;
  expect(rows()).toContain('`deployWorkflow`');
  expect({ cure, shown: table.exec(readFileSync(page, 'utf8'))?.[0] }).toEqual({ cure, shown: rows() });
});
