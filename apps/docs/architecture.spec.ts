import { readFileSync, writeFileSync } from 'node:fs';
import { folders } from '#apps/dev/checks/folders';
import { filesBelow } from '#apps/dev/checks/repository';
import { testAsWarning } from '#libs/platform/settings/support/warnings';

const page = 'apps/docs/pages/contributing/architecture.md';
const table = /(?<=\| folder \| contents \|\n\|---\|---\|\n)(?:\|.*\n)*/;
const places = [
  /^(?:apps|libs)\/[^/]+(?=\/)/,
  /^libs\/(?:language|runs|workspace|tables|knowledge|platform)\/[^/]+(?=\/)/,
  /^temporal(?=\/)/,
  /^temporal\/[^/]+(?=\/)/,
];

testAsWarning('each app, each group and each of its folders has a line about its content', () => {
  const found = new Set(filesBelow().flatMap((path) => places.flatMap((place) => place.exec(path) ?? [])));
  const named = [...found].filter((folder) => !folder.endsWith('/support'));
  expect(Object.keys(folders).toSorted()).toEqual(named.toSorted());
});

/** With HOLDFAST_TABLES in the environment it writes the table anew. */
testAsWarning('the page on architecture shows the line of each folder', () => {
  const rows = Object.entries(folders)
    .map(([folder, contents]) => `| \`${folder}\` | ${contents} |\n`)
    .join('');
  const text = readFileSync(page, 'utf8');
  if (process.env['HOLDFAST_TABLES'])
    writeFileSync(
      page,
      text.replace(table, () => rows),
    );
  const cure = `HOLDFAST_TABLES=1 HOLDFAST_TEST_SERVERS=none npm test -- apps/docs/architecture.spec.ts`;
  expect({ cure, shown: table.exec(readFileSync(page, 'utf8'))?.[0] }).toEqual({ cure, shown: rows });
});
