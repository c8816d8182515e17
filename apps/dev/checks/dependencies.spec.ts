import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ICruiseResult, IRegularForbiddenRuleType } from 'dependency-cruiser';
import { drawArrows } from '#apps/docs/support/arrows-drawing';
import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { arrowsBetweenGroups } from './arrows.ts';
import { cruiseUnder, forbidden } from './cruise.ts';
import { plantedImports } from './planted-imports.ts';
import { checkout, isTestSupport, readJson } from './repository.ts';

/** Each rule without one of its entries: the imports that it then refuses are those that need the entry. */
const rulesWithoutEntry = forbidden.flatMap((rule) =>
  listOf(rule.to.pathNot).map((entry, at, entries): IRegularForbiddenRuleType => ({
    ...rule,
    name: `${rule.name} lets ${entry} through`,
    to: { ...rule.to, pathNot: entries.toSpliced(at, 1) },
  })),
);

let all: ICruiseResult;
beforeAll(async () => {
  all = await cruiseUnder([...forbidden, ...rulesWithoutEntry]);
});

const refusedBy = (name: string) =>
  all.summary.violations
    .filter(({ rule }) => rule.name === name)
    .map(({ from, to, unresolvedTo = to }) => `${from} imports ${unresolvedTo}`);

describe('the rules of imports', () => {
  test.each(forbidden.map((rule) => [rule.name ?? '', rule.comment]))('no import breaks: %s', (name) => {
    expect(refusedBy(name)).toEqual([]);
  });

  testAsWarning('the rules of imports have no entry that no import needs any more', () => {
    const names = rulesWithoutEntry.map(({ name = '' }) => name);
    expect(names.filter((name) => refusedBy(name).length === 0)).toEqual([]);
  });

  testAsWarning(
    'the rules of imports refuse each planted import, and no import that is allowed',
    async () => {
      const planted = await cruisePlanted();
      const found = planted.summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
      const expected = plantedImports.flatMap(({ refusedBy: names }, at) =>
        names.map((name) => `${pathOf(at)}: ${name}`),
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
    },
  );

  testAsWarning('the rules of imports have a planted import for each of them', () => {
    const planted = new Set(plantedImports.flatMap(({ refusedBy: names }) => names));
    expect(forbidden.map(({ name = '' }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});

/** With HOLDFAST_TABLES in the environment it draws the picture anew. */
testAsWarning('the picture of the groups shows the arrows that the imports make', () => {
  const path = 'apps/docs/pictures/groups.svg';
  const drawn = drawArrows('Which groups of folders import which', arrowsBetweenGroups(all));
  if (process.env['HOLDFAST_TABLES']) writeFileSync(join(checkout, path), drawn);
  const cure = `HOLDFAST_TABLES=1 HOLDFAST_TEST_SERVERS=none npm test -- apps/dev/checks/dependencies`;
  expect({ cure, drawn: readFileSync(join(checkout, path), 'utf8') }).toEqual({ cure, drawn });
});

describe('package.json', () => {
  const { dependencies, devDependencies } =
    readJson<Record<'dependencies' | 'devDependencies', Record<string, string>>>('package.json');
  const wanted = { ...dependencies, ...devDependencies };

  test('package.json holds every package that a source imports', () => {
    const missing = packageImports().filter(({ from, name }) => {
      // The console is built: nothing is looked up when it runs.
      const tool = isTestSupport(from) || /^apps\/(console|dev)\//.test(from);
      return !(name in (tool ? wanted : dependencies));
    });
    expect(missing).toEqual([]);
  });
});

function packageImports(): { from: string; name: string }[] {
  return all.modules.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ coreModule, module }) => !coreModule && !/^[.#$]|^virtual:/.test(module))
      .map(({ module }) => ({
        from: source,
        name: module.split('/', module.startsWith('@') ? 2 : 1).join('/'),
      })),
  );
}

/** The planted files, in a folder of their own, with an empty file or package for each import. */
async function cruisePlanted(): Promise<ICruiseResult> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-imports-'));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  try {
    for (const path of ['package.json', 'tsconfig.json'])
      write(path, readFileSync(join(checkout, path), 'utf8'));
    for (const [at, { text, imports }] of plantedImports.entries()) {
      for (const path of imports) write(path, 'export {};');
      write(pathOf(at), text);
    }
    return await cruiseUnder(forbidden, { baseDir: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file for each planted import, so that a violation names the import that made it. */
function pathOf(at: number): string {
  return plantedImports[at]?.path.replace('planted', `planted-${at}`) ?? '';
}

function listOf(value: string | string[] = []): string[] {
  return Array.isArray(value) ? value : [value];
}
