import { readFileSync, writeFileSync } from 'node:fs';
import { type Room, rooms } from '#apps/dev/checks/rooms';

const page = 'apps/docs/pages/contributing/architecture.md';
const table = /(?<=\| room \| rooms of ours \| packages \|\n\|---\|---\|---\|\n)(?:\|.*\n)*/;

const code = (name: string) =>
  name.startsWith('types of ') ? `types of \`${name.slice(9)}\`` : `\`${name}\``;
const isOurs = (name: string) => /^(types of )?(apps|libs|temporal)\//.test(name);

function rowOf({ at, rooms: ours = [], packages = [], also = {} }: Room): string {
  const all = [...new Set([...ours, ...packages, ...Object.keys(also)])];
  const cells = [all.filter(isOurs), all.filter((name) => !isOurs(name))];
  const [first, second] = cells.map((names) => names.map(code).join(', ') || '–');
  return `| \`${at}\` | ${first} | ${second} |\n`;
}

/** With HOLDFAST_TABLES in the environment it writes the table anew. */
test('the page on architecture shows the import table as it is', () => {
  const rows = rooms.map(rowOf).join('');
  const text = readFileSync(page, 'utf8');
  if (process.env['HOLDFAST_TABLES'])
    writeFileSync(
      page,
      text.replace(table, () => rows),
    );
  const cure = `${page} is out of date. Cure it with: HOLDFAST_TABLES=1 npm test -- apps/docs/rooms-table.spec.ts`;
  const shown = table.exec(readFileSync(page, 'utf8'))?.[0] ?? '';
  const lacking = rows.split('\n').filter((row) => !shown.includes(`${row}\n`));
  const outdated = shown.split('\n').filter((row) => !rows.includes(`${row}\n`));
  expect({ cure, lacking, outdated }).toEqual({ cure, lacking: [], outdated: [] });
  expect(shown).toBe(rows);
});
