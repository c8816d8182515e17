import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { reports } from './reports.ts';
import { lead, type BenchResult, renderSection } from './results.ts';

const page = 'apps/docs/pages/benchmarks.md';
const folder = 'apps/bench/results';
const results = new Map(
  readdirSync(folder).map((name): [string, BenchResult] => [
    name.replace(/\.json$/, ''),
    JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')),
  ]),
);

/** The generated part of a section: its first line, and the table below when there is one. */
const partOf = (bench: string) => new RegExp(`^${lead(bench)}(?![\\w-]).*\\n(?:\\n(?:\\|.*\\n)+)?`, 'm');

/** With HOLDFAST_TABLES in the environment it writes the tables. */
testAsWarning('the page on benchmarks shows the stored result of each bench', () => {
  if (process.env['HOLDFAST_TABLES'])
    writeFileSync(
      page,
      Object.keys(reports).reduce(
        (text, bench) => text.replace(partOf(bench), () => renderSection(bench, results.get(bench))),
        readFileSync(page, 'utf8'),
      ),
    );
  const text = readFileSync(page, 'utf8');
  const cure = `HOLDFAST_TABLES=1 HOLDFAST_TEST_SERVERS=none npm test -- apps/bench/src/results.spec.ts`;
  for (const bench of Object.keys(reports))
    expect({ cure, shown: partOf(bench).exec(text)?.[0] }).toEqual({
      cure,
      shown: renderSection(bench, results.get(bench)),
    });
});

testAsWarning(
  'each stored result belongs to a bench on the page, and its report names all of its figures',
  () => {
    for (const [name, { bench, date, cores, figures }] of results) {
      expect(bench).toBe(name);
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(cores).toBeGreaterThan(0);
      const paths = reports[bench]?.rows.flatMap((row) => row.figures.map(({ path }) => path)) ?? [];
      expect(Object.keys(figures).filter((path) => !paths.includes(path))).toEqual([]);
      expect(Object.keys(figures)).not.toEqual([]);
    }
  },
);

test('a bench without a result has a line and no table', () => {
  expect(renderSection('execute', undefined)).toBe(`${lead('execute')}: none is stored yet.\n`);
});
