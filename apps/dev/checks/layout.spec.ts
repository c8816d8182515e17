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
const files = filesBelow();
const code = files.filter((path) => /\.(ts|mjs)$/.test(path));
/** Nobody reads a generated source from its first line to its last. */
const written = code.filter((path) => !path.includes('/generated/'));
const lines = (path: string) => read(path).trimEnd().split('\n').length;
const isSpec = (path: string) => path.endsWith('.spec.ts');

describe('the layout', () => {
  test('has nothing at the top that the architecture does not list', () => {
    const found = new Set(files.map((path) => path.split('/')[0] ?? ''));
    expect([...found].filter((name) => !topLevel.includes(name) && !name.startsWith('.'))).toEqual([]);
  });

  test('names every folder for what it holds', () => {
    const folders = files.filter((path) => path.split('/').some((part) => namelessRooms.includes(part)));
    expect(folders).toEqual([]);
  });

  test('has one barrel, for the bundler', () => {
    const barrels = files.filter((path) => /(^|\/)index\.[a-z]+$/.test(path));
    expect(barrels).toEqual(['temporal/workflows/index.ts']);
  });

  test('writes file names in kebab-case', () => {
    // A plus stands before the files that the console's router finds by their names.
    const name = /^\+?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
    expect(code.filter((path) => !name.test(path.split('/').at(-1) ?? ''))).toEqual([]);
  });

  test('keeps a folder of sources small enough to read its list', () => {
    const counts = new Map<string, number>();
    // Migrations only grow, and are read from the last one up.
    const counted = code.filter(
      (one) => !isSpec(one) && !one.startsWith('libs/platform/database/migrations/'),
    );
    for (const path of counted) {
      const folder = path.split('/').slice(0, -1).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 35)).toEqual([]);
  });
});

describe('a list', () => {
  test.each([
    ['libs/language/definition/blocks/registry.ts', 'kind of a block', /^export const \w+: \w+Kind</m],
    ['libs/platform/database/migrations/all.ts', 'migration', / implements MigrationInterface /],
    ['apps/api/src/controllers.ts', 'controller', /^@Controller\(/m],
  ])('in %s has every %s', (list, _, made) => {
    const folder = list.slice(0, list.lastIndexOf('/') + 1);
    const named = code.filter((path) => path.startsWith(folder) && !isSpec(path) && made.test(read(path)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !read(list).includes(`'./${path.slice(folder.length)}'`))).toEqual([]);
  });
});

describe('the sources', () => {
  test('stay below 400 lines, specs below 500, or say at their head why not', () => {
    const long = written.filter(
      (path) => lines(path) > (isSpec(path) ? 500 : 400) && !/^\/\/ Over 400 lines: .{20}/m.test(read(path)),
    );
    expect(long.map((path) => `${path} has ${lines(path)} lines`)).toEqual([]);
  });

  test('have a median below 90 lines', () => {
    const sizes = code.filter((path) => !isSpec(path)).map(lines);
    const middle = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)];
    expect(middle).toBeLessThan(90);
  });

  test('name no folder of the machine on which they were written', () => {
    const text = files.filter((path) => !/\.(png|whl|jar)$/.test(path) && path !== 'package-lock.json');
    const machine = new RegExp(['/work/', '/root/', '/home/[a-z]+/', '/Users/'].join('|'));
    expect(text.filter((path) => !path.startsWith('apps/dev/checks/') && machine.test(read(path)))).toEqual(
      [],
    );
  });

  test('of the tests mock no module, skip nothing and focus on nothing', () => {
    const banned =
      /\bjest\.(mock|unstable_mockModule)\(|\b(test|it|describe)\.(skip|only|todo)\b|\bx(it|describe)\(/;
    const specs = sources().filter((path) => isSpec(path) && !path.startsWith('apps/dev/checks/'));
    expect(specs.filter((path) => banned.test(read(path)))).toEqual([]);
  });
});
