import { testAsWarning } from '#libs/platform/settings/support/warnings';
import { filesBelow, read, sources } from './repository.ts';

/** The top level as the architecture lists it, and the dotfiles that tools look for there. */
const topLevel = [
  'apps',
  'libs',
  'temporal',
  'docker-compose.yml',
  'nest-cli.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'LICENSE',
];
const namelessRooms = ['utils', 'util', 'helpers', 'common', 'shared', 'core', 'misc', 'lib', 'types'];
/** Folders of more than 20 sources, each with the reason why it stays in one piece. */
const bigFolders = {
  'apps/api/src/http':
    'each step of a request stands beside the others, in the order in which the server adds them',
  'apps/api/src/mcp': 'one protocol, whose parts use each other',
  'apps/api/test/support': 'a tool of the tests a file, found by its name',
  'apps/bench/src': 'a bench a file, found by its name',
  'apps/cli/src/commands': 'the commands of a subject a file, found by its name',
  'apps/console/src/api/resources':
    'a resource of the client a file, so that a page loads those that it calls',
  'apps/local/src': 'a step of the start a file, with the demo in a folder of its own',
  'libs/language/definition/blocks': 'a type of block a file, found by its name',
  'libs/platform/database/migrations': 'a migration a file, in the order of their numbers',
};
const files = filesBelow();
const code = files.filter((path) => /\.(ts|mjs)$/.test(path));
const isSpec = (path: string) => path.endsWith('.spec.ts');

describe('the layout', () => {
  test('the layout has nothing at the top that the architecture does not list', () => {
    const found = new Set(files.map((path) => path.split('/')[0] ?? ''));
    expect([...found].filter((name) => !topLevel.includes(name) && !name.startsWith('.'))).toEqual([]);
  });

  testAsWarning('the layout names every folder for its content', () => {
    const folders = files.filter((path) => path.split('/').some((part) => namelessRooms.includes(part)));
    expect(folders).toEqual([]);
  });

  testAsWarning('the layout has one barrel, for the bundler', () => {
    const barrels = files.filter((path) => /(^|\/)index\.[a-z]+$/.test(path));
    expect(barrels).toEqual(['temporal/workflows/index.ts']);
  });

  testAsWarning('the layout writes file names in kebab-case', () => {
    // A plus stands before the files that the console's router finds by their names.
    const name = /^\+?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
    expect(code.filter((path) => !name.test(path.split('/').at(-1) ?? ''))).toEqual([]);
  });

  testAsWarning(
    'the layout has at most 20 sources in a folder, except folders that are named with a reason',
    () => {
      const counts = new Map<string, number>();
      for (const path of code.filter((one) => !isSpec(one))) {
        const folder = path.split('/').slice(0, -1).join('/');
        counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
      const big = [...counts].filter(([, count]) => count > 20).map(([folder]) => folder);
      expect(big.toSorted()).toEqual(Object.keys(bigFolders).toSorted());
    },
  );
});

describe('a list', () => {
  test.each([
    ['libs/language/definition/blocks/registry.ts', 'kind of a block', /^export const \w+: \w+Kind</m],
    ['libs/platform/database/migrations/all.ts', 'migration', / implements MigrationInterface /],
    ['apps/api/src/controllers.ts', 'controller', /^@Controller\(/m],
  ])('a list in %s has every %s', (list, _, made) => {
    const folder = list.slice(0, list.lastIndexOf('/') + 1);
    const named = code.filter((path) => path.startsWith(folder) && !isSpec(path) && made.test(read(path)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !read(list).includes(`'./${path.slice(folder.length)}'`))).toEqual([]);
  });
});

describe('the sources', () => {
  testAsWarning('the sources name no folder of the machine on which they were written', () => {
    const text = files.filter((path) => !/\.(png|whl|jar)$/.test(path) && path !== 'package-lock.json');
    const machine = new RegExp(['/work/', '/root/', '/home/[a-z]+/', '/Users/'].join('|'));
    expect(text.filter((path) => !path.startsWith('apps/dev/checks/') && machine.test(read(path)))).toEqual(
      [],
    );
  });

  testAsWarning('the sources keep marked SQL below the classes of their file', () => {
    const firstClass = /^(export )?(abstract )?class /m;
    const firstMarked = /^(export )?const .*\/\* sql \*\//m;
    const product = code.filter((path) => !isSpec(path) && !path.startsWith('apps/dev/'));
    const isAbove = (path: string) => {
      const [classAt, sqlAt] = [read(path).search(firstClass), read(path).search(firstMarked)];
      return sqlAt >= 0 && sqlAt < classAt;
    };
    expect(product.filter(isAbove)).toEqual([]);
  });

  testAsWarning(
    'the sources send SQL in a transaction by send, which prepares it, and not by the query of TypeORM',
    () => {
      // The executions and the pauses are being written anew.
      const product = code.filter(
        (path) => !isSpec(path) && !/^libs\/runs\/(executions|pauses)\//.test(path),
      );
      expect(product.filter((path) => /\btx\.query\b/.test(read(path)))).toEqual([]);
    },
  );

  test('the sources mock no module, skip nothing and focus on nothing in the tests', () => {
    const banned =
      /\bjest\.(mock|unstable_mockModule)\(|\b(test|it|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/;
    const specs = sources().filter((path) => isSpec(path) && !path.startsWith('apps/dev/checks/'));
    expect(specs.filter((path) => banned.test(read(path)))).toEqual([]);
  });
});
